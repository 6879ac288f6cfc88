// eth_feeHistory: fees of the blocks up to the requested one, including pre-confirmed blocks.
import { decodeHeader } from '../../chain/block/header.js';
import { rpcError, type RpcError } from '../../rpc-errors.js';
import { monotonicMs } from '../../lib/clock.js';
import { toQuantity } from '../../lib/bytes/hex.js';
import { LIMITS } from '../../limits/index.js';
import type { Caller } from '../answer/request-response-types.js';
import type { StoredBlocks } from '../view/stored-blocks.js';
import { blockNumberOf, type ReadView } from '../view/pinned-read-view.js';
import type { RpcArguments } from '../params/arguments.js';
import { nextBlockFees, type NextBlockBaseFees } from './suggest-fees.js';
import { preConfirmedBlockFees, type BlockFees, type CachedBlockFees } from '../view/cached-block-fees.js';
import { headerSoFar } from '../view/pre-confirmed-header.js';
import type { BackingNodeDeps, MethodFunctionByName } from '../call/method-types.js';
import { type RpcCallOutcome, isError, methodResultJson } from '../answer/call-result.js';
import type { ChainDescription } from '../../chain/chain-description.js';
import type { TimeSlicer } from '../../fairness/time-slicer.js';
import type { ExecutedBlockLookup } from '../view/executed-block-lookup.js';

export interface FeeHistoryDeps extends BackingNodeDeps {
  readonly chain: ChainDescription;
  readonly executed: ExecutedBlockLookup;
  readonly feeRows: CachedBlockFees;
  /** Divides the main thread's time. Work that exceeds a time slice continues in later event-loop ticks. */
  readonly slices: TimeSlicer;
}

export const feeHistoryMethods = {
  /** `[blockCount, newestBlock, rewardPercentiles?]`: returns the fees of `blockCount` blocks up to `newestBlock`. */
  eth_feeHistory: (args, readView, deps, caller) => {
    const count = readBlockCount(args);
    args.required(1);
    const newest = args.blockNumber(1);
    const percentiles = readPercentiles(args);
    if (args.failure) return args.failure;
    if (count === 0) return NO_HISTORY;
    const fault = percentilesFault(percentiles);
    if (fault !== null) return fault;
    const position = readView.resolve(newest);
    if ('error' in position) return position;
    if (position.kind === 'upstream')
      return args.forward(1, { kind: 'upstream', ref: toQuantity(blockNumberOf(newest, readView)!) });
    const request = { newest: position.block, count, percentiles };
    const { latest } = readView.pinned.record.heads;
    if (deps.backing === null) return history(request, readView, deps, caller);
    if (request.newest > latest) return historyAhead(request, readView, deps);
    // On a live chain the upstream node answers, because the range may start before the oldest block in memory, and
    // because the chain may compute the next base fee by rules of its own.
    return args.forward(1, { kind: 'upstream', ref: toQuantity(request.newest) });
  },
} satisfies MethodFunctionByName<FeeHistoryDeps>;

/** The result for a block count of zero, for which the other parameters are ignored. */
const NO_HISTORY = '{"oldestBlock":"0x0","gasUsedRatio":null}';
const COUNT = /^(0x0*[0-9a-f]{1,16}|0*\d{1,20}|)$/i;
const COUNT_END = 2n ** 64n;
/** Maximum number of characters of an invalid block count that the error message quotes. */
const QUOTED_MAX = 64;

/**
 * Reads the block count. As in go-ethereum, it is a hex or decimal number of at most 64 bits, with or without quotes.
 * An empty string means 0.
 */
function readBlockCount(args: RpcArguments): number {
  const value = args.required(0);
  const text = typeof value === 'string' ? value : JSON.stringify(value ?? null);
  const count = COUNT.test(text) ? BigInt(text) : COUNT_END;
  if (count >= COUNT_END) args.fail(`invalid argument 0: invalid hex or decimal integer ${quoted(text)}`);
  return Math.min(Number(count), LIMITS.feeHistoryBlocksMax);
}

function quoted(text: string): string {
  return JSON.stringify(text.length > QUOTED_MAX ? `${text.slice(0, QUOTED_MAX)}…` : text);
}

