// Cost of the shared table against LMDB and a JavaScript Map: a look-up, and a publication of changes.
// `node dist/bench/state.bench.js [entries...]`; 10,000, 1,000,000 and 5,000,000 storage slots without arguments.
import { randomFillSync } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { open } from 'lmdb';
import type { BlockEnv, SlotChange, StateDiff } from '../src/state/diff.js';
import { TableWriter } from '../src/state/table/writer.js';
import { openTable } from '../src/state/table/layout/table.js';
import { readSlot } from '../src/state/table/read/entry-reader.js';
import { TableReader } from '../src/state/table/read/snapshot.js';
import { EMPTY_CODE_HASH } from '../src/state/views/view.js';

const KEY_WORDS = 13;
const KEY_BYTES = 52;
const SAMPLE = 200_000;
/** The best of these rounds counts for look-ups, the median of publications for those. */
const ROUNDS = 9;
const LOAD = 100_000;
const PUBLICATIONS = 20;

/** Packed keys, 13 words each; some of them, in random order, lie in `sample` one behind the other, as in requests. */
interface Keys {
  readonly count: number;
  readonly bytes: Buffer;
  readonly sample: Uint32Array;
  readonly sampleBytes: Buffer;
}

/**
 * One store under test. `read` looks every key of the sample up and returns a sum, so that nothing is optimised away.
 */
interface Store {
  readonly name: string;
  readonly load: (changes: readonly SlotChange[]) => void;
  readonly read: (keys: Keys) => number;
  readonly close: () => void;
}

interface Result {
  readonly name: string;
  readonly readNs: number;
  readonly small: number;
  readonly large: number;
}

function makeKeys(count: number): Keys {
  const words = new Uint32Array(count * KEY_WORDS);
  for (let at = 0; at < words.length; at += 2 ** 28) randomFillSync(words.subarray(at, at + 2 ** 28));
  const sample = new Uint32Array(SAMPLE * KEY_WORDS);
  for (let at = 0; at < sample.length; at += KEY_WORDS) {
    const key = Math.floor(Math.random() * count) * KEY_WORDS;
    sample.set(words.subarray(key, key + KEY_WORDS), at);
  }
  return { count, bytes: Buffer.from(words.buffer), sample, sampleBytes: Buffer.from(sample.buffer) };
}

function changesOf(keys: Keys, indices: readonly number[]): SlotChange[] {
  return indices.map((index) => {
    const at = index * KEY_BYTES;
    const value = randomFillSync(new Uint8Array(32));
    return { address: keys.bytes.slice(at, at + 20), slot: keys.bytes.slice(at + 20, at + KEY_BYTES), value };
  });
}

const ZERO = new Uint8Array(32);
const ENV: BlockEnv = {
  number: 0,
  timestamp: 0n,
  gasLimit: 0n,
  baseFeePerGas: 0n,
  coinbase: ZERO.subarray(12),
  prevRandao: ZERO,
  difficulty: 0n,
  excessBlobGas: 0n,
  parentBeaconBlockRoot: ZERO,
};

function diffOf(slots: readonly SlotChange[], block: number): StateDiff {
  const coordinates = { block, index: 0, hash: ZERO, parentHash: ZERO };
  const heads = { latest: block, safe: null, finalized: null };
  return { coordinates, env: { ...ENV, number: block }, heads, accounts: [], slots, codes: [] };
}

function keyOf({ address, slot }: SlotChange): Buffer {
  return Buffer.concat([address, slot]);
}

function tableStore(count: number): Store {
  const writer = TableWriter.create({ slots: count });
  let version = 0;
  return {
    name: 'table',
    load: (changes) => void (version = writer.publish(diffOf(changes, version))),
    read(keys) {
      const table = openTable(writer.buffer);
      const word = new Int32Array(8);
      let sum = 0;
      for (let at = 0; at < keys.sample.length; at += KEY_WORDS) {
        readSlot(table, keys.sample, at, at + 5, version, word);
        sum += word[7]!;
      }
      return sum;
    },
    close: () => {},
  };
}

