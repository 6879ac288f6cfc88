// Encodes the changes of a version as bytes. The publisher sends them to the main thread, for subscribers of state
// changes.
//
// The fields and their lengths in bytes:
//   account  address 20, exists 1, nonce 8, balance 32; numbers are big endian
//   slot     address 20, slot 32, value 32
import { toBigInt, writeInteger } from '../lib/bytes/big-endian.js';
import type { SlotChange, StateChanges } from './state-diff.js';

const ACCOUNT = { bytes: 61, exists: 20, nonce: 21, balance: 29 } as const;
const SLOT = { bytes: 84, slot: 20, value: 52 } as const;

/** Changes as bytes: plain data that can be cloned between threads. */
export interface PackedChanges {
  readonly accounts: Uint8Array;
  readonly slots: Uint8Array;
}

/** A changed account. Nonce and balance are zero if it no longer exists. */
export interface ChangedAccount {
  readonly address: Uint8Array;
  readonly nonce: bigint;
  /** Wei. */
  readonly balance: bigint;
}

/** Encodes changed accounts and slots in order. Codes are left out. */
export function packChanges({ accounts, slots }: StateChanges): PackedChanges {
  const packed = {
    accounts: new Uint8Array(ACCOUNT.bytes * accounts.length),
    slots: new Uint8Array(SLOT.bytes * slots.length),
  };
  for (const [index, { address, account }] of accounts.entries()) {
    const at = ACCOUNT.bytes * index;
    packed.accounts.set(address, at);
    if (account === null) continue;
    packed.accounts[at + ACCOUNT.exists] = 1;
    writeInteger(account.nonce, packed.accounts, at + ACCOUNT.nonce, at + ACCOUNT.balance);
    writeInteger(account.balance, packed.accounts, at + ACCOUNT.balance, at + ACCOUNT.bytes);
  }
  for (const [index, { address, slot, value }] of slots.entries()) {
    const at = SLOT.bytes * index;
    packed.slots.set(address, at);
    packed.slots.set(slot, at + SLOT.slot);
    packed.slots.set(value, at + SLOT.value);
  }
  return packed;
}

/** Yields the changed accounts in order. */
export function* changedAccounts({ accounts }: PackedChanges): Generator<ChangedAccount> {
  for (let at = 0; at < accounts.length; at += ACCOUNT.bytes) {
    yield {
      address: accounts.subarray(at, at + ACCOUNT.exists),
      nonce: toBigInt(accounts.subarray(at + ACCOUNT.nonce, at + ACCOUNT.balance)),
      balance: toBigInt(accounts.subarray(at + ACCOUNT.balance, at + ACCOUNT.bytes)),
    };
  }
}

/** Yields the changed slots in order. Their arrays share the memory of the encoded bytes. */
export function* changedSlots({ slots }: PackedChanges): Generator<SlotChange> {
  for (let at = 0; at < slots.length; at += SLOT.bytes) {
    yield {
      address: slots.subarray(at, at + SLOT.slot),
      slot: slots.subarray(at + SLOT.slot, at + SLOT.value),
      value: slots.subarray(at + SLOT.value, at + SLOT.bytes),
    };
  }
}
