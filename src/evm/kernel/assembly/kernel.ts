// The EVM kernel: the functions that the host calls. An execution is `begin`, then the state and the warm set with
// which the message starts, then `run`, then `resume` as long as the result is PRECOMPILE. In between, the host writes
// and reads the fields of layout.ts.
import { aborted, clearAbort } from './abort';
import {
  account,
  accountsFill,
  accountsPeak,
  accountsRead,
  beginEpoch as beginAccounts,
  beginJob,
  dirty as dirtyAccounts,
  epoch,
  forgetAccounts,
  keepAccount,
  payUpfront,
  putAccount as put,
  restartEpochs,
  warm,
} from './state/accounts';
import { callOutermost } from './frames/calls';
import { codesFill, codesPeak, forgetCodes } from './code/codes';
import { createOutermost } from './frames/creations';
import { blockAsked, clear, error, gasSensitive, halts, refund, returnBytes, returnPeak, setTraced, tree } from './execution';
import * as F from './frames/frame';
import { frame, stackPeak } from './frames/frame';
import { setHooked } from './hooks';
import { interpret } from './interpreter';
import * as journal from './state/journal';
import * as logs from './state/logs';
import { peak as memoryPeak } from './frames/memory';
import { beginState, lacksEntry, reservoir, used } from './frames/state-gas';
import { finishPrecompile } from './frames/precompiles';
import {
  beginEpoch as beginSlots,
  dirty as dirtySlots,
  forgetSlots,
  forgetTransients,
  keepSlot,
  putSlot as putStorage,
  slot,
  slotsFill,
  slotsPeak,
  slotsRead,
  transientsPeak,
  warmSlot,
} from './state/storage';
import { copy, copyAddress } from './words/word';
import {
  ACCOUNT_BYTES,
  ACCOUNT_INDEX_BITS,
  CODES,
  CODE_INDEX_BITS,
  DIRTY_ACCOUNTS,
  DIRTY_SLOTS,
  ENV,
  ENV_COINBASE,
  FLAG_CREATE,
  FLAG_HOOKED,
  FLAG_LISTED,
  FLAG_LOGS,
  FLAG_PAYS,
  FLAG_TRACED,
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
  RESULT_ACCOUNTS,
  RESULT_CREATED,
  RESULT_DATA,
  RESULT_ERROR,
  RESULT_GAS_LEFT,
  RESULT_LACKED_ENTRY,
  RESULT_LENGTH,
  RESULT_LOGS,
  RESULT_LOGS_MADE,
  RESULT_NEED,
  RESULT_OPCODE,
  RESULT_REFUND,
  RESULT_HALTS,
  RESULT_RESERVOIR,
  RESULT_SENSITIVE,
  RESULT_BLOCK_ASKED,
  RESULT_SLOTS,
  RESULT_STATE_GAS,
  RESULT_TREE,
  RETURN_DATA,
  SLOT_BYTES,
  SLOT_INDEX_BITS,
  STACKS,
  STAGE,
  STAGE_ADDRESS,
  STAGE_BALANCE,
  STAGE_CODE_HASH,
  STAGE_EXISTS,
  STAGE_KEY,
  STAGE_NONCE,
  STAGE_WORD,
  TRANSIENT_BYTES,
  TRANSIENT_INDEX_BITS,
} from './shared/layout';
import { has } from './rules';
import { STATE_GAS } from './shared/rule-flags';
import { RUNNING } from './shared/status';

export { accountsRead, beginJob, slotsRead };
export { setSalt } from './hashes/salt';
export * from './shared/layout';
export { compileAt } from './interpreter';
export { generation } from './code/codes';
export * from './code/compiled';
export { extend } from './frames/memory';
// Functions that compiled blocks call with the stack's top.
export { ADDMOD, DIV, MOD, MUL, MULMOD, SDIV, SIGNEXTEND, SMOD } from './instructions/arithmetic';
export { BYTE, CLZ, SAR, SHL, SHR } from './instructions/bits';
export { CHAINID, NUMBER, TIMESTAMP } from './instructions/block';
export { CALLDATALOAD, CALLDATASIZE, CALLER, CALLVALUE, RETURNDATASIZE } from './instructions/message';

