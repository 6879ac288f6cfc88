// Rules that are known from elsewhere, by the chain's id or from a file, held against what a node tells of its forks (EIP-7910). Pure.
// Runs on the publisher.
import { activeFork, blobScheduleAt, includesFork } from '../../../chain/forks.js';
import { FOREIGN, OP_FORKS, type OpFork } from '../../../chain/forks.table.js';
import type { ChainDescription, UnknownFork } from '../../../chain/spec.js';
import type { Stranger } from '../../status.js';
import {
  isSameSchedule,
  leftOut,
  reasonOf,
  timesOf,
  unknownFork,
  unreadable,
  type Judge,
  type UnknownRules,
} from './fork-plan.js';
import {
  after,
  isPrecompile,
  isSystemContract,
  markedName,
  strangeContracts,
  type ForksTold,
  type ForkTold,
} from './fork-told.js';

/** Compares a node's word with what is known of its chain from elsewhere; the description is kept as it is. */
export const checkedRules: Judge = (told, { chain }, timestamp) => {
  const forks = [told.current, told.next, told.last].filter((fork) => fork !== null);
  const found = forks.map((fork) => stranger(fork, chain)).find((unknown) => unknown !== null);
  // What a node of the OP Stack tells is compared with nothing but names and times.
  const fault = chain.op === null ? unreadable(told) : null;
  return { chain, unknown: fault ?? found ?? missing(told, chain, timestamp) ?? leftOut(told, timesOf(chain)) };
};

/** A judge beside a file with such a fork: the node may tell more of it, or of one that comes before, but takes nothing back. */
export function checkedBeside(inFile: UnknownRules): Judge {
  return (told, before, timestamp) => {
    const { chain, unknown } = checkedRules(told, before, timestamp);
    const tellsMore = unknown !== null && BigInt(unknown.since) <= greater(BigInt(inFile.since), timestamp);
    return { chain, unknown: tellsMore ? unknown : inFile };
  };
}

/** The notice of one that `--genesis` names. */
export function unknownInFile({ key, since }: UnknownFork): UnknownRules {
  const reason = reasonOf('the file of --genesis', since, [key]);
  return { since, reason, stranger: { kind: 'fork', name: `${key} at ${since}` } };
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

function greater(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

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

/** A fork that is to be in force by now, and that the node has neither had nor planned. */
function missing({ current, next }: ForksTold, chain: ChainDescription, timestamp: bigint): UnknownRules | null {
  const since = chain.forks[activeFork(chain.forks, Number.MAX_SAFE_INTEGER, timestamp)]!.timestamp ?? 0;
  if (since <= current.activationTime || (next !== null && next.activationTime === since)) return null;
  const reason = contrast(current, chain, timestamp);
  return reason === null ? null : { since, reason };
}
