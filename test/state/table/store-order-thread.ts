// A writer that believes it runs on a processor with weak store order: reports which words of entries and older records
// it wrote with plain stores while readers may be reading them. Runs on a worker.
import { parentPort } from 'node:worker_threads';
import { account, diffOf, hashOf, slot } from '../diffs.js';

Object.defineProperty(process, 'arch', { value: 'arm64' });
const { openTable } = await import('../../../src/state/table/layout/table.js');
const { TableWriter } = await import('../../../src/state/table/writer.js');
const { IS_TSO } = await import('../../../src/state/seqlock-word-copy.js');

/** The stores that the thread has observed. */
export interface StoreOrder {
  readonly isOrdered: boolean;
  /** Number of words stored in order, and the first of those that were not, as offsets in the table. */
  readonly ordered: number;
  readonly plain: readonly number[];
  readonly reclaimed: number;
}

const KEYS = 20;
const writer = TableWriter.create({ accounts: 64, slots: 64, olderBytes: 64 * 256, codeBytes: 64, versionsKept: 4 });
const { words, regions } = openTable(writer.buffer);
const [first, end] = [regions.older, regions.end];
const shadow = words.slice();
const plain: number[] = [];
let ordered = 0;

const store = Atomics.store.bind(Atomics) as (to: Int32Array, at: number, value: number) => number;
Object.defineProperty(Atomics, 'store', {
  value: (to: Int32Array, at: number, value: number) => {
    compare();
    store(to, at, value);
    shadow[at] = value;
    if (at >= first) ordered++;
    return value;
  },
});

/** Whatever differs was not stored by `Atomics.store`. */
function compare(): void {
  if (Buffer.compare(Buffer.from(words.buffer, first * 4), Buffer.from(shadow.buffer, first * 4)) === 0) return;
  for (let at = first; at < end; at++) {
    if (words[at] !== shadow[at]) plain.push(at);
    shadow[at] = words[at]!;
  }
}

for (let block = 1; block <= 60; block++) {
  const keys = Array.from({ length: KEYS }, (_, key) => key);
  const accounts = keys.map((key) => account(key, BigInt(block), BigInt(block)));
  writer.publish(diffOf({ block, hash: hashOf(block), accounts, slots: keys.map((key) => slot(key, key, block)) }));
}
compare();
const { TABLE_HEADER: HEADER } = await import('../../../src/state/table/layout/table-layout.js');
const report: StoreOrder = {
  isOrdered: IS_TSO,
  ordered,
  plain: plain.slice(0, 8),
  reclaimed: words[HEADER.reclaimed]!,
};
parentPort!.postMessage(report);
