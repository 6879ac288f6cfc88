// The cached slots of given accounts: all of theirs, and no others.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toHex } from '../../../src/lib/bytes/hex.js';
import { residentSlotsOfAccounts } from '../../../src/state/table/table-scan.js';
import { TableWriter } from '../../../src/state/table/writer.js';
import { blockEnv } from '../../support/jobs.js';

const address = (...beginning: readonly number[]): Uint8Array =>
  Uint8Array.from({ length: 20 }, (_, i) => beginning[i] ?? 7);
const slot = (last: number): Uint8Array => new Uint8Array(32).fill(last, 31);

test('a scan finds the slots of the given accounts only, even if other addresses share a prefix or have zeros', () => {
  const table = TableWriter.create({ complete: false });
  const zeros = address(0, 0, 0, 0);
  const accounts = [zeros, address(1, 2, 3, 4), address(1, 2, 9, 9), address(5, 6)];
  const slots = accounts.flatMap((each, at) =>
    [1, 2, 3].map((last) => ({ address: each, slot: slot(10 * at + last), value: slot(last) })),
  );
  const coordinates = { block: 1, index: 0, hash: new Uint8Array(32).fill(1), parentHash: new Uint8Array(32) };
  const heads = { latest: 1, safe: null, finalized: null };
  table.publish({ coordinates, env: blockEnv(), heads, accounts: [], slots, codes: [] });
  const found = (requested: readonly Uint8Array[]): string[] =>
    residentSlotsOfAccounts(table.buffer, requested)
      .map((each) => toHex(each.address) + toHex(each.slot))
      .toSorted();
  const expected = (requested: readonly Uint8Array[]): string[] =>
    slots
      .filter((each) => requested.includes(each.address))
      .map((each) => toHex(each.address) + toHex(each.slot))
      .toSorted();
  for (const requested of [[], [zeros], [accounts[1]!], [accounts[2]!, accounts[3]!], accounts])
    assert.deepEqual(found(requested), expected(requested));
  assert.deepEqual(found([address(1, 2, 3, 5), address(9)]), []);
});
