// Forks as a node tells of them (EIP-7910), and what of them is not known here. Pure. Runs on the publisher.
import { FORKS, type ForkRow } from '../../../chain/forks.table.js';
import type { ForeignRow } from '../../../chain/foreign.js';
import type { BlobSchedule } from '../../../chain/spec.js';
import { fromHex } from '../../../lib/bytes/hex.js';
import { isObject } from '../../../upstream/transport/rpc-answer.js';

/** One fork, as a node tells it. */
export interface ForkTold {
  /** Seconds since 1970; 0: with the chain. */
  readonly activationTime: number;
  readonly blobSchedule: BlobSchedule | null;
  /** EIP-6122's checksum; `null`: the node does not say it. */
  readonly forkId: number | null;
  /** Addresses by the EIP's names. */
  readonly precompiles: Readonly<Record<string, string>>;
  readonly systemContracts: Readonly<Record<string, string>>;
}

/** The fork in force, the next one and the last one that is planned; nodes leave out those between. */
export interface ForksTold {
  readonly current: ForkTold;
  readonly next: ForkTold | null;
  readonly last: ForkTold | null;
}

/** Forks by a precompile or a system contract that came with them, the newest first. */
export const MARKED = FORKS.filter(
  (fork): fork is ForkRow & { readonly mark: RegExp } => fork.mark !== undefined,
).toReversed();
/** Addresses of all precompiles that are known here. */
const PRECOMPILES = new Set(
  FORKS.flatMap(({ precompiles = [] }) => precompiles).flatMap(([first, names]) => names.map((_, at) => first + at)),
);
/** System contracts by how the names of EIP-7910 begin. */
const SYSTEM_CONTRACTS = FORKS.flatMap(({ systemContracts = {} }) => Object.keys(systemContracts)).map((name) => {
  return name.split('_', 2).join('_') + '_';
});

/** The answer to `eth_config`; `null` where it is none. */
export function forksTold(answer: unknown): ForksTold | null {
  if (!isObject(answer)) return null;
  const current = forkTold(answer['current']);
  return current === null ? null : { current, next: forkTold(answer['next']), last: forkTold(answer['last']) };
}

function forkTold(value: unknown): ForkTold | null {
  if (!isObject(value) || typeof value['activationTime'] !== 'number') return null;
  const { activationTime, forkId } = value;
  const isId = typeof forkId === 'string' && /^0x[0-9a-f]{1,8}$/i.test(forkId);
  return {
    activationTime,
    blobSchedule: isObject(value['blobSchedule']) ? (value['blobSchedule'] as unknown as BlobSchedule) : null,
    forkId: isId ? Number(forkId) : null,
    precompiles: textsOf(value['precompiles']),
    systemContracts: textsOf(value['systemContracts']),
  };
}

function textsOf(value: unknown): Record<string, string> {
  const texts = isObject(value) ? Object.entries(value).filter(([, each]) => typeof each === 'string') : [];
  return Object.fromEntries(texts) as Record<string, string>;
}

/** The newest fork whose mark it has; `null`: it has none. */
export function markedName({ precompiles, systemContracts }: ForkTold): string | null {
  const names = [...Object.keys(precompiles), ...Object.keys(systemContracts)];
  return MARKED.find(({ mark }) => names.some((name) => mark.test(name)))?.name ?? null;
}

/** The fork that comes next among those with marks; `null`: none. */
export function after(name: string): string | null {
  return MARKED[MARKED.findIndex((fork) => fork.name === name) - 1]?.name ?? null;
}

/** `foreign`: addresses of precompiles that are known besides Ethereum's. */
export function strangersOf(fork: ForkTold, foreign: readonly string[] = []): string[] {
  const { precompiles } = fork;
  const isForeign = (name: string): boolean => foreign.includes(precompiles[name]!.toLowerCase());
  return [
    ...Object.keys(precompiles).filter((name) => !isPrecompile(precompiles[name]!) && !isForeign(name)),
    ...strangeContracts(fork),
  ];
}

/** Names of system contracts that are not known here. */
export function strangeContracts({ systemContracts }: ForkTold): string[] {
  return Object.keys(systemContracts).filter((name) => !isSystemContract(name));
}

export function isSystemContract(name: string): boolean {
  return SYSTEM_CONTRACTS.some((known) => name.startsWith(known));
}

/** Addresses of system contracts that are not known here. */
export function queuesOf({ systemContracts }: ForkTold): Uint8Array[] {
  const named = Object.entries(systemContracts).filter(([name]) => !isSystemContract(name));
  return named.flatMap(([, address]) => (/^0x[0-9a-f]{40}$/i.test(address) ? [fromHex(address)] : []));
}

/** Precompiles of all forks that are told which are not Ethereum's: code that is not the EVM's, warm from the start. */
export function strangePrecompiles({ current, next, last }: ForksTold): ForeignRow[] {
  const addresses = [current, next, last].flatMap((fork) => (fork === null ? [] : Object.values(fork.precompiles)));
  const strange = addresses.filter((address) => /^0x[0-9a-f]{40}$/i.test(address) && !isPrecompile(address));
  return [...new Set(strange.map((address) => address.toLowerCase()))].map((address) => {
    return { prefix: fromHex(address), kind: 'precompile' };
  });
}

export function isPrecompile(address: string): boolean {
  return /^0x[0-9a-f]{1,40}$/i.test(address) && PRECOMPILES.has(Number(address));
}
