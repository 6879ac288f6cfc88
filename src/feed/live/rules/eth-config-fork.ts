// Parses the forks that a node reports by `eth_config` (EIP-7910), and finds features of theirs that we do not know.
// Pure.
import { FORKS, type ForkRow } from '../../../chain/forks.table.js';
import type { NonEvmRow } from '../../../chain/non-evm-accounts.js';
import type { BlobSchedule } from '../../../chain/chain-description.js';
import { FORK_HEADER_FIELDS } from '../../../execution/block/header-validation.js';
import { fromHex } from '../../../lib/bytes/hex.js';
import { isJsonObject } from '../../../upstream/transport/parse-rpc-response.js';

/** One fork as the node reports it. */
export interface EthConfigFork {
  /** Activation time in seconds since 1970; 0 if the fork is active from genesis. */
  readonly activationTime: number;
  readonly blobSchedule: BlobSchedule | null;
  /** The checksum of EIP-6122; `null` if it is not reported. */
  readonly forkId: number | null;
  /** Addresses of precompiles and system contracts, by their names in EIP-7910. */
  readonly precompiles: Readonly<Record<string, string>>;
  readonly systemContracts: Readonly<Record<string, string>>;
}

/** The current fork, the next one, and the last planned one. Forks between `next` and `last` are not reported. */
export interface EthConfigForks {
  readonly current: EthConfigFork;
  readonly next: EthConfigFork | null;
  readonly last: EthConfigFork | null;
  /** The first member that is malformed, if any. If it belongs to a future fork, that fork is `null`. */
  readonly fault?: EthConfigFault;
}

/** A malformed member, and the activation time (seconds) of its fork, from which on the rules are not known. */
interface EthConfigFault {
  readonly since: number;
  /** The member's path in the response. */
  readonly member: string;
}

/** Forks that can be recognized by a precompile or system contract that they have added, the newest first. */
export const RECOGNIZABLE_FORKS = FORKS.filter(
  (fork): fork is ForkRow & { readonly mark: RegExp } => fork.mark !== undefined,
).toReversed();
/** For each fork that adds both system contracts and header fields: the names of both. */
const SHOWN = RECOGNIZABLE_FORKS.map(({ mark, eips = [], systemContracts = {} }) => ({
  contracts: Object.keys(systemContracts).filter((name) => mark.test(name)),
  fields: FORK_HEADER_FIELDS.filter(([, eip]) => (eips as readonly number[]).includes(eip)).map(([name]) => name),
})).filter(({ contracts, fields }) => contracts.length > 0 && fields.length > 0);
/** Addresses of all known precompiles. */
const PRECOMPILES = new Set(
  FORKS.flatMap(({ precompiles = [] }) => precompiles).flatMap(([first, names]) => names.map((_, at) => first + at)),
);
/** Known system contracts, by the first two parts of their names in EIP-7910. */
const SYSTEM_CONTRACTS = FORKS.flatMap(({ systemContracts = {} }) => Object.keys(systemContracts)).map((name) => {
  return name.split('_', 2).join('_') + '_';
});

const isText = (value: unknown, form: RegExp): value is string => typeof value === 'string' && form.test(value);
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
const ADDRESS = /^0x[0-9a-f]{40}$/i;

/** The required form of each member of a fork. An optional member may also be `null`. */
const FORMS: Readonly<Record<string, { readonly fits: (value: unknown) => boolean; readonly isOptional?: true }>> = {
  activationTime: { fits: isCount },
  blobSchedule: { fits: isSchedule, isOptional: true },
  chainId: { fits: (value) => isText(value, /^0x[0-9a-f]+$/i), isOptional: true },
  forkId: { fits: (value) => isText(value, /^0x[0-9a-f]{1,8}$/i), isOptional: true },
  precompiles: { fits: isAddresses, isOptional: true },
  systemContracts: { fits: isAddresses, isOptional: true },
};

function isSchedule(value: unknown): value is BlobSchedule {
  if (!isJsonObject(value)) return false;
  const { target, max, baseFeeUpdateFraction } = value;
  if (!isCount(target) || !isCount(max) || !isCount(baseFeeUpdateFraction)) return false;
  return target <= max && max > 0 && baseFeeUpdateFraction > 0;
}

function isAddresses(value: unknown): value is Record<string, string> {
  return isJsonObject(value) && Object.values(value).every((each) => isText(each, ADDRESS));
}

/** Returns the forks that the node reports, in order. */
export function forksIn({ current, next, last }: EthConfigForks): EthConfigFork[] {
  return [current, next, last].filter((fork) => fork !== null);
}

/** Parses the response to `eth_config`; returns `null` if it has no current fork. */
export function parseEthConfig(answer: unknown): EthConfigForks | null {
  if (!isJsonObject(answer) || !isJsonObject(answer['current'])) return null;
  const current = readFork(answer['current']);
  const [next, last] = [toCome(answer['next']), toCome(answer['last'])];
  const faults = (['current', 'next', 'last'] as const).flatMap((name): EthConfigFault[] => {
    const member = faultIn(answer[name] ?? null);
    return member === null ? [] : [{ since: timeOf(answer[name]) ?? current.activationTime, member: name + member }];
  });
  return { current, next, last, ...(faults.length === 0 ? {} : { fault: faults[0]! }) };
}

