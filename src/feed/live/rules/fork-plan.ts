// Forks as a node tells of them (EIP-7910), and how far that is known here. Pure. Runs on the publisher.
import { crc32 } from 'node:zlib';
import { ORDER, activeFork, blobScheduleAt, includesFork } from '../../../chain/forks.js';
import { FOREIGN, FORKS, type ForkRow, OP_FORKS, type OpFork } from '../../../chain/forks.table.js';
import type { Stranger } from '../../status.js';
import type { ForeignRow } from '../../../chain/foreign.js';
import type { BlobSchedule, ChainDescription, ForkActivation, UnknownFork } from '../../../chain/spec.js';
import { fromHex } from '../../../lib/bytes/hex.js';
import { isObject } from '../../../upstream/transport/rpc-answer.js';
import { toBytes } from '../../../lib/bytes/words.js';

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

/** The rules of a chain, as far as they are known. */
export interface KnownRules {
  readonly chain: ChainDescription;
  /** `null`: nothing is known of anything that is not known. */
  readonly unknown: UnknownRules | null;
}

/** From this timestamp on (seconds) the rules are not known. */
export interface UnknownRules {
  readonly since: number;
  readonly reason: string;
  /** System contracts of the fork that are not known here (20 bytes each). */
  readonly queues?: readonly Uint8Array[];
  /** The fork itself, where the node has not told it. */
  readonly stranger?: Stranger;
}

/** Makes rules of what a node tells. `before`: those that were known. `timestamp`: of the block that they are wanted for. */
export type Judge = (told: ForksTold, before: KnownRules, timestamp: bigint) => KnownRules;

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

