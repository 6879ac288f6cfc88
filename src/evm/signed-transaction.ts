// A signed transaction as the EVM library takes it, and what follows from its bytes alone. Runs on the publisher.
import { createTxFromRLP, getCalldataFloorGas, type TypedTransaction } from '@ethereumjs/tx';
import type { ForkRules } from './rules.js';

export type { TypedTransaction } from '@ethereumjs/tx';

/** Builds the transaction of EIP-2718 bytes by one fork's rules; the library's refusal as a text where it is not valid. */
export function buildTransaction(raw: Uint8Array, rules: ForkRules): TypedTransaction | string {
  try {
    return createTxFromRLP(raw, { common: rules.common });
  } catch (error) {
    return error instanceof Error ? error.message : 'invalid transaction';
  }
}

/** The sender, 20 bytes, `null` when the signature is not valid (EIP-2: also when s is high). Kept in `tx`: recovering it costs a millisecond. */
export function recoverSender(tx: TypedTransaction): Uint8Array | null {
  try {
    return tx.getSenderAddress().bytes;
  } catch {
    return null;
  }
}

/** Gas that the transaction needs before any code runs, and the least that its data costs (EIP-7623; 0 before Prague). */
export function gasOfBytes(tx: TypedTransaction): { readonly intrinsic: bigint; readonly floor: bigint } {
  return { intrinsic: tx.getIntrinsicGas(), floor: getCalldataFloorGas(tx) };
}
