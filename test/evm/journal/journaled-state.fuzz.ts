// JournaledState compared with a model that copies everything: random writes, checkpoints, reverts and change reports.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { JournaledState } from '../../../src/evm/journal/journaled-state.js';
import { toHex } from '../../../src/lib/bytes/hex.js';
import { EMPTY_CODE_HASH, type AccountState, type StateView } from '../../../src/state/views/state-view.js';
import { MemoryView } from '../../support/memory-view.js';
import { rounds } from '../../support/rounds.js';

const ADDRESSES = [1, 2, 3, 4].map((n) => new Uint8Array(20).fill(n));
const SLOTS = [0, 1, 2].map((n) => new Uint8Array(32).fill(n));
const WORDS = ['', '01', '0100', 'ff'.repeat(32)].map((text) => Buffer.from(text, 'hex'));

/** The whole state as text, one line per item. */
type Lines = Map<string, string>;

interface Model {
  now: Lines;
  /** Original value of every slot that was written in this transaction. */
  original: Lines;
  /** Transaction in which each account's storage was last erased; in it, all slots count as originally empty. */
  erasedIn: Map<string, number>;
  transaction: number;
  readonly saved: Pick<Model, 'now' | 'erasedIn'>[];
}

/** `reported` is the starting state with all reports so far applied; the starting state itself never changes. */
type Step = (state: JournaledState, model: Model, reported: MemoryView) => void;

const address = fc.constantFrom(...ADDRESSES);
const slot = fc.constantFrom(...SLOTS);

const writes: fc.Arbitrary<Step>[] = [
  fc.tuple(address, fc.nat(3), fc.nat(3)).map(([who, nonce, balance]) => (state, model) => {
    const codeHash = state.accountOf(who)?.codeHash ?? EMPTY_CODE_HASH;
    state.setAccount(who, { nonce: BigInt(nonce), balance: BigInt(balance), codeHash });
    model.now.set(accountKey(who), accountText({ nonce: BigInt(nonce), balance: BigInt(balance), codeHash }));
  }),
  fc.tuple(address, fc.uint8Array({ maxLength: 3 })).map(([who, code]) => (state, model) => {
    state.setCode(who, code);
    assert.deepEqual([...state.codeOf(who)], [...code]);
    model.now.set(accountKey(who), accountText(state.accountOf(who)));
  }),
  fc.tuple(address, slot, fc.constantFrom(...WORDS)).map(([who, where, word]) => (state, model) => {
    writeSlot(model, slotKey(who, where), word.toString('hex'));
    state.setStorage(who, where, word);
  }),
  address.map((who) => (state, model) => {
    erase(model, who);
    state.eraseStorage(who);
  }),
  address.map((who) => (state, model) => {
    erase(model, who);
    model.now.set(accountKey(who), 'none');
    state.removeAccount(who);
  }),
];

// Reads single items at random: an entry whose first read is late must be correct as well.
const reads: fc.Arbitrary<Step>[] = [
  fc.tuple(address, slot).map(([who, where]) => (state, model) => {
    assert.equal(toHex(state.storageOf(who, where)).slice(2), model.now.get(slotKey(who, where)));
  }),
  address.map((who) => (state, model) => {
    assert.equal(accountText(state.accountOf(who)), model.now.get(accountKey(who)));
  }),
];

const control: fc.Arbitrary<Step>[] = [
  fc.constant((state, model) => {
    state.mark();
    model.saved.push({ now: new Map(model.now), erasedIn: new Map(model.erasedIn) });
  }),
  fc.constant((state, model) => {
    if (model.saved.pop() === undefined) return;
    state.keep();
    if (model.saved.length === 0) beginTransaction(model);
  }),
  fc.constant((state, model) => {
    const saved = model.saved.pop();
    if (saved === undefined) return;
    state.undo();
    Object.assign(model, saved);
    if (model.saved.length === 0) beginTransaction(model);
  }),
  fc.constant((state, model, reported) => {
    if (model.saved.length > 0) return;
    report(state, model, reported);
    beginTransaction(model);
  }),
  fc.constant((state, model) => {
    state.beginTransaction();
    beginTransaction(model);
  }),
];

void test('reads, original values, reverts and reported changes equal those of the model', () => {
  const kinds = [
    { weight: 4, arbitrary: fc.oneof(...writes) },
    { weight: 1, arbitrary: fc.oneof(...reads) },
    { weight: 3, arbitrary: fc.oneof(...control) },
  ];
  const steps = fc.array(fc.oneof(...kinds), { maxLength: 40 });
  fc.assert(
    fc.property(steps, fc.boolean(), (list, originals) => {
      const base = startingState();
      const reported = startingState();
      const state = new JournaledState(base, { slotsOf: (who) => base.slotsOf(who) });
      const model = modelOf(base);
      for (const step of list) step(state, model, reported);
      if (originals) compareOriginals(state, model);
      while (model.saved.length > 0) {
        state.undo();
        Object.assign(model, model.saved.pop());
      }
      if (originals) compare(state, model);
      report(state, model, reported);
    }),
    { seed: 20_260_101, numRuns: rounds(1500) },
  );
});

void test('reset forgets every change', () => {
  const state = new JournaledState(startingState());
  state.mark();
  state.setStorage(ADDRESSES[0]!, SLOTS[0]!, WORDS[1]!);
  state.removeAccount(ADDRESSES[1]!);
  const fresh = startingState();
  state.reset(fresh);
  compare(state, modelOf(fresh));
  assert.deepEqual(state.changes(), { accounts: [], slots: [], codes: [] });
});

