// prestateTracer: accessed accounts and slots as they were before the transaction; in diff mode, also what has changed.

// The results are those of go-ethereum's prestateTracer, including its faults, because people compare them byte by
// byte. A contract that is created and destroyed in one transaction is missing in `post`, even if the call that
// destroyed it was reverted, or the contract existed before. Changes that no instruction of the transaction makes
// (system calls, withdrawals) are in no diff. See DECISIONS.md.
import { toQuantity } from '../../lib/bytes/hex.js';
import { ByteMap, sameBytes } from '../../lib/bytes/byte-map.js';
import { parseDelegation } from '../../evm/delegation.js';
import type { JournaledState } from '../../evm/journal/journaled-state.js';
import { TextWriter } from '../../native/json/text-writer.js';
import { type AccountState, EMPTY_ACCOUNT, EMPTY_CODE_HASH, isEmptyAccount } from '../../state/views/state-view.js';
import type { TracerSpec } from '../../transaction/trace-request-types.js';
import { recoverAuthority } from '../block/authorization.js';
import type { ResponseSizeBudget } from '../call/response-size-budget.js';
import { createdContractAddress } from '../../evm/created-contract-address.js';
import { Tracer, type TracedTransaction } from './tracer.js';
import { toWord } from '../../lib/bytes/big-endian.js';

/** An account as it was when the transaction first accessed it. */
interface Seen extends AccountState {
  readonly address: Uint8Array;
  readonly code: Uint8Array;
  readonly slots: ByteMap<SeenSlot>;
  isCreated: boolean;
  isDeleted: boolean;
}

interface SeenSlot {
  readonly slot: Uint8Array;
  /** Value when the transaction started, 32 bytes. */
  readonly before: Uint8Array;
  /** Value when it ended, 32 bytes; `null` if it has to be read from the state. */
  after: Uint8Array | null;
}

/** What is shown of an account. Members are in go-ethereum's order; undefined ones are left out. */
interface ShownAccount {
  readonly address: Uint8Array;
  readonly balance: bigint | undefined;
  readonly code: Uint8Array | undefined;
  readonly codeHash: Uint8Array | undefined;
  readonly nonce: bigint | undefined;
  readonly storage: ShownSlot[];
}

interface ShownSlot {
  readonly slot: Uint8Array;
  readonly value: Uint8Array;
}

interface ChangedSlot extends Pick<SeenSlot, 'slot' | 'before'> {
  readonly after: Uint8Array;
}

/** Approximate number of characters in the response for an account without its code, and for a slot. */
const ACCOUNT_CHARACTERS = 260;
const SLOT_CHARACTERS = 138;

const WRITER = new TextWriter();

export class PrestateTracer extends Tracer {
  override readonly seesState = true;
  override readonly seesChanges: boolean;
  readonly #spec: Extract<TracerSpec, { name: 'prestateTracer' }>;
  readonly #seen = new ByteMap<Seen>();
  #transaction: TracedTransaction | null = null;
  readonly #pre: ShownAccount[] = [];
  readonly #post: ShownAccount[] = [];

  constructor(spec: Extract<TracerSpec, { name: 'prestateTracer' }>, budget: ResponseSizeBudget) {
    super(budget);
    this.#spec = spec;
    this.seesChanges = spec.diffMode;
  }

