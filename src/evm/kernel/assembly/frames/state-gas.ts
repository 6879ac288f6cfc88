// State gas (EIP-8037): what adds to the state is paid from a reservoir first, then from the frame's own gas; that part
// is called the spill. When the addition is reverted, it is paid back in the opposite order. For forks without state
// gas, these functions only track the minimum gas.
import * as F from './frame';
import { frame } from './frame';
import { price } from '../gas-costs';
import { has } from '../rules';
import { FRAME_BYTES } from '../shared/layout';
import * as P from '../shared/price-fields';
import * as rule from '../shared/rule-flags';

/** Gas that can pay only for state. */
export let reservoir: i64 = 0;
/** State gas that the message has used and that was not paid back. */
export let used: i64 = 0;
/** Minimum gas for what the message pays before its outermost frame (EIP-2780). */
export let entryNeed: i64 = 0;
/** True if the gas was not enough for that, so that nothing of the transaction was executed. */
export let lacksEntry: bool = false;

/** Starts a message with `gas` in the reservoir. The running frame must be the root. */
export function beginState(gas: i64): void {
  reservoir = gas;
  used = 0;
  entryNeed = 0;
  lacksEntry = false;
  store<i64>(frame, 0, F.CHILD_STATE);
  markState(frame);
}

/** Records in a child what to restore if it fails. */
export function markState(next: usize): void {
  store<i64>(next, reservoir, F.RESERVOIR_MARK);
  store<i64>(next, used, F.STATE_MARK);
  store<i64>(next, 0, F.SPILL);
}

/** Restores the counters to those at a failing frame's start; its spill becomes its gas again. */
export function revertState(failed: usize): void {
  reservoir = load<i64>(failed, F.RESERVOIR_MARK);
  used = load<i64>(failed, F.STATE_MARK);
}

/** Pays state gas from the reservoir, then from a frame's gas. Returns the gas left; negative: nothing was paid. */
export function payState(payer: usize, gas: i64, amount: i64): i64 {
  const drawn = min(reservoir, amount);
  const left = gas - (amount - drawn);
  if (left < 0) return left;
  reservoir -= drawn;
  used += amount;
  raise(payer, F.SPILL, amount - drawn);
  needsNow(payer, left, 0);
  return left;
}

/** Pays state gas back to the running frame: first its spill, the rest to the reservoir. Returns the frame's gas. */
export function refillState(gas: i64, amount: i64): i64 {
  const back = min(load<i64>(frame, F.SPILL), amount);
  raise(frame, F.SPILL, -back);
  reservoir += amount - back;
  used -= amount;
  return gas + back;
}

@inline
function raise(target: usize, field: usize, gas: i64): void {
  store<i64>(target + field, load<i64>(target + field) + gas);
}

/** Raises the minimum gas of a frame that has this much gas left and needs `more` now. */
@inline
export function needsNow(target: usize, gas: i64, more: i64): void {
  F.atLeast(target, load<i64>(target, F.GAS_GIVEN) - gas + more);
}

/**
 * Settles state gas in the running frame when its child has ended. The frame takes over the spill of a successful
 * child, and repays it from the reservoir, which may contain what was paid back for another frame's payment. If the
 * child has failed, the account that was to be created is paid back.
 */
export function settleState(succeeded: bool): void {
  if (!succeeded) {
    const made = load<i64>(frame, F.CHILD_STATE);
    if (made != 0) store<i64>(frame, refillState(load<i64>(frame, F.GAS), made), F.GAS);
    return;
  }
  const child = frame + FRAME_BYTES;
  raise(frame, F.SPILL, load<i64>(child, F.SPILL));
  const back = min(load<i64>(frame, F.SPILL), reservoir);
  raise(frame, F.SPILL, -back);
  raise(frame, F.GAS, back);
  reservoir -= back;
}

/** Pays what a message costs before its outermost frame (EIP-2780). Returns the gas left, -1 if not enough. */
export function payEntry(next: usize, gas: i64, access: i64, makesAccount: bool): i64 {
  store<i64>(next, gas, F.GAS_GIVEN);
  store<i64>(next, 0, F.NEED);
  let left = gas - access;
  if (left >= 0 && makesAccount) left = payState(next, left, price(P.STATE_ACCOUNT));
  if (left < 0) {
    lacksEntry = true;
    return -1;
  }
  needsNow(next, left, 0);
  entryNeed = load<i64>(next, F.NEED);
  return left;
}
