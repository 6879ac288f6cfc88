// Instructions that read the balance or code of an account.
import * as A from '../shared/account-fields';
import { accountEntry, isEmpty, isAlwaysWarm, markNamed, warmAccountEntryIfCold } from '../state/accounts';
import { codeOfAccount } from '../code/code-table';
import { forkPrice, WARM_ACCESS_GAS } from '../dynamic-gas-costs';
import * as P from '../shared/price-fields';
import { chargeAndCopy } from '../frames/memory';
import * as C from '../shared/code-fields';
import { SCRATCH_ADDRESS } from '../shared/memory-layout';
import { copy, setU64, saturatedSize, byteSwap, writeAddressBytes, zero } from '../words/word';

/** Returns the entry of the account whose address is the stack item at `item`; 0 if the execution was aborted. */
@inline
function accountAt(item: usize): usize {
  writeAddressBytes(SCRATCH_ADDRESS, item);
  return accountEntry(SCRATCH_ADDRESS);
}

/** Returns the gas of an access to the account: less if it is warm (EIP-2929). */
@inline
function accessCost(entry: usize): i64 {
  const isWarm = (load<u32>(entry, A.FLAGS) & A.WARM) != 0 || isAlwaysWarm(entry);
  return isWarm ? WARM_ACCESS_GAS : forkPrice(P.COLD_ACCOUNT);
}

/** Marks the account as warm and as accessed. Called after the instruction was paid for. */
@inline
function paid(entry: usize): void {
  warmAccountEntryIfCold(entry);
  markNamed(entry);
}

/** BALANCE 0x31: address -> balance in wei. Charges for the account access (EIP-2929). */
@inline
export function BALANCE(sp: usize, gas: i64): i64 {
  const entry = accountAt(sp);
  if (entry == 0) return -1;
  const left = gas - accessCost(entry);
  if (left < 0) return left;
  paid(entry);
  copy(sp, entry + A.BALANCE);
  return left;
}

/** EXTCODESIZE 0x3b: address -> length of the account's code. Charges for the account access (EIP-2929). */
@inline
export function EXTCODESIZE(sp: usize, gas: i64): i64 {
  const entry = accountAt(sp);
  if (entry == 0) return -1;
  const code = codeOfAccount(entry);
  if (code == 0) return -1;
  const left = gas - accessCost(entry) - forkPrice(P.CODE_READ);
  if (left < 0) return left;
  paid(entry);
  setU64(sp, load<u32>(code, C.LENGTH));
  return left;
}

/**
 * EXTCODEHASH 0x3f (EIP-1052): address -> hash of the account's code, 0 for an empty account. Charges for the access
 * (EIP-2929).
 */
@inline
export function EXTCODEHASH(sp: usize, gas: i64): i64 {
  const entry = accountAt(sp);
  if (entry == 0) return -1;
  const left = gas - accessCost(entry);
  if (left < 0) return left;
  paid(entry);
  if (isEmpty(entry)) zero(sp);
  else byteSwap(sp, entry + A.CODE_HASH);
  return left;
}

/**
 * EXTCODECOPY 0x3c: address, offset in memory, offset in the code, length ->. The account becomes warm only after
 * everything is paid for: if the gas is not enough, the instruction is executed again to locate the failure
 * (decode.ts), and must then cost the same.
 */
@inline
export function EXTCODECOPY(sp: usize, gas: i64, at: usize, bytes: u64): i64 {
  const entry = accountAt(sp);
  if (entry == 0) return -1;
  const code = codeOfAccount(entry);
  if (code == 0) return -1;
  const source = <usize>load<u32>(code, C.BYTES);
  const rest = gas - accessCost(entry) - forkPrice(P.CODE_READ);
  const left = chargeAndCopy(at, source, load<u32>(code, C.LENGTH), saturatedSize(sp - 64), bytes, rest);
  if (left >= 0) paid(entry);
  return left;
}

/** SELFBALANCE 0x47 (EIP-1884): -> balance of the running account in wei. */
@inline
export function SELFBALANCE(sp: usize, self: usize): void {
  copy(sp + 32, self + A.BALANCE);
}
