// Computes the base fee of the next block on any chain: by EIP-1559, with an OP-Stack chain's own parameters.
import type { ChainDescription, OpChain } from './chain-description.js';
import { nextBaseFee, type BaseFeeParams, type Header } from './block/header.js';
import { opRulesAt } from './op/forks.js';

/** Returns the base fee in wei per gas of the block after `parent`. Call it only if that block has London's rules. */
export function nextBaseFeeOnChain(chain: ChainDescription, parent: Header): bigint {
  if (chain.op === null) return nextBaseFee(parent);
  const rules = opRulesAt(chain.op, parent.timestamp);
  const { minimum, ...params } =
    (rules?.has('holocene') === true ? stated(parent.extraData) : null) ?? planned(chain.op);
  const fee = nextBaseFee(rules?.has('jovian') === true ? metered(parent) : parent, params);
  return fee < minimum ? minimum : fee;
}

interface OpParams extends BaseFeeParams {
  /** Lowest base fee in wei per gas. */
  readonly minimum: bigint;
}

/** Returns the EIP-1559 parameters of the chain's description, which apply before Holocene. */
function planned(op: OpChain): OpParams {
  return { elasticity: BigInt(op.elasticity), denominator: BigInt(op.denominator), minimum: 0n };
}

/**
 * True if the next block's base fee can be computed from this header. From Holocene on, the header's extra data must
 * contain the EIP-1559 parameters.
 */
export function canComputeNextBaseFee({ op }: ChainDescription, { extraData, timestamp }: Header): boolean {
  return op === null || opRulesAt(op, timestamp)?.has('holocene') !== true || stated(extraData) !== null;
}

/**
 * Reads the EIP-1559 parameters from a header's extra data; `null` if it has none. Holocene: version byte 0, then
 * denominator and elasticity, 4 bytes each. Jovian: version byte 1, the same fields, then the minimum base fee, 8
 * bytes.
 */
function stated(extraData: Uint8Array): OpParams | null {
  const view = new DataView(extraData.buffer, extraData.byteOffset, extraData.length);
  if (extraData.length < 9) return null;
  const [denominator, elasticity] = [BigInt(view.getUint32(1)), BigInt(view.getUint32(5))];
  if (denominator === 0n || elasticity === 0n) return null;
  return { denominator, elasticity, minimum: extraData.length >= 17 ? view.getBigUint64(9) : 0n };
}

/**
 * Returns the header with the value of `gasUsed` that the next base fee is computed from. From Jovian on, that is the
 * data footprint (stored in the blob gas field) if it exceeds the gas used.
 */
function metered(parent: Header): Header {
  const footprint = parent.blobGasUsed ?? 0n;
  return footprint > parent.gasUsed ? { ...parent, gasUsed: footprint } : parent;
}
