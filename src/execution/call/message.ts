// From a transaction to a message: what happens before the first instruction. Runs on the estimators.
import { applyAuthorizations, REFUND_PER_AUTHORITY } from '../block/authorization.js';
import { blobGas, type Transaction } from '../../transaction/call-validation.js';
import { NOTHING_RUN, type Applied, type Message } from '../../evm/engine.js';
import type { JournaledState } from '../../evm/journaled-state.js';

/** A transaction whose message has not been run. */
export interface BegunTransaction {
  readonly message: Message;
  /** Gas that is given back for authorities that existed (EIP-7702). */
  readonly refund: bigint;
}

/**
 * Pays for gas and blobs, raises the nonce, applies authorisations. The caller has asked `validateCall` and keeps
 * or undoes what is written here.
 */
export function beginTransaction(
  tx: Transaction,
  gasLimit: bigint,
  chainId: bigint,
  state: JournaledState,
): BegunTransaction {
  const { call, context, gasPrice } = tx;
  const paid = gasLimit * gasPrice + blobGas(call) * context.blobBaseFee;
  const account = state.accountOf(call.from);
  if (account === null) state.setCode(call.from, new Uint8Array(0));
  const { codeHash, nonce, balance } = account ?? state.accountOf(call.from)!;
  state.setAccount(call.from, { codeHash, nonce: (nonce + 1n) & NONCE_MASK, balance: balance - paid });
  const { warm, existed } = applyAuthorizations(call.authorizationList ?? [], chainId, state);
  const message = {
    caller: call.from,
    to: call.to,
    value: call.value,
    data: call.data,
    gasPrice,
    blobVersionedHashes: call.blobVersionedHashes ?? [],
    accessList: call.accessList ?? [],
    warm,
  };
  return { message, refund: BigInt(existed) * REFUND_PER_AUTHORITY };
}

/** True when the sender's next creation would raise its nonce past 64 bits (EIP-2681). */
export function nonceOverflows({ call }: Transaction, state: JournaledState): boolean {
  return call.to === null && state.accountOf(call.from)?.nonce === NONCE_MASK;
}

/** The answer to it. */
export const NONCE_OVERFLOW: Applied = {
  ...NOTHING_RUN,
  status: 'halt',
  error: { text: 'nonce uint64 overflow', outOfGas: false },
  logs: [],
  destroyed: [],
  touched: [],
};

const NONCE_MASK = 2n ** 64n - 1n;