function readPercentiles(args: RpcArguments): readonly number[] {
  if (!args.has(2)) return [];
  const list = args.array(args.required(2), '[]float64', { index: 2 });
  if (list.some((value) => typeof value !== 'number'))
    args.fail('invalid argument 2: json: cannot unmarshal non-number into Go value of type float64');
  return list as number[];
}

function percentilesFault(list: readonly number[]): RpcError | null {
  const { feeHistoryPercentilesMax: most } = LIMITS;
  if (list.length > most) return invalidPercentile(`over the query limit ${most}`);
  for (const [i, value] of list.entries()) {
    const before = list[i - 1] ?? -1;
    if (value < 0 || value > 100) return invalidPercentile(value.toFixed(6));
    if (value <= before) return invalidPercentile(`#${i - 1}:${before.toFixed(6)} >= #${i}:${value.toFixed(6)}`);
  }
  return null;
}

function invalidPercentile(text: string): RpcError {
  return rpcError('execution', `invalid reward percentile: ${text}`);
}

interface HistoryRequest {
  readonly newest: number;
  readonly count: number;
  readonly percentiles: readonly number[];
}

/** A result of eth_feeHistory that is being computed. */
interface History {
  readonly request: HistoryRequest;
  readonly next: NextBlockBaseFees;
  readonly rows: BlockFees[];
  /** Fees of pre-confirmed blocks, one row per block. They come after the rows of the complete blocks. */
  readonly ahead: readonly BlockFees[];
  /** Numbers of the blocks whose fees are still to be computed, newest first. The next one is removed from the end. */
  readonly left: number[];
}

/**
 * Fees of the requested pre-confirmed blocks, one row per block, and the fees of the block after the newest of them.
 */
interface Ahead {
  readonly rows: readonly BlockFees[];
  readonly next: NextBlockBaseFees;
}

/**
 * Computes the fees of pre-confirmed blocks; `null` if no such blocks are requested. The fees after an incomplete block
 * are computed from its transactions so far. If an OP-Stack header has not been announced yet, its fee parameters are
 * those of the last complete header, because they rarely change.
 */
function aheadOf(
  { newest, count }: HistoryRequest,
  readView: ReadView,
  { chain, executed }: FeeHistoryDeps,
): Ahead | null {
  const { latest } = readView.pinned.record.heads;
  const numbers = Array.from({ length: Math.min(count, newest - latest) }, (_, i) => newest - i).toReversed();
  const blocks = numbers.map((number) => executed.soFar(readView, number)).filter((each) => each !== null);
  const last = blocks.at(-1);
  if (last === undefined) return null;
  const latestHeader = last.extraData.length > 0 ? null : readView.blocks.header(latest);
  const { extraData } = latestHeader === null ? last : decodeHeader(latestHeader);
  const next = nextBlockFees(headerSoFar({ ...last, extraData }, chain), chain);
  return { rows: blocks.map((soFar) => preConfirmedBlockFees(soFar, chain)), next };
}

/**
 * On a live chain: returns the upstream node's fees of complete blocks, followed by our fees of pre-confirmed blocks.
 */
async function historyAhead(
  request: HistoryRequest,
  readView: ReadView,
  deps: FeeHistoryDeps,
): Promise<RpcCallOutcome> {
  const ahead = aheadOf(request, readView, deps);
  if (ahead === null) return rpcError('stateReset');
  const { latest } = readView.pinned.record.heads;
  const own = rendered(request, ahead);
  const count = request.count - ahead.rows.length;
  if (count === 0) return JSON.stringify(own);
  const untilMs = monotonicMs() + LIMITS.passedOnMsMax;
  const params = [toQuantity(count), toQuantity(latest), request.percentiles];
  const before = await deps.backing!.request('eth_feeHistory', params, untilMs);
  if (isError(before)) return before;
  return JSON.stringify(joined(JSON.parse(methodResultJson(before)) as HistoryJson, own));
}

/** The JSON result of eth_feeHistory. Nodes leave out the fields that they do not support. */
interface HistoryJson {
  readonly oldestBlock: string;
  readonly reward?: readonly unknown[];
  readonly baseFeePerGas?: readonly string[];
  readonly gasUsedRatio?: readonly number[] | null;
  readonly baseFeePerBlobGas?: readonly string[];
  readonly blobGasUsedRatio?: readonly number[];
}

