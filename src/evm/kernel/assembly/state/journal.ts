// Journal of a message's changes, from which a failing frame is reverted. An entry has its kind, the account or slot
// that was written to, and the previous value: 32 bytes and a u64 (nonce, flags, code entry or storage number).
import { abortExecution } from '../abort-reason';
import { copy } from '../words/word';
import * as A from '../shared/account-fields';
import { JOURNAL, JOURNAL_ENTRY_BYTES, JOURNAL_MAX } from '../shared/memory-layout';
import { SLOT_FLAGS, SLOT_VALUE, TRANSIENT_VALUE } from '../shared/slot-fields';
import { TABLE_FULL } from '../shared/status';

const BALANCE: u32 = 0;
const NONCE: u32 = 1;
const CODE: u32 = 2;
const ACCOUNT_FLAGS: u32 = 3;
const INCARNATION: u32 = 4;
const SLOT_WORD: u32 = 5;
const SLOT_BITS: u32 = 6;
const TRANSIENT_WORD: u32 = 7;

const ENTRY_TARGET: usize = 4;
const ENTRY_NUMBER: usize = 8;
const ENTRY_WORD: usize = 16;

/** Address of the next journal entry. */
export let journalTop: usize = JOURNAL;
/**
 * Highest end of the journal in earlier messages and failed frames. The host uses it to report the kernel's memory
 * usage.
 */
let peak: usize = JOURNAL;
const END: usize = JOURNAL + <usize>JOURNAL_MAX * JOURNAL_ENTRY_BYTES;

/** Empties the journal before an execution. */
export function clearJournal(): void {
  peak = journalPeak();
  journalTop = JOURNAL;
}

/** Returns the highest end that the journal ever had. */
export function journalPeak(): usize {
  return max(journalTop, peak);
}

@inline
function push(kind: u32, target: usize, number: u64): usize {
  const entry = journalTop;
  if (entry == END) {
    // Overwrite the last entry: the execution is aborted, so its result is discarded anyway.
    abortExecution(TABLE_FULL);
    return entry - JOURNAL_ENTRY_BYTES;
  }
  store<u32>(entry, kind);
  store<u32>(entry, <u32>target, ENTRY_TARGET);
  store<u64>(entry, number, ENTRY_NUMBER);
  journalTop = entry + JOURNAL_ENTRY_BYTES;
  return entry;
}

/** Records the account's balance before it changes. */
export function journalBalance(account: usize): void {
  copy(push(BALANCE, account, 0) + ENTRY_WORD, account + A.BALANCE);
}

/** Records the account's nonce before it changes. */
export function journalNonce(account: usize): void {
  push(NONCE, account, load<u64>(account, A.NONCE));
}

/** Records the account's code hash and code entry before they change. */
export function journalCode(account: usize): void {
  // Table entry and generation of the code are adjacent in memory: read as one u64.
  copy(push(CODE, account, load<u64>(account, A.CODE)) + ENTRY_WORD, account + A.CODE_HASH);
}

/** Records the account's flags before they change. Flags in FLAGS_KEPT_ON_REVERT are not restored. */
export function journalFlags(account: usize): void {
  push(ACCOUNT_FLAGS, account, load<u32>(account, A.FLAGS));
}

/** Records the account's INCARNATION, which identifies its storage, before the account gets a new, empty storage. */
export function journalIncarnation(account: usize): void {
  push(INCARNATION, account, load<u32>(account, A.INCARNATION));
}

/** Records the slot's value before it changes. */
export function journalSlot(slot: usize): void {
  copy(push(SLOT_WORD, slot, 0) + ENTRY_WORD, slot + SLOT_VALUE);
}

/** Records the slot's flags before they change. Flags in FLAGS_KEPT_ON_REVERT are not restored. */
export function journalSlotFlags(slot: usize): void {
  push(SLOT_BITS, slot, load<u32>(slot, SLOT_FLAGS));
}

/** Records the transient slot's value before it changes. */
export function journalTransient(entry: usize): void {
  copy(push(TRANSIENT_WORD, entry, 0) + ENTRY_WORD, entry + TRANSIENT_VALUE);
}

/**
 * Reverts all changes since `mark`, newest first. Accounts and slots stay listed as changed; the host compares their
 * current values with the base values.
 */
export function revertJournal(mark: usize): void {
  peak = journalPeak();
  let entry = journalTop;
  while (entry > mark) {
    entry -= JOURNAL_ENTRY_BYTES;
    restore(entry);
  }
  journalTop = mark;
}

function restore(entry: usize): void {
  const target = <usize>load<u32>(entry, ENTRY_TARGET);
  switch (load<u32>(entry)) {
    case BALANCE:
      return copy(target + A.BALANCE, entry + ENTRY_WORD);
    case NONCE:
      return store<u64>(target, load<u64>(entry, ENTRY_NUMBER), A.NONCE);
    case CODE:
      store<u64>(target, load<u64>(entry, ENTRY_NUMBER), A.CODE);
      return copy(target + A.CODE_HASH, entry + ENTRY_WORD);
    case ACCOUNT_FLAGS: {
      const stays = load<u32>(target, A.FLAGS) & A.FLAGS_KEPT_ON_REVERT;
      return store<u32>(target, load<u32>(entry, ENTRY_NUMBER) | stays, A.FLAGS);
    }
    case INCARNATION:
      return store<u32>(target, load<u32>(entry, ENTRY_NUMBER), A.INCARNATION);
    case SLOT_WORD:
      return copy(target + SLOT_VALUE, entry + ENTRY_WORD);
    case SLOT_BITS: {
      const stays = load<u32>(target, SLOT_FLAGS) & A.FLAGS_KEPT_ON_REVERT;
      return store<u32>(target, load<u32>(entry, ENTRY_NUMBER) | stays, SLOT_FLAGS);
    }
    default:
      return copy(target + TRANSIENT_VALUE, entry + ENTRY_WORD);
  }
}
