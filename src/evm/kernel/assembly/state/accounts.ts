// Table of the accounts that messages have accessed: an open-addressing hash table that is filled from the host. The
// current values in an entry belong to one message; when the next message looks the entry up, they are reset to the
// base values.
import { abortExecution } from '../abort-reason';
import { hostAccount } from '../host';
import * as journal from './journal';
import * as salt from '../hashes/hash-table-seeds';
import { add, copy, copyAddress, equal, isZero, subtract, zero } from '../words/word';
import * as A from '../shared/account-fields';
import {
  ACCOUNTS,
  ACCOUNTS_MAX,
  ACCOUNT_BYTES,
  ACCOUNT_INDEX,
  ACCOUNT_INDEX_CELLS_LOG2,
  DIRTY_ACCOUNTS,
  PRECOMPILES,
  PRECOMPILE_ADDRESS_END,
  READ_ACCOUNTS,
} from '../shared/memory-layout';
import { TABLE_FULL, STATE_MISS } from '../shared/status';

const INDEX_MASK: u64 = (1 << ACCOUNT_INDEX_CELLS_LOG2) - 1;

/**
 * Number of the running message. An account entry with another message number is cold, and has the values with which
 * the message started.
 */
export let messageEpoch: u32 = 1;
/** Number of the running job. Base values that an earlier job has set are read from the host again. */
export let jobNumber: u32 = 1;
let generation: u32 = 1;
let count: u32 = 0;
/**
 * Largest number of entries that were in use when the table was emptied. The host uses it to report the kernel's memory
 * usage.
 */
let peak: u32 = 0;
let incarnations: u32 = 0;
/** Number of accounts that the message has changed; listed at DIRTY_ACCOUNTS. */
export let dirtyAccountCount: u32 = 0;
/** Number of accounts that the message has read; listed at READ_ACCOUNTS. See DECISIONS.md. */
let readAccountCount: u32 = 0;
/** Keccak-256 of the empty string. */
const EMPTY_CODE_HASH: usize = memory.data<u8>([
  0xc5, 0xd2, 0x46, 0x01, 0x86, 0xf7, 0x23, 0x3c, 0x92, 0x7e, 0x7d, 0xb2, 0xdc, 0xc7, 0x03, 0xc0, 0xe5, 0x00, 0xb6,
  0x53, 0xca, 0x82, 0x27, 0x3b, 0x7b, 0xfa, 0xd8, 0x04, 0x5d, 0x85, 0xa4, 0x70,
]);

/** Starts a message: all accounts have their base values, and none is listed as changed. */
export function beginEpoch(): void {
  messageEpoch++;
  dirtyAccountCount = 0;
  readAccountCount = 0;
}

/** Restarts the count of messages. The caller has dropped all entries with an old message number. */
export function restartEpochs(): void {
  messageEpoch = 0;
}

/** Starts a job. Base values that the previous job has set become invalid. */
export function beginJob(): void {
  jobNumber++;
}

/** Empties the table. */
export function forgetAccounts(): void {
  peak = accountsPeak();
  generation++;
  count = 0;
}

/** Returns the greatest number of entries that were ever in use. */
export function accountsPeak(): u32 {
  return max(count, peak);
}

/** True if more than half of the entries are in use. */
export function areAccountsHalfFull(): bool {
  return count > ACCOUNTS_MAX / 2;
}

/**
 * Returns the table entry of an account. `address`: 20 bytes and four zeros. 0 if aborted (STATE_MISS or TABLE_FULL).
 */
export function accountEntry(address: usize): usize {
  const entry = find(address);
  if (entry == 0) return read(address);
  return load<u32>(entry, A.EPOCH) == messageEpoch ? entry : refresh(entry);
}

/** The free index cell at which `find` has ended without finding the account. */
let vacancy: u64 = 0;

