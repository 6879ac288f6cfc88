// From a transaction to a message: what happens before the first instruction. Runs on the estimators.
import { applyAuthorizations, REFUND_PER_AUTHORITY } from '../block/authorization.js';
import { blobGas, type Transaction } from '../../transaction/call-validation.js';
import { NOTHING_RUN, type Applied, type Message } from '../../evm/engine.js';
import type { JournaledState } from '../../evm/journal/journaled-state.js';
import { payUpfront } from '../../evm/journal/upfront.js';

/** A transaction whose message has not been run. */
export interface BegunTransaction {
  readonly message: Message;
  /** Gas that is given back for authorities that existed (EIP-7702). */
  readonly refund: bigint;
}

/** Flags of a message's run. */
export type MessageFlags = Pick<Message, 'isTraced' | 'logsTransfers' | 'dropsOutput'>;

const NOTHING_ASKED: MessageFlags = {};
const NONE: readonly never[] = [];
const NO_AUTHORITIES = { warm: NONE, existed: 0 };

/**
 * Settles what is paid for gas and blobs, and applies authorisations, before which that is paid, as they look at the
 * sender's nonce: otherwise it is the engine's to do. The caller has asked `validateCall` and keeps or undoes what is
 * written here.
 */
export function beginTransaction(
  tx: Transaction,
  gasLimit: bigint,
  chainId: bigint,
  state: JournaledState,
  flags: MessageFlags = NOTHING_ASKED,
): BegunTransaction {
  const { call, context, gasPrice } = tx;
  const { authorizationList } = call;
  // To add nothing to a bigint makes another one, in 20 ns.
  const upfront =
    gasPrice === 0n && call.blobVersionedHashes === null
      ? 0n
      : gasLimit * gasPrice + blobGas(call) * context.blobBaseFee;
  if (authorizationList !== null) payUpfront({ caller: call.from, upfront }, state);
  const { warm, existed } =
    authorizationList === null ? NO_AUTHORITIES : applyAuthorizations(authorizationList, chainId, state);
  const message = {
    caller: call.from,
    to: call.to,
    value: call.value,
    upfront: authorizationList === null ? upfront : undefined,
    data: call.data,
    gasPrice,
    blobVersionedHashes: call.blobVersionedHashes ?? NONE,
    accessList: call.accessList ?? NONE,
    warm,
    isTraced: flags.isTraced === true,
    logsTransfers: flags.logsTransfers === true,
    dropsOutput: flags.dropsOutput === true,
  };
  return { message, refund: existed === 0 ? 0n : BigInt(existed) * REFUND_PER_AUTHORITY };
}

/** True when the sender's next creation would raise its nonce past 64 bits (EIP-2681). */
export function nonceOverflows({ call }: Transaction, state: JournaledState): boolean {
  return call.to === null && state.accountOf(call.from)?.nonce === NONCE_MAX;
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

const NONCE_MAX = 2n ** 64n - 1n;
