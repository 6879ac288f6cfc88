// Chooses a sample of a diff's values, and compares them with what the node returns for the same block. Pure.
import { toHex } from '../../lib/bytes/hex.js';
import { keccak256 } from '../../lib/bytes/keccak-wasm.js';
import { latin1Key, latin1SlotKey } from '../../lib/bytes/latin1-key.js';
import { readInteger } from '../../lib/bytes/big-endian.js';
import { sameBytes } from '../../lib/bytes/byte-map.js';
import type { AccountChange, StateChanges } from '../../state/state-diff.js';
import { NO_MISSING_KEYS, type MissingKeys } from '../../state/views/miss-recording-view.js';
import { EMPTY_ACCOUNT } from '../../state/views/state-view.js';

/** Number of hash bytes from which a key's score is made: 48 bits. */
const SCORE_BYTES = 6;
const SCORES = 2 ** (8 * SCORE_BYTES);

interface Scored<T> {
  readonly key: T;
  /** Pseudo-random number of the key, 0 to 1. Keys with the lowest scores are in the sample. */
  readonly score: number;
}

/**
 * Returns about `share` (0 to 1) of the changed accounts and slots: at least one key, unless the share is zero. The
 * choice depends on `blockHash` (32 bytes), so that all instances check the same keys of a block, and different keys of
 * the next block.
 */
export function sampleChangedKeys(
  { accounts, slots }: StateChanges,
  blockHash: Uint8Array,
  share: number,
): MissingKeys {
  if (share <= 0 || accounts.length + slots.length === 0) return NO_MISSING_KEYS;
  const scoreOf = (...pieces: Uint8Array[]): number => scoreOfBytes([blockHash, ...pieces]);
  const allAccounts = accounts.map(({ address }) => ({ key: address, score: scoreOf(address) }));
  const allSlots = slots.map(({ address, slot }) => ({ key: { address, slot }, score: scoreOf(address, slot) }));
  const least = [...allAccounts, ...allSlots].reduce((low, { score }) => Math.min(low, score), 1);
  const limit = Math.max(share, least);
  return { accounts: upTo(limit, allAccounts), slots: upTo(limit, allSlots) };
}

/** Returns, as one line, the first value in `read` that differs from `changes`; `null` if there is none. */
export function firstDifference(changes: StateChanges, read: StateChanges): string | null {
  const accounts = new Map(changes.accounts.map((change) => [latin1Key(change.address), change]));
  const slots = new Map(changes.slots.map((change) => [latin1SlotKey(change), change.value]));
  for (const each of read.accounts) {
    const change = accounts.get(latin1Key(each.address));
    const difference = change === undefined ? null : accountDifference(change, each);
    if (difference !== null) return difference;
  }
  for (const { address, slot, value } of read.slots) {
    const word = slots.get(latin1SlotKey({ address, slot }));
    if (word !== undefined && !sameBytes(word, value))
      return differs(`slot ${toHex(slot)} of ${toHex(address)}`, toHex(word), toHex(value));
  }
  return null;
}

function scoreOfBytes(pieces: readonly Uint8Array[]): number {
  return Number(readInteger(keccak256(Buffer.concat(pieces)), 0, SCORE_BYTES)) / SCORES;
}

function upTo<T>(limit: number, all: readonly Scored<T>[]): T[] {
  return all.filter(({ score }) => score <= limit).map(({ key }) => key);
}

function accountDifference({ address, account }: AccountChange, read: AccountChange): string | null {
  const name = toHex(address);
  const [ours, theirs] = [account ?? EMPTY_ACCOUNT, read.account ?? EMPTY_ACCOUNT];
  if (ours.nonce !== theirs.nonce) return differs(`nonce of ${name}`, ours.nonce, theirs.nonce);
  if (ours.balance !== theirs.balance) return differs(`balance of ${name}`, ours.balance, theirs.balance);
  if (sameBytes(ours.codeHash, theirs.codeHash)) return null;
  return differs(`code hash of ${name}`, toHex(ours.codeHash), toHex(theirs.codeHash));
}

function differs(what: string, is: string | bigint, reads: string | bigint): string {
  return `${what} is ${is} by the diff, ${reads} at the node`;
}