/** Finds an entry, even if its values belong to an earlier message. Returns 0 if there is none. */
@inline
function find(address: usize): usize {
  const a = load<u64>(address);
  const b = load<u64>(address, 8);
  const c = load<u64>(address, 16);
  let at = hash(a, b, c);
  while (true) {
    const tagged = load<u64>(ACCOUNT_INDEX + <usize>(at << 3));
    if (<u32>(tagged >> 32) != generation) break;
    const entry = <usize>(<u32>tagged);
    if (load<u64>(entry) == a && load<u64>(entry, 8) == b && load<u64>(entry, 16) == c) return entry;
    at = (at + 1) & INDEX_MASK;
  }
  vacancy = at;
  return 0;
}

@inline
function hash(a: u64, b: u64, c: u64): u64 {
  return (
    salt.mixSaltedSum(a * salt.saltOfFirstLimb + b * salt.saltOfSecondLimb + c * salt.saltOfThirdLimb) >>
    (64 - ACCOUNT_INDEX_CELLS_LOG2)
  );
}

/**
 * Reserves an entry for an account that was not found; `list` adds it to the index. Returns 0 if aborted (TABLE_FULL).
 */
function claim(address: usize): usize {
  if (count == ACCOUNTS_MAX) {
    abortExecution(TABLE_FULL);
    return 0;
  }
  const entry = ACCOUNTS + <usize>count * ACCOUNT_BYTES;
  copyAddress(entry, address);
  store<u32>(entry, 0, A.BASE_INCARNATION);
  store<u32>(entry, 0, A.OVERRIDDEN_BY_JOB);
  store<u32>(entry, 0, A.EPOCH);
  return entry;
}

@inline
function list(entry: usize, at: u64): void {
  count++;
  store<u64>(ACCOUNT_INDEX + <usize>(at << 3), (<u64>generation << 32) | <u64>entry);
}

function read(address: usize): usize {
  const at = vacancy;
  const entry = claim(address);
  if (entry == 0 || !fetch(entry)) return 0;
  list(entry, at);
  return reset(entry);
}

function fetch(entry: usize): bool {
  const flags = hostAccount(entry);
  if (flags < 0) {
    abortExecution(STATE_MISS);
    return false;
  }
  store<u32>(entry, flags, A.BASE_FLAGS);
  store<u32>(entry, flags & A.VALID_IN_JOB_ONLY ? jobNumber : 0, A.OVERRIDDEN_BY_JOB);
  return true;
}

function refresh(entry: usize): usize {
  const owner = load<u32>(entry, A.OVERRIDDEN_BY_JOB);
  if (owner != 0 && owner != jobNumber) {
    store<u32>(entry, 0, A.BASE_INCARNATION);
    if (!fetch(entry)) return 0;
  }
  return reset(entry);
}

/** Resets an entry's current values to its base values, and makes it cold. */
function reset(entry: usize): usize {
  if (load<u32>(entry, A.EPOCH) != messageEpoch) {
    store<u32>(entry, messageEpoch, A.EPOCH);
    store<u32>(READ_ACCOUNTS + (<usize>readAccountCount << 2), <u32>entry);
    readAccountCount++;
  }
  store<u32>(entry, 0, A.FLAGS);
  copy(entry + A.BALANCE, entry + A.BASE_BALANCE);
  store<u64>(entry, load<u64>(entry, A.BASE_NONCE), A.NONCE);
  store<u32>(entry, load<u32>(entry, A.BASE_INCARNATION), A.INCARNATION);
  if (!equal(entry + A.CODE_HASH, entry + A.BASE_CODE_HASH)) {
    copy(entry + A.CODE_HASH, entry + A.BASE_CODE_HASH);
    store<u32>(entry, 0, A.CODE_GENERATION);
  }
  return entry;
}

/**
 * Sets the base values of an account for this job; `erased` empties its storage. Returns false if aborted (TABLE_FULL).
 */
