// Methods that suggest fees, from the blocks in the archive. Runs on main.
import { rpcError } from '../errors.js';
import { toQuantity } from '../lib/hex.js';
import { LIMITS } from '../limits.js';
import type { CompleteBlock } from '../state/block.js';
import type { Arguments } from './arguments.js';
import { GAS_PER_BLOB, activeFork, blobRules, type BlobRules } from '../evm/forks.js';
import { decodeHeader, type Header } from '../evm/header.js';
import { baseFeeAfter } from '../evm/op/base-fee.js';
import type { MethodParts, Run } from './method.js';
import type { Session } from './session.js';

/** Blocks sampled for a tip, the percentile taken, and the tip where there was nothing to sample: go-ethereum's. */
const TIP_BLOCKS = 20;
const TIP_PERCENTILE = 60;
const TIP_DEFAULT = 1_000_000_000n;

/** The tip suggested at a head, computed once per head block. */
export class TipOracle {
  #head = -1;
  #tip = TIP_DEFAULT;

  suggest(session: Session): bigint {
    const head = session.record.heads.latest;
    if (head !== this.#head) {
      this.#tip = suggestTip(session, head);
      this.#head = head;
    }
    return this.#tip;
  }
}

function suggestTip(session: Session, head: number): bigint {
  const tips: bigint[] = [];
  for (let number = head; number > Math.max(0, head - TIP_BLOCKS); number--) {
    const block = session.block(number);
    if (block !== null) tips.push(...tipsOf(block).map(({ tip }) => tip));
  }
  tips.sort(ascending);
  return tips[Math.floor(((tips.length - 1) * TIP_PERCENTILE) / 100)] ?? TIP_DEFAULT;
}

export const maxPriorityFeePerGas: Run = (_args, session, parts) => {
  return isUpstreams(session, parts) ? { forward: [] } : `"${toQuantity(parts.tips.suggest(session))}"`;
};

/** The base fee of the newest block plus the suggested tip. */
export const gasPrice: Run = (_args, session, parts) => {
  if (isUpstreams(session, parts)) return { forward: [] };
  return `"${toQuantity(session.record.env.baseFeePerGas + parts.tips.suggest(session))}"`;
};

/** Right after a live chain was begun, no block is here whose tips could be looked at. */
function isUpstreams(session: Session, { backing }: MethodParts): boolean {
  return backing !== null && session.block(session.record.heads.latest) === null;
}

/** `[blockCount, newestBlock, rewardPercentiles?]`. */
export const feeHistory: Run = (args, session, parts) => {
  const count = readBlockCount(args);
  args.required(1);
  const newest = args.blockNumber(1);
  const percentiles = readPercentiles(args);
  if (args.failure) return args.failure;
  const position = session.resolve(newest.kind === 'pending' ? { kind: 'latest' } : newest);
  if ('error' in position) return position;
  if (position.kind === 'upstream') return rpcError('blockNotFound');
  // Blocks before the newest ones, and other chains' ways to the next base fee, are the upstream's to know.
  if (parts.backing !== null) return args.forward(1, { ref: toQuantity(position.block) });
  return JSON.stringify(history(session, parts, position.block, count, percentiles));
};

/** go-ethereum takes a hex or decimal number, in a string or not. */
function readBlockCount(args: Arguments): number {
  const count = Number(args.required(0));
  if (!Number.isSafeInteger(count) || count < 0) args.fail('invalid argument 0: invalid hex or decimal integer');
  return Math.min(count, LIMITS.feeHistoryBlocksMax);
}

function readPercentiles(args: Arguments): readonly number[] {
  if (!args.has(2)) return [];
  const list = args.array(args.required(2), '[]float64', { index: 2 }) as number[];
  if (list.length > LIMITS.feeHistoryPercentilesMax) {
    args.failure ??= rpcError('execution', 'invalid reward percentile: over the query limit 100');
  }
  list.forEach((value, i) => {
    if (typeof value !== 'number')
      args.fail('invalid argument 2: json: cannot unmarshal non-number into Go value of type float64');
    else if (value < 0 || value > 100) args.failure ??= rpcError('execution', `invalid reward percentile: ${value}`);
    else if (i > 0 && value <= list[i - 1]!) {
      args.failure ??= rpcError('execution', `invalid reward percentile: #${i - 1}:${list[i - 1]} >= #${i}:${value}`);
    }
  });
  return list;
}

