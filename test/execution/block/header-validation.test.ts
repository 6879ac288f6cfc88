// Header validation in an import and on a live chain: only an import rejects a block with its parent's timestamp.
import assert from 'node:assert/strict';
import test from 'node:test';
import { decodeHeader } from '../../../src/chain/block/header.js';
import { parentHeaderMismatch } from '../../../src/execution/block/header-validation.js';
import { genesis, makeBlock, RULES } from '../../feed/live/chain-maker.js';

void test('a timestamp equal to the parent’s is refused in an import but not on a live chain; an earlier one in both', async () => {
  const root = genesis();
  const parent = decodeHeader(root.header);
  const header = decodeHeader((await makeBlock(root, [])).header);
  const mismatchAt = (timestamp: bigint, isLive: boolean): boolean =>
    parentHeaderMismatch({ ...header, timestamp }, parent, RULES, isLive) !== null;
  const { timestamp } = parent;
  assert.deepEqual([mismatchAt(timestamp + 1n, false), mismatchAt(timestamp + 1n, true)], [false, false]);
  assert.deepEqual([mismatchAt(timestamp, false), mismatchAt(timestamp, true)], [true, false]);
  assert.deepEqual([mismatchAt(timestamp - 1n, false), mismatchAt(timestamp - 1n, true)], [true, true]);
});
