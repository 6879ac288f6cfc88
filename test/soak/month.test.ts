// A slice of the simulated month: memory stays within budget and no wrong value is read, while entries are evicted and
// fetched again.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { month, type MonthOptions } from './month.js';

/** Room for some 30,000 slots. */
const SLICE: MonthOptions = {
  blocks: 300,
  newSlots: 200,
  memoryBytesMax: 20 * 2 ** 20,
  reads: 300,
  threads: 1,
  slots: 4096,
  accounts: 64,
  codeBytes: 1024,
  olderBytes: 2 ** 22,
  olderBytesMax: 2 ** 22,
};

for (const [name, tuning] of [
  ['as it is', {}],
  ['with copies and clean-up after every block, a few places at a time', { isEager: true, sliceBuckets: 512 }],
] as const) {
  test(`a month on a small budget: ${name}`, async () => {
    const report = await month({ ...SLICE, ...tuning });
    assert.equal(report.differences, 0, JSON.stringify(report));
    assert.ok(report.codes > 10, JSON.stringify(report));
    assert.ok(report.evictions > SLICE.blocks * 50 && report.tables > 2, JSON.stringify(report));
    assert.ok(report.reads > 2 * report.misses && report.tableBytesMax <= SLICE.memoryBytesMax, JSON.stringify(report));
  });
}