  override begin(transaction: TracedTransaction): void {
    this.#transaction = transaction;
    const { from, to, coinbase, authorizations } = transaction;
    if (to === null) this.creates(createdContractAddress(from, this.#state.accountOf(from)?.nonce ?? 0n));
    else this.called(to);
    this.named(from);
    this.named(coinbase);
    for (const authorization of authorizations) {
      const authority = recoverAuthority(authorization, authorization.chainId);
      if (authority !== null) this.named(authority);
    }
  }

  override named(address: Uint8Array): void {
    this.#see(address);
  }

  override called(address: Uint8Array): void {
    this.named(address);
    if (!this.#transaction!.rules.common.isActivatedEIP(7702)) return;
    const delegate = parseDelegation(this.#state.codeOf(address));
    if (delegate !== null) this.named(delegate);
  }

  override namedSlot(address: Uint8Array, slot: Uint8Array, before: Uint8Array, after: Uint8Array | null): void {
    if (this.#spec.disableStorage) return;
    const { slots } = this.#see(address);
    const known = slots.get(slot);
    if (known !== undefined) {
      known.after = after;
      return;
    }
    this.take(SLOT_CHARACTERS);
    slots.set(slot, { slot, before: asWord(before), after: after === null ? null : asWord(after) });
  }

  override creates(address: Uint8Array): void {
    this.#see(address).isCreated = true;
  }

  override destroys(address: Uint8Array): void {
    const seen = this.#see(address);
    if (seen.isCreated || !this.#transaction!.rules.common.isActivatedEIP(6780)) seen.isDeleted = true;
  }

  override end(): void {
    for (const seen of this.#seen.values()) {
      const isShown = this.#spec.includeEmpty || !isEmptyAccount(seen);
      if (this.#spec.diffMode && !seen.isDeleted) this.#addDifference(seen, isShown);
      else if (isShown) this.#pre.push(this.#shown(seen, allSlots(seen)));
    }
  }

  text(): string {
    WRITER.reset();
    if (this.#spec.diffMode) {
      WRITER.text('{"post":');
      writeAccounts(this.#post);
      WRITER.text(',"pre":');
    }
    writeAccounts(this.#pre);
    if (this.#spec.diffMode) WRITER.text('}');
    return WRITER.bytes().toString('latin1');
  }

  get #state(): JournaledState {
    return this.#transaction!.state;
  }

  /** Returns what is recorded of an account; records it now if it is accessed for the first time. */
  #see(accessed: Uint8Array): Seen {
    const known = this.#seen.get(accessed);
    if (known !== undefined) return known;
    const address = accessed.slice();
    const { balance, nonce, codeHash } = this.#state.accountOf(address) ?? EMPTY_ACCOUNT;
    const code = this.#state.codeOf(address);
    this.take(ACCOUNT_CHARACTERS + (this.#spec.disableCode ? 0 : 2 * code.length));
    const slots = new ByteMap<SeenSlot>();
    const seen = { address, balance, nonce, codeHash, code, slots, isCreated: false, isDeleted: false };
    this.#seen.set(address, seen);
    return seen;
  }

  #shown({ address, balance, nonce, code, codeHash }: Seen, storage: ShownSlot[]): ShownAccount {
    return {
      address,
      balance,
      code: code.length > 0 && !this.#spec.disableCode ? code : undefined,
      codeHash: sameBytes(codeHash, EMPTY_CODE_HASH) ? undefined : codeHash,
      nonce,
      storage,
    };
  }

  /** Adds an account that is not deleted to the diff, if it has changed. */
  #addDifference(seen: Seen, isShownBefore: boolean): void {
    const { balance, nonce, codeHash } = this.#state.accountOf(seen.address) ?? GONE;
    const isRecoded = !sameBytes(codeHash, seen.codeHash);
    const changed = this.#changedSlots(seen);
    if (balance === seen.balance && nonce === seen.nonce && !isRecoded && changed.length === 0) return;
    this.take(ACCOUNT_CHARACTERS);
    const before = changed.map(({ slot, before: value }) => ({ slot, value }));
    if (isShownBefore) this.#pre.push(this.#shown(seen, before.filter(isNotZero)));
    this.#post.push({
      address: seen.address,
      balance: balance === seen.balance ? undefined : balance,
      code: isRecoded && !this.#spec.disableCode ? this.#changedCode(seen) : undefined,
      codeHash: isRecoded ? codeHash : undefined,
      nonce: nonce === seen.nonce ? undefined : nonce,
      storage: changed.map(({ slot, after: value }) => ({ slot, value })).filter(isNotZero),
    });
  }

  #changedCode(seen: Seen): Uint8Array | undefined {
    const code = this.#state.codeOf(seen.address);
    this.take(2 * code.length);
    return sameBytes(code, seen.code) ? undefined : code;
  }

  /** Returns the slots whose value has changed. */
  #changedSlots({ address, slots }: Seen): ChangedSlot[] {
    const changed: ChangedSlot[] = [];
    for (const { slot, before, after: known } of slots.values()) {
      const after = known ?? asWord(this.#state.storageOf(address, slot));
      if (!sameBytes(before, after)) changed.push({ slot, before, after });
    }
    this.take(SLOT_CHARACTERS * changed.length);
    return changed;
  }
}

/** A missing account as go-ethereum sees it: without a code hash, which it therefore reports as a change. */
const GONE = { balance: 0n, nonce: 0n, codeHash: new Uint8Array(32) };
const ZERO = new Uint8Array(32);

/** Returns a slot's value, which may come without its leading zeros, as 32 bytes. */
function asWord(value: Uint8Array): Uint8Array {
  return value.length === 32 ? value : toWord(value);
}

function isNotZero({ value }: ShownSlot): boolean {
  return !sameBytes(value, ZERO);
}

function allSlots({ slots }: Seen): ShownSlot[] {
  return Array.from(slots.values(), ({ slot, before: value }) => ({ slot, value }));
}

/** Orders byte strings of the same length as their hex digits are ordered. */
function compareBytes(a: Uint8Array, b: Uint8Array): number {
  let i = 0;
  while (i < a.length && a[i] === b[i]) i++;
  return i === a.length ? 0 : a[i]! - b[i]!;
}

/** Writes accounts as a JSON object: bytes, without making strings of codes and slots first. See DECISIONS.md. */
function writeAccounts(accounts: ShownAccount[]): void {
  accounts.sort((a, b) => compareBytes(a.address, b.address));
  let lead = '{"0x';
  for (const account of accounts) {
    WRITER.text(lead);
    WRITER.hex(account.address);
    WRITER.text('":{');
    writeMembers(account);
    lead = '},"0x';
  }
  WRITER.text(accounts.length === 0 ? '{}' : '}}');
}

function writeMembers({ balance, code, codeHash, nonce, storage }: ShownAccount): void {
  let comma = '';
  const begin = (name: string): void => {
    WRITER.text(comma);
    WRITER.text(name);
    comma = ',';
  };
  const hex = (name: string, bytes: Uint8Array): void => {
    begin(name);
    WRITER.hex(bytes);
    WRITER.text('"');
  };
  if (balance !== undefined) begin(`"balance":"${toQuantity(balance)}"`);
  if (code !== undefined) hex('"code":"0x', code);
  if (codeHash !== undefined) hex('"codeHash":"0x', codeHash);
  if (nonce !== undefined && nonce !== 0n) begin(`"nonce":${nonce}`);
  if (storage.length === 0) return;
  begin('"storage":');
  writeSlots(storage);
}

function writeSlots(slots: ShownSlot[]): void {
  slots.sort((a, b) => compareBytes(a.slot, b.slot));
  let lead = '{"0x';
  for (const { slot, value } of slots) {
    WRITER.text(lead);
    WRITER.hex(slot);
    WRITER.text('":"0x');
    WRITER.hex(value);
    lead = '","0x';
  }
  WRITER.text('"}');
}
