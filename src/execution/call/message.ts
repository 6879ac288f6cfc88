// From a transaction to a message: what happens before the first instruction. Runs on the estimators.
import type { MessageGas } from '../block/authorization-meter.js';
import { authorized, messageGas, type Ran } from '../block/message-gas.js';
import { blobGas, type Transaction } from '../../transaction/call-validation.js';
import { NOTHING_RUN, OUT_OF_GAS_RUN, type Applied, type Execution, type Message } from '../../evm/engine.js';
import type { JournaledState } from '../../evm/journal/journaled-state.js';
import { after } from '../../lib/threads/at-once.js';
import { payUpfront } from '../../evm/journal/upfront.js';

/** Flags of a message's run. */
export type MessageFlags = Pick<Message, 'isTraced' | 'isListed' | 'logsTransfers' | 'dropsOutput'>;

const NOTHING_ASKED: MessageFlags = {};
const NONE: readonly never[] = [];

/** Parts that a transaction's message is run with. */
export interface MessageParts<T extends Execution> {
  readonly chainId: bigint;
  readonly state: JournaledState;
  readonly flags?: MessageFlags | undefined;
  readonly execute: (message: Message, gas: MessageGas) => T | Promise<T>;
}

/**
 * Settles what is paid for gas and blobs, applies authorisations, before which that is paid, as they look at the sender's nonce:
 * otherwise it is the engine's to do; and runs the message. The caller has asked `validateCall` and keeps or undoes what is written
 * here.
 */
export function runTransaction<T extends Execution>(
  tx: Transaction,
  gasLimit: bigint,
  { chainId, state, flags = NOTHING_ASKED, execute }: MessageParts<T>,
): Ran<T | Applied> | Promise<Ran<T | Applied>> {
  const { call, rules } = tx;
  const gas = messageGas(gasLimit, tx.intrinsicGas, rules);
  if (call.authorizationList === null)
    return after(execute(messageOf(tx, gasLimit, gas, flags), gas), (run) => ({
      run,
      gas,
      authorities: NONE,
      isReached: true,
    }));
  payUpfront({ caller: call.from, upfront: upfrontOf(tx, gasLimit) }, state);
  return authorized<T | Applied>(call, {
    rules,
    chainId,
    state,
    gas,
    execute: (warm, left) => execute({ ...messageOf(tx, gasLimit, left, flags), upfront: undefined, warm }, left),
    lacking: OUT_OF_GAS_RUN,
  });
}

/** The message of a transaction that authorises nobody. */
export function messageOf(
  tx: Transaction,
  gasLimit: bigint,
  { reservoir, refund }: MessageGas,
  flags: MessageFlags = NOTHING_ASKED,
): Message {
  const { call } = tx;
  return {
    caller: call.from,
    to: call.to,
    value: call.value,
    upfront: upfrontOf(tx, gasLimit),
    data: call.data,
    gasPrice: tx.gasPrice,
    blobVersionedHashes: call.blobVersionedHashes ?? NONE,
    accessList: call.accessList ?? NONE,
    warm: NONE,
    reservoir,
    refund,
    isTraced: flags.isTraced === true,
    isListed: flags.isListed === true,
    logsTransfers: flags.logsTransfers === true,
    dropsOutput: flags.dropsOutput === true,
  };
}

/** Wei that gas and blobs cost at most. */
function upfrontOf({ call, context, gasPrice }: Transaction, gasLimit: bigint): bigint {
  // To add nothing to a bigint makes another one, in 20 ns.
  if (gasPrice === 0n && call.blobVersionedHashes === null) return 0n;
  return gasLimit * gasPrice + blobGas(call) * context.blobBaseFee;
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