function lmdbStore(): Store {
  const folder = mkdtempSync(join(tmpdir(), 'state-bench-'));
  const db = open<Buffer, Buffer>({ path: folder, keyEncoding: 'binary', encoding: 'binary', noSync: true });
  return {
    name: 'LMDB',
    load: (changes) =>
      db.transactionSync(() => {
        for (const change of changes) db.putSync(keyOf(change), Buffer.from(change.value));
      }),
    read(keys) {
      let sum = 0;
      for (let at = 0; at < keys.sampleBytes.length; at += KEY_BYTES) {
        sum += db.getBinaryFast(keys.sampleBytes.subarray(at, at + KEY_BYTES))![31]!;
      }
      return sum;
    },
    close() {
      void db.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Keys are the 52 bytes as a string of one-byte characters, the cheapest there is. */
function mapStore(): Store {
  const map = new Map<string, Uint8Array>();
  return {
    name: 'Map',
    load(changes) {
      for (const change of changes) map.set(keyOf(change).toString('latin1'), change.value);
    },
    read(keys) {
      let sum = 0;
      for (let at = 0; at < keys.sampleBytes.length; at += KEY_BYTES) {
        sum += map.get(keys.sampleBytes.toString('latin1', at, at + KEY_BYTES))![31]!;
      }
      return sum;
    },
    close: () => map.clear(),
  };
}

function timeOf(step: () => void): number {
  const start = performance.now();
  step();
  return performance.now() - start;
}

function median(times: readonly number[]): number {
  return [...times].sort((a, b) => a - b)[times.length >> 1]!;
}

const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

/** Median time of publishing so many changes of keys that are there, in milliseconds. */
function publishMs(store: Store, keys: Keys, changes: number): number {
  const times = range(PUBLICATIONS).map(() => {
    const indices = new Set(range(changes).map(() => Math.floor(Math.random() * keys.count)));
    const list = changesOf(keys, [...indices]);
    return timeOf(() => store.load(list));
  });
  return median(times);
}

function measure(store: Store, keys: Keys): Result {
  for (let from = 0; from < keys.count; from += LOAD) {
    store.load(
      changesOf(
        keys,
        range(Math.min(LOAD, keys.count - from)).map((index) => from + index),
      ),
    );
  }
  let sum = 0;
  const reads = range(ROUNDS).map(() => timeOf(() => (sum += store.read(keys))));
  if (sum === 0) throw new Error('nothing was read');
  const readNs = (Math.min(...reads) / SAMPLE) * 1e6;
  const [small, large] = [publishMs(store, keys, 1000), publishMs(store, keys, 10_000)];
  store.close();
  return { name: store.name, readNs, small, large };
}

/** A number and how many times the table's it is. */
function cell(value: number, one: number, digits: number): string {
  return `${value.toFixed(digits).padStart(8)} ${`${(value / one).toFixed(1)}x`.padStart(7)}`;
}

function compare(count: number): void {
  const keys = makeKeys(count);
  const results = [tableStore(count), lmdbStore(), mapStore()].map((store) => measure(store, keys));
  const base = results[0]!;
  console.log(`\n${count.toLocaleString('en')} slots      look-up, ns    1k changes, ms   10k changes, ms`);
  for (const { name, readNs, small, large } of results) {
    const cells = [cell(readNs, base.readNs, 0), cell(small, base.small, 2), cell(large, base.large, 2)];
    console.log(`  ${name.padEnd(10)} ${cells.join('  ')}`);
  }
}

/** Cost of the paths beside a look-up of the newest value, on a table that stays in the cache. */
function details(): void {
  const writer = TableWriter.create();
  const address = new Uint8Array(20).fill(7);
  const slot = new Uint8Array(32).fill(7);
  for (let block = 1; block <= 1000; block++) {
    const value = randomFillSync(new Uint8Array(32));
    const account = { nonce: BigInt(block), balance: BigInt(block), codeHash: EMPTY_CODE_HASH };
    writer.publish({ ...diffOf([{ address, slot, value }], block), accounts: [{ address, account }] });
  }
  const reader = new TableReader(writer.buffer);
  const pin = reader.acquirePin();
  const newest = pin.pinNewest();
  const snapshot = reader.snapshot(newest);
  const key = new Uint32Array(KEY_WORDS).fill(0x07070707);
  const word = new Int32Array(8);
  const table = openTable(writer.buffer);
  const slotAt = (version: number) => () => readSlot(table, key, 0, 5, version, word);
  console.log('\none key, in the cache                      ns');
  line('slot, packed', slotAt(newest));
  line('slot, packed, 10 versions back', slotAt(newest - 10));
  line('slot, packed, 100 versions back', slotAt(newest - 100));
  line('account as bigints', () => snapshot.account(address));
  line('slot as bytes', () => snapshot.storage(address, slot));
  line('version of the block 100 back', () => reader.versionOfBlock(900, newest));
  line('pin and unpin', () => {
    pin.pinNewest();
    pin.unpin();
  });
}

function line(name: string, step: () => unknown): void {
  const count = 200_000;
  const times = range(ROUNDS).map(() =>
    timeOf(() => {
      for (let i = 0; i < count; i++) step();
    }),
  );
  console.log(`  ${name.padEnd(34)} ${((Math.min(...times) / count) * 1e6).toFixed(1).padStart(8)}`);
}

const sizes = process.argv.slice(2).map(Number);
for (const size of sizes.length === 0 ? [10_000, 1_000_000, 5_000_000] : sizes) compare(size);
details();
