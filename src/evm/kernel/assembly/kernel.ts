// The EVM kernel: the functions that the host calls. For one execution, the host calls `resetForExecution`, then the
// functions that write values and warm accounts and slots for the message, then `runMessage`, then
// `resumeAfterPrecompile` as long as the result is PRECOMPILE. Between these calls, the host writes and reads the
// fields of memory-layout.ts.
import { abortReason, clearAbort } from './abort-reason';
import {
  accountEntry,
  areAccountsHalfFull,
  accountsPeak,
  accountsRead,
  beginEpoch as beginAccounts,
  beginJob,
  dirtyAccountCount as dirtyAccounts,
  messageEpoch,
  forgetAccounts,
  commitAccount,
  payUpfrontAndRaiseNonce,
  putAccount as put,
  restartEpochs,
  warmAccountEntryIfCold,
} from './state/accounts';
import { startOutermostCall } from './frames/calls';
import { areCodesHalfFull, codesPeakAddress, forgetCodes } from './code/code-table';
import { startOutermostCreation } from './frames/creations';
import {
  readsBlockEnv,
  clearExecution,
  haltReason,
  gasSensitive,
  hasHaltedCalls,
  refundCounter,
  returnDataLength,
  returnDataPeak,
  setFailureRecording,
  callTreeHash,
} from './execution-wide-state';
import * as F from './frames/frame';
import { runningFrame, stackPeakAddress } from './frames/frame';
import { setHooked } from './frame-and-log-hooks';
import { interpret } from './interpreter';
import * as journal from './state/journal';
import * as logs from './state/logs';
import { memoryPeak } from './frames/memory';
import { beginStateGas, isOutermostEntryUnpaid, stateGasReservoir, stateGasUsed } from './frames/state-gas';
import { finishPrecompile } from './frames/precompiles';
import {
  beginEpoch as beginSlots,
  dirtySlotCount as dirtySlots,
  forgetSlots,
  resetTransientIndex,
  commitSlot,
  putBaseSlot as putStorage,
  slotEntry,
  areSlotsHalfFull,
  slotsPeak,
  slotsRead,
  transientsPeak,
  warmSlotIfCold,
} from './state/storage';
import { copy, copyAddress } from './words/word';
import {
  ACCOUNT_BYTES,
  ACCOUNT_INDEX_CELLS_LOG2,
  CODES,
  CODE_INDEX_BITS,
  DIRTY_ACCOUNTS,
  DIRTY_SLOTS,
  ENV,
  ENV_COINBASE,
  FLAG_CREATE,
  FLAG_HOOKED,
  FLAG_EXACT_ACCESS_LISTS,
  FLAG_LOGS,
  FLAG_PAYS,
  FLAG_EXACT_LISTS_AND_LOGS,
  FLAG_TRANSFERS,
  FLAG_WARM_COINBASE,
  INPUT,
  JOURNAL,
  KECCAK_CACHE_BITS,
  KECCAK_ROW_BYTES,
  LOGS,
  MEMORY,
  MESSAGE,
  MESSAGE_CALLER,
  MESSAGE_DATA_LENGTH,
  MESSAGE_FLAGS,
  MESSAGE_GAS,
  MESSAGE_RESERVOIR,
  MESSAGE_TO,
  MESSAGE_UPFRONT,
  MESSAGE_VALUE,
  RESULT,
  RESULT_DIRTY_ACCOUNT_COUNT,
  RESULT_CREATED_ACCOUNT,
  RESULT_OUTPUT_ADDRESS,
  RESULT_ERROR,
  RESULT_GAS_LEFT,
  RESULT_ENTRY_OUT_OF_GAS,
  RESULT_LENGTH,
  RESULT_LOG_COUNT,
  RESULT_LOGS_MADE,
  RESULT_MINIMUM_GAS,
  RESULT_FAILED_OPCODE,
  RESULT_REFUND,
  RESULT_HAS_HALTS,
  RESULT_RESERVOIR,
  RESULT_GAS_SENSITIVE,
  RESULT_READS_BLOCK_ENV,
  RESULT_DIRTY_SLOT_COUNT,
  RESULT_STATE_GAS,
  RESULT_CALL_TREE,
  RETURN_DATA,
  SLOT_BYTES,
  SLOT_INDEX_BITS,
  STACKS,
  STAGE,
  STAGE_ADDRESS,
  STAGE_BALANCE,
  STAGE_CODE_HASH,
  STAGE_BASE_FLAGS,
  STAGE_KEY,
  STAGE_NONCE,
  STAGE_SLOT_VALUE,
  TRANSIENT_SLOT_BYTES,
  TRANSIENT_INDEX_BITS,
} from './shared/memory-layout';
import { hasRule } from './rules';
import { STATE_GAS } from './shared/rule-flags';
import { RUNNING } from './shared/status';

