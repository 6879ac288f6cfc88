// A StateView on plain maps, for tests: small, obviously right, and writable.
import { keccak_256 as keccak256 } from '@noble/hashes/sha3.js';
import { fromHex, toHex } from '../../src/lib/bytes/hex.js';
import { toBytes } from '../../src/lib/bytes/big-endian.js';
import type { StateChanges } from '../../src/state/state-diff.js';
import { EMPTY_CODE_HASH, type AccountState, type StateView } from '../../src/state/views/state-view.js';

/** Fields of an account of a MemoryView; all default to zero or empty. */
export interface MemoryAccount {
  readonly nonce?: bigint;
  readonly balance?: bigint;
  /** Hex or bytes. */
  readonly code?: string | Uint8Array;
  readonly storage?: Readonly<Record<string, bigint>>;
}

/** A complete state in memory. Addresses and slots may be hex or bytes; short hex of slots is padded on the left. */
export class MemoryView implements StateView {
  private readonly accounts: Map<string, AccountState>;
  private readonly codes: Map<string, Uint8Array>;
  private readonly slots: Map<string, Uint8Array>;
  private readonly hashes: Map<number, Uint8Array>;

  /** A copy of `view`, or an empty state. */
  constructor(view?: MemoryView) {
    this.accounts = new Map(view?.accounts);
    this.codes = new Map(view?.codes);
    this.slots = new Map(view?.slots);
    this.hashes = new Map(view?.hashes);
  }

  /** Creates or replaces the account. */
  put(address: string | Uint8Array, account: MemoryAccount): this {
    const code = typeof account.code === 'string' ? fromHex(account.code) : (account.code ?? new Uint8Array(0));
    const codeHash = code.length === 0 ? EMPTY_CODE_HASH : keccak256(code);
    this.codes.set(toHex(codeHash), code);
    this.set(bytes(address, 20), { nonce: account.nonce ?? 0n, balance: account.balance ?? 0n, codeHash });
    for (const [slot, value] of Object.entries(account.storage ?? {}))
      this.setSlot(bytes(address, 20), bytes(slot, 32), toBytes(value, 32));
    return this;
  }

  /** Writes or removes an account record. */
  set(address: Uint8Array, account: AccountState | null): void {
    if (account === null) this.accounts.delete(toHex(address));
    else this.accounts.set(toHex(address), account);
  }

  setSlot(address: Uint8Array, slot: Uint8Array, value: Uint8Array): void {
    this.slots.set(toHex(address) + toHex(slot), value);
  }

  setCode(hash: Uint8Array, code: Uint8Array): void {
    this.codes.set(toHex(hash), code);
  }

  setBlockHash(number: number, hash: Uint8Array): void {
    this.hashes.set(number, hash);
  }

  /** Applies the changes of a block or an increment. */
  apply({ accounts, slots, codes }: StateChanges): void {
    for (const { address, account } of accounts) this.set(address, account);
    for (const { address, slot, value } of slots) this.setSlot(address, slot, value);
    for (const { hash, bytes: code } of codes) this.setCode(hash, code);
  }

  /** Every slot of the account that was ever written. */
  *slotsOf(address: Uint8Array): Generator<Uint8Array> {
    for (const key of this.slots.keys()) if (key.startsWith(toHex(address))) yield fromHex(key.slice(42));
  }

  account(address: Uint8Array): AccountState | null {
    return this.accounts.get(toHex(address)) ?? null;
  }

  code(codeHash: Uint8Array): Uint8Array {
    const code = this.codes.get(toHex(codeHash));
    if (code === undefined && toHex(codeHash) !== toHex(EMPTY_CODE_HASH)) throw new Error('no such code');
    return code ?? new Uint8Array(0);
  }

  storage(address: Uint8Array, slot: Uint8Array): Uint8Array {
    return this.slots.get(toHex(address) + toHex(slot)) ?? new Uint8Array(32);
  }

  blockHash(number: number): Uint8Array | null {
    return this.hashes.get(number) ?? null;
  }
}

/** `value` as bytes; hex is padded on the left to `length`. */
export function bytes(value: string | Uint8Array, length: number): Uint8Array {
  if (typeof value !== 'string') return value;
  const digits = value.startsWith('0x') ? value.slice(2) : value;
  return fromHex(digits.padStart(length * 2, '0'));
}
