// Unknown features: each is recorded and reported once; their number is bounded and their names are sanitized, as they
// come from a node.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { knownOpChainDescription } from '../../../../src/chain/known-chains.js';
import { reportedUnknownFeatures } from '../../../../src/feed/live/rules/check-rules-against-node-forks.js';
import { parseEthConfig } from '../../../../src/feed/live/rules/eth-config-fork.js';
import { UnknownFeatures } from '../../../../src/feed/live/rules/unknown-feature-list.js';
import { LIMITS } from '../../../../src/limits/index.js';

const FIELD = { kind: 'header field', name: 'slotNumber' } as const;

test('each unknown feature is recorded and logged once, and not at all if another line names it', () => {
  const strangers = new UnknownFeatures();
  assert.equal(strangers.nextNotice(), null);
  strangers.note([FIELD, { kind: 'precompile', name: 'X (0x12)' }], false);
  assert.equal(strangers.nextNotice(), 'not known here: header field slotNumber, precompile X (0x12)');
  strangers.note([FIELD], false);
  strangers.note([{ kind: 'transaction type', name: '0x7d' }], true);
  assert.equal(strangers.nextNotice(), null);
  assert.deepEqual(strangers.all, [
    FIELD,
    { kind: 'precompile', name: 'X (0x12)' },
    { kind: 'transaction type', name: '0x7d' },
  ]);
});

test('unknown features are bounded, and their names are safe in log lines', () => {
  const strangers = new UnknownFeatures();
  strangers.note([{ kind: 'precompile', name: `a\n\u001b[31m<b>"${'c'.repeat(500)}` }], false);
  const name = strangers.all[0]!.name;
  assert.match(name, /^a31mbc+$/);
  assert.equal(name.length, LIMITS.unknownFeatureChars);
  strangers.note(
    Array.from({ length: 100 }, (_, at) => ({ kind: 'fork', name: `at ${at}` })),
    false,
  );
  assert.equal(strangers.all.length, LIMITS.unknownFeaturesMax);
});

test("a node's forks: those that are not planned, precompiles and contracts that are not known, code of the node's own too", () => {
  const factory = `0xB20f${'0'.repeat(36)}`;
  const reported = parseEthConfig({
    current: {
      activationTime: 1_793_901_600,
      precompiles: { P256VERIFY: `0x${'100'.padStart(40, '0')}`, B20_FACTORY: factory },
      systemContracts: { HISTORY_STORAGE_ADDRESS: factory, NEW_QUEUE_ADDRESS: factory },
    },
    next: { activationTime: 1_800_000_000, precompiles: {}, systemContracts: {} },
    last: { activationTime: 1_746_000_000, precompiles: {}, systemContracts: {} },
  })!;
  assert.deepEqual(reportedUnknownFeatures(reported, knownOpChainDescription(8453n)!), [
    { kind: 'fork', name: 'at 1800000000' },
    { kind: 'precompile', name: `B20_FACTORY (${factory})` },
    { kind: 'system contract', name: 'NEW_QUEUE_ADDRESS' },
  ]);
});