export { accountsRead, beginJob, slotsRead };
export { setSalt } from './hashes/hash-table-seeds';
export * from './shared/memory-layout';
export { setJitThreshold } from './interpreter';
export { codeGeneration } from './code/code-table';
export * from './code/jit-helpers';
export { memoryExpansionCost } from './frames/memory';
// Functions that compiled code calls with the address of the top of the stack.
export { ADDMOD, DIV, MOD, MUL, MULMOD, SDIV, SIGNEXTEND, SMOD } from './instructions/arithmetic';
export { BYTE, CLZ, SAR, SHL, SHR } from './instructions/bitwise';
export { CHAINID, NUMBER, TIMESTAMP } from './instructions/block';
export { CALLDATALOAD, CALLDATASIZE, CALLER, CALLVALUE, RETURNDATASIZE } from './instructions/environment';

/** Drops all accounts and slots. Called to switch to another version of the state. */
export function forgetAccountsAndSlots(): void {
  forgetAccounts();
  forgetSlots();
}

/** Starts an execution in which no account or slot is warm or changed. Empties tables that are more than half full. */
export function resetForExecution(): void {
  if (areAccountsHalfFull() || areSlotsHalfFull()) forgetAccountsAndSlots();
  if (areCodesHalfFull()) forgetCodes();
  if (messageEpoch == u32.MAX_VALUE) {
    forgetAccountsAndSlots();
    resetTransientIndex();
    restartEpochs();
  }
  beginAccounts();
  beginSlots();
  journal.clearJournal();
  clearExecution();
  clearAbort();
}

/**
 * Overwrites the base values of the account described at STAGE, with which the messages of this job start. `erased`
 * empties its storage. Returns false if aborted (TABLE_FULL).
 */
export function putBaseAccount(erased: bool): bool {
  const exists = load<u32>(STAGE, STAGE_BASE_FLAGS);
  const nonce = load<u64>(STAGE, STAGE_NONCE);
  return put(STAGE + STAGE_ADDRESS, STAGE + STAGE_BALANCE, STAGE + STAGE_CODE_HASH, nonce, exists, erased);
}

/**
 * Overwrites the base value of the slot described at STAGE, with which the messages of this job start. Returns false if
 * aborted (STATE_MISS or TABLE_FULL).
 */
export function putBaseSlot(): bool {
  const entry = accountEntry(STAGE + STAGE_ADDRESS);
  return entry != 0 && putStorage(entry, STAGE + STAGE_KEY, STAGE + STAGE_SLOT_VALUE);
}

/**
 * Makes the account at STAGE warm from the start (EIP-2930, EIP-7702). Returns false if aborted (STATE_MISS or
 * TABLE_FULL).
 */
export function warmAccount(): bool {
  const entry = accountEntry(STAGE + STAGE_ADDRESS);
  if (entry == 0) return false;
  warmAccountEntryIfCold(entry);
  return true;
}

/**
 * Makes the slot at STAGE and its account warm from the start (EIP-2930). Returns false if aborted (STATE_MISS or
 * TABLE_FULL).
 */
export function warmStorage(): bool {
  const entry = accountEntry(STAGE + STAGE_ADDRESS);
  if (entry == 0) return false;
  warmAccountEntryIfCold(entry);
  const key = slotEntry(entry, STAGE + STAGE_KEY);
  if (key == 0) return false;
  warmSlotIfCold(key);
  return true;
}

/** Executes the message at MESSAGE with the data at INPUT. Returns how it ended (status.ts); RESULT has the details. */
export function runMessage(): u32 {
  F.enterRootFrame();
  const flags = load<u32>(MESSAGE, MESSAGE_FLAGS);
  setFailureRecording(
    (flags & FLAG_EXACT_LISTS_AND_LOGS) != 0,
    (flags & FLAG_EXACT_ACCESS_LISTS) != 0,
    (flags & FLAG_HOOKED) != 0,
  );
  setHooked((flags & FLAG_HOOKED) != 0);
  logs.beginLogs((flags & FLAG_LOGS) != 0, (flags & FLAG_TRANSFERS) != 0);
  if (hasRule(STATE_GAS)) beginStateGas(load<i64>(MESSAGE, MESSAGE_RESERVOIR));
  store<u32>(RESULT, 0, RESULT_CREATED_ACCOUNT);
  store<u32>(RESULT, 0, RESULT_FAILED_OPCODE);
  if ((flags & FLAG_WARM_COINBASE) != 0) {
    const coinbase = accountEntry(ENV + ENV_COINBASE);
    if (coinbase == 0) return abortReason;
    warmAccountEntryIfCold(coinbase);
  }
  const sender = accountEntry(MESSAGE + MESSAGE_CALLER);
  if (sender == 0) return abortReason;
  if ((flags & FLAG_PAYS) != 0) payUpfrontAndRaiseNonce(sender, MESSAGE + MESSAGE_UPFRONT);
  warmAccountEntryIfCold(sender);
  store<u32>(runningFrame, <u32>sender, F.SELF_ACCOUNT);
  const next = F.placeNextFrame();
  const bytes = load<u32>(MESSAGE, MESSAGE_DATA_LENGTH);
  if (bytes > inputPeak) inputPeak = bytes;
  const gas = load<i64>(MESSAGE, MESSAGE_GAS);
  copyAddress(next + F.CALLER, MESSAGE + MESSAGE_CALLER);
  copy(next + F.VALUE, MESSAGE + MESSAGE_VALUE);
  store<u32>(next, <u32>INPUT, F.INPUT);
  store<u32>(next, bytes, F.INPUT_BYTES);
  if ((flags & FLAG_CREATE) != 0) return goOn(startOutermostCreation(INPUT, bytes, gas));
  const target = accountEntry(MESSAGE + MESSAGE_TO);
  if (target == 0) return abortReason;
  warmAccountEntryIfCold(target);
  return goOn(startOutermostCall(target, gas));
}