/** Drops every account and slot, to switch to another version of the state. */
export function forgetState(): void {
  forgetAccounts();
  forgetSlots();
}

/** Drops every code, to switch to another fork, because decoding depends on the rules. */
export function forgetCode(): void {
  forgetCodes();
}

/** Starts an execution: nothing is warm, and nothing has changed. Tables that are more than half full are emptied. */
export function begin(): void {
  if (accountsFill() || slotsFill()) forgetState();
  if (codesFill()) forgetCodes();
  if (epoch == u32.MAX_VALUE) {
    forgetState();
    forgetTransients();
    restartEpochs();
  }
  beginAccounts();
  beginSlots();
  journal.clear();
  clear();
  clearAbort();
}

/** Makes the account at STAGE the base for this job; `erased` empties its storage. False if aborted (FULL). */
export function putAccount(erased: bool): bool {
  const exists = load<u32>(STAGE, STAGE_EXISTS);
  const nonce = load<u64>(STAGE, STAGE_NONCE);
  return put(STAGE + STAGE_ADDRESS, STAGE + STAGE_BALANCE, STAGE + STAGE_CODE_HASH, nonce, exists, erased);
}

/** Makes the word at STAGE the base of the slot there, for this job. False if aborted (MISS or FULL). */
export function putSlot(): bool {
  const entry = account(STAGE + STAGE_ADDRESS);
  return entry != 0 && putStorage(entry, STAGE + STAGE_KEY, STAGE + STAGE_WORD);
}

/** Makes the account at STAGE warm from the start (EIP-2930, EIP-7702). False if aborted (MISS or FULL). */
export function warmAccount(): bool {
  const entry = account(STAGE + STAGE_ADDRESS);
  if (entry == 0) return false;
  warm(entry);
  return true;
}

/** Makes the slot at STAGE and its account warm from the start (EIP-2930). False if aborted (MISS or FULL). */
export function warmStorage(): bool {
  const entry = account(STAGE + STAGE_ADDRESS);
  if (entry == 0) return false;
  warm(entry);
  const key = slot(entry, STAGE + STAGE_KEY);
  if (key == 0) return false;
  warmSlot(key);
  return true;
}

/** Executes the message at MESSAGE with the data at INPUT. Returns how it ended (status.ts); details are at RESULT. */
export function run(): u32 {
  F.toRoot();
  const flags = load<u32>(MESSAGE, MESSAGE_FLAGS);
  setTraced((flags & FLAG_TRACED) != 0, (flags & FLAG_LISTED) != 0, (flags & FLAG_HOOKED) != 0);
  setHooked((flags & FLAG_HOOKED) != 0);
  logs.begin((flags & FLAG_LOGS) != 0, (flags & FLAG_TRANSFERS) != 0);
  if (has(STATE_GAS)) beginState(load<i64>(MESSAGE, MESSAGE_RESERVOIR));
  store<u32>(RESULT, 0, RESULT_CREATED);
  store<u32>(RESULT, 0, RESULT_OPCODE);
  if ((flags & FLAG_WARM_COINBASE) != 0) {
    const coinbase = account(ENV + ENV_COINBASE);
    if (coinbase == 0) return aborted;
    warm(coinbase);
  }
  const sender = account(MESSAGE + MESSAGE_CALLER);
  if (sender == 0) return aborted;
  if ((flags & FLAG_PAYS) != 0) payUpfront(sender, MESSAGE + MESSAGE_UPFRONT);
  warm(sender);
  store<u32>(frame, <u32>sender, F.SELF);
  const next = F.nextFrame();
  const bytes = load<u32>(MESSAGE, MESSAGE_DATA_LENGTH);
  if (bytes > inputPeak) inputPeak = bytes;
  const gas = load<i64>(MESSAGE, MESSAGE_GAS);
  copyAddress(next + F.CALLER, MESSAGE + MESSAGE_CALLER);
  copy(next + F.VALUE, MESSAGE + MESSAGE_VALUE);
  store<u32>(next, <u32>INPUT, F.INPUT);
  store<u32>(next, bytes, F.INPUT_BYTES);
  if ((flags & FLAG_CREATE) != 0) return goOn(createOutermost(INPUT, bytes, gas));
  const target = account(MESSAGE + MESSAGE_TO);
  if (target == 0) return aborted;
  warm(target);
  return goOn(callOutermost(target, gas));
}

