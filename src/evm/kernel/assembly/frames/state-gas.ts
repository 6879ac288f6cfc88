// State gas (EIP-8037): additions to the state are paid from a reservoir first, then from the call frame's own gas; the
// latter part is called the frame's spill. If the addition is reverted, the frame's spill is repaid first, then the
// reservoir. In forks without state gas, these functions only track the minimum gas.
import * as F from './frame';
import { runningFrame } from './frame';
import { forkPrice } from '../dynamic-gas-costs';
import { hasRule } from '../rules';
import { FRAME_BYTES } from '../shared/memory-layout';
import * as P from '../shared/price-fields';
import * as rule from '../shared/rule-flags';

/** Gas in the reservoir, which can only pay for state gas. */
export let stateGasReservoir: i64 = 0;
/** State gas that the message has used, less what was paid back. */
export let stateGasUsed: i64 = 0;
/** Gas that a message needs to pay the charges before its outermost frame (EIP-2780). */
export let gasBeforeOutermostFrame: i64 = 0;
/** True if the gas was not enough for the charges before the outermost frame, so that nothing was executed. */
export let isOutermostEntryUnpaid: bool = false;

/** Starts a message with `gas` in the reservoir. The root frame must be the running frame. */
export function beginStateGas(gas: i64): void {
  stateGasReservoir = gas;
  stateGasUsed = 0;
  gasBeforeOutermostFrame = 0;
  isOutermostEntryUnpaid = false;
  store<i64>(runningFrame, 0, F.CHILD_ACCOUNT_STATE_GAS);
  markStateGas(runningFrame);
}

/** Records in a child frame the values that are restored if it fails. */
export function markStateGas(next: usize): void {
  store<i64>(next, stateGasReservoir, F.RESERVOIR_MARK);
  store<i64>(next, stateGasUsed, F.STATE_GAS_MARK);
  store<i64>(next, 0, F.STATE_GAS_SPILL);
}

/**
 * Sets the reservoir and the state gas used back to their values at a failing frame's start. State gas that was paid
 * from the frame's own gas is returned by `endFrameWithStatus` instead.
 */
export function revertStateGas(failed: usize): void {
  stateGasReservoir = load<i64>(failed, F.RESERVOIR_MARK);
  stateGasUsed = load<i64>(failed, F.STATE_GAS_MARK);
}

/**
 * Charges state gas: first from the reservoir, then from a frame's gas. Returns the gas left; if that is negative,
 * nothing was charged.
 */
export function chargeStateGas(payer: usize, gas: i64, amount: i64): i64 {
  const drawn = min(stateGasReservoir, amount);
  const left = gas - (amount - drawn);
  if (left < 0) return left;
  stateGasReservoir -= drawn;
  stateGasUsed += amount;
  raise(payer, F.STATE_GAS_SPILL, amount - drawn);
  raiseMinimumGasNow(payer, left, 0);
  return left;
}

/** Pays state gas back to the running frame: its spill first, the rest into the reservoir. Returns the frame's gas. */
export function refundStateGas(gas: i64, amount: i64): i64 {
  const back = min(load<i64>(runningFrame, F.STATE_GAS_SPILL), amount);
  raise(runningFrame, F.STATE_GAS_SPILL, -back);
  stateGasReservoir += amount - back;
  stateGasUsed -= amount;
  return gas + back;
}

@inline
function raise(target: usize, field: usize, gas: i64): void {
  store<i64>(target + field, load<i64>(target + field) + gas);
}

/** Raises the minimum gas of a frame that has `gas` left and now needs at least `more` of it. */
@inline
export function raiseMinimumGasNow(target: usize, gas: i64, more: i64): void {
  F.raiseMinimumGas(target, load<i64>(target, F.GAS_GIVEN) - gas + more);
}

/**
 * Settles state gas in the running frame when its child has ended. A frame's spill is the state gas that it has paid
 * from ordinary gas. The spill of a successful child is added to this frame's spill, and repaid from the reservoir as
 * far as possible (the reservoir may contain gas that was paid back for another frame). If the child has failed, the
 * state gas for the account that it was to create is paid back.
 */
export function settleChildStateGas(succeeded: bool): void {
  if (!succeeded) {
    const made = load<i64>(runningFrame, F.CHILD_ACCOUNT_STATE_GAS);
    if (made != 0) store<i64>(runningFrame, refundStateGas(load<i64>(runningFrame, F.GAS_LEFT), made), F.GAS_LEFT);
    return;
  }
  const child = runningFrame + FRAME_BYTES;
  raise(runningFrame, F.STATE_GAS_SPILL, load<i64>(child, F.STATE_GAS_SPILL));
  const back = min(load<i64>(runningFrame, F.STATE_GAS_SPILL), stateGasReservoir);
  raise(runningFrame, F.STATE_GAS_SPILL, -back);
  raise(runningFrame, F.GAS_LEFT, back);
  stateGasReservoir -= back;
}

/**
 * Charges what a message must pay before its outermost frame starts (EIP-2780). Returns the gas left, or -1 if the gas
 * is not enough.
 */
export function chargeEntryAccessAndStateGas(next: usize, gas: i64, access: i64, makesAccount: bool): i64 {
  store<i64>(next, gas, F.GAS_GIVEN);
  store<i64>(next, 0, F.MINIMUM_START_GAS);
  let left = gas - access;
  if (left >= 0 && makesAccount) left = chargeStateGas(next, left, forkPrice(P.STATE_ACCOUNT));
  if (left < 0) {
    isOutermostEntryUnpaid = true;
    return -1;
  }
  raiseMinimumGasNow(next, left, 0);
  gasBeforeOutermostFrame = load<i64>(next, F.MINIMUM_START_GAS);
  return left;
}
