// Tables of the storage slots that messages have accessed (organized as in accounts.ts), and of transient slots, which
// only exist during one message.
import { abortExecution } from '../abort-reason';
import { messageEpoch, jobNumber } from './accounts';
import { hostStorage } from '../host';
import * as journal from './journal';
import * as salt from '../hashes/hash-table-seeds';
import { copy, equal, zero } from '../words/word';
import { BASE_INCARNATION, DIRTY, INCARNATION, NAMED, REACHED, WARM } from '../shared/account-fields';
import {
  DIRTY_SLOTS,
  READ_SLOT_LIST,
  SLOTS,
  SLOTS_MAX,
  SLOT_BYTES,
  SLOT_INDEX,
  SLOT_INDEX_BITS,
  TRANSIENT,
  TRANSIENT_SLOT_BYTES,
  TRANSIENT_INDEX,
  TRANSIENT_INDEX_BITS,
  TRANSIENT_MAX,
} from '../shared/memory-layout';
import * as S from '../shared/slot-fields';
import { TABLE_FULL, STATE_MISS } from '../shared/status';

const SLOT_MASK: u64 = (1 << SLOT_INDEX_BITS) - 1;
const TRANSIENT_MASK: u64 = (1 << TRANSIENT_INDEX_BITS) - 1;

let generation: u32 = 1;
let count: u32 = 0;
let transients: u32 = 0;
/**
 * Largest numbers of slots and of transient slots that were in use when their tables were emptied. The host uses them
 * to report the kernel's memory usage.
 */
let peak: u32 = 0;
let transientPeak: u32 = 0;
/** Number of slots that the message has changed; listed at DIRTY_SLOTS. */
export let dirtySlotCount: u32 = 0;
/** Number of slots that the message has read; listed at READ_SLOT_LIST. */
let readSlotCount: u32 = 0;

/** Starts a message: all slots have their base values, none is listed as changed, and transient storage is empty. */
export function beginEpoch(): void {
  dirtySlotCount = 0;
  readSlotCount = 0;
  transientPeak = transientsPeak();
  transients = 0;
}

/** Empties the table of slots. */
export function forgetSlots(): void {
  peak = slotsPeak();
  generation++;
  count = 0;
}

/**
 * Empties the index of transient slots. Called when message numbers start again, because index cells of earlier
 * messages could then look current.
 */
export function resetTransientIndex(): void {
  memory.fill(TRANSIENT_INDEX, 0, 8 << TRANSIENT_INDEX_BITS);
}

/** Returns the greatest number of slots that were ever in the table. */
export function slotsPeak(): u32 {
  return max(count, peak);
}

/** Returns the greatest number of transient slots that were ever in the table. */
export function transientsPeak(): u32 {
  return max(transients, transientPeak);
}

/** True if more than half of the slot table is in use. */
export function areSlotsHalfFull(): bool {
  return count > SLOTS_MAX / 2;
}

@inline
function hash(key: usize, owner: u64): u64 {
  return salt.mixSaltedSum(
    load<u64>(key) * salt.saltOfFirstLimb +
      load<u64>(key, 8) * salt.saltOfSecondLimb +
      load<u64>(key, 16) * salt.saltOfThirdLimb +
      load<u64>(key, 24) * salt.saltOfFourthLimb +
      owner * salt.saltOfAccount,
  );
}

/** Returns the table entry of an account's slot; `key` is a word. 0 if aborted (STATE_MISS or TABLE_FULL). */
export function slotEntry(account: usize, key: usize): usize {
  const entry = find(ownerOf(account), key);
  if (entry == 0) return read(account, key);
  return load<u32>(entry, S.SLOT_EPOCH) == messageEpoch ? entry : refresh(entry);
}

/** The free index cell at which `find` has ended without finding the slot. */
let vacancy: u64 = 0;

/** Returns account entry and storage number as one u64, as in the slot's table entry. */
@inline
function ownerOf(account: usize): u64 {
  return <u64>account | (<u64>load<u32>(account, INCARNATION) << 32);
}

