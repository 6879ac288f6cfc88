// A live chain whose blocks and increments take too long, or are replaced while they execute: readers keep what they
// have, `pending` falls back to `latest`, and the chain continues. Time passes only where a test says so.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { mergeStatusReport } from '../../../src/feed/live-status.js';
import { LIMITS } from '../../../src/limits/index.js';
import { toBytes } from '../../../src/lib/bytes/big-endian.js';
import { WRITER, framesOf, genesis, makeBlock, makeChain, type Action, type MadeBlock, write } from './chain-maker.js';
import { LiveRig, assertSameState } from './live-rig.js';
import type { Upstream } from '../../../src/upstream/upstream.js';

const word = (value: bigint): Uint8Array => toBytes(value, 32);
/** Writes by so many different senders, one transaction each. */
const writes = (count: number, value: bigint): Action[] =>
  Array.from({ length: count }, (_, at) => write(BigInt(at), value, at));

/**
 * How far the clock advances with its next readings and with every later one, and what to run at the execution's next
 * yield.
 */
const clock = { nowMs: 0, nextMs: [] as number[], readMs: 0, inPause: null as (() => Promise<void>) | null };

async function turn(): Promise<void> {
  const happens = clock.inPause;
  clock.inPause = null;
  await happens?.();
}

/** Blocks that the node has returned since the test started. */
let fetched: number;

function countBlocks(upstream: Upstream): Upstream {
  const block = upstream.block.bind(upstream);
  return Object.assign(upstream, {
    block: async (...args: Parameters<Upstream['block']>) => {
      const found = await block(...args);
      fetched++;
      return found;
    },
  });
}

let rig: LiveRig;
let root: MadeBlock;
let head: MadeBlock;

beforeEach(async () => {
  Object.assign(clock, { nowMs: 0, nextMs: [], readMs: 0, inPause: null });
  root = genesis();
  head = await makeBlock(root, [write(1n, 1n)]);
  rig = await LiveRig.start({
    blocks: [root, head],
    hasFeed: true,
    wrap: countBlocks,
    timing: { now: () => (clock.nowMs += clock.nextMs.shift() ?? clock.readMs), yieldTick: turn },
  });
  fetched = 0;
});
afterEach(() => rig.stop());

/** Every step exceeds all time limits. */
function stall(): void {
  clock.readMs = 2 * LIMITS.blockMsMax;
}

/**
 * Steps are slow enough for a yield after each. At the first yield `happens` runs; then a single step takes `ms`, and
 * all later ones no time.
 */
function pauseOnce(ms: number, happens: () => Promise<void>): void {
  clock.readMs = LIMITS.executionYieldMs;
  clock.inPause = async () => {
    await happens();
    // Clock readings at the end of the yield, at the start of the step, and at its end.
    clock.nextMs = [0, 0, ms];
    clock.readMs = 0;
  };
}

/** Runs `send`, and waits until the feed has received so many more heads or frames. */
async function awaitReceived(count: number, send: () => void): Promise<void> {
  const before = rig.received;
  send();
  await rig.until(() => rig.received >= before + count, `${count} heads or frames are received`);
}

async function assertSlots(made: MadeBlock, view: () => LiveRig['latest'], what: string): Promise<void> {
  const slots = Array.from({ length: 6 }, (_, at) => ({ address: WRITER, slot: word(BigInt(at)) }));
  const keys = { accounts: [], slots };
  assert.equal(await rig.fetch(keys), null);
  assertSameState(view(), made.state, keys, what);
}

describe('a confirmed block', () => {
  test('that takes too long causes a resync, and the next one is executed', async () => {
    const [late, next] = await makeChain(head, [writes(3, 5n), writes(2, 6n)]);
    stall();
    await rig.confirm(late!);
    clock.readMs = 0;
    assert.equal(rig.epochs, 2);
    assert.match(
      rig.status.notice ?? '',
      /^block 2 takes longer than 10000 ms to execute: its state is the upstream's$/,
    );
    await assertSlots(late!, () => rig.latest, 'the late block');
    await rig.confirm(next!);
    await assertSlots(next!, () => rig.latest, 'the next block');
    const { blocksAborted: blocksGivenUp, blocksSlow, blocksExecuted, mismatches, restarts } = rig.status.counts;
    assert.deepEqual([blocksGivenUp, blocksSlow, blocksExecuted, mismatches, restarts], [1, 1, 1, 0, 1]);
  });

  test('that takes too long is skipped together with those that arrived meanwhile', async () => {
    const [late, more, newest] = await makeChain(head, [writes(3, 5n), writes(3, 6n), writes(3, 7n)]);
    pauseOnce(LIMITS.blockMsMax, async () => {
      await awaitReceived(2, () => [more!, newest!].map((block) => rig.node.push(block)));
      await rig.until(() => fetched >= 3, 'both blocks are there');
    });
    rig.node.push(late!);
    await rig.atHead(newest!);
    assert.equal(rig.epochs, 2);
    const { blocksAborted: blocksGivenUp, blocksExecuted } = rig.status.counts;
    assert.deepEqual([blocksGivenUp, blocksExecuted], [1, 0]);
    await assertSlots(newest!, () => rig.latest, 'the newest block');
  });

  test('that is replaced by another head during a long execution is aborted for that head', async () => {
    const [long, other] = [await makeBlock(head, writes(6, 5n)), await makeBlock(head, writes(2, 6n), 1)];
    pauseOnce(LIMITS.blockMs + 1, () => awaitReceived(1, () => rig.node.reorg(1, [other])));
    rig.node.push(long);
    await rig.atHead(other);
    assert.equal(rig.epochs, 1);
    assert.equal(rig.status.counts.blocksAborted, 1);
    assert.equal(rig.status.counts.mismatches, 0);
    await assertSlots(other, () => rig.latest, 'the other block');
  });

  test('is announced to main before its execution, which may block for long', async () => {
    const block = await makeBlock(head, writes(2, 5n));
    await rig.confirm(block);
    const states = rig.messages.flatMap((message) => (message.kind === 'live' ? [message.status.executing] : []));
    const reported = rig.messages.findIndex((message) => message.kind === 'live' && message.status.executing !== null);
    const shown = rig.messages.findIndex((message) => message.kind === 'completed' && message.number === block.number);
    assert.ok(reported >= 0 && reported < shown);
    assert.deepEqual(
      states.findLast((executing) => executing !== null),
      { kind: 'block', block: 2, executedMs: 0 },
    );
    await rig.until(() => rig.status.executing === null, 'nothing is at hand');
  });
});

