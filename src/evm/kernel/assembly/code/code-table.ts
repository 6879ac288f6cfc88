// Table of contract codes, each stored once by its hash: its bytes, and the instructions that decode.ts makes of it
// when it first runs.
import { abortExecution } from '../abort-reason';
import { hasNoCode } from '../state/accounts';
import { hostCode } from '../host';
import { copy, equal } from '../words/word';
import * as A from '../shared/account-fields';
import * as C from '../shared/code-fields';
import { CODES, CODES_END, CODE_INDEX, CODE_INDEX_BITS } from '../shared/memory-layout';
import { TABLE_FULL, STATE_MISS } from '../shared/status';

const CODE_BYTES: usize = 96;

const INDEX_MASK: u64 = (1 << CODE_INDEX_BITS) - 1;
const CODES_MAX: u32 = 1 << (CODE_INDEX_BITS - 1);
const PAGE: usize = 32;

/** Increased whenever all codes are dropped. An entry that was looked up in an earlier generation is invalid. */
export let codeGeneration: u32 = 1;
let count: u32 = 0;
let top: usize = CODES + CODE_BYTES;
/** Highest address that dropped codes have occupied. The host uses it to report the kernel's memory usage. */
let peak: usize = CODES;

/** Entry that accounts without code share. */
const NO_CODE: usize = CODES;

/** Drops all codes, which invalidates all their entries. */
export function forgetCodes(): void {
  peak = codesPeakAddress();
  codeGeneration++;
  count = 0;
  top = CODES + CODE_BYTES;
}

/** Returns the highest address that codes have ever used. */
export function codesPeakAddress(): usize {
  return max(top, peak);
}

/** True if more than half of the code memory or of the code index is in use. */
export function areCodesHalfFull(): bool {
  return top > CODES + (CODES_END - CODES) / 2 || count > CODES_MAX / 2;
}

/**
 * Allocates code memory, which stays allocated until all codes are dropped. Returns 0 if there is not enough space; the
 * execution is then aborted (TABLE_FULL).
 */
export function allocateCodeBytes(bytes: usize): usize {
  const at = top;
  const end = (at + bytes + 15) & ~15;
  if (end > CODES_END) {
    abortExecution(TABLE_FULL);
    return 0;
  }
  top = end;
  return at;
}

/** Like `allocateCodeBytes`, but filled with zeros. Memory above the highest address ever used is zero already. */
export function allocateZeroedCodeBytes(bytes: usize): usize {
  const at = allocateCodeBytes(bytes);
  if (at != 0 && at < peak) memory.fill(at, 0, min(bytes, peak - at));
  return at;
}

/** Shrinks the last allocation so that it ends at `end`. Nothing may have been written after `end`. */
export function trimCodeAllocation(end: usize): void {
  top = (end + 15) & ~15;
}

/** Returns the code entry (code-fields.ts) of the account; 0 if aborted (STATE_MISS or TABLE_FULL). */
export function codeOfAccount(account: usize): usize {
  if (load<u32>(account, A.CODE_GENERATION) == codeGeneration) return <usize>load<u32>(account, A.CODE);
  const code = hasNoCode(account) ? NO_CODE : codeByHash(account + A.CODE_HASH);
  if (code == 0) return 0;
  store<u32>(account, <u32>code, A.CODE);
  store<u32>(account, codeGeneration, A.CODE_GENERATION);
  return code;
}

@inline
function place(hash: usize): usize {
  let at = load<u64>(hash) & INDEX_MASK;
  while (true) {
    const cell = CODE_INDEX + <usize>(at << 3);
    const tagged = load<u64>(cell);
    if (<u32>(tagged >> 32) != codeGeneration || equal(<usize>(<u32>tagged), hash)) return cell;
    at = (at + 1) & INDEX_MASK;
  }
}

function codeByHash(hash: usize): usize {
  const cell = place(hash);
  const tagged = load<u64>(cell);
  if (<u32>(tagged >> 32) == codeGeneration) return <usize>(<u32>tagged);
  const room = CODES_END - top;
  if (room < 2 * CODE_BYTES || count == CODES_MAX) {
    abortExecution(TABLE_FULL);
    return 0;
  }
  const length = hostCode(hash, top + CODE_BYTES, <u32>(room - 2 * CODE_BYTES));
  if (length < 0) {
    abortExecution(length == -1 ? STATE_MISS : TABLE_FULL);
    return 0;
  }
  return keep(hash, <u32>length, cell);
}

/** Returns the entry of the code with this hash, and adds the code if it is new. Returns 0 if aborted (TABLE_FULL). */
export function addCode(hash: usize, bytes: usize, length: u32): usize {
  const cell = place(hash);
  const tagged = load<u64>(cell);
  if (<u32>(tagged >> 32) == codeGeneration) return <usize>(<u32>tagged);
  if (top + 3 * CODE_BYTES + <usize>length > CODES_END || count == CODES_MAX) {
    abortExecution(TABLE_FULL);
    return 0;
  }
  memory.copy(top + CODE_BYTES, bytes, length);
  return keep(hash, length, cell);
}

/**
 * Adds a code to the table. Its bytes are already at `top + CODE_BYTES`, so they follow the entry, which this function
 * allocates at `top`.
 */
function keep(hash: usize, length: u32, cell: usize): usize {
  const code = allocateCodeBytes(CODE_BYTES + <usize>length + PAGE);
  if (code == 0) return 0;
  const bytes = code + CODE_BYTES;
  memory.fill(bytes + length, 0, PAGE);
  copy(code, hash);
  store<u32>(code, length, C.LENGTH);
  store<u32>(code, <u32>bytes, C.BYTES);
  store<u32>(code, 0, C.FIRST_INSTRUCTION);
  store<u32>(code, 0, C.CAREFUL_FIRST_INSTRUCTION);
  const delegates = length == 23 && load<u16>(bytes) == 0x01ef && load<u8>(bytes, 2) == 0;
  store<u32>(code, u32(delegates), C.IS_DELEGATION);
  if (delegates) {
    memory.copy(code + C.DELEGATION_TARGET, bytes + 3, 20);
    store<u32>(code, 0, C.DELEGATION_TARGET + 20);
  }
  count++;
  store<u64>(cell, (<u64>codeGeneration << 32) | <u64>code);
  return code;
}
