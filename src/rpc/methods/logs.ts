// eth_getLogs: the logs of complete blocks, of pre-confirmed blocks if the range includes them, and of blocks that only
// the upstream node has. They are joined without a gap.
import { blockNotFound, rpcError, type RpcError } from '../../rpc-errors.js';
import { monotonicMs } from '../../lib/clock.js';
import { toHex, toQuantity } from '../../lib/bytes/hex.js';
import { LIMITS } from '../../limits/index.js';
import type { Caller } from '../answer/request-response-types.js';
import type { LogFilter } from '../render/log-filter.js';
import { LogSearch, type LogSearchResult, type SharedLogSearchBudget } from '../render/log-search.js';
import { blockNumberOf, type ReadView } from '../view/pinned-read-view.js';
import { readLogCriteria, type LogCriteria } from '../params/log-criteria.js';
import { holdUntilBlockArrives, type UpstreamAheadDeps } from './hold-answer-until-block-arrives.js';
import type { MethodFunctionByName, MethodResult } from '../call/method-types.js';
import { type BlockParam, LATEST_BLOCK } from '../view/block-param-types.js';
import { type RpcCallOutcome, isError, methodResultJson } from '../answer/call-result.js';
import type { BackingNode } from '../view/upstream-node-access.js';
import type { ExecutedBlockLookup } from '../view/executed-block-lookup.js';
import type { LogSearchBlock } from '../view/executed-block-types.js';

export interface LogMethodDeps extends UpstreamAheadDeps, SharedLogSearchBudget {
  readonly executed: ExecutedBlockLookup;
}

const PENDING: BlockParam = { kind: 'pending' };

/** A range of block numbers, including both ends. */
interface Range {
  readonly from: number;
  readonly to: number;
}

/**
 * A range of blocks in two parts: first the blocks whose logs are requested from the upstream node, then the blocks
 * that are stored in this process.
 */
interface SplitRange {
  /** The range that is requested from the upstream node; `null` if all blocks are stored in this process. */
  readonly upstream: (Range & { readonly lastHash: Uint8Array | null }) | null;
  /** Blocks that are stored in this process, in reverse order. */
  readonly here: LogSearchBlock[];
}

export const logMethods = {
  /** `[filter]`: returns the matching logs in order. */
  eth_getLogs: (args, readView, deps, caller) => {
    const criteria = readLogCriteria(args, 0);
    return args.failure ?? searchLogs(criteria, readView, deps, caller);
  },
} satisfies MethodFunctionByName<LogMethodDeps>;

/** Returns the matching logs as JSON. */
export function searchLogs(
  criteria: LogCriteria,
  readView: ReadView,
  deps: LogMethodDeps,
  caller: Caller,
): MethodResult {
  const { blockHash, filter } = criteria;
  if (blockHash !== null && blockOf(blockHash, readView) === null) {
    if (deps.backing === null) return rpcError('execution', 'unknown block');
    const block = toHex(blockHash);
    const question = { forward: [{ ...filter.members, blockHash: block }], method: 'eth_getLogs', block };
    return holdUntilBlockArrives(question, block, { member: 'blockNumber', none: blockNotFound(block) }, deps);
  }
  const range = rangeOf(criteria, readView);
  return 'error' in range ? range : logsIn(split(range, readView, deps), filter, deps, caller);
}

function logsIn(
  { upstream, here }: SplitRange,
  filter: LogFilter,
  deps: LogMethodDeps,
  caller: Caller,
): RpcCallOutcome | Promise<RpcCallOutcome> {
  const found = new LogSearch(filter, here, caller, deps).run();
  if (upstream === null && !(found instanceof Promise)) return joined([], found);
  const elsewhere = upstream === null ? [] : upstreamLogs(upstream, filter, deps.backing!);
  return Promise.all([elsewhere, found]).then(([before, after]) => joined(before, after));
}

function joined(before: LogSearchResult, after: LogSearchResult): RpcCallOutcome {
  if ('error' in before) return before;
  return 'error' in after ? after : `[${[...before, ...after].join(',')}]`;
}

function blockOf(hash: Uint8Array, readView: ReadView): number | null {
  return readView.preConfirmedNumber({ kind: 'hash', hash }) ?? readView.blocks.numberOf(hash);
}

/**
 * Determines the range of block numbers by go-ethereum's rules, with one difference: pre-confirmed blocks can be named
 * by number, too. If a range starts at a pre-confirmed block and has no end, it ends at the newest pre-confirmed block.
 */
function rangeOf({ blockHash, from, to }: LogCriteria, readView: ReadView): Range | RpcError {
  if (blockHash !== null) {
    const number = blockOf(blockHash, readView)!;
    return { from: number, to: number };
  }
  const isAhead = from.kind === 'number' && readView.preConfirmedNumber(from) !== null;
  const [first, last] = [
    blockNumberOf(from, readView),
    blockNumberOf(to ?? (isAhead ? PENDING : LATEST_BLOCK), readView),
  ];
  if (first === null || last === null) return rpcError('unknownBlock');
  if (first > last) return rpcError('invalidParams', 'invalid block range params');
  const { heads, coordinates } = readView.pinned.record;
  const newest = readView.pinned.isPreconfirmed() ? coordinates.block : heads.latest;
  if (last > BigInt(newest)) return rpcError('invalidParams', 'block range extends beyond current head block');
  if (last - first >= BigInt(LIMITS.logsBlocksMax))
    return rpcError('invalidParams', `exceed maximum block range: ${LIMITS.logsBlocksMax}`);
  return { from: Number(first), to: Number(last) };
}

function split({ from, to }: Range, readView: ReadView, { executed }: LogMethodDeps): SplitRange {
  const { blocks, pinned } = readView;
  const here: LogSearchBlock[] = [];
  let number = to;
  for (; number >= from; number--) {
    const block = executed.searched(readView, number);
    if (block === null) break;
    here.push(block);
  }
  if (number < from || blocks.upstream(number) === null) return { upstream: null, here };
  return { upstream: { from, to: number, lastHash: pinned.hashOf(number) }, here };
}

/** Requests logs from the node. They are accepted only if the node's last block is the parent of our first block. */
async function upstreamLogs(
  { from, to, lastHash }: NonNullable<SplitRange['upstream']>,
  filter: LogFilter,
  backing: BackingNode,
): Promise<LogSearchResult> {
  const untilMs = monotonicMs() + LIMITS.passedOnMsMax;
  const query = { ...filter.members, fromBlock: toQuantity(from), toBlock: toQuantity(to) };
  const [logs, last] = await Promise.all([
    backing.request('eth_getLogs', [query], untilMs),
    backing.request('eth_getBlockByNumber', [toQuantity(to), false], untilMs),
  ]);
  if (isError(logs)) return logs;
  if (isError(last)) return last;
  if (lastHash !== null && hashIn(last) !== toHex(lastHash)) return rpcError('stateReset');
  return (JSON.parse(methodResultJson(logs)) as unknown[]).map((log) => JSON.stringify(log));
}

function hashIn(block: Exclude<RpcCallOutcome, RpcError>): string | undefined {
  return (JSON.parse(methodResultJson(block)) as { readonly hash?: string } | null)?.hash;
}
