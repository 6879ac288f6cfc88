// The accounts that messages have accessed: an open-addressed hash table, filled by the host. An entry of an older
// epoch has its base values.
import { abortWith } from '../abort';
import { hostAccount } from '../host';
import * as journal from './journal';
import * as salt from '../hashes/salt';
import { add, copy, copyAddress, equal, isZero, subtract, zero } from '../words/word';
import * as A from '../shared/account-fields';
import {
  ACCOUNTS,
  ACCOUNTS_MAX,
  ACCOUNT_BYTES,
  ACCOUNT_INDEX,
  ACCOUNT_INDEX_BITS,
  DIRTY_ACCOUNTS,
  PRECOMPILES,
  PRECOMPILES_MAX,
  READ_ACCOUNTS,
} from '../shared/layout';
import { TABLE_FULL, STATE_MISS } from '../shared/status';

const INDEX_MASK: u64 = (1 << ACCOUNT_INDEX_BITS) - 1;

/** Number of the running message. An entry of another epoch has its base values and is cold. */
export let messageEpoch: u32 = 1;
/** Number of the running job. A base that an earlier job has set is fetched from the host again. */
export let jobNumber: u32 = 1;
let generation: u32 = 1;
let count: u32 = 0;
/** Most entries ever used by dropped accounts. */
let peak: u32 = 0;
let incarnations: u32 = 0;
/** Accounts that the message has changed, listed at DIRTY_ACCOUNTS. */
export let dirtyAccountCount: u32 = 0;
/** Accounts that the message has read, listed at READ_ACCOUNTS. See DECISIONS.md. */
let readAccountCount: u32 = 0;
/** Keccak-256 of the empty string. */
const EMPTY_CODE_HASH: usize = memory.data<u8>([
  0xc5, 0xd2, 0x46, 0x01, 0x86, 0xf7, 0x23, 0x3c, 0x92, 0x7e, 0x7d, 0xb2, 0xdc, 0xc7, 0x03, 0xc0, 0xe5, 0x00, 0xb6,
  0x53, 0xca, 0x82, 0x27, 0x3b, 0x7b, 0xfa, 0xd8, 0x04, 0x5d, 0x85, 0xa4, 0x70,
]);

/** Starts a message: every account has its base values, and none is dirty. */
export function beginEpoch(): void {
  messageEpoch++;
  dirtyAccountCount = 0;
  readAccountCount = 0;
}

/** Restarts the count of epochs. The caller has dropped everything with an old one. */
export function restartEpochs(): void {
  messageEpoch = 0;
}

/** Starts a job: bases that the previous one has set become invalid. */
export function beginJob(): void {
  jobNumber++;
}

/** Drops every account. */
export function forgetAccounts(): void {
  peak = accountsPeak();
  generation++;
  count = 0;
}

/** Most entries ever in use. */
export function accountsPeak(): u32 {
  return max(count, peak);
}

/** True if more than half of the entries are in use. */
export function areAccountsHalfFull(): bool {
  return count > ACCOUNTS_MAX / 2;
}

/** The entry of the account with this address, 20 bytes and four zeros. 0 if aborted (STATE_MISS or TABLE_FULL). */
export function accountEntry(address: usize): usize {
  const entry = find(address);
  if (entry == 0) return read(address);
  return load<u32>(entry, A.EPOCH) == messageEpoch ? entry : refresh(entry);
}

/** The index cell for an entry that `find` has not found. */
let vacancy: u64 = 0;

/** The entry as it is, whatever its epoch is; 0 if there is none. */
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
    (64 - ACCOUNT_INDEX_BITS)
  );
}

/** Reserves an entry for an account that was not found; `list` adds it to the index. 0 if aborted (TABLE_FULL). */
function claim(address: usize): usize {
  if (count == ACCOUNTS_MAX) {
    abortWith(TABLE_FULL);
    return 0;
  }
  const entry = ACCOUNTS + <usize>count * ACCOUNT_BYTES;
  copyAddress(entry, address);
  store<u32>(entry, 0, A.BASE_INCARNATION);
  store<u32>(entry, 0, A.JOB);
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
    abortWith(STATE_MISS);
    return false;
  }
  store<u32>(entry, flags, A.BASE_FLAGS);
  store<u32>(entry, flags & A.VALID_IN_JOB_ONLY ? jobNumber : 0, A.JOB);
  return true;
}

