// Failures of pre-confirmed state that operators of other nodes have reported, each reproduced here. That everything is
// reported exactly once is tested in `exactly-once.fuzz.ts`; `npm run soak` simulates a month of service.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { toHex, toQuantity } from '../../../src/lib/bytes/hex.js';
import { toBytes } from '../../../src/lib/bytes/big-endian.js';
import { UsageLedger } from '../../../src/fairness/usage-ledger.js';
import { TotalAndClientLimit } from '../../../src/fairness/total-and-client-limit.js';
import { LIMITS } from '../../../src/limits/index.js';
import { SubmittedTransactionTracker } from '../../../src/rpc/call/submitted-transaction-tracker.js';
import { newFlashblocksTopic, newHeadsTopic } from '../../../src/rpc/push/subscription-topic-messages.js';
import { Reader, Rig as PushRig } from '../../rpc/push/rig.js';
import { fewTicks } from '../../rpc/push/event-loop-ticks.js';
import { rounds } from '../../support/rounds.js';
import { ACCOUNTS, WRITER, framesOf, genesis, makeBlock, makeChain, type MadeBlock, write } from './chain-maker.js';
import { LiveRig } from './live-rig.js';
import { Reports } from './reports.js';

const slotAt = (slot: number): string => toHex(rig.pending.storage(WRITER, toBytes(BigInt(slot), 32)));
const word = (value: number): string => toHex(toBytes(BigInt(value), 32));

let rig: LiveRig;
let root: MadeBlock;

/** Its last increment is visible. */
const isWhole = (block: MadeBlock): (() => boolean) => rig.isAt(block, block.block.transactions.length);

/** A fault in the increments of a block, and what clients must still see of the block afterwards. */
const FAULTS: Readonly<Record<string, (frames: readonly string[]) => readonly string[] | 'cut'>> = {
  'an opening that is lost': (frames) => frames.slice(1),
  'an increment that is lost': ([opening, , ...others]) => [opening!, ...others],
  'increments in the wrong order': ([opening, one, two]) => [opening!, two!, one!],
  'a message that is damaged': ([opening, one]) => [opening!, one!.slice(0, one!.length / 2)],
  'another gas than the execution has': ([opening, one]) => [
    opening!,
    one!.replace(/"gas_used":"0x[0-9a-f]+"/, '"gas_used":"0x5209"'),
  ],
  'a block that is never completed': (frames) => frames.slice(0, 2),
  'a connection that is cut': () => 'cut',
};

