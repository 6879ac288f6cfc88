// A complete state in memory to which changes are applied; its root is computed by @ethereumjs/mpt.
import { MerklePatriciaTrie } from '@ethereumjs/mpt';
import { RLP } from '@ethereumjs/rlp';
import { keccak_256 as keccak256 } from '@noble/hashes/sha3.js';
import { fromHex, toHex } from '../../../src/lib/bytes/hex.js';
import { toBytes } from '../../../src/lib/bytes/big-endian.js';
import type { StateChanges } from '../../../src/state/state-diff.js';
import { StateMiss } from '../../../src/state/views/state-miss.js';
import { EMPTY_CODE_HASH, type AccountState, type StateView } from '../../../src/state/views/state-view.js';

/** Accounts by address, as in a genesis file. `codeHash` replaces code that is not given. */
export type Alloc = Readonly<
  Record<
    string,
    {
      readonly balance: string;
      readonly nonce?: string | number;
      readonly code?: string;
      readonly codeHash?: string;
      readonly storage?: Readonly<Record<string, string>>;
    }
  >
>;

interface Account {
  state: AccountState | null;
  readonly slots: Map<string, Uint8Array>;
  /** `null`: not computed yet. */
  storageRoot: Uint8Array | null;
}

export class WholeState implements StateView {
  private readonly accounts = new Map<string, Account>();
  private requested: Set<string> | null = null;
  private readonly codes = new Map<string, Uint8Array>([[toHex(EMPTY_CODE_HASH), new Uint8Array(0)]]);

  static of(alloc: Alloc): WholeState {
    const state = new WholeState();
    for (const [name, { balance, nonce, code, codeHash, storage }] of Object.entries(alloc)) {
      const bytes = fromHex(code ?? '0x');
      const hash = codeHash === undefined ? keccak256(bytes) : fromHex(codeHash);
      if (codeHash === undefined) state.codes.set(toHex(hash), bytes);
      const account = state.entry(name.startsWith('0x') ? name : `0x${name}`);
      account.state = { nonce: BigInt(nonce ?? 0), balance: BigInt(balance), codeHash: hash };
      for (const [slot, word] of Object.entries(storage ?? {}))
        if (BigInt(word) > 0n) account.slots.set(toHex(toBytes(BigInt(slot), 32)), toBytes(BigInt(word), 32));
    }
    return state;
  }

  copy(): WholeState {
    const copy = new WholeState();
    for (const [name, { state, slots, storageRoot }] of this.accounts)
      copy.accounts.set(name, { state, slots: new Map(slots), storageRoot });
    for (const [hash, code] of this.codes) copy.codes.set(hash, code);
    return copy;
  }

  apply({ accounts, slots, codes }: StateChanges): void {
    for (const { hash, bytes } of codes) this.codes.set(toHex(hash), bytes);
    for (const { address, slot, value } of slots) {
      const account = this.entry(toHex(address));
      account.storageRoot = null;
      if (value.every((byte) => byte === 0)) account.slots.delete(toHex(slot));
      else account.slots.set(toHex(slot), value);
    }
    for (const { address, account } of accounts) this.entry(toHex(address)).state = account;
  }

  /** Addresses of existing accounts. */
  get addresses(): Uint8Array[] {
    return [...this.accounts].flatMap(([name, { state }]) => (state === null ? [] : [fromHex(name)]));
  }

  /** Account, code and all slots of these addresses, as a node returns them. */
  read(addresses: readonly Uint8Array[]): StateChanges {
    const states = addresses.map((address) => this.account(address));
    return {
      accounts: addresses.map((address, at) => ({ address, account: states[at]! })),
      slots: addresses.flatMap((address) => {
        const slots = [...(this.accounts.get(toHex(address))?.slots ?? [])];
        return slots.map(([slot, value]) => ({ address, slot: fromHex(slot), value }));
      }),
      codes: states.flatMap((state) => {
        const bytes = state === null ? undefined : this.codes.get(toHex(state.codeHash));
        return bytes === undefined ? [] : [{ hash: state!.codeHash, bytes }];
      }),
    };
  }

  /** What only this state contains and what only the other one does, one line each. */
  differences(other: WholeState): string[] {
    const [ours, theirs] = [new Set(this.contents()), new Set(other.contents())];
    const more = [...ours].filter((line) => !theirs.has(line));
    const less = [...theirs].filter((line) => !ours.has(line));
    return [...more.map((line) => `+ ${line}`), ...less.map((line) => `- ${line}`)];
  }

  /** Everything in the state, one line each. */
  private contents(): string[] {
    return [...this.accounts].flatMap(([name, { state, slots }]) => {
      const head = state === null ? [] : [`${name} ${state.nonce} ${state.balance} ${toHex(state.codeHash)}`];
      return [...head, ...[...slots].map(([slot, word]) => `${name} ${slot} ${toHex(word)}`)];
    });
  }

  async root(): Promise<string> {
    const trie = new MerklePatriciaTrie({ useKeyHashing: true });
    for (const [name, account] of this.accounts) {
      if (account.state === null) continue;
      const { nonce, balance, codeHash } = account.state;
      account.storageRoot ??= await storageRootOf(account.slots);
      await trie.put(fromHex(name), RLP.encode([nonce, balance, account.storageRoot, codeHash]));
    }
    return toHex(trie.root());
  }

  /** From now on, the first read of each key throws StateMiss; returns the set of these keys. */
  missOnce(): Set<string> {
    return (this.requested = new Set());
  }

  account(address: Uint8Array): AccountState | null {
    this.miss(address, null);
    return this.accounts.get(toHex(address))?.state ?? null;
  }

  code(codeHash: Uint8Array): Uint8Array {
    const code = this.codes.get(toHex(codeHash));
    if (code === undefined) throw new Error(`code ${toHex(codeHash)} is not here`);
    return code;
  }

  storage(address: Uint8Array, slot: Uint8Array): Uint8Array {
    this.miss(address, slot);
    return this.accounts.get(toHex(address))?.slots.get(toHex(slot)) ?? new Uint8Array(32);
  }

  blockHash(): null {
    return null;
  }

  private miss(address: Uint8Array, slot: Uint8Array | null): void {
    const name = toHex(address) + (slot === null ? '' : toHex(slot));
    if (this.requested === null || this.requested.has(name)) return;
    this.requested.add(name);
    throw new StateMiss(address, slot);
  }

  private entry(name: string): Account {
    let account = this.accounts.get(name);
    if (account === undefined)
      this.accounts.set(name, (account = { state: null, slots: new Map(), storageRoot: null }));
    return account;
  }
}

async function storageRootOf(slots: ReadonlyMap<string, Uint8Array>): Promise<Uint8Array> {
  const trie = new MerklePatriciaTrie({ useKeyHashing: true });
  for (const [slot, word] of slots)
    await trie.put(fromHex(slot), RLP.encode(word.subarray(word.findIndex((byte) => byte !== 0))));
  return trie.root();
}
