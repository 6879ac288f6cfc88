// A node whose tags move independently, that rolls back, or that switches to a shorter branch: all of it is followed; a
// lagging node is not.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { LIMITS } from '../../../src/limits/index.js';
import { toHex } from '../../../src/lib/bytes/hex.js';
import { toBytes } from '../../../src/lib/bytes/big-endian.js';
import type { MissingKeys } from '../../../src/state/views/miss-recording-view.js';
import { ACCOUNTS, WRITER, framesOf, genesis, makeBlock, makeChain, type MadeBlock, write } from './chain-maker.js';
import { LiveRig, type RigOptions, assertSameState } from './live-rig.js';
import { blockJson } from '../../support/node-json.js';

const SLOTS = 4;

const word = (value: number): Uint8Array => toBytes(BigInt(value), 32);

const KEYS: MissingKeys = {
  accounts: [...ACCOUNTS, WRITER],
  slots: Array.from({ length: SLOTS }, (_, slot) => ({ address: WRITER, slot: word(slot) })),
};

let rig: LiveRig;
let chain: MadeBlock[];

async function start(options: Omit<RigOptions, 'blocks'> = {}): Promise<void> {
  rig = await LiveRig.start({ blocks: chain, ...options });
}

/** Adds a block to the node's chain and waits until it is followed. */
async function push(block: MadeBlock): Promise<void> {
  chain.push(block);
  await rig.confirm(block);
}

/** `latest` and `pending` equal the state of `chain`'s newest block. */
async function assertAtTip(): Promise<void> {
  const tip = chain.at(-1)!;
  await rig.atHead(tip);
  assert.equal(await rig.fetch(KEYS), null);
  assertSameState(rig.latest, tip.state, KEYS, 'latest');
  assertSameState(rig.pending, tip.state, KEYS, 'pending');
  assert.equal(rig.newest.version, rig.newest.latestVersion);
  assert.equal(rig.status.head, tip.number);
  // The response to a poll from before may still be in flight.
  await rig.until(() => rig.status.lowerHead === null, 'level');
}

beforeEach(async () => {
  const root = genesis();
  const first = await makeChain(
    root,
    Array.from({ length: 6 }, (_, i) => [write(i % SLOTS, i + 1, i % 3)]),
  );
  chain = [root, ...first];
});
afterEach(() => rig.stop());

