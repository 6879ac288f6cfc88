// Decides an estimate without executing anything if no code would run: invalid calls and plain transfers.

// Calls for which this file returns an outcome are not sent to a worker thread. See DECISIONS.md.
import { failureOutcome, type Job, type JobOutcome } from '../../transaction/evm-job.js';
import {
  type AccountReader,
  type InvalidCall,
  firstViolatedCallRule,
  type PricedCall,
} from '../../transaction/call-validation.js';
import { transactionPrices } from '../../chain/gas-schedule.js';
import { isEmptyAccount } from '../../state/views/state-view.js';
import { minBigInt } from '../../lib/min-max-bigint.js';

/** What must be known about the recipient of a call. */
export interface RecipientAccounts extends AccountReader {
  /** True if a message to this address runs code: it has code, delegated or not, or is a precompile. */
  runsCode(address: Uint8Array): boolean;
}

/** Returns the outcome of the estimate; or, if code runs, the gas limit with which it must be executed first. */
export function preflightEstimate(job: Job, tx: PricedCall, receivers: RecipientAccounts): JobOutcome | bigint {
  const cap = highestLimit(job, tx, receivers);
  if (typeof cap === 'string') return failureOutcome(cap);
  const plain = plainTransferGas(tx, cap, receivers);
  if (plain !== null) return gasOutcome(plain);
  const invalid = firstViolatedCallRule(tx, cap, receivers);
  return invalid === null ? cap : failureAt(cap, invalid);
}

/** Makes the outcome of a successful estimate. */
export function gasOutcome(amount: bigint): JobOutcome {
  return { kind: 'gas', gas: amount };
}

/** Makes the outcome of an estimate that fails even with the highest gas limit. */
export function gasRequiredExceedsAllowance(limit: bigint): JobOutcome {
  return failureOutcome(`gas required exceeds allowance (${limit})`);
}

/** A gas limit in the call that is lower than this is ignored, as in go-ethereum, whatever the transaction needs. */
const GAS_LIMIT_MIN = 21_000n;

/** Returns the highest gas limit to try, or the message why the call cannot be paid for. */
function highestLimit(job: Job, tx: PricedCall, accounts: AccountReader): bigint | string {
  const { call, rules, context, feeCap, blobCostMax } = tx;
  const isLimit = call.gas !== null && call.gas >= GAS_LIMIT_MIN;
  let limit = isLimit ? call.gas : context.env.gasLimit;
  if (rules.transactionGasMax !== null) limit = minBigInt(limit, rules.transactionGasMax);
  if (feeCap > 0n) {
    const balance = accounts.accountOf(call.from)?.balance ?? 0n;
    if (call.value >= balance) return 'insufficient funds for transfer';
    if (blobCostMax > 0n && blobCostMax >= balance - call.value) return 'insufficient funds for gas * price + value';
    limit = minBigInt(limit, (balance - call.value - blobCostMax) / feeCap);
  }
  return minBigInt(limit, job.gasCap);
}

/**
 * Returns the gas of a call without data to an account without code; `null` for any other call. Also `null` if the call
 * is invalid with this gas limit. It is then also invalid with the highest limit, which the caller checks next.
 */
function plainTransferGas(tx: PricedCall, cap: bigint, receivers: RecipientAccounts): bigint | null {
  const { data, to, authorizationList } = tx.call;
  if (data.length > 0 || to === null || authorizationList !== null || receivers.runsCode(to)) return null;
  const { stateAccount } = transactionPrices(tx.rules.common);
  // Transferring value to an account that does not exist or is empty creates it (EIP-2780).
  const makesAccount = stateAccount > 0 && tx.call.value > 0n && isEmptyAccount(receivers.accountOf(to));
  const amount = makesAccount ? tx.intrinsicGas + BigInt(stateAccount) : tx.intrinsicGas;
  return amount <= cap && firstViolatedCallRule(tx, amount, receivers) === null ? amount : null;
}

function failureAt(cap: bigint, { kind, text }: InvalidCall): JobOutcome {
  if (kind === 'intrinsic') return gasRequiredExceedsAllowance(cap);
  return failureOutcome(`failed with ${cap} gas: ${text()}`);
}
