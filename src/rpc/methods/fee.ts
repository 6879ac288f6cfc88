// Methods that suggest fees, from the newest blocks. Runs on main.
import { rpcError, type RpcError } from '../../errors.js';
import { activeFork, includesFork } from '../../chain/forks.js';
import { decodeHeader, type Header } from '../../chain/header.js';
import type { ChainDescription } from '../../chain/spec.js';
import { baseFeeAfter } from '../../chain/op/base-fee.js';
import { toQuantity } from '../../lib/hex.js';
import { LIMITS } from '../../limits.js';
import type { Asker } from '../answer.js';
import type { Arguments, BlockRef } from './arguments.js';
import { blobRulesOf, type FeeRow } from './fee-rows.js';
import type { CallResult, MethodParts, Run } from './method.js';
import type { ChainBlocks } from '../chain-blocks.js';
import type { ReadView } from '../read-view.js';

/** `[]`: the suggested tip, wei per gas; the upstream node's where blocks that say it are not here. */
export const maxPriorityFeePerGas: Run = (_args, readView, { tips }) => {
  const tip = tips.suggest(readView.blocks, readView.pinned.record.heads.latest);
  return tip === null ? { forward: [] } : `"${toQuantity(tip)}"`;
};

/** The base fee of the newest block plus the suggested tip. */
export const gasPrice: Run = (_args, readView, { tips }) => {
  const { heads, env } = readView.pinned.record;
  const tip = tips.suggest(readView.blocks, heads.latest);
  return tip === null ? { forward: [] } : `"${toQuantity(env.baseFeePerGas + tip)}"`;
};

/** `[]`: the base fee of the block after the newest one, wei per gas. */
export const nextBaseFee = ofNextBlock('baseFee');

/** `[]`: its price of blob gas, wei per gas. */
export const nextBlobBaseFee = ofNextBlock('blobBaseFee');

/** The rules of other chains for the next fee are the upstream's to know. */
function ofNextBlock(fee: keyof NextFees): Run {
  return ({ all }, readView, parts) => {
    if (parts.backing !== null) return { forward: all };
    return `"${nextFees(readView.blocks, parts, readView.pinned.record.heads.latest)[fee]}"`;
  };
}

/** `[blockCount, newestBlock, rewardPercentiles?]`. */
export const feeHistory: Run = (args, readView, parts, asker) => {
  const count = readBlockCount(args);
  args.required(1);
  const newest = args.blockNumber(1);
  const percentiles = readPercentiles(args);
  if (args.failure) return args.failure;
  if (count === 0) return NO_HISTORY;
  const fault = percentilesFault(percentiles);
  if (fault !== null) return fault;
  const position = readView.resolve(newest.kind === 'pending' ? { kind: 'latest' } : newest);
  if ('error' in position) return position;
  // Blocks before the newest ones, and other chains' ways to the next base fee, are the upstream's to know.
  if (parts.backing !== null || position.kind === 'upstream')
    return args.forward(1, { kind: 'upstream', ref: toQuantity(numberOf(newest, readView)) });
  return history({ newest: position.block, count, percentiles }, readView, parts, asker);
};

/** The number of a block that has been found; of `pending` that of the newest complete one. */
function numberOf(ref: BlockRef, { pinned }: ReadView): bigint | number {
  const { heads } = pinned.record;
  if (ref.kind === 'number') return ref.number;
  if (ref.kind === 'earliest') return 0;
  return (ref.kind === 'safe' || ref.kind === 'finalized' ? heads[ref.kind] : null) ?? heads.latest;
}

/** Of no blocks: nothing else of the question is looked at. */
const NO_HISTORY = '{"oldestBlock":"0x0","gasUsedRatio":null}';
const COUNT = /^(0x0*[0-9a-f]{1,16}|0*\d{1,20}|)$/i;
const COUNT_END = 2n ** 64n;
/** Characters of a wrong count that its error shows. */
const QUOTED_MAX = 64;

/** go-ethereum takes a hex or decimal number of 64 bits, in a string or not; an empty string is 0. */
function readBlockCount(args: Arguments): number {
  const value = args.required(0);
  const text = typeof value === 'string' ? value : JSON.stringify(value ?? null);
  const count = COUNT.test(text) ? BigInt(text) : COUNT_END;
  if (count >= COUNT_END) args.fail(`invalid argument 0: invalid hex or decimal integer ${quoted(text)}`);
  return Math.min(Number(count), LIMITS.feeHistoryBlocksMax);
}

