// Cost of a state root a block, by the size of the state. Prints one table.
// `node dist/bench/state-root.bench.js [accounts...]`, 10,000 and 100,000 without arguments.
import { performance } from 'node:perf_hooks';
import { keccak256 } from '../src/lib/bytes/keccak.js';
import { StateTrie } from '../src/chain/state-root.js';
import { toBytes } from '../src/lib/bytes/words.js';
import type { AccountChange, SlotChange } from '../src/state/diff.js';
import { EMPTY_CODE_HASH } from '../src/state/views/view.js';

const BLOCKS = 30;
/** A block of plain transfers, and a busy one. */
const CHANGES = [20, 1000];

const address = (n: number): Uint8Array => keccak256(toBytes(BigInt(n), 8)).subarray(12);

function account(n: number, balance: number): AccountChange {
  return {
    address: address(n),
    account: { nonce: 1n, balance: BigInt(balance) * 10n ** 15n, codeHash: EMPTY_CODE_HASH },
  };
}

/** A tenth of the accounts are contracts' and carry ten slots each. */
function slot(n: number, value: number): SlotChange {
  return { address: address(n % 10), slot: toBytes(BigInt(n), 32), value: toBytes(BigInt(value), 32) };
}

function range<T>(count: number, make: (i: number) => T): T[] {
  return Array.from({ length: count }, (_, i) => make(i));
}

function heapBytes(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers;
}

function measure(accounts: number): void {
  const before = heapBytes();
  const trie = new StateTrie();
  const startMs = performance.now();
  trie.apply({ accounts: range(accounts, (i) => account(i, i + 1)), slots: range(accounts, (i) => slot(i, i + 1)) });
  trie.root();
  const builtMs = performance.now() - startMs;
  const bytes = (heapBytes() - before) / (2 * accounts);
  console.log(`${accounts} accounts and slots: built in ${builtMs.toFixed(0)} ms, ${bytes.toFixed(0)} bytes each`);
  for (const changes of CHANGES) {
    const times = range(BLOCKS, (block) => blockMs(trie, accounts, block, changes)).toSorted((a, b) => a - b);
    console.log(`  a block of ${changes} accounts and ${changes} slots: ${times[BLOCKS / 2]!.toFixed(2)} ms (median)`);
  }
}

function blockMs(trie: StateTrie, accounts: number, block: number, changes: number): number {
  const places = range(changes, (i) => Math.imul(i + block * changes + 1, 0x9e3779b1) >>> 0).map((n) => n % accounts);
  const diff = {
    accounts: places.map((n) => account(n, n + block + 7)),
    slots: places.map((n) => slot(n, n + block + 7)),
  };
  const startMs = performance.now();
  trie.apply(diff);
  trie.root();
  return performance.now() - startMs;
}

const sizes = process.argv.slice(2).map(Number);
for (const accounts of sizes.length > 0 ? sizes : [10_000, 100_000]) measure(accounts);
