// Methods that suggest fees, from the newest blocks. Runs on main.
import { activeFork, includesFork } from '../../chain/forks.js';
import { decodeHeader, type Header } from '../../chain/block/header.js';
import type { ChainDescription } from '../../chain/spec.js';
import { baseFeeAfter } from '../../chain/op/base-fee.js';
import { toQuantity } from '../../lib/bytes/hex.js';
import { blobRulesOf } from '../view/fee-rows.js';
import type { Run, BackingPart } from '../call/method.js';
import type { TipOracle } from '../view/tip-oracle.js';

/** Parts of methods that suggest fees. */
export interface FeeParts extends BackingPart {
  readonly chain: ChainDescription;
  readonly tips: TipOracle;
}

/** `[]`: the suggested tip, wei per gas; the upstream node's where blocks that say it are not here. */
export const maxPriorityFeePerGas: Run<FeeParts> = (_args, readView, { tips }) => {
  const tip = tips.suggest(readView.blocks, readView.pinned.record.heads.latest);
  return tip === null ? { forward: [] } : `"${toQuantity(tip)}"`;
};

/** The base fee of the newest block plus the suggested tip. */
export const gasPrice: Run<FeeParts> = (_args, readView, { tips }) => {
  const { heads, env } = readView.pinned.record;
  const tip = tips.suggest(readView.blocks, heads.latest);
  return tip === null ? { forward: [] } : `"${toQuantity(env.baseFeePerGas + tip)}"`;
};

/** `[]`: the base fee of the block after the newest one, wei per gas. */
export const nextBaseFee = ofNextBlock('baseFee');

/** `[]`: its price of blob gas, wei per gas. */
export const nextBlobBaseFee = ofNextBlock('blobBaseFee');

/** The rules of other chains for the next fee are the upstream's to know. */
function ofNextBlock(fee: keyof NextFees): Run<FeeParts> {
  return ({ all }, readView, parts) => {
    if (parts.backing !== null) return { forward: all };
    const header = readView.blocks.header(readView.pinned.record.heads.latest)!;
    return `"${nextFees(decodeHeader(header), parts.chain)[fee]}"`;
  };
}

/** Quantities. */
export interface NextFees {
  readonly baseFee: string;
  readonly blobBaseFee: string;
}

/** Fees of the block after the one with this header. */
export function nextFees(header: Header, chain: ChainDescription): NextFees {
  const baseFee = isBeforeLondon(chain, header) ? 0n : baseFeeAfter(chain, header);
  return { baseFee: toQuantity(baseFee), blobBaseFee: toQuantity(nextBlobFee(chain, header)) };
}

/** True if the block after this one has no base fee yet. */
function isBeforeLondon({ forks }: ChainDescription, { number, timestamp, baseFeePerGas }: Header): boolean {
  return baseFeePerGas === null && !includesFork(forks[activeFork(forks, number + 1, timestamp)]!.name, 'london');
}

function nextBlobFee(chain: ChainDescription, header: Header): bigint {
  const { excessBlobGas, blobGasUsed, baseFeePerGas } = header;
  if (excessBlobGas === null) return 0n;
  const rules = blobRulesOf(header, chain);
  return rules.blobBaseFee(rules.nextExcessBlobGas(excessBlobGas, blobGasUsed ?? 0n, baseFeePerGas ?? 0n));
}
