// The shared table compared with a model that copies everything for every version: increments, blocks, reorgs,
// deletions, growth, reclamation under pins, and failed publications.
import assert from 'node:assert/strict';
import test from 'node:test';
import * as fc from 'fast-check';
import type { AccountChange, SlotChange, StateDiff } from '../../../src/state/state-diff.js';
import type { Pin } from '../../../src/state/table/layout/reader-pins.js';
import { TableWriter, type TableOptions } from '../../../src/state/table/writer.js';
import {
  type Snapshot,
  TableReader,
  VersionNotKept,
  type VersionRecord,
} from '../../../src/state/table/read/table-reader-and-snapshot.js';
import { EMPTY_CODE_HASH, type AccountState } from '../../../src/state/views/state-view.js';
import { account, addressOf, bytes, deleted, diffOf, hashOf, slot, wordOf } from '../diffs.js';
import { rounds } from '../../support/rounds.js';

const RUNS = rounds(6);
const ACCOUNTS = 6;
const SLOTS = 3;
const CODES = 8;
const codeHashOf = (code: number): Uint8Array => (code === 0 ? EMPTY_CODE_HASH : bytes(32, 0xc0de00 + code));
const codeOf = (code: number): Uint8Array => new Uint8Array(code * 7).fill(code);
const BALANCES = [0n, 5n, 2n ** 64n + 1n, 2n ** 128n - 1n, 2n ** 128n, 2n ** 255n + 9n, 2n ** 256n - 1n];

interface Block {
  readonly number: number;
  readonly hash: Uint8Array;
  readonly version: number;
}

/** The expected contents of one version. */
interface Truth {
  readonly diff: StateDiff;
  readonly accounts: ReadonlyMap<number, AccountState>;
  readonly slots: ReadonlyMap<string, Uint8Array>;
  readonly chain: readonly Block[];
}

interface Changes {
  readonly accounts: readonly AccountChange[];
  readonly slots: readonly SlotChange[];
}

type Move = { readonly fork: number; readonly depth: number } & (
  | { readonly kind: 'increment' | 'complete' | 'open' | 'gap' }
  | { readonly kind: 'reorg'; readonly completes: boolean; readonly isKnownParent: boolean }
);

type Step =
  | { readonly kind: 'publish'; readonly move: Move; readonly changes: Changes }
  | { readonly kind: 'fail'; readonly changes: Changes }
  | { readonly kind: 'pin'; readonly reader: number; readonly back: number }
  | { readonly kind: 'unpin'; readonly reader: number };

const changedAccount = fc.tuple(
  fc.nat(ACCOUNTS - 1),
  fc.option(fc.tuple(fc.bigInt(0n, 2n ** 64n - 1n), fc.constantFrom(...BALANCES), fc.nat(CODES - 1)), { freq: 4 }),
);
const changedSlot = fc.tuple(fc.nat(ACCOUNTS - 1), fc.nat(SLOTS - 1), fc.nat(3));

const changes: fc.Arbitrary<Changes> = fc.record({
  accounts: fc
    .uniqueArray(changedAccount, { selector: ([index]) => index, maxLength: 6 })
    .map((list) => list.map(([index, to]) => toAccount(index, to))),
  slots: fc
    .uniqueArray(changedSlot, { selector: ([index, key]) => index * SLOTS + key, maxLength: 12 })
    .map((list) => list.map(([index, key, value]) => slot(index, key, value))),
});

function toAccount(index: number, to: readonly [bigint, bigint, number] | null): AccountChange {
  return to === null ? deleted(index) : account(index, to[0], to[1], codeHashOf(to[2]));
}

const where = { fork: fc.nat(15), depth: fc.nat(4) };
const move: fc.Arbitrary<Move> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constantFrom('increment', 'complete', 'open'), ...where }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('gap' as const), ...where }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('reorg' as const),
      completes: fc.boolean(),
      isKnownParent: fc.boolean(),
      ...where,
    }),
  },
);

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 12, arbitrary: fc.record({ kind: fc.constant('publish' as const), move, changes }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('fail' as const), changes }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('pin' as const), reader: fc.nat(2), back: fc.nat(12) }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('unpin' as const), reader: fc.nat(2) }) },
  ),
  { minLength: 1, maxLength: 80, size: 'max' },
);

const TINY = { accounts: 2, slots: 2, codeBytes: 16, olderBytes: 64, versionsKept: 9, blocksKept: 3 };

/** The default table, and one that is always being copied, a few buckets after each publication. */
const TUNINGS = [{}, { isEager: true, sliceBuckets: 5 }] as const;