function refresh(entry: usize): usize {
  const owner = load<u32>(entry, A.JOB);
  if (owner != 0 && owner != jobNumber) {
    store<u32>(entry, 0, A.BASE_INCARNATION);
    if (!fetch(entry)) return 0;
  }
  return reset(entry);
}

/** Resets what the message sees to the base values, cold. */
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

/** Makes these values the account's base for this job; `erased` empties its storage. False if aborted (TABLE_FULL). */
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
  const owner = load<u32>(entry, A.JOB);
  if (owner != 0 && owner != jobNumber) store<u32>(entry, 0, A.BASE_INCARNATION);
  copy(entry + A.BASE_BALANCE, balance);
  copy(entry + A.BASE_CODE_HASH, codeHash);
  store<u64>(entry, nonce, A.BASE_NONCE);
  store<u32>(entry, flags, A.BASE_FLAGS);
  store<u32>(entry, jobNumber, A.JOB);
  if (erased) store<u32>(entry, ++incarnations, A.BASE_INCARNATION);
  reset(entry);
  return true;
}

/** Commits the message's changes to the account: they become its base. */
export function commitAccount(entry: usize): void {
  copy(entry + A.BASE_BALANCE, entry + A.BALANCE);
  copy(entry + A.BASE_CODE_HASH, entry + A.CODE_HASH);
  store<u64>(entry, load<u64>(entry, A.NONCE), A.BASE_NONCE);
  store<u32>(entry, load<u32>(entry, A.INCARNATION), A.BASE_INCARNATION);
  store<u32>(entry, load<u32>(entry, A.BASE_FLAGS) | A.EXISTS, A.BASE_FLAGS);
}

// ---- reading ----

/** True if the code hash is Keccak-256 of the empty string. */
@inline
export function hasNoCode(entry: usize): bool {
  return equal(entry + A.CODE_HASH, EMPTY_CODE_HASH);
}

/** EIP-161: no code, no nonce, no balance. An account that does not exist is empty too. */
@inline
export function isEmpty(entry: usize): bool {
  return load<u64>(entry, A.NONCE) == 0 && isZero(entry + A.BALANCE) && hasNoCode(entry);
}

/** Kind of the precompile at this address (precompile-kinds.ts), 0 for none. */
@inline
export function precompileAt(address: usize): u32 {
  if ((load<u64>(address) | load<u64>(address, 8)) != 0) return 0;
  const tail = bswap<u32>(load<u32>(address, 16));
  return tail < PRECOMPILES_MAX ? load<u8>(PRECOMPILES + <usize>tail) : 0;
}

/** True for a precompile, even if it is not implemented here: it is warm from the start (EIP-2929). */
@inline
export function isPrewarmed(entry: usize): bool {
  return precompileAt(entry) != 0 || (load<u32>(entry, A.BASE_FLAGS) & A.NON_EVM_WARM) != 0;
}

/** EIP-2929: makes the account warm. Returns whether it was cold; precompiles never are. */
@inline
export function warmAccountEntry(entry: usize): bool {
  const flags = load<u32>(entry, A.FLAGS);
  if (flags & A.WARM) return false;
  if (isPrewarmed(entry)) return false;
  journal.journalFlags(entry);
  store<u32>(entry, flags | A.WARM, A.FLAGS);
  return true;
}

/** Records that an instruction has accessed the account. */
@inline
export function markReached(entry: usize): void {
  store<u32>(entry, load<u32>(entry, A.FLAGS) | A.REACHED, A.FLAGS);
}

/** Records the same for an instruction that was paid for and is no call, creation or SELFDESTRUCT. */
@inline
export function markNamed(entry: usize): void {
  store<u32>(entry, load<u32>(entry, A.FLAGS) | A.REACHED | A.NAMED, A.FLAGS);
}

