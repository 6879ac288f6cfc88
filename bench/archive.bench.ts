// Cost of the archive: a block written, a value read at a height, an entry on disk. Prints one table.
// `node dist/bench/archive.bench.js [entries]`, 1,000,000 without an argument.
import { randomFillSync } from 'node:crypto';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { DATA_FILE } from '../src/state/archive/file/store.js';
import { ArchiveWriter } from '../src/state/archive/writer.js';
import type { SlotChange, StateDiff } from '../src/state/diff.js';
import { EMPTY_CODE_HASH, type StateView } from '../src/state/views/view.js';

const LOAD_BLOCK = 10_000;
const READS = 50_000;
const WRITES = 20;

/** Bytes that differ from one number to the next in all places, as hashed keys do. */
function mixed(number: number, length: number): Uint8Array {
  const bytes = Buffer.alloc(length);
  let word = Math.imul(number + 1, 0x9e3779b1);
  for (let at = 0; at + 4 <= length; at += 4) {
    word = Math.imul(word ^ (word >>> 15), 0x85ebca6b) + at;
    bytes.writeUInt32LE(word >>> 0, at);
  }
  return new Uint8Array(bytes);
}

/** A quarter of the changes are accounts, the rest slots of a thousand contracts with full words. */
function changesOf(entries: number[]): Pick<StateDiff, 'accounts' | 'slots'> {
  const accounts = entries
    .filter((entry) => entry % 4 === 0)
    .map((entry) => ({
      address: mixed(entry, 20),
      account: { nonce: 5n, balance: 10n ** 18n, codeHash: EMPTY_CODE_HASH },
    }));
  const slots = entries
    .filter((entry) => entry % 4 !== 0)
    .map((entry): SlotChange => Object.assign(slotKeyOf(entry), { value: randomWord() }));
  return { accounts, slots };
}

function slotKeyOf(entry: number): { address: Uint8Array; slot: Uint8Array } {
  return { address: mixed(entry % 1000, 20), slot: mixed(entry, 32) };
}

function randomWord(): Uint8Array {
  return randomFillSync(new Uint8Array(32));
}

async function write(writer: ArchiveWriter, entries: number[]): Promise<{ total: number; blocked: number }> {
  const number = (writer.head()?.number ?? -1) + 1;
  const hash = mixed(number + 1e9, 32);
  const block = { number, hash, header: new Uint8Array(600), sizeBytes: 1000, transactions: [], withdrawals: [] };
  const zero = new Uint8Array(32);
  const env = {
    number,
    timestamp: 0n,
    gasLimit: 30_000_000n,
    baseFeePerGas: 7n,
    coinbase: zero.subarray(12),
    prevRandao: zero,
    difficulty: 0n,
    excessBlobGas: 0n,
    parentBeaconBlockRoot: zero,
  };
  const coordinates = { block: number, index: 0, hash, parentHash: zero };
  const heads = { latest: number, safe: null, finalized: null };
  const diff: StateDiff = { coordinates, env, heads, codes: [], ...changesOf(entries) };
  const start = performance.now();
  const done = writer.write(block, diff);
  const blocked = performance.now() - start;
  await done;
  return { total: performance.now() - start, blocked };
}

function sample(count: number, below: number): number[] {
  return Array.from({ length: count }, () => Math.floor(Math.random() * below));
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

function row(what: string, value: string): void {
  console.log(`| ${what.padEnd(62)} | ${value.padStart(24)} |`);
}

async function writeTimes(writer: ArchiveWriter, changes: number, entries: number): Promise<void> {
  const times = [];
  for (let round = 0; round < WRITES; round++) {
    times.push(await write(writer, [...new Set(sample(changes, entries))]));
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const total = median(times.map((time) => time.total));
  const blocked = median(times.map((time) => time.blocked));
  row(
    `block of ${changes} changes into ${entries} entries, median (own thread)`,
    `${total.toFixed(1)} ms (${blocked.toFixed(1)})`,
  );
}

function readTime(view: StateView, entries: number): void {
  const wanted = sample(READS, entries)
    .filter((entry) => entry % 4 !== 0)
    .map(slotKeyOf);
  let found = 0;
  for (const { address, slot } of wanted) found += view.storage(address, slot)[31] ?? 0;
  const start = performance.now();
  for (const { address, slot } of wanted) found += view.storage(address, slot)[31] ?? 0;
  const us = ((performance.now() - start) * 1000) / wanted.length;
  if (found === 0) throw new Error('nothing was found');
  row(`slot at a height, ${entries} entries`, `${us.toFixed(2)} us`);
}

function iterationTime(writer: ArchiveWriter): void {
  const start = performance.now();
  const count = countOf(writer.accounts()) + countOf(writer.slots());
  const ms = performance.now() - start;
  row(`newest state read whole, ${count} values`, `${ms.toFixed(0)} ms, ${((ms * 1000) / count).toFixed(2)} us each`);
}

function countOf(values: Iterator<unknown>): number {
  let count = 0;
  while (values.next().done !== true) count++;
  return count;
}

async function measure(entries: number): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'archive-bench-'));
  const writer = ArchiveWriter.open(dir, 'bench');
  const numbers = Array.from({ length: entries }, (_, entry) => entry);
  const start = performance.now();
  for (let at = 0; at < entries; at += LOAD_BLOCK) await write(writer, numbers.slice(at, at + LOAD_BLOCK));
  const seconds = (performance.now() - start) / 1000;
  row(`${entries} entries written in blocks of ${LOAD_BLOCK}`, `${seconds.toFixed(1)} s`);
  row(
    'bytes on disk an entry (a quarter accounts, the rest slots)',
    (statSync(join(dir, DATA_FILE)).size / entries).toFixed(0),
  );
  const view = writer.reader.viewAt(writer.head()?.number ?? 0);
  if (view === null) throw new Error('no head');
  readTime(view, entries);
  iterationTime(writer);
  await writeTimes(writer, 1000, entries);
  await writeTimes(writer, 10_000, entries);
  await writer.close();
  rmSync(dir, { recursive: true });
}

const largest = Number(process.argv[2] ?? 1_000_000);
await measure(10_000);
await measure(largest);
