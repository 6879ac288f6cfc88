// Turns a transaction into its top-level message: payment before the first instruction, authorizations (EIP-7702), and
// the gas that is left for the message (EIP-2780, EIP-8037).
import type { AccessListEntry } from '../../chain/access-list-entry.js';
import type { TransactionRules } from '../../chain/active-forks.js';
import { OUT_OF_GAS_AT_ENTRY, type AppliedMessage, type Execution, type EvmMessage } from '../../evm/evm-engine.js';
import type { JournaledState } from '../../evm/journal/journaled-state.js';
import { payUpfrontAndRaiseNonce } from '../../evm/journal/upfront-payment.js';
import { whenReady } from '../../lib/threads/sync-or-async.js';
import { AuthorizationGasMeter, type AuthorizingTransaction, type MessageGas } from './authorization-gas-meter.js';
import { applyAuthorizations, REFUND_GAS_PER_AUTHORITY } from './authorization.js';

/** A checked transaction as it is executed, from a signed transaction or from an RPC call (like revm's `TxEnv`). */
export interface TransactionEnv extends AuthorizingTransaction {
  readonly data: Uint8Array;
  readonly gasLimit: bigint;
  /** Wei paid per gas. */
  readonly gasPrice: bigint;
  /** Largest amount in wei that the sender can owe for gas and blobs; deducted before execution. */
  readonly upfront: bigint;
  readonly accessList: readonly AccessListEntry[] | null;
  readonly blobVersionedHashes: readonly Uint8Array[] | null;
  /** Intrinsic gas, and the minimum charge for calldata (EIP-7623). */
  readonly intrinsicGas: bigint;
  readonly floorGas: bigint;
}

export type MessageExecutionOptions = Pick<
  EvmMessage,
  'isTraced' | 'isListed' | 'logsTransfers' | 'dropsOutput' | 'isLast'
>;

/** Result of a message, and the gas that the message was given. */
export interface MessageResult<T extends Execution> {
  readonly run: T;
  readonly gas: MessageGas;
  /** Accounts whose authorizations were processed; they are warm. */
  readonly authorities: readonly Uint8Array[];
  /** False if the message did not run, because the gas was too low for the authorizations. */
  readonly isReached: boolean;
}

export interface MessageDeps<T extends Execution> {
  readonly rules: TransactionRules;
  readonly chainId: bigint;
  readonly state: JournaledState;
  readonly flags?: MessageExecutionOptions | undefined;
  readonly execute: (message: EvmMessage, gas: MessageGas) => T | Promise<T>;
}

const NO_FLAGS: MessageExecutionOptions = {};
const NONE: readonly never[] = [];

/**
 * Returns the gas that is left after the intrinsic gas, split into gas for any purpose and the reservoir. Gas above the
 * limit for execution goes into the reservoir, which only pays for state gas (EIP-8037).
 */
export function splitMessageGas(limit: bigint, intrinsic: bigint, { executionGasMax }: TransactionRules): MessageGas {
  const reservoir = executionGasMax === null || limit <= executionGasMax ? 0n : limit - executionGasMax;
  return { left: limit - reservoir - intrinsic, reservoir, used: 0n, stateUsed: 0n, refund: 0n };
}

/** Makes the top-level message of a transaction without authorizations. */
export function transactionMessage(
  tx: TransactionEnv,
  { reservoir, refund }: MessageGas,
  flags: MessageExecutionOptions = NO_FLAGS,
): EvmMessage {
  return {
    caller: tx.from,
    to: tx.to,
    value: tx.value,
    upfront: tx.upfront,
    data: tx.data,
    gasPrice: tx.gasPrice,
    blobVersionedHashes: tx.blobVersionedHashes ?? NONE,
    accessList: tx.accessList ?? NONE,
    warm: NONE,
    reservoir,
    refund,
    isTraced: flags.isTraced === true,
    isListed: flags.isListed === true,
    logsTransfers: flags.logsTransfers === true,
    dropsOutput: flags.dropsOutput === true,
    isLast: flags.isLast === true,
    // Present from the start, because adding a member to a spread object takes some 3 us on Node.js 20.
    hooks: undefined,
  };
}

/**
 * Runs the message after the sender has paid for gas and blobs. Authorizations are applied after the payment, because
 * they check the sender's nonce. They persist even if the message fails. From Amsterdam on, they are reverted if the
 * gas is too low for them or for the charges before the first call frame. Then no code has run, and all gas is used
 * except the reservoir of state gas. The caller commits or reverts the changes in the state.
 */
export function runTransactionMessage<T extends Execution>(
  tx: TransactionEnv,
  { rules, chainId, state, flags, execute }: MessageDeps<T>,
): MessageResult<T | AppliedMessage> | Promise<MessageResult<T | AppliedMessage>> {
  const gas = splitMessageGas(tx.gasLimit, tx.intrinsicGas, rules);
  const { authorizationList: list } = tx;
  if (list === null)
    return whenReady(execute(transactionMessage(tx, gas, flags), gas), (run) => ({
      run,
      gas,
      authorities: NONE,
      isReached: true,
    }));
  payUpfrontAndRaiseNonce({ caller: tx.from, upfront: tx.upfront }, state);
  const meter = rules.common.isActivatedEIP(2780) ? new AuthorizationGasMeter(tx, gas, rules) : null;
  state.mark();
  const { warm, isOutOfGas, existed } = applyAuthorizations(list, chainId, state, meter);
  const undone = (run: T | AppliedMessage): MessageResult<T | AppliedMessage> => {
    state.undo();
    return { run: { ...run, gasUsed: gas.left, stateGas: 0n }, gas, authorities: warm, isReached: !isOutOfGas };
  };
  if (isOutOfGas) return undone(OUT_OF_GAS_AT_ENTRY);
  const left = meter?.gas() ?? { ...gas, refund: BigInt(existed) * REFUND_GAS_PER_AUTHORITY };
  return whenReady(execute({ ...transactionMessage(tx, left, flags), upfront: undefined, warm }, left), (run) => {
    if (run.isEntryUnpaid === true) return undone(run);
    state.keep();
    return { run, gas: left, authorities: warm, isReached: true };
  });
}