/** Records that the account was read without an access: as a delegate, or to create a contract there. */
@inline
export function markAccessed(entry: usize): void {
  store<u32>(entry, load<u32>(entry, A.FLAGS) | A.ACCESSED, A.FLAGS);
}

/** Number of accounts that the message has read. */
export function accountsRead(): u32 {
  return readAccountCount;
}

// ---- changing ----

/** Lists the account as dirty, once. */
@inline
function markDirty(entry: usize): void {
  const flags = load<u32>(entry, A.FLAGS);
  if (flags & A.DIRTY) return;
  store<u32>(entry, flags | A.DIRTY, A.FLAGS);
  store<u32>(DIRTY_ACCOUNTS + (<usize>dirtyAccountCount << 2), <u32>entry);
  dirtyAccountCount++;
}

/** Sets a flag (CREATED, DESTROYED, TOUCHED) and lists the account as dirty. This is reverted with the frame. */
export function markAccountFlag(entry: usize, flag: u32): void {
  journal.journalFlags(entry);
  markDirty(entry);
  store<u32>(entry, load<u32>(entry, A.FLAGS) | flag, A.FLAGS);
}

/** Marks an account that exists but is empty as touched, so that it is deleted at the end (EIP-161). */
export function touchIfEmpty(entry: usize): void {
  if (!(load<u32>(entry, A.BASE_FLAGS) & A.EXISTS) || !isEmpty(entry)) return;
  if (!isRipemd(entry)) return markAccountFlag(entry, A.TOUCHED);
  // Since mainnet's block 2675119 this account stays touched even if its frame fails; it has no other journaled flags.
  markDirty(entry);
  store<u32>(entry, load<u32>(entry, A.FLAGS) | A.TOUCHED, A.FLAGS);
}

/** True for RIPEMD-160, the precompile at address 3. */
function isRipemd(entry: usize): bool {
  return (load<u64>(entry) | load<u64>(entry, 8)) == 0 && load<u32>(entry, 16) == 0x0300_0000;
}

/** Sets the nonce; reverted with the frame. */
export function setNonce(entry: usize, nonce: u64): void {
  journal.journalNonce(entry);
  markDirty(entry);
  store<u64>(entry, nonce, A.NONCE);
}

/** Subtracts what the sender pays before the first frame, and raises its nonce. No frame reverts that. */
export function payUpfront(sender: usize, wei: usize): void {
  markDirty(sender);
  subtract(sender + A.BALANCE, sender + A.BALANCE, wei);
  store<u64>(sender, load<u64>(sender, A.NONCE) + 1, A.NONCE);
}

/** Sets the balance to zero; reverted with the frame. */
export function clearBalance(entry: usize): void {
  journal.journalBalance(entry);
  markDirty(entry);
  zero(entry + A.BALANCE);
}

/** balance -= amount, a word. The caller has checked that the balance suffices. */
export function subtractBalance(entry: usize, amount: usize): void {
  journal.journalBalance(entry);
  markDirty(entry);
  subtract(entry + A.BALANCE, entry + A.BALANCE, amount);
}

/** balance += amount mod 2^256, a word. False if the sum overflows. Reverted with the frame. */
export function addBalance(entry: usize, amount: usize): bool {
  journal.journalBalance(entry);
  markDirty(entry);
  return add(entry + A.BALANCE, entry + A.BALANCE, amount) == 0;
}

/** Sets the code's hash and entry, with the generation of codes to which the entry belongs; reverted with the frame. */
export function setCode(entry: usize, hash: usize, code: usize, codeGeneration: u32): void {
  journal.journalCode(entry);
  markDirty(entry);
  copy(entry + A.CODE_HASH, hash);
  store<u32>(entry, <u32>code, A.CODE);
  store<u32>(entry, codeGeneration, A.CODE_GENERATION);
}

/** Gives the account an empty storage: a new incarnation. Reverted with the frame. */
export function eraseStorage(entry: usize): void {
  journal.journalIncarnation(entry);
  markDirty(entry);
  store<u32>(entry, ++incarnations, A.INCARNATION);
}