/**
 * Continues after PRECOMPILE. The host has written `length` bytes of output to RETURN_DATA; the precompile has used
 * `gas`. Returns what `runMessage` returns.
 */
export function resumeAfterPrecompile(succeeded: bool, gas: i64, length: u32): u32 {
  return goOn(finishPrecompile(succeeded, gas, length));
}

/**
 * Continues after HOT_BLOCK_REACHED, once the host has tried to compile the basic block. Returns how the message ended
 * (status.ts), or why the host must act.
 */
export function resumeAfterHotBlock(): u32 {
  return goOn(RUNNING);
}

function goOn(begun: u32): u32 {
  const how = begun == RUNNING ? interpret() : begun;
  store<i64>(RESULT, load<i64>(runningFrame, F.GAS_LEFT), RESULT_GAS_LEFT);
  store<i64>(RESULT, load<i64>(runningFrame, F.MINIMUM_START_GAS), RESULT_MINIMUM_GAS);
  store<i64>(RESULT, refundCounter, RESULT_REFUND);
  if (hasRule(STATE_GAS)) tellStateGas();
  // Only 53 bits, which a JavaScript number represents exactly.
  store<f64>(RESULT, <f64>(callTreeHash >> 11), RESULT_CALL_TREE);
  store<u32>(RESULT, u32(gasSensitive), RESULT_GAS_SENSITIVE);
  store<u32>(RESULT, u32(hasHaltedCalls), RESULT_HAS_HALTS);
  store<u32>(RESULT, u32(readsBlockEnv), RESULT_READS_BLOCK_ENV);
  store<u32>(RESULT, haltReason, RESULT_ERROR);
  store<u32>(RESULT, <u32>RETURN_DATA, RESULT_OUTPUT_ADDRESS);
  store<u32>(RESULT, returnDataLength, RESULT_LENGTH);
  store<u32>(RESULT, logs.logCount, RESULT_LOG_COUNT);
  store<u32>(RESULT, logs.logsMade, RESULT_LOGS_MADE);
  store<u32>(RESULT, dirtyAccounts, RESULT_DIRTY_ACCOUNT_COUNT);
  store<u32>(RESULT, dirtySlots, RESULT_DIRTY_SLOT_COUNT);
  return how;
}

/** Writes the state-gas counters to RESULT (EIP-8037). */
function tellStateGas(): void {
  store<i64>(RESULT, stateGasReservoir, RESULT_RESERVOIR);
  store<i64>(RESULT, stateGasUsed, RESULT_STATE_GAS);
  store<u32>(RESULT, u32(isOutermostEntryUnpaid), RESULT_ENTRY_OUT_OF_GAS);
}

/**
 * Returns how many bytes of memory were written so far, to within some KiB. Pages that were written are never released.
 */
export function writtenMemoryBytes(): u32 {
  const entries =
    accountsPeak() * (<u32>ACCOUNT_BYTES + 8) +
    slotsPeak() * (<u32>SLOT_BYTES + 8) +
    transientsPeak() * <u32>TRANSIENT_SLOT_BYTES;
  const frames = stackPeakAddress - STACKS + (memoryPeak - MEMORY);
  const others = journal.journalPeak() - JOURNAL + (logs.logsPeak() - LOGS) + (codesPeakAddress() - CODES);
  return INDEXES + entries + <u32>(frames + others) + inputPeak + returnDataPeak;
}

/**
 * Bytes of table indices and cached hashes. `writtenMemoryBytes` counts all of them from the start, because writes to
 * them are scattered over all their pages.
 */
const INDEXES: u32 =
  (8 << ACCOUNT_INDEX_CELLS_LOG2) +
  (8 << SLOT_INDEX_BITS) +
  (8 << TRANSIENT_INDEX_BITS) +
  (8 << CODE_INDEX_BITS) +
  (<u32>KECCAK_ROW_BYTES << KECCAK_CACHE_BITS);
/** Length of the longest message data so far. */
let inputPeak: u32 = 0;

/** Commits the message's changes: the next message of this job starts from the changed state. */
export function commitMessage(): void {
  for (let i: u32 = 0; i < dirtyAccounts; i++) commitAccount(<usize>load<u32>(DIRTY_ACCOUNTS + (<usize>i << 2)));
  for (let i: u32 = 0; i < dirtySlots; i++) commitSlot(<usize>load<u32>(DIRTY_SLOTS + (<usize>i << 2)));
}
