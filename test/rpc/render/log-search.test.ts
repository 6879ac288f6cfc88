// Log searches: their output, how those that take many time slices share the main thread, and how much memory they may
// use.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UsageLedger } from '../../../src/fairness/usage-ledger.js';
import { TotalAndClientLimit } from '../../../src/fairness/total-and-client-limit.js';
import { TimeSlicer } from '../../../src/fairness/time-slicer.js';
import { LIMITS } from '../../../src/limits/index.js';
import { LogFilter } from '../../../src/rpc/render/log-filter.js';
import {
  LogSearch,
  renderMatchingLogsOfBlock,
  type LogSearchResult,
  type SharedLogSearchBudget,
} from '../../../src/rpc/render/log-search.js';
import { renderLogs } from '../../../src/rpc/render/blocks-and-transactions.js';
import { decodeLoggedTransaction } from '../../../src/state/archive/format/decode-transaction-logs.js';
import { encodeTransactionRecord } from '../../../src/state/archive/format/block-records.js';
import type { ExecutedTransaction } from '../../../src/state/complete-block.js';
import type { ExecutedBlock, LogSearchBlock } from '../../../src/rpc/view/executed-block-types.js';
import { cpuBoundClocks } from '../../support/slice-clocks.js';

const ANY = new LogFilter([], []);
const BLOCKS = 5;

/** A block of transactions with one log each, with so many bytes of data. */
function blockWith(dataBytes: number, count = 1): ExecutedBlock {
  const log = { address: new Uint8Array(20), topics: [], data: new Uint8Array(dataBytes) };
  const transactions = Array.from({ length: count }, () => ({ hash: new Uint8Array(32), receipt: { logs: [log] } }));
  return { number: 1, hash: null, timestamp: 0n, timestampMs: null, transactions } as unknown as ExecutedBlock;
}

/** A clock that advances by a time slice with every reading: each slice handles one block. */
function partsWith(memory: TotalAndClientLimit): SharedLogSearchBudget {
  let now = 0;
  return {
    slices: new TimeSlicer(
      1,
      cpuBoundClocks(() => (now += 0.4)),
    ),
    logMemory: memory,
  };
}

/** A search through a few blocks that reports each opened one. */
function search(
  client: string,
  deps: SharedLogSearchBudget,
  opened: () => void,
  dataBytes = 0,
): Promise<LogSearchResult> {
  const block: LogSearchBlock = {
    bloom: () => null,
    open: () => {
      opened();
      return blockWith(dataBytes);
    },
  };
  const caller = { aborted: false, client };
  return Promise.resolve(
    new LogSearch(
      ANY,
      Array.from({ length: BLOCKS }, () => block),
      caller,
      deps,
    ).run(),
  );
}

test('searches of one client run one after another, concurrently with those of other clients', async () => {
  const parts = partsWith(
    new TotalAndClientLimit(new UsageLedger(), 'logBytes', LIMITS.logSearchBytesMax, LIMITS.logSearchBytesPerClientMax),
  );
  const opened: string[] = [];
  const named = (client: string, name: string): Promise<LogSearchResult> =>
    search(client, parts, () => opened.push(name));
  const found = await Promise.all([named('a', 'a1'), named('a', 'a2'), named('a', 'a3'), named('b', 'b1')]);
  assert.deepEqual(
    found.map((logs) => 'length' in logs && logs.length),
    [BLOCKS, BLOCKS, BLOCKS, BLOCKS],
  );
  const ofA = opened.filter((name) => name !== 'b1');
  assert.deepEqual(ofA, ofA.toSorted());
  assert.ok(opened.indexOf('b1') < opened.lastIndexOf('a1'), opened.join());
});

