// The chain that a replica builds from the versions it applies, also across rollbacks.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeHeader } from '../../../src/chain/block/header.js';
import { devGenesisBlock } from '../../../src/feed/dev/genesis.js';
import { VersionApplier } from '../../../src/replicas/feed/version-applier.js';
import { StateWriter } from '../../../src/publisher/state-writer.js';
import { newReplicationCounts } from '../../../src/replicas/replication-status.js';
import type { VersionDetails } from '../../../src/feed/feed.js';
import type { StateDiff } from '../../../src/state/state-diff.js';
import { account, addressOf, diffOf, hashOf } from '../../state/diffs.js';
import { FIRST_VERSION } from '../first-version.js';

const GENESIS = devGenesisBlock(new Uint8Array(32), 1_700_000_000);
const AGAIN: VersionDetails = { kind: 'increment', announcement: null };

function blockDetails(number: number): VersionDetails {
  const header = encodeHeader({ ...GENESIS.header, number });
  return { kind: 'block', block: { ...GENESIS.block, number, hash: hashOf(number), header } };
}

function at(block: number, nonce: bigint): StateDiff {
  return diffOf({ block, hash: hashOf(block), accounts: [account(1, nonce)] });
}

test('a chain that goes back ends with the block it went back to', async () => {
  const sink = new StateWriter({ archive: null, post: () => {} });
  sink.open();
  sink.adopt(FIRST_VERSION).finish();
  const anchors: number[] = [];
  const filler = { anchorAt: ({ version }: { readonly version: number }): number => anchors.push(version) };
  const applier = new VersionApplier({ sink, filler, counts: newReplicationCounts() });
  applier.begin();
  const apply = (version: number, diff: StateDiff, reported: VersionDetails): Promise<void> =>
    applier.apply({ kind: 'version', epoch: 1, version, diff, before: null, details: reported });
  await apply(2, at(2, 2n), blockDetails(2));
  await apply(3, at(3, 3n), blockDetails(3));
  await apply(4, at(2, 2n), AGAIN);
  assert.deepEqual(anchors, [1, 2, 3, 4]);
  const { number, hash, version } = applier.kept!.tip!;
  assert.deepEqual([number, hash, version], [2, hashOf(2), 4]);
  assert.equal(applier.kept!.find(hashOf(3)), null);
  assert.equal(sink.view().account(addressOf(1))?.nonce, 2n);
  await apply(5, at(3, 9n), blockDetails(3));
  assert.deepEqual([applier.kept!.tip!.number, applier.kept!.firstNumber], [3, 1]);
});