for (const isPushed of [true, false]) {
  describe(isPushed ? 'heads by WebSocket' : 'heads by polling', () => {
    test('safe and finalized are known from the first version on', async () => {
      await start({ isPushed, tags: [3, 2] });
      const { heads } = rig.reader.record(1);
      assert.deepEqual(heads, { latest: 6, safe: 3, finalized: 2 });
    });

    test('moves of safe and finalized alone are published, without a newer publication time', async () => {
      await start({ isPushed, tags: [3, 2] });
      const { publishedAtMs } = rig.newest;
      for (const [safe, finalized] of [
        [4, 2],
        [6, 5],
        [5, 5],
      ] as const) {
        rig.node.setTags(safe, finalized);
        await rig.until(() => rig.newest.heads.safe === safe && rig.newest.heads.finalized === finalized, 'tags');
        await assertAtTip();
      }
      assert.equal(rig.newest.publishedAtMs, publishedAtMs);
      await push(await makeBlock(chain.at(-1)!, [write(1, 9)]));
      await assertAtTip();
      assert.equal(rig.epochs, 1);
    });

    test('a node whose head goes back is followed, and until then its lower head is reported', async () => {
      await start({ isPushed });
      for (const value of [11, 12, 13]) await push(await makeBlock(chain.at(-1)!, [write(1, value), write(2, value)]));
      await rig.fetch(KEYS);
      const lower: (number | null)[] = [];
      const looking = setInterval(() => lower.push(rig.status.lowerHead), 1);
      rig.node.rewind(2);
      chain = chain.slice(0, -2);
      await assertAtTip();
      clearInterval(looking);
      assert.ok(lower.includes(chain.at(-1)!.number));
      assert.equal(rig.warnings.length, 1, rig.warnings.join('; '));
      assert.match(rig.warnings[0]!, /^the upstream's newest block is 7, below block 9/);
      assert.deepEqual([rig.epochs, rig.status.counts.reorgs], [1, 1]);
      await push(await makeBlock(chain.at(-1)!, [write(1, 20)], 5));
      await assertAtTip();
      assert.deepEqual([rig.epochs, rig.status.counts.mismatches, rig.warnings.length], [1, 0, 1]);
    });

    test('a shorter branch that forks below the first known block is followed', async () => {
      await start({ isPushed });
      rig.node.reorg(3, [await makeBlock(chain[3]!, [write(0, 77)], 5)]);
      const other = await makeBlock(chain[3]!, [write(0, 77)], 5);
      chain = [...chain.slice(0, 4), other];
      await assertAtTip();
      assert.deepEqual([rig.epochs, rig.warnings.length], [2, 1]);
    });

    test('a shorter branch whose parent is known is followed at once', async () => {
      await start({ isPushed });
      for (const value of [11, 12, 13]) await push(await makeBlock(chain.at(-1)!, [write(1, value)]));
      const other = await makeBlock(chain[7]!, [write(0, 77)], 5);
      rig.node.reorg(2, [other]);
      chain = [...chain.slice(0, 8), other];
      await assertAtTip();
      assert.equal(rig.epochs, 1);
    });

    test('a node behind a load balancer that lags for some polls is not followed', async () => {
      await start({ isPushed });
      for (const value of [11, 12, 13]) await push(await makeBlock(chain.at(-1)!, [write(1, value)]));
      let looks = 0;
      rig.node.methods.set('eth_getBlockByNumber', ([tag]) => {
        if (tag !== 'latest') return null;
        const isOlder = ++looks % LIMITS.lowerPollsMax !== 0;
        return blockJson(chain.at(isOlder ? -3 : -1)!, false);
      });
      await rig.until(() => looks > 4 * LIMITS.lowerPollsMax, 'looks');
      rig.node.methods.clear();
      await rig.until(() => rig.status.lowerHead === null, 'level');
      await assertAtTip();
      assert.equal(rig.status.counts.reorgs, 0);
      assert.ok(rig.warnings.length > 1);
    });
  });
}

test('moves of safe and finalized do not change a pre-confirmed block', async () => {
  await start({ hasFeed: true, tags: [3, 2] });
  const block = await makeBlock(chain.at(-1)!, [write(1, 5), write(2, 6, 1), write(3, 7, 2)]);
  const frames = framesOf(block, 1);
  const isAt = (index: number) => (): boolean => rig.newest.coordinates.index === index;
  rig.send(...frames.slice(0, 2));
  await rig.until(isAt(1), 'the first increment');
  rig.node.setTags(5, 4);
  await rig.until(() => rig.newest.heads.safe === 5, 'tags');
  assert.deepEqual([rig.newest.coordinates.block, rig.newest.coordinates.hash], [block.number, null]);
  rig.send(...frames.slice(2));
  await rig.until(isAt(frames.length - 1), 'the other increments');
  await push(block);
  await assertAtTip();
  const { blocksPromoted, fallbacks } = rig.status.counts;
  assert.deepEqual([blocksPromoted, fallbacks, rig.newest.heads.finalized], [1, 0, 4]);
});

test('a pre-confirmed block is dropped when the node goes back below it', async () => {
  await start({ hasFeed: true });
  for (const value of [11, 12]) await push(await makeBlock(chain.at(-1)!, [write(1, value)]));
  const block = await makeBlock(chain.at(-1)!, [write(1, 5)]);
  rig.send(...framesOf(block, 1));
  await rig.until(() => rig.newest.coordinates.block === block.number, 'increments');
  rig.node.rewind(1);
  chain = chain.slice(0, -1);
  await assertAtTip();
  const next = await makeBlock(chain.at(-1)!, [write(2, 8)], 5);
  rig.send(...framesOf(next, 1));
  await rig.until(() => rig.newest.coordinates.block === next.number, 'increments again');
  await push(next);
  await assertAtTip();
  assert.deepEqual([rig.epochs, rig.status.counts.blocksPromoted], [1, 1]);
});

test('the first block of a state is below the head, so that reorgs of that depth need no resync', async () => {
  const { startBelowBlocks: beginBelowBlocks } = LIMITS;
  await start({ startBelow: beginBelowBlocks });
  for (let depth = 1; depth <= beginBelowBlocks; depth++) {
    await rig.stop();
    await start({ startBelow: beginBelowBlocks });
    const parent = chain.at(-1 - depth)!;
    const other = await makeChain(parent, [...Array.from({ length: depth }, () => [write(0, 50 + depth)]), []], depth);
    rig.node.reorg(depth, other);
    chain = [...chain.slice(0, -depth), ...other];
    await assertAtTip();
    assert.deepEqual([rig.epochs, rig.status.counts.reorgs], [1, 1], `depth ${depth}: ${rig.notes.join('; ')}`);
  }
});

test('after a resync the first block is below the head, too', async () => {
  await start({ startBelow: 1 });
  const branch = await makeChain(
    chain[2]!,
    Array.from({ length: 5 }, (_, i) => [write(1, 60 + i)]),
    7,
  );
  rig.node.reorg(4, branch);
  chain = [...chain.slice(0, 3), ...branch];
  await assertAtTip();
  assert.equal(rig.epochs, 2);
  const other = await makeChain(chain.at(-2)!, [[write(2, 70)], [write(3, 71)]], 8);
  rig.node.reorg(1, other);
  chain = [...chain.slice(0, -1), ...other];
  await assertAtTip();
  assert.equal(rig.epochs, 2, rig.notes.join('; '));
});

test('the first block is the head if the node serves no state below it', async () => {
  await start();
  for (const { hash } of chain.slice(0, -1)) rig.node.faults.pruned.add(toHex(hash));
  const pruned = rig.node.faults.pruned;
  await rig.stop();
  rig = await LiveRig.start({ blocks: chain, startBelow: 3, pruned });
  await assertAtTip();
  assert.deepEqual([rig.epochs, rig.status.counts.restarts, rig.status.counts.blocksExecuted], [1, 0, 0]);
});

test('a reorg as deep as the kept window is followed, each block fetched once', async () => {
  await start();
  const depth = 70;
  const base = chain.at(-1)!;
  for (let i = 0; i < depth; i++) await push(await makeBlock(chain.at(-1)!, [write(i % SLOTS, i)]));
  const branch = await makeChain(
    base,
    Array.from({ length: depth + 1 }, (_, i) => [write(i % SLOTS, 1000 + i, 1)]),
    9,
  );
  const full = new Map<string, number>();
  rig.node.bend = (json) => {
    const hash = json['hash'] as string;
    full.set(hash, (full.get(hash) ?? 0) + 1);
    return json;
  };
  rig.node.faults.mute = true;
  rig.node.reorg(depth, branch);
  chain = [...chain.slice(0, -depth), ...branch];
  await assertAtTip();
  assert.deepEqual([rig.epochs, rig.status.counts.reorgs, rig.status.counts.gaps], [1, 1, 0]);
  assert.deepEqual([full.size, Math.max(...full.values())], [branch.length, 1]);
});
