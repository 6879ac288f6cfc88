// Renders what consecutive transactions change in the state, in the form of go-ethereum's prestateTracer (diff mode) or
// of Parity's stateDiff.
// The changes are read from the kernel's journal; unchanged values are left out. See DECISIONS.md.
import type { JournaledState } from '../../evm/journal/journaled-state.js';
import { sameBytes } from '../../lib/bytes/byte-map.js';
import { toHex, toQuantity } from '../../lib/bytes/hex.js';
import { EMPTY_BYTES, toBytes, toBigInt } from '../../lib/bytes/big-endian.js';
import type { StateChanges } from '../../state/state-diff.js';
import {
  type AccountState,
  EMPTY_ACCOUNT,
  hasCode,
  isEmptyAccount,
  type StateView,
} from '../../state/views/state-view.js';
import type { ResponseSizeBudget } from '../call/response-size-budget.js';

/** One account before and after a transaction; `null` if it does not exist at that time. */
interface AccountDelta {
  readonly before: AccountState | null;
  after: AccountState | null;
  readonly slots: { readonly slot: string; readonly before: Uint8Array; readonly after: Uint8Array }[];
}

/** JSON of an account: the whole account in `pre`, only the fields that differ in `post`. */
interface AccountJson {
  balance?: string;
  code?: string;
  codeHash?: string;
  nonce?: number;
  storage?: Record<string, string>;
}

/**
 * Accounts by address, sorted. `pre` has the changed accounts without unchanged slots; `post` has only what changed.
 */
export interface StateDiffJson {
  readonly post: Readonly<Record<string, AccountJson>>;
  readonly pre: Readonly<Record<string, AccountJson>>;
}

/**
 * Number of characters in the response that are reserved for an account and for a slot. Both occur in `pre` and `post`.
 */
const ACCOUNT_CHARACTERS = 2 * 250;
const SLOT_CHARACTERS = 2 * 137;

/** Renders the state changes between two calls of `next`. The first call starts from the state's view. */
export class StateDiffRenderer {
  readonly #state: JournaledState;
  readonly #view: StateView;
  /** Current values of accounts and slots that have changed since the view. */
  readonly #accounts = new Map<string, AccountState | null>();
  readonly #slots = new Map<string, Uint8Array>();

  constructor(state: JournaledState, view: StateView) {
    this.#state = state;
    this.#view = view;
  }

  /**
   * Returns the changes since the last call; `null` if they do not fit into the response. Call it after each
   * transaction.
   */
  next(budget: ResponseSizeBudget): StateDiffJson | null {
    const changes = this.#changesWithin(budget);
    if (changes === null) return null;
    const diff: { post: Record<string, AccountJson>; pre: Record<string, AccountJson> } = { post: {}, pre: {} };
    for (const [address, change] of changes) {
      const { before, after } = change;
      if (before !== null && !isEmptyAccount(before)) diff.pre[address] = this.#before(before, change);
      if (after !== null) diff.post[address] = this.#after(before ?? EMPTY_ACCOUNT, after, change);
    }
    return diff;
  }

  /** Like `next`, but in Parity's format. */
  nextOfParity(budget: ResponseSizeBudget): object | null {
    const changes = this.#changesWithin(budget);
    if (changes === null) return null;
    const shown = changes.map(([address, change]) => [address, this.#ofParity(change)] as const);
    return Object.fromEntries(shown.filter(([, change]) => change !== null));
  }

  /** Skips the changes since the last call: overrides, or transactions whose changes are not shown. */
  skip(): void {
    this.#gathered(this.#state.changes());
  }

  /** Returns the changes since the last call by address, sorted; `null` if they do not fit into the response. */
  #changesWithin(budget: ResponseSizeBudget): [string, AccountDelta][] | null {
    const changes = [...this.#gathered(this.#state.changes())].sort(([a], [b]) => (a < b ? -1 : 1));
    return changes.every(([, change]) => budget.take(this.#charactersOf(change))) ? changes : null;
  }

  #gathered({ accounts, slots }: StateChanges): Map<string, AccountDelta> {
    const changes = new Map<string, AccountDelta>();
    for (const { address, account } of accounts) {
      this.#changeOf(address, changes).after = account;
      this.#accounts.set(toHex(address), account);
    }
    for (const { address, slot, value } of slots) {
      const key = `${toHex(address)}${toHex(slot)}`;
      const before = this.#slots.get(key) ?? this.#view.storage(address, slot);
      this.#changeOf(address, changes).slots.push({ slot: toHex(slot), before, after: value });
      this.#slots.set(key, value);
    }
    return changes;
  }

  #changeOf(address: Uint8Array, changes: Map<string, AccountDelta>): AccountDelta {
    const name = toHex(address);
    const known = changes.get(name);
    if (known !== undefined) return known;
    const before = this.#accounts.has(name) ? this.#accounts.get(name)! : this.#view.account(address);
    const change = { before, after: before, slots: [] };
    changes.set(name, change);
    return change;
  }

  #charactersOf({ before, after, slots }: AccountDelta): number {
    const codes = this.#codeOf(before).length + this.#codeOf(after).length;
    return ACCOUNT_CHARACTERS + 2 * codes + SLOT_CHARACTERS * slots.length;
  }

  #codeOf(account: AccountState | null): Uint8Array {
    return account === null ? EMPTY_BYTES : this.#state.codeOfHash(account.codeHash);
  }

