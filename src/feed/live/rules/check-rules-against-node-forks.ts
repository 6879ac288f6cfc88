// Checks rules that are known by chain id or from a file against the forks that the node reports (EIP-7910). Pure.
import { activeForkIndex, blobScheduleOfFork, includesFork } from '../../../chain/active-forks.js';
import { NON_EVM_ADDRESSES_BY_FORK, OP_FORK_NAMES, type OpFork } from '../../../chain/forks.table.js';
import { activationTimesOf, type ChainDescription, type UnknownFork } from '../../../chain/chain-description.js';
import type { UnknownFeature } from '../../live-status.js';
import {
  isSameBlobSchedule,
  omittedForkNotice,
  unknownForksMessage,
  unknownForkNotice,
  unreadableForkNotice,
  type DeriveRulesFromForks,
  type UnknownRulesNotice,
} from './rules-from-node-forks.js';
import {
  forksIn,
  nextRecognizableFork,
  isEthereumPrecompile,
  isSystemContract,
  newestRecognizedFork,
  unknownSystemContracts,
  type EthConfigForks,
  type EthConfigFork,
} from './eth-config-fork.js';
import { maxBigInt } from '../../../lib/min-max-bigint.js';

/**
 * Compares the forks that a node reports with those in the chain's description. Never changes the description.
 */
export const checkKnownRules: DeriveRulesFromForks = (reported, { chain }, timestamp) => {
  const found = forksIn(reported)
    .map((fork) => unknownFeatureOf(fork, chain))
    .find((unknown) => unknown !== null);
  // On an OP-Stack chain, malformed members are ignored, because only names and activation times are compared there.
  const fault = chain.op === null ? unreadableForkNotice(reported) : null;
  return {
    chain,
    unknown:
      fault ?? found ?? missing(reported, chain, timestamp) ?? omittedForkNotice(reported, activationTimesOf(chain)),
  };
};

/**
 * Creates the check for a chain whose `--genesis` file has an unknown fork. The rules are then unknown from that fork
 * on, or from an earlier unknown fork that the node reports.
 */
export function createFileForkCheck(inFile: UnknownRulesNotice): DeriveRulesFromForks {
  return (reported, before, timestamp) => {
    const { chain, unknown } = checkKnownRules(reported, before, timestamp);
    const reportsMore = unknown !== null && BigInt(unknown.since) <= maxBigInt(BigInt(inFile.since), timestamp);
    return { chain, unknown: reportsMore ? unknown : inFile };
  };
}

/** Returns the notice about an unknown fork in the `--genesis` file. */
export function genesisFileForkNotice({ key, since }: UnknownFork): UnknownRulesNotice {
  const reason = unknownForksMessage('the file of --genesis', since, [key]);
  return { since, reason, unknownFeature: { kind: 'fork', name: `${key} at ${since}` } };
}

/**
 * Returns everything in a node's reported forks that we do not know or cannot execute, such as precompiles, which are
 * native code of the node.
 */
export function reportedUnknownFeatures(reported: EthConfigForks, chain: ChainDescription): UnknownFeature[] {
  const found = forksIn(reported).flatMap(({ precompiles, systemContracts }) => [
    ...Object.entries(precompiles).flatMap(([name, address]): UnknownFeature[] =>
      isEthereumPrecompile(address) ? [] : [{ kind: 'precompile', name: `${name} (${address})` }],
    ),
    ...Object.keys(systemContracts).flatMap((name): UnknownFeature[] =>
      isSystemContract(name) ? [] : [{ kind: 'system contract', name }],
    ),
  ]);
  const forks = forksIn(reported).filter((fork) => !isPlannedIn(fork, chain));
  return [
    ...forks.map(({ activationTime }): UnknownFeature => ({ kind: 'fork', name: `at ${activationTime}` })),
    ...found,
  ];
}

function unknownFeatureOf(fork: EthConfigFork, chain: ChainDescription): UnknownRulesNotice | null {
  const { activationTime: since } = fork;
  const known = knownPrecompilesOf(chain, since);
  // An unknown precompile in a known fork is native code of the node, not the sign of an unknown fork.
  if (!isPlannedIn(fork, chain) || unknownSystemContracts(fork).length > 0) return unknownForkNotice(fork, known);
  const reason = contrast(fork, chain, since);
  return reason === null ? null : { since, reason };
}

function isPlannedIn(fork: EthConfigFork, chain: ChainDescription): boolean {
  const { activationTime: since } = fork;
  return since === 0 || activationTimesOf(chain).includes(since) || isOldOp(fork, chain);
}

/**
 * Returns how a reported fork differs from the one in our description at this time; `null` if it does not. On an
 * OP-Stack chain it returns `null`, because `eth_config` does not contain OP-Stack forks.
 */
function contrast(fork: EthConfigFork, chain: ChainDescription, time: bigint | number): string | null {
  if (chain.op !== null) return null;
  const index = activeForkIndex(chain.forks, Number.MAX_SAFE_INTEGER, time);
  const { name: ours } = chain.forks[index]!;
  const name = newestRecognizedFork(fork);
  const later = name === null ? null : nextRecognizableFork(name);
  const isOurs = name === null || (includesFork(ours, name) && (later === null || !includesFork(ours, later)));
  if (!isOurs) return `the upstream's eth_config has ${name} at timestamp ${time}, where ${ours} is expected`;
  const { blobSchedule } = fork;
  if (blobSchedule === null || isSameBlobSchedule(blobSchedule, blobScheduleOfFork(chain, index))) return null;
  return `the upstream's eth_config has another blob schedule at timestamp ${time} than ${ours}`;
}

/**
 * Returns true for a fork of an OP-Stack chain up to Isthmus, or up to the newest fork in the description if that lacks
 * Isthmus. Such a fork may be absent from the description, which leaves out old forks that make no difference to us.
 */
function isOldOp({ activationTime }: EthConfigFork, { op }: ChainDescription): boolean {
  return op !== null && activationTime <= (op.isthmus ?? Math.max(...OP_FORK_NAMES.map((name) => op[name] ?? 0)));
}

/** Returns the addresses of native code (precompiles) that the OP-Stack forks up to `time` have added. */
function knownPrecompilesOf({ op }: ChainDescription, time: number): readonly string[] {
  const isThere = (fork: OpFork): boolean => op !== null && op[fork] !== null && op[fork] <= time;
  return OP_FORK_NAMES.filter(isThere).flatMap((fork) =>
    fork in NON_EVM_ADDRESSES_BY_FORK ? NON_EVM_ADDRESSES_BY_FORK[fork as keyof typeof NON_EVM_ADDRESSES_BY_FORK] : [],
  );
}

/** Returns a notice if a fork of the description should be active by now, but the node neither has it nor plans it. */
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