/** Finds an entry, even if its value belongs to an earlier message. Returns 0 if there is none. */
@inline
function find(owner: u64, key: usize): usize {
  let at = hash(key, owner) >> (64 - SLOT_INDEX_BITS);
  while (true) {
    const tagged = load<u64>(SLOT_INDEX + <usize>(at << 3));
    if (<u32>(tagged >> 32) != generation) break;
    const entry = <usize>(<u32>tagged);
    if (load<u64>(entry, S.SLOT_ACCOUNT) == owner && equal(entry, key)) return entry;
    at = (at + 1) & SLOT_MASK;
  }
  vacancy = at;
  return 0;
}

/** Reserves an entry for a slot that was not found; `list` adds it to the index. Returns 0 if aborted (TABLE_FULL). */
function claim(account: usize, key: usize): usize {
  if (count == SLOTS_MAX) {
    abortExecution(TABLE_FULL);
    return 0;
  }
  const entry = SLOTS + <usize>count * SLOT_BYTES;
  copy(entry, key);
  store<u64>(entry, ownerOf(account), S.SLOT_ACCOUNT);
  store<u32>(entry, 0, S.SLOT_EPOCH);
  return entry;
}

@inline
function list(entry: usize, at: u64): void {
  count++;
  store<u64>(SLOT_INDEX + <usize>(at << 3), (<u64>generation << 32) | <u64>entry);
}

function read(account: usize, key: usize): usize {
  const at = vacancy;
  const entry = claim(account, key);
  if (entry == 0 || !fetch(entry)) return 0;
  list(entry, at);
  reset(entry);
  if (wasListed(account, key)) store<u32>(entry, WARM, S.SLOT_FLAGS);
  return entry;
}

/**
 * True if the account was created in this message and the access list contains the slot (EIP-2930). By its creation,
 * the account gets a new storage with new slot entries, but the slot must stay warm.
 */
function wasListed(account: usize, key: usize): bool {
  const incarnation = load<u32>(account, BASE_INCARNATION);
  if (incarnation == load<u32>(account, INCARNATION)) return false;
  const former = find(<u64>account | (<u64>incarnation << 32), key);
  return (
    former != 0 && load<u32>(former, S.SLOT_EPOCH) == messageEpoch && (load<u32>(former, S.SLOT_FLAGS) & WARM) != 0
  );
}

function fetch(entry: usize): bool {
  store<u32>(entry, 0, S.SLOT_OVERRIDDEN_BY_JOB);
  if (load<u32>(entry, S.SLOT_INCARNATION) != 0) {
    zero(entry + S.SLOT_BASE);
    return true;
  }
  const account = <usize>load<u32>(entry, S.SLOT_ACCOUNT);
  const answer = hostStorage(account, entry, entry + S.SLOT_BASE);
  if (answer < 0) {
    abortExecution(STATE_MISS);
    return false;
  }
  if (answer != 0) store<u32>(entry, jobNumber, S.SLOT_OVERRIDDEN_BY_JOB);
  return true;
}

function refresh(entry: usize): usize {
  const owner = load<u32>(entry, S.SLOT_OVERRIDDEN_BY_JOB);
  if (owner != 0 && owner != jobNumber && !fetch(entry)) return 0;
  return reset(entry);
}

function reset(entry: usize): usize {
  if (load<u32>(entry, S.SLOT_EPOCH) != messageEpoch) {
    store<u32>(entry, messageEpoch, S.SLOT_EPOCH);
    store<u32>(READ_SLOT_LIST + (<usize>readSlotCount << 2), <u32>entry);
    readSlotCount++;
  }
  store<u32>(entry, 0, S.SLOT_FLAGS);
  copy(entry + S.SLOT_VALUE, entry + S.SLOT_BASE);
  return entry;
}