interface BlockFees {
  readonly block: CompleteBlock;
  readonly baseFee: bigint;
  readonly blobBaseFee: bigint;
  readonly gasUsedRatio: number;
  readonly blobGasUsedRatio: number;
}

function history(session: Session, parts: MethodParts, newest: number, count: number, percentiles: readonly number[]) {
  const oldest = Math.max(0, newest - count + 1);
  const numbers = count === 0 ? [] : Array.from({ length: newest - oldest + 1 }, (_, i) => oldest + i);
  const blocks = numbers.flatMap((number) => {
    const block = session.block(number);
    return block === null ? [] : [feesOf(block, parts)];
  });
  const next = nextFees(session, parts, newest);
  return {
    oldestBlock: toQuantity(blocks.length === 0 ? 0 : oldest),
    ...(percentiles.length > 0 && blocks.length > 0
      ? { reward: blocks.map(({ block }) => rewards(block, percentiles)) }
      : {}),
    baseFeePerGas: [...blocks.map((fees) => fees.baseFee), next.baseFee].map(toQuantity),
    gasUsedRatio: blocks.map((fees) => fees.gasUsedRatio),
    baseFeePerBlobGas: [...blocks.map((fees) => fees.blobBaseFee), next.blobBaseFee].map(toQuantity),
    blobGasUsedRatio: blocks.map((fees) => fees.blobGasUsedRatio),
  };
}

function feesOf(block: CompleteBlock, parts: MethodParts): BlockFees {
  const header = decodeHeader(block.header);
  const rules = blobRulesOf(header, parts);
  const blobGasMax = BigInt(rules.blobsMax) * GAS_PER_BLOB;
  return {
    block,
    baseFee: header.baseFeePerGas ?? 0n,
    blobBaseFee: header.excessBlobGas === null ? 0n : rules.blobBaseFee(header.excessBlobGas),
    gasUsedRatio: Number(header.gasUsed) / Number(header.gasLimit),
    // OP-Stack headers from Jovian on tell something else in the field.
    blobGasUsedRatio: parts.chain.op === null ? Number(header.blobGasUsed ?? 0n) / Number(blobGasMax) : 0,
  };
}

function blobRulesOf({ number, timestamp }: Header, { chain }: MethodParts): BlobRules {
  return blobRules(chain, activeFork(chain.forks, number, timestamp));
}

/** Fees of the block after `newest`: known where that block is, computed from its parent where it is not. */
function nextFees(session: Session, parts: MethodParts, newest: number): { baseFee: bigint; blobBaseFee: bigint } {
  const header = decodeHeader(session.header(newest)!);
  const rules = blobRulesOf(header, parts);
  if (header.baseFeePerGas === null) return { baseFee: 0n, blobBaseFee: 0n };
  const excess = rules.nextExcessBlobGas(header.excessBlobGas ?? 0n, header.blobGasUsed ?? 0n, header.baseFeePerGas);
  const blobBaseFee = header.excessBlobGas === null ? 0n : rules.blobBaseFee(excess);
  return { baseFee: baseFeeAfter(parts.chain, header), blobBaseFee };
}

interface TransactionFees {
  readonly tip: bigint;
  readonly gasUsed: bigint;
}

function tipsOf(block: CompleteBlock): TransactionFees[] {
  const baseFee = decodeHeader(block.header).baseFeePerGas ?? 0n;
  return block.transactions.map(({ receipt }) => ({
    // An OP-Stack deposit pays nothing at all.
    tip: receipt.depositNonce === undefined ? receipt.effectiveGasPrice - baseFee : 0n,
    gasUsed: receipt.gasUsed,
  }));
}

/** The tip at each percentile of the block's gas (execution API, eth_feeHistory). */
function rewards(block: CompleteBlock, percentiles: readonly number[]): string[] {
  const sorted = tipsOf(block).sort((a, b) => ascending(a.tip, b.tip));
  const total = sorted.reduce((sum, { gasUsed }) => sum + gasUsed, 0n);
  let at = 0;
  let reached = sorted[0]?.gasUsed ?? 0n;
  return percentiles.map((percentile) => {
    const wanted = (Number(total) * percentile) / 100;
    while (Number(reached) < wanted && at < sorted.length - 1) reached += sorted[++at]!.gasUsed;
    return toQuantity(sorted[at]?.tip ?? 0n);
  });
}

function ascending(a: bigint, b: bigint): number {
  return a < b ? -1 : Number(a > b);
}