describe('an increment', () => {
  test('is announced before it is executed, by what is executed alone; main has the rest of the status', async () => {
    const block = await makeBlock(head, writes(2, 5n));
    rig.send(...framesOf(block, 1));
    await rig.until(rig.isAt(block, 2), 'the block');
    const reports = rig.messages.flatMap((message) => (message.kind === 'live' ? [message.status] : []));
    const executing = reports.flatMap((report) => ('counts' in report ? [] : [report.executing]));
    assert.deepEqual(executing.slice(0, 2), [{ kind: 'increment', block: block.number, executedMs: 0 }, null]);
    const first = reports.findIndex((report) => !('counts' in report));
    const merged = reports.slice(0, first + 1).reduce(mergeStatusReport, null);
    assert.deepEqual(merged?.executing, executing[0]);
    assert.equal(merged?.head, head.number);
    assert.equal(mergeStatusReport(null, reports[first]!), null);
  });

  test('that takes too long is given up with its block, and the next block is pre-confirmed again', async () => {
    const [late, next] = await makeChain(head, [writes(3, 5n), writes(3, 6n)]);
    const [opening, ...increments] = framesOf(late!, 1);
    rig.send(opening!, increments[0]!);
    await rig.until(rig.isAt(late!, 1), 'the first increment');
    stall();
    rig.send(increments[1]!);
    await rig.until(() => rig.newest.version === rig.newest.latestVersion, 'back to latest');
    clock.readMs = 0;
    await assertSlots(head, () => rig.pending, 'pending is latest');
    rig.send(increments[2]!, ...framesOf(next!, 1));
    rig.node.push(late!);
    await rig.until(rig.isAt(next!, 3), 'the next block');
    await assertSlots(next!, () => rig.pending, 'pending is the next block');
    await assertSlots(late!, () => rig.latest, 'latest');
    const { incrementsAborted: incrementsGivenUp, incrementsSlow, mismatches, fallbacks, gaps } = rig.status.counts;
    assert.deepEqual([incrementsGivenUp, incrementsSlow, mismatches, fallbacks, gaps], [1, 1, 0, 1, 0]);
    assert.equal(rig.epochs, 1);
  });

  test('whose attempt is replaced by the feed during a long execution is aborted for the new attempt', async () => {
    const [long, other] = [await makeBlock(head, writes(6, 5n)), await makeBlock(head, writes(2, 6n))];
    pauseOnce(LIMITS.incrementMs + 1, () => awaitReceived(3, () => rig.send(...framesOf(other, 1))));
    rig.send(...framesOf(long, 6));
    await rig.until(rig.isAt(other, 2), 'the other attempt');
    await assertSlots(other, () => rig.pending, 'pending');
    assert.equal(rig.status.counts.incrementsAborted, 1);
    assert.equal(rig.status.counts.mismatches, 0);
  });

  test('whose block is confirmed with another hash during a long execution is aborted for that block', async () => {
    const [long, other] = [await makeBlock(head, writes(6, 5n)), await makeBlock(head, writes(2, 6n), 1)];
    pauseOnce(LIMITS.incrementMs + 1, async () => {
      await awaitReceived(1, () => rig.node.push(other));
      await rig.until(() => fetched >= 1, 'the other block is there');
    });
    rig.send(...framesOf(long, 6));
    await rig.atHead(other);
    await assertSlots(other, () => rig.pending, 'pending');
    assert.equal(rig.status.counts.incrementsAborted, 1);
  });

  test('whose block is confirmed unchanged during a long execution is executed to the end', async () => {
    const long = await makeBlock(head, writes(3, 5n));
    pauseOnce(LIMITS.incrementMs + 1, async () => {
      await awaitReceived(1, () => rig.node.push(long));
      await rig.until(() => fetched >= 1, 'the block is there');
    });
    rig.send(...framesOf(long, 3));
    await rig.atHead(long);
    assert.equal(rig.status.counts.blocksPromoted, 1);
    assert.equal(rig.status.counts.incrementsAborted, 0);
  });
});