function toCome(value: unknown): EthConfigFork | null {
  return isJsonObject(value) && faultIn(value) === null ? readFork(value) : null;
}

function timeOf(value: unknown): number | null {
  return isJsonObject(value) && isCount(value['activationTime']) ? value['activationTime'] : null;
}

/** Returns the path of the first malformed member of a fork, relative to the fork; `null` if there is none. */
function faultIn(value: unknown): string | null {
  if (value === null) return null;
  if (!isJsonObject(value)) return '';
  const found = Object.entries(FORMS).find(([name, { fits, isOptional }]) => {
    const member = value[name] ?? null;
    return member === null ? isOptional !== true : !fits(member);
  });
  return found === undefined ? null : `.${found[0]}`;
}

/** Parses a fork. Malformed members are left out. */
function readFork(value: Readonly<Record<string, unknown>>): EthConfigFork {
  const { blobSchedule, forkId } = value;
  return {
    activationTime: timeOf(value) ?? 0,
    blobSchedule: isSchedule(blobSchedule) ? blobSchedule : null,
    forkId: FORMS['forkId']!.fits(forkId) ? Number(forkId) : null,
    precompiles: addressesOf(value['precompiles']),
    systemContracts: addressesOf(value['systemContracts']),
  };
}

function addressesOf(value: unknown): Record<string, string> {
  const named = isJsonObject(value) ? Object.entries(value) : [];
  return Object.fromEntries(named.filter((each): each is [string, string] => isText(each[1], ADDRESS)));
}

/**
 * Removes the system contracts of forks whose header fields are missing from the newest header: if the header
 * contradicts the report, the header is right. If a later block has such fields after all, it contradicts the rules,
 * and the forks are requested again. `header` is JSON of the execution API.
 */
export function withoutForkThatHeaderContradicts(
  reported: EthConfigForks,
  header: Readonly<Record<string, unknown>>,
): EthConfigForks {
  const { current } = reported;
  const absent = SHOWN.filter(({ fields }) => !fields.every((name) => name in header));
  const names = new Set(absent.flatMap(({ contracts }) => contracts));
  const kept = Object.entries(current.systemContracts).filter(([name]) => !names.has(name));
  return { ...reported, current: { ...current, systemContracts: Object.fromEntries(kept) } };
}

/** Returns the newest fork that can be recognized by these precompiles and system contracts; `null` if none can. */
export function newestRecognizedFork({ precompiles, systemContracts }: EthConfigFork): string | null {
  const names = [...Object.keys(precompiles), ...Object.keys(systemContracts)];
  return RECOGNIZABLE_FORKS.find(({ mark }) => names.some((name) => mark.test(name)))?.name ?? null;
}

/** Returns the first fork after fork `name` that can be recognized; `null` if there is none. */
export function nextRecognizableFork(name: string): string | null {
  return RECOGNIZABLE_FORKS[RECOGNIZABLE_FORKS.findIndex((fork) => fork.name === name) - 1]?.name ?? null;
}

/**
 * Returns the names of a fork's precompiles and system contracts that we do not know. `ownPrecompiles` are addresses of
 * known precompiles that only this chain has, and Ethereum does not.
 */
export function unknownFeaturesOf(fork: EthConfigFork, ownPrecompiles: readonly string[] = []): string[] {
  const { precompiles } = fork;
  const isOwn = (name: string): boolean => ownPrecompiles.includes(precompiles[name]!.toLowerCase());
  return [
    ...Object.keys(precompiles).filter((name) => !isEthereumPrecompile(precompiles[name]!) && !isOwn(name)),
    ...unknownSystemContracts(fork),
  ];
}

export function unknownSystemContracts({ systemContracts }: EthConfigFork): string[] {
  return Object.keys(systemContracts).filter((name) => !isSystemContract(name));
}

export function isSystemContract(name: string): boolean {
  return SYSTEM_CONTRACTS.some((known) => name.startsWith(known));
}

/** Returns the addresses of a fork's unknown system contracts. */
export function unknownSystemContractAddresses({ systemContracts }: EthConfigFork): Uint8Array[] {
  const named = Object.entries(systemContracts).filter(([name]) => !isSystemContract(name));
  return named.map(([, address]) => fromHex(address));
}

/**
 * Returns the precompiles of all reported forks, except for those of Ethereum. They run non-EVM code, and are warm
 * (EIP-2929) from the start of a transaction.
 */
export function unknownPrecompiles(reported: EthConfigForks): NonEvmRow[] {
  const addresses = forksIn(reported).flatMap(({ precompiles }) => Object.values(precompiles));
  const unknown = addresses.filter((address) => !isEthereumPrecompile(address));
  return [...new Set(unknown.map((address) => address.toLowerCase()))].map((address) => {
    return { prefix: fromHex(address), kind: 'precompile' };
  });
}

export function isEthereumPrecompile(address: string): boolean {
  return PRECOMPILES.has(Number(address));
}