describe('failures reported of pre-confirmed state', () => {
  beforeEach(async () => {
    root = await makeBlock(genesis(), [write(1, 1)]);
    rig = await LiveRig.start({ blocks: [genesis(), root], hasFeed: true });
    await rig.fetch({
      accounts: [...ACCOUNTS],
      slots: [1, 2, 3].map((slot) => ({ address: WRITER, slot: toBytes(BigInt(slot), 32) })),
    });
  });
  afterEach(() => rig.stop());

  test('a call at `pending` that is blocks behind: a feed that stops leaves `pending` at the newest block', async () => {
    const [half, ...more] = await makeChain(
      root,
      [2, 3, 4, 5, 6].map((value) => [write(1, value), write(2, value, 1)]),
    );
    rig.send(...framesOf(half!, 1).slice(0, 2));
    await rig.until(rig.isAt(half!, 1), 'an increment');
    assert.equal(slotAt(1), word(2));
    for (const [at, block] of [half!, ...more].entries()) {
      await rig.confirm(block);
      assert.equal(rig.newest.coordinates.block, block.number);
      assert.equal(rig.newest.heads.latest, block.number);
      assert.deepEqual([slotAt(1), slotAt(2)], [word(at + 2), word(at + 2)]);
    }
  });

  test('`newFlashblocks` that fall behind a healthy head until a restart: the block after any fault is reported', async () => {
    const reports = new Reports(rig);
    const client = reports.subscribe(newFlashblocksTopic());
    let tip = root;
    for (const [name, bend] of Object.entries(FAULTS)) {
      const [faulty, next] = await makeChain(tip, [
        [write(1, 7), write(2, 7, 1)],
        [write(1, 8), write(2, 8, 1)],
      ]);
      const frames = bend(framesOf(faulty!, 1));
      if (frames === 'cut') {
        rig.send(...framesOf(faulty!, 1).slice(0, 2));
        await rig.until(rig.isAt(faulty!, 1), name);
        rig.cut();
        await rig.until(() => rig.connections === 0, 'disconnected');
        await rig.until(() => rig.connections === 1, 'connected again');
      } else rig.send(...frames);
      await rig.confirm(faulty!);
      rig.send(...framesOf(next!, 1));
      await rig.until(isWhole(next!), `the block after ${name}`);
      const isReported = (): boolean => {
        const last = reports.sent(client).at(-1) as { number: string; transactions: unknown[] } | undefined;
        return last?.number === toQuantity(next!.number) && last.transactions.length === 2;
      };
      await rig.until(isReported, `newFlashblocks after ${name}`);
      await rig.confirm(next!);
      tip = next!;
    }
    assert.equal(rig.epochs, 1);
  });

  test('a feed whose first increment comes before its parent: it waits for the block, and no restart is needed', async () => {
    const [parent, ahead] = await makeChain(root, [
      [write(1, 2), write(2, 2, 1)],
      [write(1, 3), write(3, 3, 1)],
    ]);
    rig.send(...framesOf(ahead!, 1));
    await rig.until(() => rig.received >= 3, 'the increments have come');
    assert.ok(rig.isAt(root, 0)());
    rig.node.push(parent!);
    await rig.until(isWhole(ahead!), 'the increments on top of the block that was missing');
    assert.equal(rig.newest.heads.latest, parent!.number);
    assert.deepEqual([slotAt(1), slotAt(2), slotAt(3)], [word(3), word(2), word(3)]);
    await rig.confirm(ahead!);
    assert.equal(rig.epochs, 1);
  });

  test('a nonce at `pending` without the transactions of the pool: submitted ones count at every increment', async () => {
    const from = ACCOUNTS[0]!;
    const stateNonce = (): bigint => rig.pending.account(from)!.nonce;
    const start = stateNonce();
    const own = new SubmittedTransactionTracker(
      new TotalAndClientLimit(new UsageLedger(), 'sendBytes', 1_000_000, 1_000_000),
      () => 0,
    );
    const [one, two] = await makeChain(root, [
      [write(1, 2), write(1, 3)],
      [write(1, 4), write(1, 5)],
    ]);
    for (const [at, { raw }] of [...one!.block.transactions, ...two!.block.transactions].entries()) {
      const submitted = own.submit(raw, 'client')!;
      own.sign(submitted, from, start + BigInt(at));
      own.accept(submitted, root.number);
    }
    assert.equal(own.next(from, stateNonce()), start + 4n);
    for (const block of [one!, two!]) {
      for (const [index, frame] of framesOf(block, 1).entries()) {
        rig.send(frame);
        await rig.until(rig.isAt(block, index), `increment ${index}`);
        assert.equal(own.next(from, stateNonce()), start + 4n);
      }
      await rig.confirm(block);
      assert.equal(own.next(from, stateNonce()), start + 4n);
    }
  });
});

test('a service that stops answering after hours: more events than are retained, clients that come and go', async () => {
  const main = new PushRig(58);
  const steady = new Reader();
  const heads = main.subscriptions.open(steady, newHeadsTopic({ timestampMs: () => null }), null) as string;
  while (main.events.serial <= rounds(1) * LIMITS.eventsKeptMax) {
    const guest = new Reader();
    assert.equal(typeof main.subscriptions.open(guest, newHeadsTopic({ timestampMs: () => null }), null), 'string');
    for (let step = 0; step < 100; step++) await main.published();
    await fewTicks();
    assert.ok(guest.results.length > 0, 'who has just come is sent what is new');
    assert.equal(steady.take(heads).at(-1)!['hash'], toHex(main.tip.hash), 'so is who came first');
    main.subscriptions.closeAll(guest);
    assert.equal(main.subscriptions.count, 1);
    steady.results.length = 0;
  }
  assert.equal(main.events.since(0), null, 'the first events are no longer kept');
});
