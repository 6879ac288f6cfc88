// Random blocks, reorgs and restarts, compared with a model that keeps the whole state of every block in Maps.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { ArchiveReader } from '../../../src/state/archive/reader.js';
import { ArchiveWriter } from '../../../src/state/archive/writer.js';
import type { CompleteBlock } from '../../../src/state/complete-block.js';
import { type AccountState, EMPTY_CODE_HASH } from '../../../src/state/views/state-view.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { CHAIN, addressOf, blockOf, diffOf, digest, envOf, slotOf, text } from './blocks.js';
import { rounds } from '../../support/rounds.js';

const NAMES = 4;
/** Neighbours in key order: only the last byte of the prefix differs. */
const ADDRESSES = Array.from({ length: NAMES }, (_, name) =>
  Uint8Array.of(...addressOf('a').subarray(0, 19), name === 3 ? 255 : name),
);
const SLOTS = Array.from({ length: NAMES }, (_, name) =>
  Uint8Array.of(...slotOf('s').subarray(0, 31), name === 3 ? 255 : name),
);
const CODE = Uint8Array.of(0x60, 0x00);
const CODE_HASH = digest('code');

type Accounts = Map<number, AccountState>;
type Words = Map<string, Uint8Array>;
interface Level {
  readonly block: CompleteBlock;
  readonly salt: string;
  readonly accounts: Accounts;
  readonly words: Words;
}

const number64 = fc.oneof(fc.bigInt(0n, 300n), fc.constant(2n ** 64n - 1n));
const number256 = fc.oneof(fc.bigInt(0n, 300n), fc.constant(2n ** 256n - 1n), fc.bigInt(0n, 2n ** 90n));
const account = fc.record({
  nonce: number64,
  balance: number256,
  codeHash: fc.constantFrom(EMPTY_CODE_HASH, CODE_HASH),
});
const name = fc.nat(NAMES - 1);
const zeros = new Uint8Array(32);
const word = fc.oneof(
  fc.constant(zeros),
  fc
    .uint8Array({ minLength: 1, maxLength: 32 })
    .map((bytes) => Uint8Array.of(...zeros.subarray(bytes.length), ...bytes)),
);
/** Block numbers around which different bytes change and carry. */
const first = fc.constantFrom(0, 1, 254, 65_530, 2 ** 32 - 3, 2 ** 40);
const write = fc.record({
  kind: fc.constant('write' as const),
  accounts: fc.uniqueArray(fc.tuple(name, fc.option(account)), { selector: ([who]) => who }),
  words: fc.uniqueArray(fc.tuple(name, name, word), { selector: ([who, slot]) => `${who}/${slot}` }),
});
const step = fc.oneof(
  { weight: 10, arbitrary: write },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('replace' as const), depth: fc.nat(4) }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'restart' as const }) },
);

void test('state at every height, heads and blocks of the archive equal those of the model', async () => {
  const property = fc.asyncProperty(first, fc.array(step, { minLength: 1, maxLength: 25 }), async (base, steps) => {
    const dir = temporaryFolder();
    let writer = ArchiveWriter.open(dir, CHAIN);
    let levels: Level[] = [];
    const gone = new Set<CompleteBlock>();
    for (const [salt, each] of steps.entries()) {
      if (each.kind === 'write') levels = await writeBlock(writer, levels, base, String(salt), each);
      else if (each.kind === 'replace') levels = await replace(writer, levels, each.depth, gone);
      else {
        await writer.close();
        writer = ArchiveWriter.open(dir, CHAIN);
      }
      checkNewest(writer, levels.at(-1));
    }
    checkAll(writer.reader, base, levels);
    checkGone(writer.reader, gone);
    const reader = ArchiveReader.open(dir);
    checkAll(reader, base, levels);
    await reader.close();
    await writer.close();
  });
  await fc.assert(property, { numRuns: rounds(10), seed: 20 });
});

async function writeBlock(
  writer: ArchiveWriter,
  levels: Level[],
  base: number,
  salt: string,
  changes: { accounts: [number, AccountState | null][]; words: [number, number, Uint8Array][] },
): Promise<Level[]> {
  const block = blockOf(base + levels.length, salt);
  const below = levels.at(-1);
  const level = { block, salt, accounts: new Map(below?.accounts), words: new Map(below?.words) };
  for (const [who, value] of changes.accounts) {
    if (value === null) level.accounts.delete(who);
    else level.accounts.set(who, value);
  }
  for (const [who, slot, value] of changes.words) level.words.set(`${who}/${slot}`, value);
  const accounts = changes.accounts.map(([who, value]) => ({ address: at(ADDRESSES, who), account: value }));
  const slots = changes.words.map(([who, slot, value]) => ({
    address: at(ADDRESSES, who),
    slot: at(SLOTS, slot),
    value,
  }));
  await writer.write(block, diffOf(block, { accounts, slots, codes: [{ hash: CODE_HASH, bytes: CODE }] }, salt));
  return [...levels, level];
}

