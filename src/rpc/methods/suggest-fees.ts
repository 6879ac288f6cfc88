// Methods that suggest fees, based on the newest blocks.
import { activeForkIndex, includesFork } from '../../chain/active-forks.js';
import { decodeHeader, type Header } from '../../chain/block/header.js';
import type { ChainDescription } from '../../chain/chain-description.js';
import { nextBaseFeeOnChain, canComputeNextBaseFee } from '../../chain/base-fee.js';
import { toQuantity } from '../../lib/bytes/hex.js';
import { blobRulesAt } from '../view/cached-block-fees.js';
import type { MethodFunctionByName } from '../call/method-types.js';
import type { ReadView } from '../view/pinned-read-view.js';
import type { ExecutionDeps } from './call-and-estimate.js';

export type FeeDeps = Pick<ExecutionDeps, 'backing' | 'chain' | 'doubt' | 'tips'>;

export const feeMethods = {
  /**
   * `[]`: returns the suggested tip in wei per gas. The request is forwarded to the upstream node if the blocks from
   * which the tip is computed are not stored.
   */
  eth_maxPriorityFeePerGas: (_args, readView, { tips }) => {
    const tip = tips.suggest(readView.blocks, readView.pinned.record.heads.latest);
    return tip === null ? { forward: [] } : `"${toQuantity(tip)}"`;
  },

  /** `[]`: returns the base fee of the newest block plus the suggested tip. */
  eth_gasPrice: (_args, readView, { tips }) => {
    const { heads, env } = readView.pinned.record;
    const tip = tips.suggest(readView.blocks, heads.latest);
    return tip === null ? { forward: [] } : `"${toQuantity(env.baseFeePerGas + tip)}"`;
  },

  /**
   * `[]`: returns the base fee, in wei per gas, of the block after the newest one. On a live chain the request is
   * forwarded to the upstream node if the newest header is not stored, if it does not determine the next base fee, or
   * if the chain's rules are unverified.
   */
  eth_baseFee: ({ all }, readView, { backing, chain, doubt }) => {
    const header = newestHeader(readView);
    const isDetermined =
      header !== null && (backing === null || (doubt() === null && canComputeNextBaseFee(chain, header)));
    return isDetermined ? `"${nextBlockFees(header, chain).baseFee}"` : { forward: all };
  },

  /**
   * `[]`: returns the blob base fee, in wei per gas, of the block after the newest one. Nodes compute it differently,
   * so on a live chain the request is forwarded to the upstream node. Returns null if the newest block has no blob gas
   * field in its header, as before Cancun and Ecotone.
   */
  eth_blobBaseFee: ({ all }, readView, { backing, chain }) => {
    if (backing !== null) return { forward: all };
    const header = newestHeader(readView)!;
    return header.excessBlobGas === null ? 'null' : `"${nextBlockFees(header, chain).blobBaseFee}"`;
  },
} satisfies MethodFunctionByName<FeeDeps>;

function newestHeader({ blocks, pinned }: ReadView): Header | null {
  const header = blocks.header(pinned.record.heads.latest);
  return header === null ? null : decodeHeader(header);
}

/** Fees of the next block as quantities. */
export interface NextBlockBaseFees {
  readonly baseFee: string;
  readonly blobBaseFee: string;
}

/** Computes the fees of the block that follows the block with this header. */
export function nextBlockFees(header: Header, chain: ChainDescription): NextBlockBaseFees {
  const baseFee = isBeforeLondon(chain, header) ? 0n : nextBaseFeeOnChain(chain, header);
  return { baseFee: toQuantity(baseFee), blobBaseFee: toQuantity(nextBlobFee(chain, header)) };
}

/** True if the block after this one is before London, and so has no base fee. */
function isBeforeLondon({ forks }: ChainDescription, { number, timestamp, baseFeePerGas }: Header): boolean {
  return baseFeePerGas === null && !includesFork(forks[activeForkIndex(forks, number + 1, timestamp)]!.name, 'london');
}

function nextBlobFee(chain: ChainDescription, header: Header): bigint {
  const { excessBlobGas, blobGasUsed, baseFeePerGas } = header;
  if (excessBlobGas === null) return 0n;
  const rules = blobRulesAt(header, chain);
  return rules.blobBaseFee(rules.nextExcessBlobGas(excessBlobGas, blobGasUsed ?? 0n, baseFeePerGas ?? 0n));
}
