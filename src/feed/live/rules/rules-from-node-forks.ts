// Derives a chain's rules from the forks that its node reports (EIP-7910), and finds from when on they are unknown.
// Pure.
import { crc32 } from 'node:zlib';
import { FORK_NAMES, blobScheduleOfFork, includesFork } from '../../../chain/active-forks.js';
import { FORKS } from '../../../chain/forks.table.js';
import {
  activationTimesOf,
  type BlobSchedule,
  type ChainDescription,
  type ForkActivation,
} from '../../../chain/chain-description.js';
import { fromHex } from '../../../lib/bytes/hex.js';
import { toBytes } from '../../../lib/bytes/big-endian.js';
import type { UnknownFeature } from '../../live-status.js';
import {
  RECOGNIZABLE_FORKS,
  newestRecognizedFork,
  unknownSystemContractAddresses,
  unknownSystemContracts,
  unknownFeaturesOf,
  type EthConfigForks,
  type EthConfigFork,
} from './eth-config-fork.js';

/** The rules of a chain as far as they are known, and from when on they are unknown. */
export interface KnownRules {
  readonly chain: ChainDescription;
  /** From when on the rules are unknown, and why; `null` if nothing unknown is found. */
  readonly unknown: UnknownRulesNotice | null;
}

/** Says that the chain's rules are unknown from this timestamp (seconds) on, and why. */
export interface UnknownRulesNotice {
  readonly since: number;
  readonly reason: string;
  /** Addresses of unknown system contracts of the fork, 20 bytes each. */
  readonly queues?: readonly Uint8Array[];
  /** The unknown fork, if it comes from the `--genesis` file. Absent if it comes from the node's report. */
  readonly unknownFeature?: UnknownFeature;
}

/**
 * Derives the rules from the forks that a node reports, the rules known `before`, and the timestamp of the next block.
 */
export type DeriveRulesFromForks = (reported: EthConfigForks, before: KnownRules, timestamp: bigint) => KnownRules;

/** The newest fork of mainnet, apart from blob forks. Its rules are used if the chain's own rules are unknown. */
const USUAL_RULES = 'osaka';

/**
 * Returns the rules of a chain that only its node describes: the current fork, as if it had been active from the start,
 * and the planned forks. Returns `null` if the current fork is unknown.
 */
export function rulesFromNode(chainId: bigint, reported: EthConfigForks): KnownRules | null {
  const name = isReadable(reported) ? nameOf(reported.current) : null;
  return name === null ? null : withLater(chainAt(chainId, reported.current, name), reported);
}

/**
 * Returns substitute rules for a chain that only its node describes, if its current fork is unknown or the node reports
 * none. They are the rules of the newest fork that can be recognized by its system contracts or precompiles. They are
 * needed to serve the chain's state, but nothing is executed by them.
 */
export function substituteRulesForUnknownFork(chainId: bigint, reported: EthConfigForks | null): KnownRules {
  const current = reported?.current ?? NO_CONFIG_FORK;
  const chain = chainAt(chainId, current, newestRecognizedFork(current) ?? USUAL_RULES);
  if (reported !== null) return { chain, unknown: unreadableForkNotice(reported) ?? unknownForkNotice(current) };
  const reason =
    `no rules are known for the chain with id ${chainId}, and the upstream has no eth_config: ` +
    'name a genesis file with --genesis';
  return { chain, unknown: { since: 0, reason } };
}

const NO_CONFIG_FORK: EthConfigFork = {
  activationTime: 0,
  blobSchedule: null,
  forkId: null,
  precompiles: {},
  systemContracts: {},
};

