// Whether a block is executed or taken as a diff, and when mismatches count as repeated.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ExecutionOrDiffChooser } from '../../../src/feed/diffs/execution-or-diff-chooser.js';
import {
  chooseExecutionOrDiff,
  type BlockTraits,
  type OfferedDiffMethods,
} from '../../../src/feed/diffs/choose-execution-or-diff.js';

const KNOWN: BlockTraits = { hasAccessList: false, unknown: null, isNonEvm: false };
const UNKNOWN: BlockTraits = { ...KNOWN, unknown: 'a fork that is not known here' };
const NON_EVM: BlockTraits = { ...KNOWN, isNonEvm: true };
const ALL: OfferedDiffMethods = { accessList: true, prestate: true };
const NONE: OfferedDiffMethods = { accessList: false, prestate: false };
const REPEATED = '3 mismatches alike';

void test('auto executes blocks whose rules are known', () => {
  assert.deepEqual(chooseExecutionOrDiff('auto', KNOWN, ALL, null), { by: 'execution', reason: null });
  assert.deepEqual(chooseExecutionOrDiff('auto', KNOWN, NONE, null), { by: 'execution', reason: null });
});

void test('auto applies diffs for unknown features, non-EVM code and repeated mismatches', () => {
  assert.deepEqual(chooseExecutionOrDiff('auto', UNKNOWN, ALL, null), {
    by: 'diff',
    source: 'prestate',
    reason: UNKNOWN.unknown,
  });
  const diff = { by: 'diff', source: 'prestate', reason: "it runs code that is not the EVM's" };
  assert.deepEqual(chooseExecutionOrDiff('auto', NON_EVM, ALL, null), diff);
  assert.deepEqual(chooseExecutionOrDiff('auto', KNOWN, ALL, REPEATED), {
    by: 'diff',
    source: 'prestate',
    reason: REPEATED,
  });
});

void test('an access list that the header commits to is preferred, then what the node offers or may offer', () => {
  const source = (offered: Partial<OfferedDiffMethods>, block = KNOWN): unknown => {
    const way = chooseExecutionOrDiff('diffs', block, { ...NONE, ...offered }, null);
    return way.by === 'diff' ? way.source : way.by;
  };
  const listed = { ...KNOWN, hasAccessList: true };
  assert.equal(source(ALL, listed), 'accessList');
  assert.equal(source({ accessList: null }, listed), 'accessList');
  assert.equal(source({ prestate: true }, listed), 'prestate');
  assert.equal(source({ prestate: null }), 'prestate');
});

void test('without a diff source a known block is executed, any other is a resync, with the reason', () => {
  const executed = chooseExecutionOrDiff('diffs', KNOWN, NONE, null);
  assert.equal(executed.by, 'execution');
  assert.match(
    executed.reason!,
    /^the upstream node offers no eth_getBlockReceipts beside eth_getBlockAccessList or debug_/,
  );
  assert.equal(chooseExecutionOrDiff('auto', KNOWN, NONE, REPEATED).by, 'execution');
  const beginning = chooseExecutionOrDiff('auto', UNKNOWN, NONE, null);
  assert.equal(beginning.by, 'beginning');
  assert.match(beginning.reason!, /^the upstream node offers no /);
});

void test('execution never uses diffs', () => {
  assert.deepEqual(chooseExecutionOrDiff('execution', KNOWN, ALL, REPEATED), { by: 'execution', reason: null });
  assert.deepEqual(chooseExecutionOrDiff('execution', UNKNOWN, ALL, null), { by: 'beginning', reason: null });
});

void test('three similar mismatches in 100 blocks count as repeated from then on', () => {
  const chooser = new ExecutionOrDiffChooser('auto', () => ALL);
  const note = (number: number, reason: string): string | null => chooser.mismatched(number, reason);
  assert.equal(note(1, 'gas used is 5, header says 6'), null);
  assert.equal(note(2, 'receipts root is 0xab, header says 0xcd'), null);
  assert.equal(note(3, 'gas used is 7, header says 8'), null);
  // The first one has left the window by now.
  assert.equal(note(101, 'gas used is 9, header says 10'), null);
  assert.equal(
    note(102, 'gas used is 1, header says 2'),
    '3 mismatches alike in 100 blocks (gas used is 1, header says 2)',
  );
  assert.equal(note(5000, 'something else'), null);
  assert.equal(chooser.of(KNOWN).by, 'diff');
});

void test('a block tried again and again is one mismatch', () => {
  const chooser = new ExecutionOrDiffChooser('auto', () => ALL);
  for (let time = 0; time < 5; time++) assert.equal(chooser.mismatched(7, 'gas used is 5, header says 6'), null);
  assert.equal(chooser.of(KNOWN).by, 'execution');
});