/** The first block cannot be replaced, and a replacement above the head changes nothing. */
async function replace(
  writer: ArchiveWriter,
  levels: Level[],
  depth: number,
  gone: Set<CompleteBlock>,
): Promise<Level[]> {
  const head = levels.at(-1)?.block.number;
  if (head === undefined) return levels;
  const keep = levels.length - depth;
  if (keep < 1) {
    await assert.rejects(writer.replaceFrom(head + 1 - depth), /too deep/);
    return levels;
  }
  await writer.replaceFrom(head + 1 - depth);
  for (const { block } of levels.slice(keep)) gone.add(block);
  return levels.slice(0, keep);
}

/** The state that a restart would restore. */
function checkNewest(writer: ArchiveWriter, top: Level | undefined): void {
  assert.deepEqual(writer.head()?.hash ?? null, top?.block.hash ?? null);
  const accounts = new Map([...writer.accounts()].map(({ address, account: value }) => [hex(address), value]));
  const expected = new Map([...(top?.accounts ?? [])].map(([who, value]) => [hex(at(ADDRESSES, who)), value]));
  assert.deepEqual(sorted(accounts), sorted(expected));
  const words = [...(top?.words ?? [])].filter(([, value]) => !zeros.every((zero, index) => value[index] === zero));
  const slots = [...writer.slots()].map(
    ({ address, slot, value }) => [`${hex(address)}/${hex(slot)}`, hex(value)] as const,
  );
  assert.deepEqual(sorted(new Map(slots)), sorted(new Map(words.map(([key, value]) => [keyOf(key), hex(value)]))));
  assert.equal(slots.length, words.length);
}

function checkAll(reader: ArchiveReader, base: number, levels: Level[]): void {
  assert.equal(reader.viewAt(base + levels.length), null);
  assert.equal(reader.viewAt(base - 1 < 0 ? 1_000_000 : base - 1), null);
  for (const level of levels) checkLevel(reader, base, level);
}

/** A replaced block cannot be found by anything that referred to it. */
function checkGone(reader: ArchiveReader, gone: ReadonlySet<CompleteBlock>): void {
  for (const { hash, transactions } of gone) {
    assert.equal(reader.numberOfHash(hash), null);
    for (const transaction of transactions) assert.equal(reader.transaction(transaction.hash), null);
  }
}

function checkLevel(reader: ArchiveReader, base: number, { block, salt, accounts, words }: Level): void {
  const view = reader.viewAt(block.number);
  assert.ok(view !== null);
  ADDRESSES.forEach((address, who) => {
    assert.equal(text(view.account(address)), text(accounts.get(who) ?? null));
    SLOTS.forEach((slot, index) =>
      assert.equal(hex(view.storage(address, slot)), hex(words.get(`${who}/${index}`) ?? zeros)),
    );
  });
  assert.equal(view.account(addressOf('nobody')), null);
  assert.deepEqual(text(reader.block(block.number)), text(block));
  assert.deepEqual(text(reader.record(block.number)?.env), text(envOf(block.number, salt)));
  assert.equal(reader.numberOfHash(block.hash), block.number);
  assert.deepEqual(view.blockHash(block.number), block.hash);
  assert.equal(view.blockHash(base - 1), null);
  block.transactions.forEach(({ hash }, index) =>
    assert.deepEqual(reader.transaction(hash), { block: block.number, index }),
  );
}

function at<T>(items: readonly T[], index: number): T {
  const item = items[index];
  if (item === undefined) throw new Error(`no item ${index}`);
  return item;
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

function keyOf(key: string): string {
  const [who, slot] = key.split('/').map(Number);
  return `${hex(at(ADDRESSES, who ?? -1))}/${hex(at(SLOTS, slot ?? -1))}`;
}

function sorted<V>(map: Map<string, V>): [string, string][] {
  return [...map].map(([key, value]): [string, string] => [key, text(value)]).sort(([a], [b]) => (a < b ? -1 : 1));
}