/** Continues after PRECOMPILE, with `length` bytes of output at RETURN_DATA and `gas` used. Returns like `run`. */
export function resume(succeeded: bool, gas: i64, length: u32): u32 {
  return goOn(finishPrecompile(succeeded, gas, length));
}

/** Continues after HOT. Returns the same as `run`. */
export function proceed(): u32 {
  return goOn(RUNNING);
}

function goOn(begun: u32): u32 {
  const how = begun == RUNNING ? interpret() : begun;
  store<i64>(RESULT, load<i64>(frame, F.GAS), RESULT_GAS_LEFT);
  store<i64>(RESULT, load<i64>(frame, F.NEED), RESULT_NEED);
  store<i64>(RESULT, refund, RESULT_REFUND);
  if (has(STATE_GAS)) tellStateGas();
  // The 53 bits that a JavaScript number represents exactly.
  store<f64>(RESULT, <f64>(tree >> 11), RESULT_TREE);
  store<u32>(RESULT, u32(gasSensitive), RESULT_SENSITIVE);
  store<u32>(RESULT, u32(halts), RESULT_HALTS);
  store<u32>(RESULT, u32(blockAsked), RESULT_BLOCK_ASKED);
  store<u32>(RESULT, error, RESULT_ERROR);
  store<u32>(RESULT, <u32>RETURN_DATA, RESULT_DATA);
  store<u32>(RESULT, returnBytes, RESULT_LENGTH);
  store<u32>(RESULT, logs.count, RESULT_LOGS);
  store<u32>(RESULT, logs.made, RESULT_LOGS_MADE);
  store<u32>(RESULT, dirtyAccounts, RESULT_ACCOUNTS);
  store<u32>(RESULT, dirtySlots, RESULT_SLOTS);
  return how;
}

/** Writes the counters of state gas to RESULT (EIP-8037). */
function tellStateGas(): void {
  store<i64>(RESULT, reservoir, RESULT_RESERVOIR);
  store<i64>(RESULT, used, RESULT_STATE_GAS);
  store<u32>(RESULT, u32(lacksEntry), RESULT_LACKED_ENTRY);
}

/** Bytes of memory that were written so far, to within some KiB. Pages that were written stay with the process. */
export function touchedBytes(): u32 {
  const entries =
    accountsPeak() * (<u32>ACCOUNT_BYTES + 8) +
    slotsPeak() * (<u32>SLOT_BYTES + 8) +
    transientsPeak() * <u32>TRANSIENT_BYTES;
  const frames = stackPeak - STACKS + (memoryPeak - MEMORY);
  const others = journal.journalPeak() - JOURNAL + (logs.logsPeak() - LOGS) + (codesPeak() - CODES);
  return INDEXES + entries + <u32>(frames + others) + inputPeak + returnPeak;
}

/** Bytes that count as written from the start, as writes are scattered: indices of the tables, cached hashes. */
const INDEXES: u32 =
  (8 << ACCOUNT_INDEX_BITS) +
  (8 << SLOT_INDEX_BITS) +
  (8 << TRANSIENT_INDEX_BITS) +
  (8 << CODE_INDEX_BITS) +
  (<u32>KECCAK_ROW_BYTES << KECCAK_CACHE_BITS);
/** Longest data of a message so far. */
let inputPeak: u32 = 0;

/** Commits the message's changes: this job's next message starts from them. */
export function keep(): void {
  for (let i: u32 = 0; i < dirtyAccounts; i++) keepAccount(<usize>load<u32>(DIRTY_ACCOUNTS + (<usize>i << 2)));
  for (let i: u32 = 0; i < dirtySlots; i++) keepSlot(<usize>load<u32>(DIRTY_SLOTS + (<usize>i << 2)));
}