for (const tuning of TUNINGS) {
  const how = 'isEager' in tuning ? ', copied all the time' : '';
  test(`every kept or pinned version reads as in the model, also from buffers the table has outgrown${how}`, () => {
    fc.assert(
      fc.property(steps, (list) => new Run({ ...TINY, ...tuning, olderBytesMax: 2 ** 20 }, true).play(list)),
      { numRuns: RUNS, seed: 7 },
    );
  });

  test(`with a bound on older values pins are dropped, but nothing wrong is ever read${how}`, () => {
    fc.assert(
      fc.property(steps, (list) => new Run({ ...TINY, ...tuning, olderBytesMax: 64 * 32 }, false).play(list)),
      { numRuns: RUNS, seed: 8 },
    );
  });
}

/** One table, its model and three pins. */
class Run {
  readonly #truths: Truth[] = [];
  readonly #isPinSafe: boolean;
  readonly #retired: TableReader[] = [];
  readonly #writer: TableWriter;
  #reader: TableReader;
  #pins: Pin[] = [];
  /** The version that each pin protects; 0 for none. */
  #version: number[] = [];

  constructor(options: Partial<TableOptions>, isPinSafe: boolean) {
    this.#isPinSafe = isPinSafe;
    this.#writer = TableWriter.create(options);
    this.#reader = this.#follow();
  }

  play(list: readonly Step[]): void {
    for (const step of list) {
      switch (step.kind) {
        case 'publish':
          this.#publish(this.#diff(step.move, step.changes));
          break;
        case 'fail':
          this.#fail(step.changes);
          break;
        case 'pin':
          this.#pin(step.reader, step.back);
          break;
        case 'unpin':
          this.#pins[step.reader]!.unpin();
          this.#version[step.reader] = 0;
          break;
      }
      this.#check(this.#reader);
    }
    for (const reader of this.#retired) this.#check(reader);
  }

  #follow(): TableReader {
    this.#reader = new TableReader(this.#writer.buffer);
    this.#pins = [0, 1, 2].map(() => this.#reader.acquirePin());
    this.#version = [0, 0, 0];
    return this.#reader;
  }

