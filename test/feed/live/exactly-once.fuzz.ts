// The measure that matters to operators: every transaction of a feed and every log is reported exactly once, across
// reconnects of the feed and of the clients. FUZZ_SCALE=400 runs 100,000 transactions. Seeded.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { toHex } from '../../../src/lib/bytes/hex.js';
import { LogFilter } from '../../../src/rpc/render/log-filter.js';
import {
  createLogsTopic,
  newPendingTransactionsTopic,
  transactionReceiptsTopic,
} from '../../../src/rpc/push/subscription-topic-messages.js';
import { Random } from '../../support/programs/random.js';
import { rounds } from '../../support/rounds.js';
import { LOGGER, WRITER, framesOf, genesis, makeBlock, type Action, type MadeBlock } from './chain-maker.js';
import { LiveRig } from './live-rig.js';
import { Reports, type Subscription } from './reports.js';

const BLOCKS = rounds(2);
/** Transactions per block and per increment. */
const COUNT = 64;
const SIZE = 16;
const SENDERS = 10;
const ANY = new LogFilter([], []);

/** Faults of the feed's connection within a block. */
const FAULTS = ['none', 'twice', 'repeated', 'lost'] as const;
type Fault = (typeof FAULTS)[number];

interface Json {
  readonly transactionHash: string;
  readonly removed?: boolean;
}

const hashOf = (said: unknown): string => (said as Json).transactionHash;
const hashesOf = ({ block }: MadeBlock, count = COUNT): string[] =>
  block.transactions.slice(0, count).map(({ hash }) => toHex(hash));
const loggingOf = ({ block }: MadeBlock, count = COUNT): string[] =>
  block.transactions
    .slice(0, count)
    .filter(({ receipt }) => receipt.logs.length > 0)
    .map(({ hash }) => toHex(hash));

/** Messages that must be sent, by topic. */
interface Expected {
  readonly transactions: string[];
  readonly pendingLogs: string[];
  /** One list per block. */
  readonly receipts: string[][];
  readonly logs: string[];
}

describe('every transaction of a feed is reported once, and every log once', () => {
  const random = new Random(58);
  const expected: Expected = { transactions: [], pendingLogs: [], receipts: [], logs: [] };
  let rig: LiveRig;
  let reports: Reports;
  let tip: MadeBlock;
  let clients: Record<keyof Expected, Subscription>;

  before(async () => {
    tip = genesis();
    rig = await LiveRig.start({ blocks: [tip], hasFeed: true });
    reports = new Reports(rig);
    clients = {
      transactions: reports.subscribe(newPendingTransactionsTopic(false)),
      pendingLogs: reports.subscribe(createLogsTopic({ filter: ANY, kind: 'preConfirmed' }, reports.executed)),
      receipts: reports.subscribe(transactionReceiptsTopic(new Set(), reports.executed)),
      logs: reports.subscribe(createLogsTopic({ filter: ANY, kind: 'complete' }, reports.executed)),
    };
  });
  after(() => rig.stop());

  const action = (at: number): Action => ({
    from: at % SENDERS,
    to: random.below(2) === 0 ? LOGGER : WRITER,
    words: [BigInt(random.below(50)), BigInt(random.below(1000))],
  });

  /** Waits until all connected clients have received everything. */
  async function settled(): Promise<void> {
    for (const [name, client] of Object.entries(clients) as [keyof Expected, Subscription][]) {
      if (client.reader === null) continue;
      await rig.until(() => reports.count(client) >= expected[name].length, `${name}: all is sent`);
    }
  }

  async function send(made: MadeBlock, frames: readonly string[], at: number): Promise<void> {
    rig.send(frames[at]!);
    const isVisible = (): boolean => rig.newest.coordinates.block === made.number && rig.newest.coordinates.index >= at;
    await rig.until(isVisible, `increment ${at} of block ${made.number}`);
    await settled();
  }

  function expectIncrement(made: MadeBlock, at: number): void {
    const [from, to] = [Math.max(0, at - 1) * SIZE, at * SIZE];
    expected.transactions.push(...hashesOf(made, to).slice(from));
    expected.pendingLogs.push(...loggingOf(made, to).slice(loggingOf(made, from).length));
  }

  async function cutFeed(): Promise<void> {
    rig.cut();
    await rig.until(() => rig.connections === 0, 'disconnected');
    await rig.until(() => rig.connections === 1, 'connected again');
  }

  /** Announces the block's increments, with a fault of the feed's connection after one of them. */
  async function tell(made: MadeBlock, fault: Fault): Promise<void> {
    const frames = framesOf(made, SIZE);
    const cutAfter = 1 + random.below(frames.length - 2);
    for (const at of frames.keys()) {
      expectIncrement(made, at);
      await send(made, frames, at);
      if (fault === 'twice') rig.send(frames[at]!);
      if (at !== cutAfter || fault === 'none' || fault === 'twice') continue;
      await cutFeed();
      if (fault === 'lost') return;
      rig.send(...frames.slice(0, at + 1));
    }
  }

  test(`of ${BLOCKS} blocks with ${COUNT} transactions, over reconnects of the feed and of every client`, async () => {
    let [left, version] = [null as Subscription | null, 0];
    for (let at = 0; at < BLOCKS; at++) {
      const made = await makeBlock(
        tip,
        Array.from({ length: COUNT }, (_, index) => action(index)),
      );
      await tell(made, FAULTS[at % FAULTS.length]!);
      expected.receipts.push(hashesOf(made));
      expected.logs.push(...loggingOf(made));
      await rig.confirm(made);
      tip = made;
      if (left !== null) reports.resume(left, version);
      await settled();
      left = Object.values(clients)[random.below(Object.keys(clients).length)]!;
      version = reports.version;
      reports.disconnect(left);
    }
    if (left !== null) reports.resume(left, version);
    await settled();
    assert.deepEqual(reports.sent(clients.transactions), expected.transactions);
    assert.deepEqual(reports.sent(clients.pendingLogs).map(hashOf), expected.pendingLogs);
    assert.deepEqual(reports.sent(clients.logs).map(hashOf), expected.logs);
    assert.deepEqual(
      reports.sent(clients.receipts).map((each) => (each as Json[]).map(hashOf)),
      expected.receipts,
    );
    assert.equal(new Set(expected.transactions).size, expected.transactions.length);
    assert.equal(new Set(expected.receipts.flat()).size, BLOCKS * COUNT);
  });
});
