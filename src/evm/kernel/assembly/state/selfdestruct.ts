// SELFDESTRUCT, with EIP-6780 and EIP-8246 if the fork has them.
import { abortReason } from '../abort-reason';
import {
  accountEntry,
  addBalance,
  clearBalance,
  isEmpty,
  markAccountFlag,
  markForReadSet,
  touchIfEmpty,
  warmAccountEntryIfCold,
} from './accounts';
import { haltInstruction } from '../execution-wide-state';
import { reportFrameEntered } from '../frame-and-log-hooks';
import * as F from '../frames/frame';
import { runningFrame } from '../frames/frame';
import * as logs from './logs';
import { chargeStateGas } from '../frames/state-gas';
import { forkPrice } from '../dynamic-gas-costs';
import * as op from '../operations';
import { hasRule } from '../rules';
import { isZero, writeAddressBytes } from '../words/word';
import * as A from '../shared/account-fields';
import { SCRATCH_ADDRESS } from '../shared/memory-layout';
import * as P from '../shared/price-fields';
import * as rule from '../shared/rule-flags';
import * as status from '../shared/status';

/** Executes SELFDESTRUCT. Returns SUCCESS (which ends the frame), INSTRUCTION_FAILED, or the reason of an abort. */
export function selfDestruct(): u32 {
  const sp = <usize>load<u32>(runningFrame, F.SP);
  const self = <usize>load<u32>(runningFrame, F.SELF_ACCOUNT);
  writeAddressBytes(SCRATCH_ADDRESS, sp);
  const beneficiary = accountEntry(SCRATCH_ADDRESS);
  if (beneficiary == 0) return abortReason;
  const hasBalance = !isZero(self + A.BALANCE);
  let cost: i64 = 0;
  if (warmAccountEntryIfCold(beneficiary)) cost += forkPrice(P.COLD_ACCOUNT);
  // From here on, a block access list contains the beneficiary (EIP-7928), even if the gas is not enough for the rest.
  if (cost <= load<i64>(runningFrame, F.GAS_LEFT)) markForReadSet(beneficiary);
  const makes = hasBalance && isEmpty(beneficiary);
  if (makes) cost += forkPrice(P.SELFDESTRUCT_EMPTY_BENEFICIARY);
  let left = load<i64>(runningFrame, F.GAS_LEFT) - cost;
  if (left >= 0 && makes && hasRule(rule.STATE_GAS))
    left = chargeStateGas(runningFrame, left, forkPrice(P.STATE_ACCOUNT));
  if (left < 0) return haltInstruction(status.OUT_OF_GAS);
  store<i64>(runningFrame, left, F.GAS_LEFT);
  const isNew = (load<u32>(self, A.FLAGS) & A.CREATED) != 0;
  const goes = isNew || !hasRule(rule.DESTROYS_NEW_ONLY);
  if (hasBalance) logs.logTransfer(self, beneficiary, self + A.BALANCE);
  reportFrameEntered(op.SELFDESTRUCT, self, beneficiary, self + A.BALANCE, 0, 0, 0);
  if (beneficiary != self) {
    if (hasBalance) addBalance(beneficiary, self + A.BALANCE);
    else touchIfEmpty(beneficiary);
  }
  if (beneficiary != self || (goes && !hasRule(rule.DESTROYED_KEEPS_BALANCE))) clearBalance(self);
  if (goes) markAccountFlag(self, A.DESTROYED);
  return status.SUCCESS;
}