  #publish(diff: StateDiff): void {
    const before = this.#writer.generation;
    const version = this.#writer.publish(diff);
    this.#truths.push(apply(this.#truths.at(-1), diff, version));
    assert.equal(version, this.#truths.length);
    if (this.#writer.generation === before) return;
    this.#retired.push(this.#reader);
    this.#follow();
  }

  /** A publication that fails after everything but its last change was written. */
  #fail({ accounts, slots }: Changes): void {
    const first = accounts[0] ?? account(0, 1n);
    const doomed = { accounts: [...accounts, first, ...(accounts.length === 0 ? [first] : [])], slots };
    if (this.#truths.length === 0) return;
    const generation = this.#writer.generation;
    assert.throws(
      () => this.#writer.publish(this.#diff({ kind: 'increment', fork: 0, depth: 0 }, doomed)),
      /changed twice/,
    );
    if (this.#writer.generation !== generation) this.#follow();
  }

  #pin(reader: number, back: number): void {
    const version = this.#truths.length - back;
    if (version < 1) return;
    const pin = this.#pins[reader]!;
    const isKept = this.#reader.isKept(version) || (this.#version[reader] !== 0 && this.#version[reader]! <= version);
    assert.equal(pin.pin(version), isKept, 'a version that is kept can be pinned, and no other');
    if (isKept) this.#version[reader] = version;
  }

  #check(reader: TableReader): void {
    const pinned = reader === this.#reader ? Math.min(...this.#version.filter((pins) => pins !== 0)) : Infinity;
    for (let version = 1; version <= reader.newest(); version++) {
      const isKept = reader.isKept(version);
      const isSure = isKept || (this.#isPinSafe && version >= pinned);
      checkState(reader, version, this.#truths[version - 1]!, isSure);
      if (isKept) checkRecord(reader, version, this.#truths[version - 1]!);
    }
  }

  #diff(to: Move, changed: Changes): StateDiff {
    const last = this.#truths.at(-1);
    const at = last?.diff.coordinates ?? { block: 3, index: 0, hash: hashOf(3), parentHash: hashOf(2) };
    const blockOf = { increment: at.block, complete: at.block, open: at.block + 1, gap: at.block + 1 + to.depth };
    const block = to.kind === 'reorg' ? Math.max(1, at.block - to.depth) : blockOf[to.kind];
    const isComplete = to.kind === 'complete' || (to.kind === 'reorg' && to.completes);
    const hash = isComplete ? hashOf(block, to.fork) : null;
    const parent = parentOf(last, block);
    const isStray = to.kind === 'reorg' && !to.isKnownParent;
    const parentHash = isStray
      ? bytes(32, 0xbad)
      : to.kind === 'open'
        ? (at.hash ?? hashOf(at.block, to.fork))
        : parent;
    const latest = isComplete ? block : block - 1 - (to.depth % 2);
    const codes = changed.accounts.flatMap((change) => codesOf(change));
    return diffOf({ block, index: at.index + 1, parentHash, latest, ...changed, codes, ...(hash && { hash }) });
  }
}

function parentOf(last: Truth | undefined, block: number): Uint8Array {
  if (last?.diff.coordinates.block === block) return last.diff.coordinates.parentHash;
  return last?.chain.find(({ number }) => number === block - 1)?.hash ?? hashOf(block - 1, 3);
}

function codesOf({ account: to }: AccountChange): { hash: Uint8Array; bytes: Uint8Array }[] {
  const code =
    to === null ? 0 : Array.from({ length: CODES }, (_, i) => i).find((i) => isEqual(codeHashOf(i), to.codeHash));
  return code === undefined || code === 0 ? [] : [{ hash: codeHashOf(code), bytes: codeOf(code) }];
}

function apply(last: Truth | undefined, diff: StateDiff, version: number): Truth {
  const accounts = new Map(last?.accounts);
  const slots = new Map(last?.slots);
  for (const { address, account: to } of diff.accounts) {
    if (to === null) accounts.delete(address[19]!);
    else accounts.set(address[19]!, to);
  }
  for (const { address, slot: key, value } of diff.slots) slots.set(`${address[19]!}/${key[31]!}`, value);
  return { diff, accounts, slots, chain: chainOf(last, diff, version) };
}

function chainOf(last: Truth | undefined, { coordinates }: StateDiff, version: number): Block[] {
  const { block, hash, parentHash } = coordinates;
  let chain = [...(last?.chain ?? [])];
  const before = last?.diff.coordinates;
  if (before?.hash === null && before.block === block - 1) {
    chain.push({ number: block - 1, hash: parentHash, version: version - 1 });
  }
  chain = chain.filter(({ number }) => number < block);
  const parent = chain.at(-1);
  if (parent?.number === block - 1 && !isEqual(parent.hash, parentHash)) chain = [];
  return hash === null ? chain : [...chain, { number: block, hash, version }];
}

/** Reads everything at a version: it must be right, or refused where that is allowed. */
function checkState(reader: TableReader, version: number, truth: Truth, isSure: boolean): void {
  const snapshot = unlessGone(isSure, () => reader.snapshot(version));
  if (snapshot === GONE) return;
  for (let index = 0; index < ACCOUNTS; index++) {
    checkAccount(snapshot, index, truth, isSure);
    for (let key = 0; key < SLOTS; key++) checkSlot(snapshot, index, key, truth, isSure);
  }
}

function checkAccount(snapshot: Snapshot, index: number, truth: Truth, isSure: boolean): void {
  const seen = unlessGone(isSure, () => snapshot.account(addressOf(index)));
  if (seen === GONE) return;
  assert.deepEqual(seen, truth.accounts.get(index) ?? null);
  if (seen !== null) checkCode(snapshot.code(seen.codeHash), seen.codeHash);
}

function checkSlot(snapshot: Snapshot, index: number, key: number, truth: Truth, isSure: boolean): void {
  const word = unlessGone(isSure, () => snapshot.storage(addressOf(index), wordOf(key)));
  if (word !== GONE) assert.deepEqual(word, truth.slots.get(`${index}/${key}`) ?? wordOf(0));
}

function checkCode(code: Uint8Array, hash: Uint8Array): void {
  const index = Array.from({ length: CODES }, (_, i) => i).find((i) => isEqual(codeHashOf(i), hash))!;
  assert.deepEqual(new Uint8Array(code), codeOf(index));
}

function checkRecord(reader: TableReader, version: number, { diff, chain }: Truth): void {
  const record: VersionRecord = reader.record(version);
  assert.deepEqual(record.coordinates, diff.coordinates);
  assert.deepEqual(record.env, diff.env);
  assert.deepEqual(record.heads, diff.heads);
  const { latest } = diff.heads;
  assert.equal(record.latestVersion, chain.find(({ number }) => number === latest)?.version ?? 0);
  const snapshot = reader.snapshot(version);
  for (const { number, hash, version: completed } of chain) {
    assert.deepEqual(
      snapshot.blockHash(number),
      number === diff.coordinates.block - 1 ? diff.coordinates.parentHash : hash,
    );
    const expected = number <= latest && reader.isKept(completed) ? completed : 0;
    assert.equal(reader.versionOfBlock(number, version), expected);
    if (number > latest) continue;
    // A block that is published again has two records with the same hash.
    assert.equal(reader.blockOfHash(hash, version), number);
  }
}

const GONE = Symbol('gone');

function unlessGone<T>(isSure: boolean, read: () => T): T | typeof GONE {
  try {
    return read();
  } catch (error) {
    if (isSure || !(error instanceof VersionNotKept)) throw error;
    return GONE;
  }
}

function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}