export function putAccount(
  address: usize,
  balance: usize,
  codeHash: usize,
  nonce: u64,
  flags: u32,
  erased: bool,
): bool {
  let entry = find(address);
  if (entry == 0) {
    entry = claim(address);
    if (entry == 0) return false;
    list(entry, vacancy);
  }
  const owner = load<u32>(entry, A.OVERRIDDEN_BY_JOB);
  if (owner != 0 && owner != jobNumber) store<u32>(entry, 0, A.BASE_INCARNATION);
  copy(entry + A.BASE_BALANCE, balance);
  copy(entry + A.BASE_CODE_HASH, codeHash);
  store<u64>(entry, nonce, A.BASE_NONCE);
  store<u32>(entry, flags, A.BASE_FLAGS);
  store<u32>(entry, jobNumber, A.OVERRIDDEN_BY_JOB);
  if (erased) store<u32>(entry, ++incarnations, A.BASE_INCARNATION);
  reset(entry);
  return true;
}

/** Commits the message's changes to an account: its current values become its base values. */
export function commitAccount(entry: usize): void {
  copy(entry + A.BASE_BALANCE, entry + A.BALANCE);
  copy(entry + A.BASE_CODE_HASH, entry + A.CODE_HASH);
  store<u64>(entry, load<u64>(entry, A.NONCE), A.BASE_NONCE);
  store<u32>(entry, load<u32>(entry, A.INCARNATION), A.BASE_INCARNATION);
  store<u32>(entry, load<u32>(entry, A.BASE_FLAGS) | A.EXISTS, A.BASE_FLAGS);
}

// ---- reading an account ----

/** True if the account's code hash is Keccak-256 of the empty string. */
@inline
export function hasNoCode(entry: usize): bool {
  return equal(entry + A.CODE_HASH, EMPTY_CODE_HASH);
}

/** True if the account has no code, nonce and balance (EIP-161). An account that does not exist is empty, too. */
@inline
export function isEmpty(entry: usize): bool {
  return load<u64>(entry, A.NONCE) == 0 && isZero(entry + A.BALANCE) && hasNoCode(entry);
}

/** Returns the kind of the precompile at this address (precompile-kinds.ts), 0 for none. */
@inline
export function precompileAt(address: usize): u32 {
  if ((load<u64>(address) | load<u64>(address, 8)) != 0) return 0;
  const tail = bswap<u32>(load<u32>(address, 16));
  return tail < PRECOMPILE_ADDRESS_END ? load<u8>(PRECOMPILES + <usize>tail) : 0;
}

/** True if the account is warm from the start (EIP-2929): it is a precompile, or has the flag NON_EVM_WARM. */
@inline
export function isAlwaysWarm(entry: usize): bool {
  return precompileAt(entry) != 0 || (load<u32>(entry, A.BASE_FLAGS) & A.NON_EVM_WARM) != 0;
}

/** Makes the account warm (EIP-2929). Returns whether it was cold; precompiles never are. */
@inline
export function warmAccountEntryIfCold(entry: usize): bool {
  const flags = load<u32>(entry, A.FLAGS);
  if (flags & A.WARM) return false;
  if (isAlwaysWarm(entry)) return false;
  journal.journalFlags(entry);
  store<u32>(entry, flags | A.WARM, A.FLAGS);
  return true;
}

/** Records that an instruction has accessed the account (REACHED). */
@inline
export function markForReadSet(entry: usize): void {
  store<u32>(entry, load<u32>(entry, A.FLAGS) | A.REACHED, A.FLAGS);
}

/**
 * Records that an instruction other than a call, a creation or SELFDESTRUCT has accessed the account, and that its gas
 * was paid (NAMED).
 */
@inline
export function markNamed(entry: usize): void {
  store<u32>(entry, load<u32>(entry, A.FLAGS) | A.REACHED | A.NAMED, A.FLAGS);
}

/**
 * Records that the account was read as a delegate (EIP-7702) or to create a contract there, so that a block access list
 * contains it (IN_BLOCK_ACCESS_LIST).
 */
@inline
export function markForBlockAccessList(entry: usize): void {
  store<u32>(entry, load<u32>(entry, A.FLAGS) | A.IN_BLOCK_ACCESS_LIST, A.FLAGS);
}

/** Returns the number of accounts that the message has read. */
export function accountsRead(): u32 {
  return readAccountCount;
}