test('a block with many logs is searched in several slices', async () => {
  const parts = partsWith(
    new TotalAndClientLimit(new UsageLedger(), 'logBytes', LIMITS.logSearchBytesMax, LIMITS.logSearchBytesPerClientMax),
  );
  const ended: string[] = [];
  const searchOne = async (client: string, count: number): Promise<void> => {
    const block = { bloom: () => null, open: () => blockWith(0, count) };
    const found = await new LogSearch(ANY, [block], { aborted: false, client }, parts).run();
    assert.equal('length' in found && found.length, count);
    ended.push(client);
  };
  await Promise.all([searchOne('many', 20), searchOne('few', 2)]);
  assert.deepEqual(ended, ['few', 'many']);
});

test('memory of searches is bounded, for each client and for all, and freed at their end', async () => {
  const memory = new TotalAndClientLimit(new UsageLedger(), 'logBytes', 100_000, 50_000);
  const parts = partsWith(memory);
  const requested = ['a', 'a', 'b', 'c'].map((client) => search(client, parts, () => undefined, 10_000));
  const refused = (await Promise.all(requested)).filter((found) => 'error' in found);
  assert.ok(refused.length > 0);
  for (const { error } of refused) assert.equal(error, 'overload');
  assert.ok(memory.take('a', 50_000) && memory.take('b', 50_000), 'all of it is there again');
});

const filled = (length: number, byte: number): Uint8Array => new Uint8Array(length).fill(byte);

/** Transactions with 0 to 4 logs, of 0 to 4 topics and 0 to 300 bytes. */
function someTransactions(): ExecutedTransaction[] {
  return Array.from({ length: 20 }, (_, tx) => {
    const logs = Array.from({ length: tx % 5 }, (_each, i) => ({
      address: filled(20, (tx + i) % 7),
      topics: Array.from({ length: (tx + i) % 5 }, (_topic, place) => filled(32, place + i)),
      data: filled([0, 1, 32, 300][(tx + i) % 4]!, 5 * i),
    }));
    const sums = { gasUsed: 21_000n, cumulativeGasUsed: 21_000n, effectiveGasPrice: 1n };
    const receipt = { type: 2, status: 1 as const, ...sums, contractAddress: null, logs };
    return { hash: filled(32, tx), raw: filled(100, tx), from: filled(20, tx), receipt };
  });
}

const BLOCK = { number: 7, hash: filled(32, 7), timestamp: 1000n, timestampMs: 1_000_200n };

test('logs read from records equal those of the decoded transactions, as JSON and as objects', () => {
  const decoded = someTransactions();
  const block = { ...BLOCK, blobGasPrice: 1n, l1: null, uncles: [], transactions: decoded };
  const recorded = {
    ...BLOCK,
    transactions: decoded.map((each) => decodeLoggedTransaction(encodeTransactionRecord(each))),
  };
  const filters = [
    ANY,
    new LogFilter([filled(20, 3), filled(20, 4), filled(20, 3)], []),
    new LogFilter([], [[], [filled(32, 2)]]),
    new LogFilter([filled(20, 3)], [[filled(32, 0), filled(32, 1)]]),
    new LogFilter([filled(20, 9)], []),
  ];
  const counts = filters.map((filter) => {
    const all = decoded.flatMap(({ receipt }, index) =>
      renderLogs({ block, index }).filter((_log, i) => filter.matches(receipt.logs[i]!)),
    );
    const wanted = all.map((log) => JSON.stringify(log));
    assert.deepEqual(renderMatchingLogsOfBlock(block, filter), wanted);
    assert.deepEqual(renderMatchingLogsOfBlock(recorded, filter), wanted);
    return wanted.length;
  });
  assert.deepEqual(
    counts.map((count) => count > 0),
    [true, true, true, true, false],
  );
  const removed = JSON.parse(renderMatchingLogsOfBlock(recorded, ANY, { first: 19, removed: true })[0]!) as object;
  assert.deepEqual(removed, { ...renderLogs({ block, index: 19 })[0], removed: true });
});

test('a malformed record has no logs', () => {
  assert.throws(() => decodeLoggedTransaction(filled(10, 1)), /damaged/);
});
