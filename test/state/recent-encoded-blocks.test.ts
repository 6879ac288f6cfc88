// Recent blocks of a live chain in the main thread's memory: the last ones by number and by time, limited in bytes.
import assert from 'node:assert/strict';
import test from 'node:test';
import { encodeHeader, blockEnvOfHeader } from '../../src/chain/block/header.js';
import { headerForEnv } from '../support/header-for-env.js';
import { LIMITS } from '../../src/limits/index.js';
import { encodeBlockRecord } from '../../src/state/archive/format/block-records.js';
import { packExecutedTransactions } from '../../src/state/packed-transactions.js';
import { RecentBlocks, type EncodedBlock } from '../../src/state/recent-encoded-blocks.js';
import { toBytes } from '../../src/lib/bytes/big-endian.js';
import { blockEnv } from '../support/jobs.js';

const hashOf = (number: number): Uint8Array => toBytes(BigInt(number), 32);

/** Block `number` with this timestamp. `bytes`: size of its records. */
function encoded(number: number, second: number, bytes = 0): EncodedBlock {
  const header = headerForEnv(blockEnv({ number, timestamp: BigInt(second) }), new Uint8Array(32));
  const block = {
    number,
    hash: hashOf(number),
    header: encodeHeader(header),
    sizeBytes: 1,
    transactions: [],
    withdrawals: [],
  };
  const transactions = { ...packExecutedTransactions([]), records: new Uint8Array(bytes) };
  return { number, hash: block.hash, record: encodeBlockRecord(block, blockEnvOfHeader(header)), transactions };
}

/** Number of the oldest available block up to `last`. */
function oldestOf(recent: RecentBlocks, last: number): number {
  let number = last;
  while (recent.record(hashOf(number - 1)) !== null) number--;
  return number;
}

test('slow blocks are retained by count, fast ones for five minutes', () => {
  const slow = new RecentBlocks();
  for (let number = 1; number <= 300; number++) slow.add(encoded(number, 12 * number));
  assert.equal(oldestOf(slow, 300), 300 - LIMITS.blocksKeptMax + 1);
  const fast = new RecentBlocks();
  for (let number = 1; number <= 2000; number++) fast.add(encoded(number, Math.floor(number / 5)));
  assert.equal(oldestOf(fast, 2000), 500);
});

test('recent blocks are bounded by count and bytes, but never fewer than the minimum count', () => {
  const many = new RecentBlocks();
  for (let number = 1; number <= 2000; number++) many.add(encoded(number, 7));
  assert.equal(oldestOf(many, 2000), 2000 - LIMITS.blocksInWindowMax + 1);
  const large = new RecentBlocks();
  const bytes = LIMITS.windowBytesMax / 256;
  for (let number = 1; number <= 400; number++) large.add(encoded(number, 7, bytes));
  const kept = 400 - oldestOf(large, 400) + 1;
  assert.ok(kept <= 256 && kept > 240, `${kept}`);
  const huge = new RecentBlocks();
  for (let number = 1; number <= 200; number++) huge.add(encoded(number, 7, LIMITS.windowBytesMax / 64));
  assert.equal(oldestOf(huge, 200), 200 - LIMITS.blocksKeptMax + 1);
});