/** Returns the description of a chain that has this fork from the start. */
function chainAt(chainId: bigint, { blobSchedule, systemContracts }: EthConfigFork, name: string): ChainDescription {
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
 * Creates the check for a chain whose earlier rules came from its node. `origin` is the activation time of the fork
 * that the node reported first. go-ethereum does not report forks that come after an unscheduled one. So a fork that is
 * no longer reported stays planned until its activation time.
 */
export function createReportedForkCheck(origin: number): DeriveRulesFromForks {
  return (reported, before, timestamp) => {
    const { chain } = before;
    const { current, next, last } = reported;
    if (!isReadable(reported)) return { chain, unknown: unreadableForkNotice(reported) };
    const past = chain.forks.filter((fork, index) => index === 0 || startOf(fork) < current.activationTime);
    const isPlanned = ({ timestamp: start }: ForkActivation): boolean =>
      start !== null && start > current.activationTime && BigInt(start) > timestamp && isHidden(start, next, last);
    const started = { ...chain, forks: past, blobSchedule: schedulesOf(past, chain) };
    const isFirst = current.activationTime <= origin;
    const seen = new Set(chain.forks.map(startOf));
    const known = isFirst ? withSchedule(started, current) : withFork(started, current, seen);
    if (known.unknown !== null) return known;
    const planned = { forks: chain.forks.filter(isPlanned), schedules: chain.blobSchedule, seen };
    return withLater(known.chain, reported, planned);
  };
}

function schedulesOf(forks: readonly ForkActivation[], { blobSchedule }: ChainDescription): typeof blobSchedule {
  return Object.fromEntries(Object.entries(blobSchedule).filter(([name]) => forks.some((fork) => fork.name === name)));
}

/** Returns true if a node that reports these two forks may have a fork at time `start` without reporting it. */
function isHidden(start: number, next: EthConfigFork | null, last: EthConfigFork | null): boolean {
  if (next === null) return true;
  return last !== null && start > next.activationTime && start < last.activationTime;
}

/** Returns the description with the reported blob schedule for its first fork, which must be the current fork. */
function withSchedule(chain: ChainDescription, current: EthConfigFork): KnownRules {
  const [first] = chain.forks;
  if (nameOf(current, true) !== first!.name) return { chain, unknown: unknownForkNotice(current) };
  if (current.blobSchedule === null) return { chain, unknown: null };
  return {
    chain: { ...chain, blobSchedule: { ...chain.blobSchedule, [first!.name]: current.blobSchedule } },
    unknown: null,
  };
}

/** Planned forks that were reported before, with their blob schedules. */
interface Planned {
  readonly forks: readonly ForkActivation[];
  readonly schedules: ChainDescription['blobSchedule'];
  /** Activation times of all forks that were reported before. */
  readonly seen: ReadonlySet<number>;
}

const NOTHING_PLANNED: Planned = { forks: [], schedules: {}, seen: new Set() };

function withLater(chain: ChainDescription, reported: EthConfigForks, before: Planned = NOTHING_PLANNED): KnownRules {
  const { forks: planned, schedules, seen } = before;
  const later = [reported.next, reported.last].filter((fork) => fork !== null);
  let known: KnownRules = { chain, unknown: null };
  for (const fork of [...later, ...planned].sort((a, b) => startOf(a) - startOf(b))) {
    if (known.unknown !== null) break;
    known = isConfigFork(fork) ? withFork(known.chain, fork, seen) : withPlanned(known.chain, fork, schedules);
  }
  const unknown =
    known.unknown ?? unreadableForkNotice(reported) ?? omittedForkNotice(reported, activationTimesOf(known.chain));
  return { chain: known.chain, unknown };
}

function isConfigFork(fork: EthConfigFork | ForkActivation): fork is EthConfigFork {
  return 'activationTime' in fork;
}

function startOf(fork: EthConfigFork | ForkActivation): number {
  return isConfigFork(fork) ? fork.activationTime : (fork.timestamp ?? 0);
}

function withPlanned(
  chain: ChainDescription,
  fork: ForkActivation,
  schedules: ChainDescription['blobSchedule'],
): KnownRules {
  const isNew = chain.forks.every(({ name }) => name !== fork.name);
  return { chain: isNew ? extended(chain, fork, schedules[fork.name] ?? null) : chain, unknown: null };
}

/** Returns the description with one more fork. A fork that the description already has is not changed. */
function withFork(chain: ChainDescription, fork: EthConfigFork, seen: ReadonlySet<number>): KnownRules {
  const newest = chain.forks.at(-1)!;
  const { activationTime: timestamp, blobSchedule } = fork;
  if (newest.timestamp !== null && timestamp <= newest.timestamp) return { chain, unknown: null };
  const name = laterName(fork, chain, seen.has(timestamp));
  if (name === null) return { chain, unknown: unknownForkNotice(fork) };
  return { chain: extended(chain, { name, block: null, timestamp }, blobSchedule), unknown: null };
}

function extended(chain: ChainDescription, fork: ForkActivation, schedule: BlobSchedule | null): ChainDescription {
  const blobSchedule = schedule === null ? chain.blobSchedule : { ...chain.blobSchedule, [fork.name]: schedule };
  return { ...chain, forks: [...chain.forks, fork], blobSchedule };
}

/**
 * Returns the name of a fork that the node reports and that activates later than all forks of `chain`, if this program
 * implements it or if it changes only the blob schedule (EIP-7892); otherwise `null`.
 */
function laterName(fork: EthConfigFork, chain: ChainDescription, isSeen: boolean): string | null {
  const name = nameOf(fork, isSeen);
  const newest = chain.forks.at(-1)!.name;
  if (name === null) return null;
  if (!includesFork(newest, name)) return name;
  const before = blobScheduleOfFork(chain, chain.forks.length - 1);
  // If neither the blob schedule nor anything recognizable changes, the fork must change something that we do not know.
  const isOfBlobs = RECOGNIZABLE_FORKS.find((row) => includesFork(newest, row.name))?.name === name;
  if (!isOfBlobs || isSameBlobSchedule(fork.blobSchedule, before)) return null;
  const next = FORKS[FORK_NAMES.indexOf(newest) + 1];
  return next?.isOfBlobs === true ? next.name : null;
}

/**
 * Returns the name of a fork; `null` if something in it is unknown. `isSeen`: the fork was reported before, so a
 * precompile that the node reports only now is native code of the node, not the sign of another fork.
 */
function nameOf(fork: EthConfigFork, isSeen = false): string | null {
  const isKnown = isSeen ? unknownSystemContracts(fork).length === 0 : unknownFeaturesOf(fork).length === 0;
  return isKnown ? newestRecognizedFork(fork) : null;
}

function isReadable({ current, fault }: EthConfigForks): boolean {
  return fault === undefined || fault.since > current.activationTime;
}

/** Returns the notice about a malformed member of the response; `null` if there is none. */
export function unreadableForkNotice({ fault }: EthConfigForks): UnknownRulesNotice | null {
  if (fault === undefined) return null;
  return { since: fault.since, reason: `the upstream's eth_config has no ${fault.member} that can be read` };
}

export function unknownForkNotice(fork: EthConfigFork, ownPrecompiles: readonly string[] = []): UnknownRulesNotice {
  const { activationTime: since } = fork;
  const reason = unknownForksMessage("the upstream's eth_config", since, unknownFeaturesOf(fork, ownPrecompiles));
  const queues = unknownSystemContractAddresses(fork);
  return queues.length === 0 ? { since, reason } : { since, reason, queues };
}

export function unknownForksMessage(where: string, since: number, names: readonly string[]): string {
  const from = since === 0 ? 'from the beginning' : `from timestamp ${since} on`;
  const named = names.length === 0 ? '' : ` (${names.join(', ')})`;
  return `${where} has a fork that is not known here, ${from}${named}`;
}

/**
 * Returns a notice if the report leaves out a fork. This shows in the fork ids: by EIP-2124, each fork id follows from
 * the previous one and the activation times since. `times` are the activation times that we know.
 */
export function omittedForkNotice(
  { current, next, last }: EthConfigForks,
  times: readonly number[],
): UnknownRulesNotice | null {
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

export function isSameBlobSchedule(a: BlobSchedule | null, b: BlobSchedule | null): boolean {
  if (a === null || b === null) return a === b;
  return a.target === b.target && a.max === b.max && a.baseFeeUpdateFraction === b.baseFeeUpdateFraction;
}