/** Sets a slot's base value for this job. Returns false if aborted because the table is full. */
export function putBaseSlot(account: usize, key: usize, word: usize): bool {
  let entry = find(ownerOf(account), key);
  if (entry == 0) {
    entry = claim(account, key);
    if (entry == 0) return false;
    list(entry, vacancy);
  }
  copy(entry + S.SLOT_BASE, word);
  store<u32>(entry, jobNumber, S.SLOT_OVERRIDDEN_BY_JOB);
  reset(entry);
  return true;
}

/** Commits the message's change to a slot: its current value becomes its base value. */
export function commitSlot(entry: usize): void {
  copy(entry + S.SLOT_BASE, entry + S.SLOT_VALUE);
}

/** Makes the slot warm (EIP-2929). Returns whether it was cold. */
@inline
export function warmSlotIfCold(entry: usize): bool {
  const flags = load<u32>(entry, S.SLOT_FLAGS);
  if (flags & WARM) return false;
  journal.journalSlotFlags(entry);
  store<u32>(entry, flags | WARM, S.SLOT_FLAGS);
  return true;
}

/** Records that an instruction has accessed the slot (REACHED). */
@inline
export function markSlotReached(entry: usize): void {
  store<u32>(entry, load<u32>(entry, S.SLOT_FLAGS) | REACHED, S.SLOT_FLAGS);
}

/** Records that an instruction whose gas was paid has accessed the slot (NAMED). */
@inline
export function markSlotNamed(entry: usize): void {
  store<u32>(entry, load<u32>(entry, S.SLOT_FLAGS) | REACHED | NAMED, S.SLOT_FLAGS);
}

/** Returns the number of slots that the message has read. */
export function slotsRead(): u32 {
  return readSlotCount;
}

/**
 * Sets the slot's value and lists the slot as changed. A failing frame reverts the value. SSTORE has already paid for
 * it.
 */
export function setSlot(entry: usize, word: usize): void {
  journal.journalSlot(entry);
  const flags = load<u32>(entry, S.SLOT_FLAGS);
  if (!(flags & DIRTY)) {
    store<u32>(entry, flags | DIRTY, S.SLOT_FLAGS);
    store<u32>(DIRTY_SLOTS + (<usize>dirtySlotCount << 2), <u32>entry);
    dirtySlotCount++;
  }
  copy(entry + S.SLOT_VALUE, word);
}

// ---- transient storage (EIP-1153) ----

/**
 * Returns the entry of a transient slot (EIP-1153). If there is none yet: makes one if `make` is set, else returns 0.
 * Also 0 if aborted (TABLE_FULL).
 */
export function transientEntry(account: usize, key: usize, make: bool): usize {
  let at = hash(key, <u64>account) >> (64 - TRANSIENT_INDEX_BITS);
  while (true) {
    const tagged = load<u64>(TRANSIENT_INDEX + <usize>(at << 3));
    if (<u32>(tagged >> 32) != messageEpoch) break;
    const entry = <usize>(<u32>tagged);
    if (load<u32>(entry, S.TRANSIENT_ACCOUNT) == <u32>account && equal(entry, key)) return entry;
    at = (at + 1) & TRANSIENT_MASK;
  }
  return make ? insertTransient(account, key, at) : 0;
}

function insertTransient(account: usize, key: usize, at: u64): usize {
  if (transients == TRANSIENT_MAX) {
    abortExecution(TABLE_FULL);
    return 0;
  }
  const entry = TRANSIENT + <usize>transients * TRANSIENT_SLOT_BYTES;
  transients++;
  copy(entry, key);
  store<u32>(entry, <u32>account, S.TRANSIENT_ACCOUNT);
  zero(entry + S.TRANSIENT_VALUE);
  store<u64>(TRANSIENT_INDEX + <usize>(at << 3), (<u64>messageEpoch << 32) | <u64>entry);
  return entry;
}

/**
 * Sets a transient slot (TSTORE, EIP-1153). A failing frame reverts it. Aborts with TABLE_FULL if the table is full.
 */
export function setTransient(account: usize, key: usize, word: usize): void {
  const entry = transientEntry(account, key, true);
  if (entry == 0) return;
  journal.journalTransient(entry);
  copy(entry + S.TRANSIENT_VALUE, word);
}