/** The newest fork that changes more than blobs and is mainnet's: it stands for what is not known. */
const USUAL_RULES = 'osaka';
/** Forks by a precompile or a system contract that came with them, the newest first. */
const MARKED = FORKS.filter(
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

/**
 * The rules of a chain that is known by its node alone: the fork at hand, as if it had been there from the start, and those to
 * come. `null` where that fork is none that is known here.
 */
export function firstRules(chainId: bigint, told: ForksTold): KnownRules | null {
  const name = nameOf(told.current);
  return name === null ? null : withLater(beginning(chainId, told.current, name), told);
}

/**
 * The rules of such a chain where that fork is not known, or the node tells none: those of the one whose precompiles it has stand for it,
 * and nothing is executed by them.
 */
export function unknownRules(chainId: bigint, told: ForksTold | null): KnownRules {
  const current = told?.current ?? NOTHING_TOLD;
  const chain = beginning(chainId, current, markedName(current) ?? USUAL_RULES);
  if (told !== null) return { chain, unknown: unknownFork(current) };
  const reason = `no rules are known for the chain with id ${chainId}, and the upstream has no eth_config: --genesis tells them`;
  return { chain, unknown: { since: 0, reason } };
}

const NOTHING_TOLD: ForkTold = {
  activationTime: 0,
  blobSchedule: null,
  forkId: null,
  precompiles: {},
  systemContracts: {},
};

/** A chain with this fork from the start. */
function beginning(chainId: bigint, { blobSchedule, systemContracts }: ForkTold, name: string): ChainDescription {
  const deposits = systemContracts['DEPOSIT_CONTRACT_ADDRESS'];
  return {
    chainId,
    forks: [{ name, block: 0, timestamp: null }],
    blobSchedule: blobSchedule === null ? {} : { [name]: blobSchedule },
    depositContract: deposits === undefined ? null : fromHex(deposits),
    transactionGasCap: true,
    op: null,
  };
}

/**
 * The rules of a chain whose rules came from its node before. `origin`: when the first fork that was told began. What a node
 * hides, as go-ethereum does behind a name of its list that is not set, stays planned until its time has come.
 */
export function toldRules(origin: number): Judge {
  return (told, before, timestamp) => {
    const { chain } = before;
    const { current, next, last } = told;
    const past = chain.forks.filter((fork, index) => index === 0 || startOf(fork) < current.activationTime);
    const isPlanned = ({ timestamp: start }: ForkActivation): boolean =>
      start !== null && start > current.activationTime && BigInt(start) > timestamp && isHidden(start, next, last);
    const begun = { ...chain, forks: past, blobSchedule: schedulesOf(past, chain) };
    const isFirst = current.activationTime <= origin;
    const seen = new Set(chain.forks.map(startOf));
    const known = isFirst ? withSchedule(begun, current) : withFork(begun, current, seen);
    if (known.unknown !== null) return known;
    const planned = { forks: chain.forks.filter(isPlanned), schedules: chain.blobSchedule, seen };
    return withLater(known.chain, told, planned);
  };
}

function schedulesOf(forks: readonly ForkActivation[], { blobSchedule }: ChainDescription): typeof blobSchedule {
  return Object.fromEntries(Object.entries(blobSchedule).filter(([name]) => forks.some((fork) => fork.name === name)));
}

/** A node that tells these forks may have another one at this time. */
function isHidden(start: number, next: ForkTold | null, last: ForkTold | null): boolean {
  if (next === null) return true;
  return last !== null && start > next.activationTime && start < last.activationTime;
}

/** The fork at hand is the first one of the description. */
function withSchedule(chain: ChainDescription, current: ForkTold): KnownRules {
  const [first] = chain.forks;
  if (nameOf(current, true) !== first!.name) return { chain, unknown: unknownFork(current) };
  if (current.blobSchedule === null) return { chain, unknown: null };
  return {
    chain: { ...chain, blobSchedule: { ...chain.blobSchedule, [first!.name]: current.blobSchedule } },
    unknown: null,
  };
}

/** Forks that were told before, and are still to come, with their schedules. */
interface Planned {
  readonly forks: readonly ForkActivation[];
  readonly schedules: ChainDescription['blobSchedule'];
  /** Starts of all that were told before. */
  readonly seen: ReadonlySet<number>;
}

const NOTHING_PLANNED: Planned = { forks: [], schedules: {}, seen: new Set() };

function withLater(begun: ChainDescription, told: ForksTold, before: Planned = NOTHING_PLANNED): KnownRules {
  const { forks: planned, schedules, seen } = before;
  const later = [told.next, told.last].filter((fork) => fork !== null);
  let known: KnownRules = { chain: begun, unknown: null };
  for (const fork of [...later, ...planned].sort((a, b) => startOf(a) - startOf(b))) {
    if (known.unknown !== null) break;
    known = isTold(fork) ? withFork(known.chain, fork, seen) : withPlanned(known.chain, fork, schedules);
  }
  const unknown = known.unknown ?? leftOut(told, timesOf(known.chain));
  return { chain: known.chain, unknown };
}

function isTold(fork: ForkTold | ForkActivation): fork is ForkTold {
  return 'activationTime' in fork;
}

function startOf(fork: ForkTold | ForkActivation): number {
  return isTold(fork) ? fork.activationTime : (fork.timestamp ?? 0);
}

function withPlanned(
  chain: ChainDescription,
  fork: ForkActivation,
  schedules: ChainDescription['blobSchedule'],
): KnownRules {
  const isNew = chain.forks.every(({ name }) => name !== fork.name);
  return { chain: isNew ? extended(chain, fork, schedules[fork.name] ?? null) : chain, unknown: null };
}

/** With one fork more; one that is there already is left as it is. */
function withFork(chain: ChainDescription, fork: ForkTold, seen: ReadonlySet<number>): KnownRules {
  const newest = chain.forks.at(-1)!;
  const { activationTime: timestamp, blobSchedule } = fork;
  if (newest.timestamp !== null && timestamp <= newest.timestamp) return { chain, unknown: null };
  const name = laterName(fork, chain, seen.has(timestamp));
  if (name === null) return { chain, unknown: unknownFork(fork) };
  return { chain: extended(chain, { name, block: null, timestamp }, blobSchedule), unknown: null };
}

function extended(chain: ChainDescription, fork: ForkActivation, schedule: BlobSchedule | null): ChainDescription {
  const blobSchedule = schedule === null ? chain.blobSchedule : { ...chain.blobSchedule, [fork.name]: schedule };
  return { ...chain, forks: [...chain.forks, fork], blobSchedule };
}

/** The name of a fork behind others: a known one, or one that changes blobs alone (EIP-7892). `null`: it is not known here. */
function laterName(fork: ForkTold, chain: ChainDescription, isSeen: boolean): string | null {
  const name = nameOf(fork, isSeen);
  const newest = chain.forks.at(-1)!.name;
  if (name === null) return null;
  if (!includesFork(newest, name)) return name;
  const before = blobScheduleAt(chain, chain.forks.length - 1);
  // A fork that changes neither what marks one nor blobs changes something that is not known here.
  const isOfBlobs = MARKED.find((row) => includesFork(newest, row.name))?.name === name;
  if (!isOfBlobs || isSameSchedule(fork.blobSchedule, before)) return null;
  const next = FORKS[ORDER.indexOf(newest) + 1];
  return next?.isOfBlobs === true ? next.name : null;
}

/**
 * `null`: there is something in it that is not known here. `isSeen`: it was known before, so that a precompile which the node has come to
 * name since then is code of the node's own, and no fork.
 */
function nameOf(fork: ForkTold, isSeen = false): string | null {
  const isKnown = isSeen ? strangeContracts(fork).length === 0 : strangersOf(fork).length === 0;
  return isKnown ? markedName(fork) : null;
}

/** The newest fork whose mark it has; `null`: it has none. */
function markedName({ precompiles, systemContracts }: ForkTold): string | null {
  const names = [...Object.keys(precompiles), ...Object.keys(systemContracts)];
  return MARKED.find(({ mark }) => names.some((name) => mark.test(name)))?.name ?? null;
}

/** `foreign`: addresses of precompiles that are known besides Ethereum's. */
function strangersOf(fork: ForkTold, foreign: readonly string[] = []): string[] {
  const { precompiles } = fork;
  const isForeign = (name: string): boolean => foreign.includes(precompiles[name]!.toLowerCase());
  return [
    ...Object.keys(precompiles).filter((name) => !isPrecompile(precompiles[name]!) && !isForeign(name)),
    ...strangeContracts(fork),
  ];
}

/** Names of system contracts that are not known here. */
function strangeContracts({ systemContracts }: ForkTold): string[] {
  return Object.keys(systemContracts).filter((name) => !isSystemContract(name));
}

function isSystemContract(name: string): boolean {
  return SYSTEM_CONTRACTS.some((known) => name.startsWith(known));
}

/** Addresses of system contracts that are not known here. */
function queuesOf({ systemContracts }: ForkTold): Uint8Array[] {
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

function isPrecompile(address: string): boolean {
  return /^0x[0-9a-f]{1,40}$/i.test(address) && PRECOMPILES.has(Number(address));
}

/**
 * All that a node tells of its forks and that is not known here, or not executed: code of the node's own.
 */
export function strangersTold({ current, next, last }: ForksTold, chain: ChainDescription): Stranger[] {
  const told = [current, next, last].filter((fork) => fork !== null);
  const found = told.flatMap(({ precompiles, systemContracts }) => [
    ...Object.entries(precompiles).flatMap(([name, address]): Stranger[] =>
      isPrecompile(address) ? [] : [{ kind: 'precompile', name: `${name} (${address})` }],
    ),
    ...Object.keys(systemContracts).flatMap((name): Stranger[] =>
      isSystemContract(name) ? [] : [{ kind: 'system contract', name }],
    ),
  ]);
  const forks = told.filter((fork) => !isPlannedIn(fork, chain));
  return [...forks.map(({ activationTime }): Stranger => ({ kind: 'fork', name: `at ${activationTime}` })), ...found];
}

/** The notice of a fork that is not known here. */
export function unknownFork(fork: ForkTold, foreign: readonly string[] = []): UnknownRules {
  const { activationTime: since } = fork;
  const reason = reasonOf("the upstream's eth_config", since, strangersOf(fork, foreign));
  const queues = queuesOf(fork);
  return queues.length === 0 ? { since, reason } : { since, reason, queues };
}

function reasonOf(where: string, since: number, names: readonly string[]): string {
  const from = since === 0 ? 'from the beginning' : `from timestamp ${since} on`;
  const named = names.length === 0 ? '' : ` (${names.join(', ')})`;
  return `${where} has a fork that is not known here, ${from}${named}`;
}

/** The notice of one that `--genesis` names. */
export function unknownInFile({ key, since }: UnknownFork): UnknownRules {
  const reason = reasonOf('the file of --genesis', since, [key]);
  return { since, reason, stranger: { kind: 'fork', name: `${key} at ${since}` } };
}

/** As `checkedRules`, for a file with such a fork: the node may tell more of it, or of one that comes before, but takes nothing back. */
export function checkedBeside(inFile: UnknownRules): Judge {
  return (told, before, timestamp) => {
    const { chain, unknown } = checkedRules(told, before, timestamp);
    const tellsMore = unknown !== null && BigInt(unknown.since) <= greater(BigInt(inFile.since), timestamp);
    return { chain, unknown: tellsMore ? unknown : inFile };
  };
}

function greater(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

/** Compares a node's word with what is known of its chain from elsewhere; the description is kept as it is. */
export const checkedRules: Judge = (told, { chain }, timestamp) => {
  const forks = [told.current, told.next, told.last].filter((fork) => fork !== null);
  const found = forks.map((fork) => stranger(fork, chain)).find((unknown) => unknown !== null);
  return { chain, unknown: found ?? missing(told, chain, timestamp) ?? leftOut(told, timesOf(chain)) };
};

function stranger(fork: ForkTold, chain: ChainDescription): UnknownRules | null {
  const { activationTime: since } = fork;
  const foreign = foreignOf(chain, since);
  // A precompile of a fork that is known is code of the node's own.
  if (!isPlannedIn(fork, chain) || strangeContracts(fork).length > 0) return unknownFork(fork, foreign);
  const reason = contrast(fork, chain, since);
  return reason === null ? null : { since, reason };
}

function isPlannedIn(fork: ForkTold, chain: ChainDescription): boolean {
  const { activationTime: since } = fork;
  return since === 0 || timesOf(chain).includes(since) || isOldOp(fork, chain);
}

/** In which respect a fork is another one than ours at this time; `null`: in none. OP-Stack forks do not show in what is told. */
function contrast(fork: ForkTold, chain: ChainDescription, time: bigint | number): string | null {
  if (chain.op !== null) return null;
  const index = activeFork(chain.forks, Number.MAX_SAFE_INTEGER, time);
  const { name: ours } = chain.forks[index]!;
  const name = markedName(fork);
  const later = name === null ? null : after(name);
  const isOurs = name === null || (includesFork(ours, name) && (later === null || !includesFork(ours, later)));
  if (!isOurs) return `the upstream's eth_config has ${name} at timestamp ${time}, where ${ours} is expected`;
  const { blobSchedule } = fork;
  if (blobSchedule === null || isSameSchedule(blobSchedule, blobScheduleAt(chain, index))) return null;
  return `the upstream's eth_config has another blob schedule at timestamp ${time} than ${ours}`;
}

/** Forks of the OP Stack that changed nothing here, Isthmus's blob schedule the last of them, are in no description. */
function isOldOp({ activationTime }: ForkTold, { op }: ChainDescription): boolean {
  return op !== null && activationTime <= (op.isthmus ?? Math.max(...OP_FORKS.map((name) => op[name] ?? 0)));
}

/** Addresses that forks of a chain up to `time` answer by code of the node's own. */
function foreignOf({ op }: ChainDescription, time: number): readonly string[] {
  const isThere = (fork: OpFork): boolean => op !== null && op[fork] !== null && op[fork] <= time;
  return OP_FORKS.filter(isThere).flatMap((fork) => (fork in FOREIGN ? FOREIGN[fork as keyof typeof FOREIGN] : []));
}

/** The fork that comes next among those with marks; `null`: none. */
function after(name: string): string | null {
  return MARKED[MARKED.findIndex((fork) => fork.name === name) - 1]?.name ?? null;
}

/** A fork that is to be in force by now, and that the node has neither had nor planned. */
function missing({ current, next }: ForksTold, chain: ChainDescription, timestamp: bigint): UnknownRules | null {
  const since = chain.forks[activeFork(chain.forks, Number.MAX_SAFE_INTEGER, timestamp)]!.timestamp ?? 0;
  if (since <= current.activationTime || (next !== null && next.activationTime === since)) return null;
  const reason = contrast(current, chain, timestamp);
  return reason === null ? null : { since, reason };
}

/** EIP-2124: the checksum of a later fork follows from that of an earlier one and the times between, unless one is left out. */
function leftOut({ current, next, last }: ForksTold, times: readonly number[]): UnknownRules | null {
  for (const [from, to] of [
    [current, next],
    [next, last],
  ] as const) {
    if (from === null || to === null || from.forkId === null || to.forkId === null) continue;
    const between = times.filter((time) => time > from.activationTime && time < to.activationTime);
    const passed = to.activationTime > from.activationTime ? [...between, to.activationTime] : [];
    const sum = passed.reduce((checksum, time) => crc32(toBytes(BigInt(time), 8), checksum), from.forkId);
    if (sum === to.forkId) continue;
    const since = from === current ? from.activationTime : from.activationTime + 1;
    const range = `between timestamps ${from.activationTime} and ${to.activationTime}`;
    return { since, reason: `the upstream's eth_config leaves out a fork ${range}, as their fork ids say` };
  }
  return null;
}

/** Ascending, each once. */
export function timesOf({ forks, op }: ChainDescription): number[] {
  const times = [...forks.map(({ timestamp }) => timestamp), ...OP_FORKS.map((name) => op?.[name] ?? null)];
  return [...new Set(times.filter((time) => time !== null && time > 0) as number[])].sort((a, b) => a - b);
}

function isSameSchedule(a: BlobSchedule | null, b: BlobSchedule | null): boolean {
  if (a === null || b === null) return a === b;
  return a.target === b.target && a.max === b.max && a.baseFeeUpdateFraction === b.baseFeeUpdateFraction;
}
