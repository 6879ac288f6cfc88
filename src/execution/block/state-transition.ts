// A transaction from payment to clean-up, on any engine: go-ethereum's `stateTransition`, from London on. Runs on
// publisher and estimators.
import type { Log } from '../../state/block.js';
import { EMPTY_CODE_HASH, type AccountState } from '../../state/views/view.js';
import { applyAuthorizations, REFUND_PER_AUTHORITY } from './authorization.js';
import { after } from '../../lib/threads/at-once.js';
import { cleanUp, credit, paidGas, removeEmpty } from './settlement.js';
import { NOTHING_RUN, type Applied, type Engine, type ExecutionContext, type Message } from '../../evm/engine.js';
import { blobGasOf } from '../../transaction/validation.js';
import type { ForkRules } from '../../evm/reference/fork-rules.js';
import type { JournaledState } from '../../evm/journal/journaled-state.js';
import { ForeignMet } from '../../evm/foreign-met.js';
import { BrokenOff } from '../broken-off.js';
import { effectiveGasPrice, type SignedTransaction } from '../../transaction/signed.js';

/** Parts that transactions of one block run on. `engine` writes to `state`. */
export interface TransitionContext {
  readonly rules: ForkRules;
  readonly engine: Engine;
  readonly state: JournaledState;
  readonly context: ExecutionContext;
}

/** The end of a transaction. */
export interface TransactionResult {
  readonly status: 0 | 1;
  /** Gas that is paid for, after refunds. */
  readonly gasUsed: bigint;
  readonly logs: readonly Log[];
}

/** A message, and the gas around it. */
export interface GasPlan {
  readonly message: Message;
  readonly limit: bigint;
  /** Paid before the message runs, and the least that is paid (EIP-7623). */
  readonly intrinsic: bigint;
  readonly floor: bigint;
  /** Refund that is due before the message runs. */
  readonly refund: bigint;
}

/**
 * Runs a transaction that passed every check. When it throws or rejects, what it has done so far is left in the state, for
 * the caller to undo.
 */
export function applyTransaction(
  signed: SignedTransaction,
  transition: TransitionContext,
): TransactionResult | Promise<TransactionResult> {
  const { from, gasLimit } = signed;
  const { state, context } = transition;
  const { baseFeePerGas, coinbase } = context.env;
  const price = effectiveGasPrice(signed, baseFeePerGas);
  pay(from, gasLimit * price + blobGasOf(signed) * context.blobBaseFee, state);
  const plan = planOf(signed, price, transition);
  return after(applyMessage(plan, transition), (applied) => {
    const result = resultOf(plan, applied);
    credit(from, (gasLimit - result.gasUsed) * price, state);
    credit(coinbase, result.gasUsed * (price - baseFeePerGas), state);
    cleanUp(applied, state);
    removeEmpty(coinbase, state);
    return result;
  });
}

/** Runs the message. One that only moves ether, as most do, needs no engine. `cleanUp` has to follow. */
export function applyMessage(
  { message, limit, intrinsic }: GasPlan,
  { rules, engine, state, context }: TransitionContext,
): Promise<Applied> | Applied {
  const { caller, to, value } = message;
  const runsCode = (address: Uint8Array): boolean =>
    state.codeOf(address).length > 0 || engine.isPrecompile(address, []) || rules.foreign.kindOf(address) !== null;
  if (to === null || runsCode(to) || !canMove(message, state)) return engine.apply(message, context, limit - intrinsic);
  credit(caller, -value, state);
  credit(to, value, state);
  return { ...NOTHING_RUN, logs: [], destroyed: [], touched: [to] };
}

/** The transaction's result. Throws `BrokenOff` and `ForeignMet`. */
export function resultOf({ intrinsic, floor, refund }: GasPlan, applied: Applied): TransactionResult {
  if (applied.status === 'aborted') throw new BrokenOff('a transaction of a block was broken off');
  if (applied.foreign !== undefined) throw new ForeignMet(applied.foreign);
  const gasUsed = paidGas({ intrinsic, floor, refund }, applied);
  return { status: applied.status === 'success' ? 1 : 0, gasUsed, logs: applied.logs };
}

const BALANCE_MAX = 2n ** 256n - 1n;
const NO_AUTHORITIES = { warm: [], existed: 0 };
const NO_ACCOUNT: AccountState = { nonce: 0n, balance: 0n, codeHash: EMPTY_CODE_HASH };

/** Applies authorisations (EIP-7702), whatever comes of the message. */
function planOf(signed: SignedTransaction, price: bigint, { rules, state }: TransitionContext): GasPlan {
  const { from, to, value, data, accessList, blobVersionedHashes, authorizationList } = signed;
  const { warm, existed } =
    authorizationList === null ? NO_AUTHORITIES : applyAuthorizations(authorizationList, rules.common.chainId(), state);
  return {
    message: {
      caller: from,
      to,
      value,
      data,
      gasPrice: price,
      blobVersionedHashes: blobVersionedHashes ?? [],
      accessList,
      warm,
    },
    limit: signed.gasLimit,
    intrinsic: signed.intrinsicGas,
    floor: signed.floorGas,
    refund: BigInt(existed) * REFUND_PER_AUTHORITY,
  };
}

function canMove({ caller, to, value }: Message, state: JournaledState): boolean {
  if (value === 0n) return true;
  return balanceOf(caller, state) >= value && balanceOf(to!, state) + value <= BALANCE_MAX;
}

function balanceOf(address: Uint8Array, state: JournaledState): bigint {
  return state.accountOf(address)?.balance ?? 0n;
}

/** Takes the most that the transaction may cost, and raises the nonce. */
function pay(from: Uint8Array, cost: bigint, state: JournaledState): void {
  const { nonce, balance, codeHash } = state.accountOf(from) ?? NO_ACCOUNT;
  state.setAccount(from, { nonce: nonce + 1n, balance: balance - cost, codeHash });
}