function quoted(text: string): string {
  return JSON.stringify(text.length > QUOTED_MAX ? `${text.slice(0, QUOTED_MAX)}…` : text);
}

function readPercentiles(args: Arguments): readonly number[] {
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

/** What eth_feeHistory was asked. */
interface Asked {
  readonly newest: number;
  readonly count: number;
  readonly percentiles: readonly number[];
}

/** An answer of eth_feeHistory in the making. */
interface History {
  readonly asked: Asked;
  readonly next: NextFees;
  readonly rows: FeeRow[];
  /** Blocks whose rows are not made yet, newest first: the next one is taken off the end. */
  readonly left: number[];
}

/** Answers at once where main's slice of time allows, else in later slices. */
function history(
  asked: Asked,
  { blocks }: ReadView,
  parts: MethodParts,
  { client }: Asker,
): CallResult | Promise<CallResult> {
  const made: History = { asked, next: nextFees(blocks, parts, asked.newest), rows: [], left: blocksOf(asked) };
  fill(made, blocks, parts);
  return made.left.length === 0 ? render(made) : later(made, blocks, parts, client);
}

/** Newest first. */
function blocksOf({ newest, count }: Asked): number[] {
  return Array.from({ length: Math.min(count, newest + 1) }, (_, i) => newest - i);
}

/** Makes rows until the slice is over. */
function fill({ rows, left }: History, blocks: ChainBlocks, { slices, feeRows }: MethodParts): void {
  while (left.length > 0 && !slices.isOver()) {
    const row = feeRows.at(blocks, left.pop()!);
    if (row !== null) rows.push(row);
  }
}

/** Makes the other rows, a slice at a time. Complete blocks can be read without a pin. */
async function later(
  made: History,
  blocks: ChainBlocks,
  parts: MethodParts,
  client: string | undefined,
): Promise<CallResult> {
  while (made.left.length > 0) {
    await parts.slices.turn(client);
    fill(made, blocks, parts);
  }
  return render(made);
}

function render({ asked: { newest, count, percentiles }, next, rows }: History): string {
  return JSON.stringify({
    oldestBlock: toQuantity(rows.length === 0 ? 0 : Math.max(0, newest - count + 1)),
    ...(percentiles.length > 0 && rows.length > 0 ? { reward: rows.map((row) => rewards(row, percentiles)) } : {}),
    baseFeePerGas: [...rows.map(({ baseFee }) => baseFee), next.baseFee],
    gasUsedRatio: rows.map(({ gasUsedRatio }) => gasUsedRatio),
    baseFeePerBlobGas: [...rows.map(({ blobBaseFee }) => blobBaseFee), next.blobBaseFee],
    blobGasUsedRatio: rows.map(({ blobGasUsedRatio }) => blobGasUsedRatio),
  });
}

/** Quantities. */
interface NextFees {
  readonly baseFee: string;
  readonly blobBaseFee: string;
}

/** Fees of the block after `newest`: known where that block is, computed from its parent where it is not. */
function nextFees(blocks: ChainBlocks, { chain }: MethodParts, newest: number): NextFees {
  const header = decodeHeader(blocks.header(newest)!);
  const baseFee = isBeforeLondon(chain, header) ? 0n : baseFeeAfter(chain, header);
  return { baseFee: toQuantity(baseFee), blobBaseFee: toQuantity(nextBlobFee(chain, header)) };
}

/** Whether the block after this one has no base fee yet. */
function isBeforeLondon({ forks }: ChainDescription, { number, timestamp, baseFeePerGas }: Header): boolean {
  return baseFeePerGas === null && !includesFork(forks[activeFork(forks, number + 1, timestamp)]!.name, 'london');
}

function nextBlobFee(chain: ChainDescription, header: Header): bigint {
  const { excessBlobGas, blobGasUsed, baseFeePerGas } = header;
  if (excessBlobGas === null) return 0n;
  const rules = blobRulesOf(header, chain);
  return rules.blobBaseFee(rules.nextExcessBlobGas(excessBlobGas, blobGasUsed ?? 0n, baseFeePerGas ?? 0n));
}

/** The tip at each percentile of the block's gas (execution API, eth_feeHistory). */
function rewards({ tips, gasUpTo }: FeeRow, percentiles: readonly number[]): string[] {
  const total = gasUpTo.at(-1) ?? 0;
  let at = 0;
  return percentiles.map((percentile) => {
    while (gasUpTo[at]! < (total * percentile) / 100 && at < tips.length - 1) at++;
    return toQuantity(tips[at] ?? 0n);
  });
}
