// Checks rules that are known by the chain's id or from a file against the forks that a node reports (EIP-7910). Pure.
import { activeForkIndex, blobScheduleAt, includesFork } from '../../../chain/forks.js';
import { NON_EVM_ADDRESSES_BY_FORK, OP_FORK_NAMES, type OpFork } from '../../../chain/forks.table.js';
import type { ChainDescription, UnknownFork } from '../../../chain/chain-description.js';
import type { UnknownFeature } from '../../live-status.js';
import {
  isSameBlobSchedule,
  omittedForkNotice,
  unknownForkReason,
  activationTimesOf,
  unknownForkNotice,
  unreadableForkNotice,
  type ForkCheck,
  type UnknownRulesNotice,
} from './rules-from-forks.js';
import {
  nextRecognizableFork,
  isPrecompile,
  isSystemContract,
  newestRecognizedFork,
  unknownSystemContracts,
  type EthConfigForks,
  type EthConfigFork,
} from './eth-config-fork.js';

/** Compares the forks that a node reports with those in the chain's description, which does not change. */
export const checkKnownRules: ForkCheck = (reported, { chain }, timestamp) => {
  const forks = [reported.current, reported.next, reported.last].filter((fork) => fork !== null);
  const found = forks.map((fork) => unknownFeatureOf(fork, chain)).find((unknown) => unknown !== null);
  // Of an OP-Stack node's forks, only names and times are compared.
  const fault = chain.op === null ? unreadableForkNotice(reported) : null;
  return {
    chain,
    unknown:
      fault ?? found ?? missing(reported, chain, timestamp) ?? omittedForkNotice(reported, activationTimesOf(chain)),
  };
};

/** The check for a file with such a fork: the node may report more, but does not overrule the file. */
export function createFileForkCheck(inFile: UnknownRulesNotice): ForkCheck {
  return (reported, before, timestamp) => {
    const { chain, unknown } = checkKnownRules(reported, before, timestamp);
    const reportsMore = unknown !== null && BigInt(unknown.since) <= greater(BigInt(inFile.since), timestamp);
    return { chain, unknown: reportsMore ? unknown : inFile };
  };
}

/** The notice about an unknown fork in the file of `--genesis`. */
export function unknownForkInFile({ key, since }: UnknownFork): UnknownRulesNotice {
  const reason = unknownForkReason('the file of --genesis', since, [key]);
  return { since, reason, unknownFeature: { kind: 'fork', name: `${key} at ${since}` } };
}

/** Everything in a node's forks that is unknown here or not executed, which is the node's own non-EVM code. */
export function reportedUnknownFeatures(
  { current, next, last }: EthConfigForks,
  chain: ChainDescription,
): UnknownFeature[] {
  const reported = [current, next, last].filter((fork) => fork !== null);
  const found = reported.flatMap(({ precompiles, systemContracts }) => [
    ...Object.entries(precompiles).flatMap(([name, address]): UnknownFeature[] =>
      isPrecompile(address) ? [] : [{ kind: 'precompile', name: `${name} (${address})` }],
    ),
    ...Object.keys(systemContracts).flatMap((name): UnknownFeature[] =>
      isSystemContract(name) ? [] : [{ kind: 'system contract', name }],
    ),
  ]);
  const forks = reported.filter((fork) => !isPlannedIn(fork, chain));
  return [
    ...forks.map(({ activationTime }): UnknownFeature => ({ kind: 'fork', name: `at ${activationTime}` })),
    ...found,
  ];
}

function greater(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

function unknownFeatureOf(fork: EthConfigFork, chain: ChainDescription): UnknownRulesNotice | null {
  const { activationTime: since } = fork;
  const known = knownPrecompilesOf(chain, since);
  // A precompile of a known fork is native code of the node.
  if (!isPlannedIn(fork, chain) || unknownSystemContracts(fork).length > 0) return unknownForkNotice(fork, known);
  const reason = contrast(fork, chain, since);
  return reason === null ? null : { since, reason };
}

function isPlannedIn(fork: EthConfigFork, chain: ChainDescription): boolean {
  const { activationTime: since } = fork;
  return since === 0 || activationTimesOf(chain).includes(since) || isOldOp(fork, chain);
}

/** How a fork differs from ours at this time; `null` if it does not. What is reported shows no OP-Stack forks. */
function contrast(fork: EthConfigFork, chain: ChainDescription, time: bigint | number): string | null {
  if (chain.op !== null) return null;
  const index = activeForkIndex(chain.forks, Number.MAX_SAFE_INTEGER, time);
  const { name: ours } = chain.forks[index]!;
  const name = newestRecognizedFork(fork);
  const later = name === null ? null : nextRecognizableFork(name);
  const isOurs = name === null || (includesFork(ours, name) && (later === null || !includesFork(ours, later)));
  if (!isOurs) return `the upstream's eth_config has ${name} at timestamp ${time}, where ${ours} is expected`;
  const { blobSchedule } = fork;
  if (blobSchedule === null || isSameBlobSchedule(blobSchedule, blobScheduleAt(chain, index))) return null;
  return `the upstream's eth_config has another blob schedule at timestamp ${time} than ${ours}`;
}

/** Forks of the OP Stack that changed nothing here, up to Isthmus's blob schedule, are in no description. */
function isOldOp({ activationTime }: EthConfigFork, { op }: ChainDescription): boolean {
  return op !== null && activationTime <= (op.isthmus ?? Math.max(...OP_FORK_NAMES.map((name) => op[name] ?? 0)));
}

/** Addresses at which a chain's forks up to `time` run native code of the node. */
function knownPrecompilesOf({ op }: ChainDescription, time: number): readonly string[] {
  const isThere = (fork: OpFork): boolean => op !== null && op[fork] !== null && op[fork] <= time;
  return OP_FORK_NAMES.filter(isThere).flatMap((fork) =>
    fork in NON_EVM_ADDRESSES_BY_FORK ? NON_EVM_ADDRESSES_BY_FORK[fork as keyof typeof NON_EVM_ADDRESSES_BY_FORK] : [],
  );
}

/** A fork that should be active by now but that the node neither has nor plans. */
function missing(
  { current, next }: EthConfigForks,
  chain: ChainDescription,
  timestamp: bigint,
): UnknownRulesNotice | null {
  const since = chain.forks[activeForkIndex(chain.forks, Number.MAX_SAFE_INTEGER, timestamp)]!.timestamp ?? 0;
  if (since <= current.activationTime || (next !== null && next.activationTime === since)) return null;
  const reason = contrast(current, chain, timestamp);
  return reason === null ? null : { since, reason };
}