  #before(account: AccountState, { slots }: AccountDelta): AccountJson {
    return {
      balance: toQuantity(account.balance),
      ...(hasCode(account) && { code: toHex(this.#codeOf(account)), codeHash: toHex(account.codeHash) }),
      ...(account.nonce > 0n && { nonce: Number(account.nonce) }),
      ...storageOf(slots.map(({ slot, before }) => [slot, before])),
    };
  }

  #after(before: AccountState, account: AccountState, { slots }: AccountDelta): AccountJson {
    const hasNewCode = !sameBytes(account.codeHash, before.codeHash);
    return {
      ...(account.balance !== before.balance && { balance: toQuantity(account.balance) }),
      ...(hasNewCode && hasCode(account) && { code: toHex(this.#codeOf(account)) }),
      ...(hasNewCode && { codeHash: toHex(account.codeHash) }),
      ...(account.nonce !== before.nonce && { nonce: Number(account.nonce) }),
      ...storageOf(slots.map(({ slot, after }) => [slot, after])),
    };
  }

  /** Returns the JSON of one account's changes in Parity's form (`stateDiff`); `null` if nothing has changed. */
  #ofParity({ before, after, slots }: AccountDelta): object | null {
    if (before === null && after === null) return null;
    const delta = (valueOf: (account: AccountState) => string): Delta =>
      deltaOf(before === null ? null : valueOf(before), after === null ? null : valueOf(after));
    const storage = slots
      .filter((slot) => !sameBytes(slot.before, slot.after))
      .map(({ slot, before: from, after: to }) => {
        return [slot, deltaOf(before === null ? null : toHex(from), after === null ? null : toHex(to))] as const;
      })
      .sort(([a], [b]) => (a < b ? -1 : 1));
    const json = {
      balance: delta(({ balance }) => toQuantity(balance)),
      code: delta((account) => toHex(this.#codeOf(account))),
      nonce: delta(({ nonce }) => toQuantity(nonce)),
      storage: Object.fromEntries(storage),
    };
    const isSame = json.balance === '=' && json.code === '=' && json.nonce === '=' && storage.length === 0;
    return isSame ? null : json;
  }
}

/** Returns the slots with non-zero values, sorted. */
function storageOf(slots: readonly (readonly [slot: string, word: Uint8Array])[]): Pick<AccountJson, 'storage'> {
  const words = slots.map(([slot, word]) => [slot, toBigInt(word)] as const).filter(([, word]) => word !== 0n);
  if (words.length === 0) return {};
  words.sort(([a], [b]) => (a < b ? -1 : 1));
  return { storage: Object.fromEntries(words.map(([slot, word]) => [slot, toHex(toBytes(word, 32))])) };
}

/** How a value changes: unchanged (`=`), added (`+`), removed (`-`) or replaced (`*`). */
type Delta = '=' | { readonly '+': string } | { readonly '-': string } | { readonly '*': object };

function deltaOf(from: string | null, to: string | null): Delta {
  if (from === null) return { '+': to! };
  if (to === null) return { '-': from };
  return from === to ? '=' : { '*': { from, to } };
}
