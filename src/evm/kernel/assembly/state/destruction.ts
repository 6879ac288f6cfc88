// SELFDESTRUCT, under EIP-6780 and EIP-8246 if the fork has them.
import { aborted } from '../abort';
import { account, addBalance, clearBalance, isEmpty, mark, reach, touch, warm } from './accounts';
import { halt } from '../execution';
import { enters } from '../hooks';
import * as F from '../frames/frame';
import { frame } from '../frames/frame';
import * as logs from './logs';
import { payState } from '../frames/state-gas';
import { price } from '../gas-costs';
import * as op from '../operations';
import { has } from '../rules';
import { isZero, toAddress } from '../words/word';
import * as A from '../shared/account-fields';
import { ADDRESS } from '../shared/layout';
import * as P from '../shared/price-fields';
import * as rule from '../shared/rule-flags';
import * as status from '../shared/status';

/** Executes SELFDESTRUCT. Returns SUCCESS, which ends the frame, FAILING, or why the execution is aborted. */
export function destroy(): u32 {
  const sp = <usize>load<u32>(frame, F.SP);
  const self = <usize>load<u32>(frame, F.SELF);
  toAddress(ADDRESS, sp);
  const beneficiary = account(ADDRESS);
  if (beneficiary == 0) return aborted;
  const hasBalance = !isZero(self + A.BALANCE);
  let cost: i64 = 0;
  if (warm(beneficiary)) cost += price(P.COLD_ACCOUNT);
  // From here on a block access list contains the account (EIP-7928), even if the gas is not enough for the rest.
  if (cost <= load<i64>(frame, F.GAS)) reach(beneficiary);
  const makes = hasBalance && isEmpty(beneficiary);
  if (makes) cost += price(P.BENEFICIARY_ACCOUNT);
  let left = load<i64>(frame, F.GAS) - cost;
  if (left >= 0 && makes && has(rule.STATE_GAS)) left = payState(frame, left, price(P.STATE_ACCOUNT));
  if (left < 0) return halt(status.OUT_OF_GAS);
  store<i64>(frame, left, F.GAS);
  const isNew = (load<u32>(self, A.FLAGS) & A.CREATED) != 0;
  const goes = isNew || !has(rule.DESTROYS_NEW_ONLY);
  if (hasBalance) logs.transfer(self, beneficiary, self + A.BALANCE);
  enters(op.SELFDESTRUCT, self, beneficiary, self + A.BALANCE, 0, 0, 0);
  if (beneficiary != self) {
    if (hasBalance) addBalance(beneficiary, self + A.BALANCE);
    else touch(beneficiary);
  }
  if (beneficiary != self || (goes && !has(rule.KEEPS_BALANCE))) clearBalance(self);
  if (goes) mark(self, A.DESTROYED);
  return status.SUCCESS;
}