void test('after a reset to a view with the same stamp nothing written before is left', () => {
  const steps = fc.array(fc.oneof(...writes, ...reads, ...control), { maxLength: 12 });
  fc.assert(
    fc.property(fc.array(steps, { minLength: 2, maxLength: 5 }), (jobs) => {
      const base = startingState();
      const stamped = { ...viewOf(base), stamp: 1 };
      const parts = { slotsOf: (who: Uint8Array) => base.slotsOf(who) };
      const state = new JournaledState(stamped, parts);
      for (const job of jobs) {
        const model = modelOf(base);
        const reported = startingState();
        for (const step of job) step(state, model, reported);
        state.reset(stamped, parts);
        for (const who of ADDRESSES) assert.equal(state.isWritten(who), false);
        compare(state, modelOf(base));
        assert.deepEqual(state.changes(), { accounts: [], slots: [], codes: [] });
        // Reported values no longer belong to a view.
        state.reset(stamped, parts);
      }
    }),
    { seed: 20_260_102, numRuns: rounds(500) },
  );
});

void test('an account is read once for all views with one stamp, and again for other views or after a write', () => {
  const base = startingState();
  let count = 0;
  const counting = (stamp?: number): StateView => ({
    ...viewOf(base),
    ...(stamp === undefined ? {} : { stamp }),
    account: (who) => {
      count++;
      return base.account(who);
    },
  });
  const state = new JournaledState(counting(1));
  const readsOf = (view: StateView, write = false): number => {
    const before = count;
    state.reset(view);
    state.mark();
    const { codeHash, nonce, balance } = state.accountOf(ADDRESSES[0]!)!;
    assert.equal(nonce, 1n);
    if (write) state.setAccount(ADDRESSES[0]!, { codeHash, nonce: nonce + 1n, balance });
    state.undoAll();
    return count - before;
  };
  assert.deepEqual(
    [counting(1), counting(1), counting(2), counting(), counting()].map((view) => readsOf(view)),
    [1, 0, 1, 1, 1],
  );
  assert.deepEqual(
    [true, true, false, false].map((write) => readsOf(counting(3), write)),
    [1, 1, 1, 0],
  );
});

function viewOf(base: MemoryView): StateView {
  return {
    account: (who) => base.account(who),
    code: (hash) => base.code(hash),
    storage: (who, where) => base.storage(who, where),
    blockHash: (number) => base.blockHash(number),
  };
}

function startingState(): MemoryView {
  return new MemoryView()
    .put(ADDRESSES[0]!, { nonce: 1n, balance: 2n, code: '0x6000', storage: { '00': 5n, ['01'.repeat(32)]: 6n } })
    .put(ADDRESSES[1]!, { balance: 3n });
}

/**
 * Applying the report to the previously reported state must yield the model, and it must not repeat what was already
 * reported.
 */
function report(state: JournaledState, model: Model, reported: MemoryView): void {
  const before = linesOf(reported);
  const { accounts, slots, codes } = state.changes();
  for (const { hash, bytes } of codes) reported.setCode(hash, bytes);
  for (const { address: who, account } of accounts) {
    assert.notEqual(accountText(account), before.get(accountKey(who)), 'an account that did not change');
    reported.set(who, account);
    if (account !== null) reported.code(account.codeHash);
  }
  for (const { address: who, slot: where, value } of slots) {
    assert.notEqual(shortHex(value), before.get(slotKey(who, where)), 'a slot that did not change');
    reported.setSlot(who, where, value);
  }
  assert.deepEqual(linesOf(reported), model.now);
  assert.deepEqual(state.changes(), { accounts: [], slots: [], codes: [] });
}

function compare(state: JournaledState, model: Model): void {
  for (const who of ADDRESSES) {
    assert.equal(accountText(state.accountOf(who)), model.now.get(accountKey(who)));
    for (const where of SLOTS)
      assert.equal(toHex(state.storageOf(who, where)).slice(2), model.now.get(slotKey(who, where)));
  }
}

function compareOriginals(state: JournaledState, model: Model): void {
  for (const who of ADDRESSES) {
    for (const where of SLOTS) {
      const key = slotKey(who, where);
      const isErased = model.erasedIn.get(accountKey(who)) === model.transaction;
      const expected = isErased ? '' : (model.original.get(key) ?? model.now.get(key));
      const found = state.originalOf(who, where);
      assert.equal(toHex(found).slice(2), expected);
    }
  }
}

function linesOf(view: MemoryView): Lines {
  const lines: Lines = new Map();
  for (const who of ADDRESSES) {
    lines.set(accountKey(who), accountText(view.account(who)));
    for (const where of SLOTS) lines.set(slotKey(who, where), shortHex(view.storage(who, where)));
  }
  return lines;
}

function writeSlot(model: Model, key: string, word: string): void {
  if (!model.original.has(key)) model.original.set(key, model.now.get(key)!);
  model.now.set(key, word);
}

function modelOf(view: MemoryView): Model {
  return { now: linesOf(view), original: new Map(), erasedIn: new Map(), transaction: 1, saved: [] };
}

function beginTransaction(model: Model): void {
  model.original.clear();
  model.transaction++;
}

function erase(model: Model, who: Uint8Array): void {
  model.erasedIn.set(accountKey(who), model.transaction);
  for (const where of SLOTS) if (model.now.get(slotKey(who, where)) !== '') writeSlot(model, slotKey(who, where), '');
}

function accountKey(who: Uint8Array): string {
  return toHex(who);
}

function slotKey(who: Uint8Array, where: Uint8Array): string {
  return toHex(who) + toHex(where);
}

function accountText(account: AccountState | null): string {
  return account === null ? 'none' : `${account.nonce} ${account.balance} ${toHex(account.codeHash)}`;
}

function shortHex(word: Uint8Array): string {
  return toHex(word)
    .slice(2)
    .replace(/^(00)+/, '');
}
