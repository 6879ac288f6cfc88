// A transaction from payment to clean-up, on any engine: go-ethereum's `stateTransition`, from London on. Runs on
// publisher and estimators.
import type { Log } from '../../state/block.js';
import { EMPTY_CODE_HASH, type AccountState } from '../../state/views/view.js';
import { after } from '../../lib/threads/at-once.js';
import type { MessageGas } from './authorization-meter.js';
import { authorized, messageGas, type Ran } from './message-gas.js';
import { cleanUp, credit, removeEmpty, spentGas } from './settlement.js';
import {
  NOTHING_RUN,
  OUT_OF_GAS_RUN,
  type Applied,
  type Engine,
  type ExecutionContext,
  type Message,
} from '../../evm/engine.js';
import type { TransactionRules } from '../../chain/forks.js';
import { blobGasOf } from '../../transaction/validation.js';
import { NOTHING_READ, type ReadSet } from '../../evm/read-set.js';
import type { ForkRules } from '../../evm/reference/fork-rules.js';
import type { JournaledState } from '../../evm/journal/journaled-state.js';
import { ForeignMet } from '../../evm/foreign-met.js';
import { BrokenOff } from '../broken-off.js';
import { createdAddress } from '../created-address.js';
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
  /** Gas that it takes of the block's, by execution and by state (EIP-8037). */
  readonly blockGas: { readonly execution: bigint; readonly state: bigint };
  readonly logs: readonly Log[];
  /** State that its block's access list names; absent: blocks of its fork have none (EIP-7928). */
  readonly reads?: ReadSet;
  /** Returned, or given with a revert. */
  readonly returnData: Uint8Array;
  /** Reason for which it halted, in words; `null`: it has succeeded, or reverted. */
  readonly halted: string | null;
}

/** Gas of a transaction that is not its message's: paid before it runs, and the least that is paid (EIP-7623). */
export interface GasPlan {
  readonly intrinsic: bigint;
  readonly floor: bigint;
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
  return after(applySigned(signed, price, transition), (ran) => {
    const result = resultOf({ intrinsic: signed.intrinsicGas, floor: signed.floorGas }, ran, transition.rules);
    credit(from, (gasLimit - result.gasUsed) * price, state);
    credit(coinbase, result.gasUsed * (price - baseFeePerGas), state);
    const reads = readsOf(signed, ran, transition);
    cleanUp(ran.run, state, transition.rules);
    removeEmpty(coinbase, state);
    return reads === null ? result : { ...result, reads: withAccount(reads, coinbase) };
  });
}

/**
 * Runs the message. One that only moves ether, as most do, needs no engine, unless moves are logged (EIP-7708). `cleanUp` has to
 * follow.
 */
export function applyMessage(
  message: Message,
  gas: bigint,
  { rules, engine, state, context }: TransitionContext,
): Promise<Applied> | Applied {
  const { caller, to, value } = message;
  const runsCode = (address: Uint8Array): boolean =>
    state.codeOf(address).length > 0 || engine.isPrecompile(address, []) || rules.foreign.kindOf(address) !== null;
  const isWhole = engine.runsAll === true || rules.common.isActivatedEIP(7708);
  if (to === null || isWhole || runsCode(to) || !canMove(message, state)) return engine.apply(message, context, gas);
  credit(caller, -value, state);
  credit(to, value, state);
  return { ...NOTHING_RUN, logs: [], destroyed: [], touched: [to] };
}

/** The transaction's result. Throws `BrokenOff` and `ForeignMet`. */
export function resultOf(plan: GasPlan, { run, gas }: Ran<Applied>, rules: ForkRules): TransactionResult {
  if (run.status === 'aborted') throw new BrokenOff('a transaction of a block was broken off');
  if (run.foreign !== undefined) throw new ForeignMet(run.foreign);
  const { paid: gasUsed, execution, state } = spentGas({ ...plan, gas }, run, rules);
  const { logs, returnData } = run;
  const status = run.status === 'success' ? 1 : 0;
  return { status, gasUsed, blockGas: { execution, state }, logs, returnData, halted: run.error?.text ?? null };
}

/** Accesses of a message that has run last, and of its transaction but for who is paid; `null`: no list names them. */
export function readsOf(
  { from, to, nonce }: Pick<SignedTransaction, 'from' | 'to' | 'nonce'>,
  { authorities, isReached }: Pick<Ran<Applied>, 'authorities' | 'isReached'>,
  { rules, engine }: { readonly rules: TransactionRules; readonly engine: Engine },
): ReadSet | null {
  if (!rules.common.isActivatedEIP(7928)) return null;
  const { accounts, slots } = isReached ? engine.readSet() : NOTHING_READ;
  const receiver = isReached ? [to ?? createdAddress(from, nonce)] : [];
  return { accounts: [...accounts, ...authorities, from, ...receiver], slots };
}

/** With one account more. */
export function withAccount({ accounts, slots }: ReadSet, address: Uint8Array): ReadSet {
  return { accounts: [...accounts, address], slots };
}

const BALANCE_MAX = 2n ** 256n - 1n;
const NO_ACCOUNT: AccountState = { nonce: 0n, balance: 0n, codeHash: EMPTY_CODE_HASH };

function applySigned(
  signed: SignedTransaction,
  price: bigint,
  transition: TransitionContext,
): Ran<Applied> | Promise<Ran<Applied>> {
  const { rules, state } = transition;
  const { from: caller, to, value, data, accessList, blobVersionedHashes } = signed;
  const execute = (
    warm: readonly Uint8Array[],
    { left, reservoir, refund }: MessageGas,
  ): Applied | Promise<Applied> => {
    const isListed = rules.common.isActivatedEIP(7928);
    const blobs = blobVersionedHashes ?? [];
    const around = { gasPrice: price, blobVersionedHashes: blobs, accessList, warm, reservoir, refund, isListed };
    return applyMessage({ caller, to, value, data, ...around }, left, transition);
  };
  const gas = messageGas(signed.gasLimit, signed.intrinsicGas, rules);
  return authorized(signed, { rules, chainId: rules.common.chainId(), state, gas, execute, lacking: OUT_OF_GAS_RUN });
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
