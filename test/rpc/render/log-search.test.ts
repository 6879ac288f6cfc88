// Searches for logs that take many slices of main's time: whose they are made before whose, and what they may hold.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ledger } from '../../../src/clients/ledger.js';
import { Shares } from '../../../src/clients/shares.js';
import { TimeSlices } from '../../../src/clients/slices.js';
import { LIMITS } from '../../../src/limits/index.js';
import { LogFilter } from '../../../src/rpc/render/log-filter.js';
import { LogSearch, type FoundLogs, type LogSearchParts } from '../../../src/rpc/render/log-search.js';
import type { ExecutedBlock, SearchedBlock } from '../../../src/rpc/view/executed-block.js';

const ANY = new LogFilter([], []);
const BLOCKS = 5;

/** A block of transactions with one log each, of so many bytes of data. */
function blockWith(dataBytes: number, count = 1): ExecutedBlock {
  const log = { address: new Uint8Array(20), topics: [], data: new Uint8Array(dataBytes) };
  const transactions = Array.from({ length: count }, () => ({ hash: new Uint8Array(32), receipt: { logs: [log] } }));
  return { number: 1, hash: null, timestamp: 0n, timestampMs: null, transactions } as unknown as ExecutedBlock;
}

/** A clock that goes on by a slice with every look: each slice has room for one block. */
function partsWith(memory: Shares): LogSearchParts {
  let now = 0;
  return { slices: new TimeSlices(1, () => (now += 0.5)), memory };
}

/** A search through some blocks that tells each one that is opened. */
function search(client: string, parts: LogSearchParts, opened: () => void, dataBytes = 0): Promise<FoundLogs> {
  const block: SearchedBlock = {
    bloom: () => null,
    open: () => {
      opened();
      return blockWith(dataBytes);
    },
  };
  const asker = { aborted: false, client };
  return Promise.resolve(
    new LogSearch(
      ANY,
      Array.from({ length: BLOCKS }, () => block),
      asker,
      parts,
    ).run(),
  );
}

test('searches of one client are made one after the other, beside those of others', async () => {
  const parts = partsWith(
    new Shares(new Ledger(), 'logBytes', LIMITS.logSearchBytesMax, LIMITS.logSearchBytesPerClientMax),
  );
  const opened: string[] = [];
  const named = (client: string, name: string): Promise<FoundLogs> => search(client, parts, () => opened.push(name));
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
    new Shares(new Ledger(), 'logBytes', LIMITS.logSearchBytesMax, LIMITS.logSearchBytesPerClientMax),
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

test('what searches hold is bounded, for a client and for all, and given back', async () => {
  const memory = new Shares(new Ledger(), 'logBytes', 100_000, 50_000);
  const parts = partsWith(memory);
  const asked = ['a', 'a', 'b', 'c'].map((client) => search(client, parts, () => undefined, 10_000));
  const refused = (await Promise.all(asked)).filter((found) => 'error' in found);
  assert.ok(refused.length > 0);
  for (const { error } of refused) assert.equal(error, 'overload');
  assert.ok(memory.take('a', 50_000) && memory.take('b', 50_000), 'all of it is there again');
});