// ---- changing an account ----

/** Lists the account as changed, unless it is already listed. */
@inline
function markDirty(entry: usize): void {
  const flags = load<u32>(entry, A.FLAGS);
  if (flags & A.DIRTY) return;
  store<u32>(entry, flags | A.DIRTY, A.FLAGS);
  store<u32>(DIRTY_ACCOUNTS + (<usize>dirtyAccountCount << 2), <u32>entry);
  dirtyAccountCount++;
}

/**
 * Sets a flag (CREATED, DESTROYED or TOUCHED_EMPTY) and lists the account as changed. A failing frame reverts the flag.
 */
export function markAccountFlag(entry: usize, flag: u32): void {
  journal.journalFlags(entry);
  markDirty(entry);
  store<u32>(entry, load<u32>(entry, A.FLAGS) | flag, A.FLAGS);
}

/** Marks an account that exists but is empty as touched, so that it is deleted when the transaction ends (EIP-161). */
export function touchIfEmpty(entry: usize): void {
  if (!(load<u32>(entry, A.BASE_FLAGS) & A.EXISTS) || !isEmpty(entry)) return;
  if (!isRipemd(entry)) return markAccountFlag(entry, A.TOUCHED_EMPTY);
  // The precompile RIPEMD-160 stays touched even if its frame fails, as in mainnet's block 2675119. Therefore its flag
  // TOUCHED_EMPTY is set without a journal entry. Its other flags are never journaled.
  markDirty(entry);
  store<u32>(entry, load<u32>(entry, A.FLAGS) | A.TOUCHED_EMPTY, A.FLAGS);
}

/** True for the precompile RIPEMD-160 at address 3. */
function isRipemd(entry: usize): bool {
  return (load<u64>(entry) | load<u64>(entry, 8)) == 0 && load<u32>(entry, 16) == 0x0300_0000;
}

/** Sets the nonce. A failing frame reverts it. */
export function setNonce(entry: usize, nonce: u64): void {
  journal.journalNonce(entry);
  markDirty(entry);
  store<u64>(entry, nonce, A.NONCE);
}

/** Deducts what the sender pays before the first frame, and raises its nonce. No failing frame reverts that. */
export function payUpfrontAndRaiseNonce(sender: usize, wei: usize): void {
  markDirty(sender);
  subtract(sender + A.BALANCE, sender + A.BALANCE, wei);
  store<u64>(sender, load<u64>(sender, A.NONCE) + 1, A.NONCE);
}

/** Sets the balance to zero. A failing frame reverts it. */
export function clearBalance(entry: usize): void {
  journal.journalBalance(entry);
  markDirty(entry);
  zero(entry + A.BALANCE);
}

/** Subtracts `amount`, a word, from the balance. The caller has checked that the balance suffices. */
export function subtractBalance(entry: usize, amount: usize): void {
  journal.journalBalance(entry);
  markDirty(entry);
  subtract(entry + A.BALANCE, entry + A.BALANCE, amount);
}

/**
 * Adds `amount`, a word, to the balance (mod 2^256). Returns false if the sum overflows. A failing frame reverts it.
 */
export function addBalance(entry: usize, amount: usize): bool {
  journal.journalBalance(entry);
  markDirty(entry);
  return add(entry + A.BALANCE, entry + A.BALANCE, amount) == 0;
}

/** Sets the account's code: its hash, its table entry, and the generation of that entry. A failing frame reverts it. */
export function setCode(entry: usize, hash: usize, code: usize, codeGeneration: u32): void {
  journal.journalCode(entry);
  markDirty(entry);
  copy(entry + A.CODE_HASH, hash);
  store<u32>(entry, <u32>code, A.CODE);
  store<u32>(entry, codeGeneration, A.CODE_GENERATION);
}

/** Gives the account a new, empty storage (a new incarnation). A failing frame reverts it. */
export function eraseStorage(entry: usize): void {
  journal.journalIncarnation(entry);
  markDirty(entry);
  store<u32>(entry, ++incarnations, A.INCARNATION);
}