/**
 * Joins the results for two ranges of blocks. Both contain the base fee of the second range's first block; the base fee
 * in `after` is used, because it is more accurate.
 */
function joined(before: HistoryJson, after: HistoryJson): HistoryJson {
  return {
    oldestBlock: before.oldestBlock,
    ...(before.reward && after.reward && { reward: [...before.reward, ...after.reward] }),
    baseFeePerGas: [...(before.baseFeePerGas ?? []).slice(0, -1), ...after.baseFeePerGas!],
    gasUsedRatio: [...(before.gasUsedRatio ?? []), ...after.gasUsedRatio!],
    ...(before.baseFeePerBlobGas && {
      baseFeePerBlobGas: [...before.baseFeePerBlobGas.slice(0, -1), ...after.baseFeePerBlobGas!],
    }),
    ...(before.blobGasUsedRatio && { blobGasUsedRatio: [...before.blobGasUsedRatio, ...after.blobGasUsedRatio!] }),
  };
}

/** Computes the result synchronously if the main thread's time slice is long enough, otherwise in later slices. */
function history(
  request: HistoryRequest,
  readView: ReadView,
  deps: FeeHistoryDeps,
  { client }: Caller,
): RpcCallOutcome | Promise<RpcCallOutcome> {
  const { blocks } = readView;
  const { latest } = readView.pinned.record.heads;
  const ahead = request.newest > latest ? aheadOf(request, readView, deps) : null;
  const next = ahead?.next ?? nextBlockFees(decodeHeader(blocks.header(request.newest)!), deps.chain);
  const made: History = { request, next, rows: [], ahead: ahead?.rows ?? [], left: blocksOf(request, latest) };
  fill(made, blocks, deps);
  return made.left.length === 0 ? render(made) : later(made, blocks, deps, client);
}

/** Returns the numbers of the complete blocks, newest first. */
function blocksOf({ newest, count }: HistoryRequest, latest: number): number[] {
  const numbers = Array.from({ length: Math.min(count, newest + 1) }, (_, i) => newest - i);
  return numbers.filter((number) => number <= latest);
}

/** Computes the fees of further blocks, one row per block, until the time slice is used up. */
function fill({ rows, left }: History, blocks: StoredBlocks, { slices, feeRows }: FeeHistoryDeps): void {
  while (left.length > 0 && !slices.isOver()) {
    const row = feeRows.at(blocks, left.pop()!);
    if (row !== null) rows.push(row);
  }
}

/**
 * Computes the fees of the remaining blocks, one time slice after another. Complete blocks can be read without pinning
 * a state version.
 */
async function later(
  made: History,
  blocks: StoredBlocks,
  deps: FeeHistoryDeps,
  client: string | undefined,
): Promise<RpcCallOutcome> {
  while (made.left.length > 0) {
    await deps.slices.turn(client);
    fill(made, blocks, deps);
  }
  return render(made);
}

function render({ request, next, rows, ahead }: History): string {
  return JSON.stringify(rendered(request, { rows: [...rows, ...ahead], next }));
}

function rendered({ newest, count, percentiles }: HistoryRequest, { rows, next }: Ahead): HistoryJson {
  return {
    oldestBlock: toQuantity(rows.length === 0 ? 0 : Math.max(0, newest - count + 1)),
    ...(percentiles.length > 0 && rows.length > 0 ? { reward: rows.map((row) => rewards(row, percentiles)) } : {}),
    baseFeePerGas: [...rows.map(({ baseFee }) => baseFee), next.baseFee],
    gasUsedRatio: rows.map(({ gasUsedRatio }) => gasUsedRatio),
    baseFeePerBlobGas: [...rows.map(({ blobBaseFee }) => blobBaseFee), next.blobBaseFee],
    blobGasUsedRatio: rows.map(({ blobGasUsedRatio }) => blobGasUsedRatio),
  };
}

/** Returns the tip at each percentile of the block's gas (execution API, eth_feeHistory). */
function rewards({ tips, gasUpTo, gasUsed }: BlockFees, percentiles: readonly number[]): string[] {
  let at = 0;
  return percentiles.map((percentile) => {
    while (gasUpTo[at]! < Math.floor((gasUsed * percentile) / 100) && at < tips.length - 1) at++;
    return toQuantity(tips[at] ?? 0n);
  });
}
