// The dev chain on a fake clock: increments, blocks, transactions from all sides, stopping and continuing. Every block
// is executed again by the library alone.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Transaction, getCreateAddress, keccak256, type Wallet } from 'ethers';
import * as fc from 'fast-check';
import { decodeHeader } from '../../../src/chain/block/header.js';
import { createDevChain } from '../../../src/feed/dev/dev-chain.js';
import {
  DEV_ACCOUNT_ADDRESSES,
  DEV_CHAIN,
  DEV_FEE_RECIPIENT,
  DEV_SWAP_POOL,
  devGenesisState,
} from '../../../src/feed/dev/genesis.js';
import type { Feed, SubmissionResult } from '../../../src/feed/feed.js';
import { fromHex, toHex } from '../../../src/lib/bytes/hex.js';
import { LIMITS } from '../../../src/limits/index.js';
import type { CompleteBlock, ChainHead } from '../../../src/state/complete-block.js';
import type { StateDiff } from '../../../src/state/state-diff.js';
import { devWallet, signed } from '../keys.js';
import { FakeClock, RecordingSink, submitAll, passTurns } from '../recording-sink.js';
import { MemoryView } from '../../support/memory-view.js';
import { ReferenceChain } from './reference-chain.js';

const START_MS = 1_700_000_000_100;
/** 50 transactions per second, each of which reads its sender twice, take 0.8 s of every second. */
const ACCOUNT_READ_MS = 8;
const wallets = [0, 1, 2, 3].map(devWallet);

interface Chain {
  readonly feed: Feed;
  readonly clock: FakeClock;
  readonly sink: RecordingSink;
}

function newChain(trafficTps = 0, clock = new FakeClock(START_MS), sink = new RecordingSink(clock)): Chain {
  const feed = createDevChain({ kind: 'dev', trafficTps }, { clock, contents: () => sink.contents() });
  return { feed, clock, sink };
}

/** A sink whose state is slow to read accounts. */
class SlowReadsSink extends RecordingSink {
  readonly #clock: FakeClock;

  constructor(clock: FakeClock) {
    super(clock);
    this.#clock = clock;
  }

  override view(): MemoryView {
    const view = super.view();
    const account: MemoryView['account'] = (address) => {
      this.#clock.spend(ACCOUNT_READ_MS);
      return view.account(address);
    };
    return Object.assign(new MemoryView(view), { account });
  }
}

/** Submits at a given time after the start; the returned list contains the results once the chain has run. */
function submitAt({ feed, clock }: Chain, afterMs: number, raws: readonly Uint8Array[]): SubmissionResult[] {
  const answers: SubmissionResult[] = [];
  clock.plan(START_MS + afterMs, () => handInFor(answers, feed, raws));
  return answers;
}

const executedTimes = (length: number): string[] => Array.from({ length }, () => 'executed');

/**
 * Submits at a given time after the start; returns whether the state contained each transaction when its result
 * arrived.
 */
function submitWatched(
  { feed, clock, sink }: Chain,
  afterMs: number,
  { address }: Wallet,
  raws: readonly Uint8Array[],
): string[] {
  const seen: string[] = [];
  const watch = async (raw: Uint8Array, index: number): Promise<void> => {
    const { nonce } = Transaction.from(toHex(raw));
    const answer = await submit(feed, raw);
    const isExecuted = sink.view().account(fromHex(address))!.nonce > BigInt(nonce);
    seen[index] = answer.accepted ? (isExecuted ? 'executed' : 'waiting') : answer.message;
  };
  clock.plan(START_MS + afterMs, () => {
    for (const [index, raw] of raws.entries()) void watch(raw, index);
    return passTurns(raws.length);
  });
  return seen;
}

async function handInFor(answers: SubmissionResult[], feed: Feed, raws: readonly Uint8Array[]): Promise<void> {
  const submitted = await submitAll(feed, raws);
  void submitted.answers.then((all) => answers.push(...all));
}

async function submit(feed: Feed, raw: Uint8Array): Promise<SubmissionResult> {
  const answer = await feed.submit?.(raw);
  assert.ok(answer !== undefined);
  return answer;
}

async function runFor({ feed, clock, sink }: Chain, ms: number, head: ChainHead | null = null): Promise<void> {
  let stopped: Promise<void> = Promise.resolve();
  clock.plan(clock.now() + ms, () => {
    stopped = feed.stop();
  });
  await feed.run(sink, head);
  await stopped;
  await nextTurn();
}

/** Checks each header against its parent, and executes the whole chain again. */
async function verify(blocks: readonly CompleteBlock[]): Promise<void> {
  const reference = await ReferenceChain.create(devGenesisState());
  const headers = blocks.map(({ header }) => decodeHeader(header));
  assert.equal(toHex(headers[0]!.stateRoot), toHex(await reference.stateRoot()), 'genesis state root');
  for (let i = 1; i < blocks.length; i++) {
    const [header, parent] = [headers[i]!, headers[i - 1]!];
    assert.equal(header.number, parent.number + 1);
    assert.equal(toHex(header.parentHash), toHex(blocks[i - 1]!.hash));
    assert.ok(header.timestamp > parent.timestamp);
    const built = await reference.execute(blocks[i]!, parent.stateRoot);
    assert.equal(toHex(built.hash()), toHex(blocks[i]!.hash));
    assert.equal(built.serialize().length, blocks[i]!.sizeBytes);
    const { receipt } = blocks[i]!.transactions.at(-1) ?? { receipt: { cumulativeGasUsed: 0n } };
    assert.equal(header.gasUsed, receipt.cumulativeGasUsed);
    if (i + 1 < blocks.length) assert.equal(built.header.calcNextBaseFee(), headers[i + 1]!.baseFeePerGas);
  }
}

const included = (blocks: readonly CompleteBlock[]): string[] =>
  blocks.flatMap(({ transactions }) => transactions.map(({ hash }) => toHex(hash)));

void describe('blocks and increments', () => {
  void it('a block is an opening, ten increments and completion, followed at once by the next opening', async () => {
    const chain = newChain();
    await runFor(chain, 5900);
    const reported = chain.sink.reports.map(({ atMs, diff, block }) => {
      const { coordinates, heads } = diff;
      return [atMs - START_MS, coordinates.block, coordinates.index, block !== null, heads.latest];
    });
    const expected: unknown[] = [[0, 0, 0, true, 0]];
    for (const number of [1, 2, 3]) {
      const start = (number - 1) * 2000;
      const last = number === 3 ? 9 : 10;
      for (let index = 0; index <= last; index++)
        expected.push([start + 200 * index, number, index, false, number - 1]);
      expected.push([start + 200 * last, number, last, true, number]);
    }
    // The last block is sealed early: its last increment is the one caused by stopping.
    expected.push([5900, 3, 10, false, 2], [5900, 3, 10, true, 3]);
    expected.splice(expected.length - 3, 1);
    assert.deepEqual(reported, expected);
    await verify(chain.sink.blocks);
  });

  void it('the environment of an increment is that of its block', async () => {
    const chain = newChain();
    await runFor(chain, 22_000);
    const headers = new Map(chain.sink.blocks.map(({ number, header }) => [number, decodeHeader(header)]));
    for (const { diff } of chain.sink.reports) {
      const { env, coordinates, heads } = diff;
      const header = headers.get(env.number)!;
      assert.equal(coordinates.block, env.number);
      assert.equal(toHex(coordinates.parentHash), toHex(header.parentHash));
      assert.deepEqual(
        [env.timestamp, env.gasLimit, env.baseFeePerGas, toHex(env.coinbase), toHex(env.prevRandao)],
        [header.timestamp, 30_000_000n, header.baseFeePerGas, toHex(DEV_FEE_RECIPIENT), toHex(header.mixHash)],
      );
      assert.equal(toHex(env.parentBeaconBlockRoot), toHex(header.parentBeaconBlockRoot!));
      assert.equal(heads.safe, Math.max(0, heads.latest - 4));
      assert.equal(heads.finalized, Math.max(0, heads.latest - 8));
    }
    assert.ok(headers.size >= 11);
    const randaos = new Set([...headers.values()].map(({ mixHash }) => toHex(mixHash)));
    assert.equal(randaos.size, headers.size);
  });

  void it('increments stay on their schedule after one takes too long', async () => {
    const chain = newChain();
    chain.clock.plan(START_MS + 700, () => chain.clock.spend(650));
    chain.clock.plan(START_MS + 5000, () => chain.clock.spend(4300));
    await runFor(chain, 13_000);
    const completed = chain.sink.reports.filter(({ block }) => block !== null).map(({ atMs }) => atMs - START_MS);
    assert.deepEqual(completed, [0, 2000, 4000, 9300, 10_000, 12_000, 13_000]);
    await verify(chain.sink.blocks);
  });
});

void describe('setting the wall clock', () => {
  const HOUR_MS = 3_600_000;
  for (const [name, byMs] of [
    ['back', -HOUR_MS],
    ['forward', HOUR_MS],
  ] as const) {
    void it(`${name} by an hour delays no block, and timestamps never go back`, async () => {
      const chain = newChain();
      chain.clock.plan(START_MS + 4500, () => void (chain.clock.wallOffsetMs = byMs));
      await runFor(chain, 12_000);
      const completed = chain.sink.reports.filter(({ block }) => block !== null);
      assert.deepEqual(
        completed.map(({ atMs }) => atMs - START_MS),
        [0, 2000, 4000, 6000, 8000, 10_000, 12_000],
      );
      const times = completed.map(({ diff }) => Number(diff.env.timestamp) - Math.floor(START_MS / 1000));
      const after = byMs < 0 ? [7, 8, 9] : [3608, 3610, 3612];
      assert.deepEqual(times, [0, 2, 4, 6, ...after]);
    });
  }

  void it('by a few milliseconds leaves timestamps on their schedule', async () => {
    const chain = newChain(0, new FakeClock(START_MS - 100));
    for (const [at, offsetMs] of [-3, 2, -1, 4].entries())
      chain.clock.plan(START_MS + 500 + 2000 * at, () => void (chain.clock.wallOffsetMs = offsetMs));
    await runFor(chain, 10_000);
    const times = chain.sink.blocks.map(({ header }) => Number(decodeHeader(header).timestamp));
    assert.deepEqual(
      times.map((time) => time - times[0]!),
      [0, 2, 4, 6, 8, 10],
    );
  });
});

void describe('transactions', () => {
  void it('a transaction causes an increment at once, is answered after it, and announced once', async () => {
    const chain = newChain();
    const raw = signed(wallets[0]!, { value: 5n });
    const [again, behind] = [submitAt(chain, 450, [raw, raw]), submitAt(chain, 2500, [raw])];
    const [executed, other] = [
      submitAt(chain, 1000, [raw]),
      submitAt(chain, 1100, [signed(wallets[0]!, { value: 6n })]),
    ];
    await runFor(chain, 4000);
    assert.deepEqual(
      again.map((answer) => answer.accepted || answer.message),
      [true, 'already known'],
    );
    assert.deepEqual(
      executed.map((answer) => answer.accepted || answer.message),
      ['already known'],
      'while its block is open',
    );
    assert.deepEqual(
      [...behind, ...other].map((answer) => answer.accepted || answer.message),
      Array.from({ length: 2 }, () => 'nonce too low: next nonce 1, tx nonce 0'),
    );
    const telling = chain.sink.reports.filter(({ transactions }) => transactions.length > 0);
    assert.equal(telling.length, 1);
    assert.equal(telling[0]!.atMs - START_MS, 450);
    assert.deepEqual(telling[0]!.transactions[0]!.raw, raw);
    assert.equal(chain.sink.view().account(fromHex(`0x${'11'.repeat(20)}`))?.balance, 5n);
    await verify(chain.sink.blocks);
  });

  void it('increments for new transactions are at least 20 ms apart and do not move the scheduled ones', async () => {
    const chain = newChain();
    const seen: boolean[] = [];
    for (const [nonce, atMs] of [5, 30, 35, 60, 189, 300, 1985].entries()) {
      chain.clock.plan(START_MS + atMs, async () => {
        const { answers } = await submitAll(chain.feed, [signed(wallets[0]!, { nonce })]);
        const look = (): boolean => chain.sink.view().account(DEV_ACCOUNT_ADDRESSES[0]!)!.nonce > BigInt(nonce);
        void answers.then(() => seen.push(look()));
      });
    }
    await runFor(chain, 2300);
    assert.deepEqual(
      seen,
      Array.from({ length: 7 }, () => true),
    );
    const reported = chain.sink.reports.filter(({ block }) => block === null);
    const empty = [0, 400, 600, 800, 1000, 1200, 1400, 1600, 1800, 2000, 2200, 2300].map((atMs) => [atMs, 0]);
    const full = [
      [20, 1],
      [40, 2],
      [60, 1],
      [200, 1],
      [300, 1],
      [2000, 1],
    ];
    const inOrder = [...full, ...empty].toSorted((a, b) => a[0]! - b[0]!);
    assert.deepEqual(
      reported.map(({ atMs, transactions }) => [atMs - START_MS, transactions.length]),
      inOrder,
    );
    await verify(chain.sink.blocks);
  });

  void it('a burst of nonces in any order is executed in order, without a gap', async () => {
    const property = fc.asyncProperty(fc.shuffledSubarray([...Array(50).keys()], { minLength: 50 }), async (nonces) => {
      const chain = newChain();
      const raws = nonces.map((nonce) => signed(wallets[1]!, { nonce }));
      const answers = [submitAt(chain, 150, raws.slice(0, 20)), submitAt(chain, 550, raws.slice(20))];
      await runFor(chain, 2000);
      assert.equal(answers.flat().filter(({ accepted }) => accepted).length, 50);
      const [, block] = chain.sink.blocks;
      assert.deepEqual(
        block!.transactions.map(({ raw }) => toHex(raw)),
        nonces.toSorted((a, b) => a - b).map((nonce) => toHex(raws[nonces.indexOf(nonce)]!)),
      );
      assert.equal(chain.sink.view().account(DEV_ACCOUNT_ADDRESSES[1]!)?.nonce, 50n);
    });
    await fc.assert(property, { numRuns: 3, seed: 3 });
  });

  void it('transactions that do not fit a block go into the next, in order', async () => {
    const chain = newChain();
    // Creations that halt and use up all of their gas.
    const costly = { to: null, data: '0xfe', gasLimit: 8_000_000n };
    const raws = [0, 1, 2, 3, 4, 5, 6].map((nonce) => signed(wallets[0]!, { ...costly, nonce }));
    const seen = submitWatched(chain, 100, wallets[0]!, raws);
    await runFor(chain, 6000);
    assert.deepEqual(seen, executedTimes(7));
    assert.deepEqual(included(chain.sink.blocks).length, 7);
    const gas = chain.sink.blocks.map(({ header }) => decodeHeader(header).gasUsed);
    assert.deepEqual(gas.slice(0, 4), [0n, 24_000_000n, 24_000_000n, 8_000_000n]);
    const fees = chain.sink.blocks.map(({ header }) => decodeHeader(header).baseFeePerGas!);
    assert.ok(fees[2]! > fees[1]! && fees[3]! > fees[2]! && fees[3]! < 10n ** 10n);
    await verify(chain.sink.blocks);
  });

  void it('transactions of every kind are executed, with traffic around them', async () => {
    const chain = newChain(20);
    const auth = wallets[2]!.authorizeSync({ address: toHex(DEV_SWAP_POOL), nonce: 1, chainId: 31337n });
    const list = [{ address: toHex(DEV_SWAP_POOL), storageKeys: [`0x${'00'.repeat(32)}`] }];
    const raws = [
      signed(wallets[0]!, { type: 0, value: 1n }),
      signed(wallets[0]!, { type: 1, nonce: 1, accessList: list, gasLimit: 40_000n }),
      signed(wallets[0]!, { type: 2, nonce: 2, accessList: list, gasLimit: 40_000n }),
      signed(wallets[2]!, { type: 4, nonce: 0, authorizationList: [auth], gasLimit: 100_000n }),
      signed(wallets[3]!, { nonce: 0, to: null, data: '0x60016000f3', gasLimit: 200_000n }),
      signed(wallets[3]!, { nonce: 1, to: toHex(DEV_SWAP_POOL), data: '0x12345678', gasLimit: 100_000n }),
    ];
    const answers = submitAt(chain, 300, raws);
    await runFor(chain, 4000);
    assert.deepEqual(
      answers.map((answer) => answer.accepted || answer.message),
      raws.map(() => true),
    );
    const all = chain.sink.blocks.flatMap(({ transactions }) => transactions);
    assert.ok(all.length > 70, `${all.length} transactions`);
    const failed = all.filter(({ receipt }) => receipt.status === 0);
    assert.deepEqual(
      failed.map(({ raw }) => toHex(raw)),
      [toHex(raws.at(-1)!)],
    );
    assert.equal(chain.sink.view().account(DEV_ACCOUNT_ADDRESSES[2]!)?.nonce, 2n, 'transaction and authorization');
    assert.deepEqual(
      [...new Set(all.map(({ receipt }) => receipt.type))].sort((a, b) => a - b),
      [0, 1, 2, 4],
    );
    await verify(chain.sink.blocks);
  });

  void it('a transaction whose sender can no longer pay is dropped, and the chain continues', async () => {
    const chain = newChain();
    const [rich, poor] = [wallets[0]!, devWallet(50)];
    // CALL(gas, caller, selfbalance, nothing): sends the whole balance to the caller.
    const drain = getCreateAddress({ from: rich.address, nonce: 0 });
    const auth = poor.authorizeSync({ address: drain, nonce: 1, chainId: 31337n });
    const late = signed(poor, { nonce: 2, maxPriorityFeePerGas: 1n });
    const steps = [
      [signed(rich, { to: null, data: '0x675f5f5f5f47335af15f5260086018f3', gasLimit: 100_000n })],
      [signed(rich, { nonce: 1, to: poor.address, value: 10n ** 18n })],
      [signed(poor, { type: 4, authorizationList: [auth], gasLimit: 100_000n })],
      [late, signed(rich, { nonce: 2, to: poor.address, gasLimit: 100_000n })],
      [signed(rich, { nonce: 3, to: poor.address, value: 10n ** 18n, gasLimit: 100_000n })],
    ];
    const answers = steps.map((raws, i) => submitAt(chain, 100 + 200 * i, raws)).slice(0, 4);
    const again = submitAt(chain, 1500, [late]);
    await runFor(chain, 2000);
    assert.match(again.map((answer) => (answer.accepted ? '' : answer.message)).join(), /^insufficient funds/);
    assert.ok(answers.flat().every(({ accepted }) => accepted));
    const done = included(chain.sink.blocks);
    assert.equal(done.length, 5);
    assert.ok(!chain.sink.blocks[1]!.transactions.some(({ raw }) => toHex(raw) === toHex(late)));
    assert.equal(chain.sink.view().account(fromHex(poor.address))?.nonce, 2n);
    await verify(chain.sink.blocks);
  });

  void it('transactions that take too long for one increment continue in the next', async () => {
    const chain = newChain();
    const raws = Array.from({ length: 12 }, (_, nonce) => signed(wallets[0]!, { nonce }));
    const seen = submitWatched(chain, 100, wallets[0]!, raws);
    chain.clock.plan(START_MS + 100, () => {
      chain.clock.costMs = 40;
    });
    await runFor(chain, 4000);
    const reported = chain.sink.reports.map(({ transactions }) => transactions.length).filter((count) => count > 0);
    assert.ok(reported.length >= 3 && reported.every((count) => count <= 4), reported.join());
    assert.deepEqual(seen, executedTimes(12));
    assert.deepEqual(
      included(chain.sink.blocks),
      raws.map((raw) => keccak256(raw)),
    );
  });

  void it('a transaction that pays less than generated traffic is still executed in the next increment', async () => {
    const chain = newChain(100);
    chain.clock.costMs = 6;
    const seen = [0, 1, 2].map((nonce) =>
      submitWatched(chain, 900 + 600 * nonce, wallets[0]!, [signed(wallets[0]!, { nonce, maxPriorityFeePerGas: 0n })]),
    );
    await runFor(chain, 3000);
    assert.deepEqual(seen.flat(), executedTimes(3));
    const traffic = chain.sink.reports.filter(({ transactions }) => transactions.length > 2);
    assert.ok(traffic.length > 3, `${traffic.length} increments with traffic`);
  });

  void it('a transaction that cannot be executed yet is answered as waiting after the next increment', async () => {
    const chain = newChain();
    const [rich, poor] = [wallets[0]!, wallets[1]!];
    const cheap = { maxFeePerGas: 8n, maxPriorityFeePerGas: 0n };
    const seen = [
      submitWatched(chain, 100, rich, [signed(rich, { nonce: 1 })]),
      submitWatched(chain, 300, poor, [signed(poor, cheap), signed(poor, { nonce: 1 })]),
    ];
    await runFor(chain, 350);
    assert.deepEqual(seen, [['waiting'], ['waiting', 'waiting']]);
  });

  void it('when blocks stay full, a submission is answered as waiting after its maximum time', async () => {
    const chain = newChain();
    // Every block is filled by creations that halt and pay more.
    const costly = { to: null, data: '0xfe', gasLimit: 15_000_000n, maxFeePerGas: 10n ** 12n };
    const [first, second] = [wallets[0]!, wallets[1]!];
    submitAt(
      chain,
      100,
      Array.from({ length: 60 }, (_, nonce) => signed(first, { ...costly, nonce })),
    );
    const late = signed(second, { maxFeePerGas: 10n ** 12n, maxPriorityFeePerGas: 0n });
    const seen = submitWatched(chain, 300, second, [late]);
    chain.clock.plan(START_MS + LIMITS.devSubmissionMsMax, () => assert.deepEqual(seen, []));
    await runFor(chain, LIMITS.devSubmissionMsMax + 600);
    assert.deepEqual(seen, ['waiting']);
  });

  void it('traffic that is slow to generate leaves time to execute it, also after a pause', async () => {
    const clock = new FakeClock(START_MS);
    const chain = newChain(50, clock, new SlowReadsSink(clock));
    clock.plan(START_MS + 1700, () => clock.spend(1000));
    await runFor(chain, 5000);
    const increments = chain.sink.reports.filter(({ diff: { coordinates } }) => coordinates.index > 0);
    const reported = increments.filter(({ block }) => block === null).map(({ transactions }) => transactions.length);
    // The first report only starts the count.
    assert.ok(reported.length >= 10 && reported.slice(1).every((count) => count > 0), reported.join());
    await verify(chain.sink.blocks);
  });

  void it('a burst is checked one by one, with ticks of the event loop in between', async () => {
    const chain = newChain();
    let turns = 0;
    let counting = true;
    const count = (): void => {
      turns++;
      if (counting) setImmediate(count);
    };
    const raws = Array.from({ length: 30 }, (_, nonce) => signed(wallets[0]!, { nonce }));
    setImmediate(count);
    const answers = submitAt(chain, 100, raws);
    await runFor(chain, 300);
    counting = false;
    assert.equal(answers.filter(({ accepted }) => accepted).length, 30);
    assert.ok(turns >= 30, `${turns} turns`);
  });

  void it('transactions are refused before the chain runs and after it has stopped', async () => {
    const chain = newChain();
    const message = 'the chain is not taking transactions';
    assert.deepEqual(await submit(chain.feed, signed(wallets[0]!, {})), { accepted: false, message });
    await runFor(chain, 300);
    assert.deepEqual(await submit(chain.feed, signed(wallets[0]!, {})), { accepted: false, message });
  });
});

void describe('stopping and continuing', () => {
  void it('an accepted transaction is in the block that is sealed at the stop', async () => {
    const chain = newChain();
    const raw = signed(wallets[0]!, {});
    const answers = submitAt(chain, 500, [raw]);
    await runFor(chain, 500);
    assert.equal(answers[0]?.accepted, true);
    assert.equal(included(chain.sink.blocks).length, 1);
    await verify(chain.sink.blocks);
  });

  void it('a transaction accepted while the last block is being archived is in a block, too', async () => {
    const clock = new FakeClock(START_MS);
    const answers: SubmissionResult[] = [];
    class SlowSink extends RecordingSink {
      override async complete(diff: StateDiff, block: CompleteBlock): Promise<void> {
        if (block.number === 1) {
          await handInFor(answers, chain.feed, [signed(wallets[0]!, {})]);
          void chain.feed.stop();
        }
        await super.complete(diff, block);
      }
    }
    const chain = newChain(0, clock, new SlowSink(clock));
    await chain.feed.run(chain.sink, null);
    assert.equal(answers[0]?.accepted, true);
    assert.deepEqual(
      chain.sink.blocks.map(({ transactions }) => transactions.length),
      [0, 0, 1],
    );
    await verify(chain.sink.blocks);
  });

  void it('the chain continues from its last block', async () => {
    const first = newChain(10);
    await runFor(first, 4100);
    const last = first.sink.blocks.at(-1)!;
    first.clock.spend(60_000);
    const second = newChain(10, first.clock, first.sink);
    await runFor(second, 4100, last);
    const { blocks } = second.sink;
    assert.deepEqual(
      blocks.map(({ number }) => number),
      [0, 1, 2, 3, 4, 5, 6],
    );
    assert.ok(decodeHeader(blocks[4]!.header).timestamp - decodeHeader(last.header).timestamp >= 58);
    await verify(blocks);
  });

  void it('the chain continues at once, with rising timestamps', async () => {
    const clock = new FakeClock(START_MS);
    const sink = new RecordingSink(clock);
    for (let i = 0; i < 4; i++) await runFor(newChain(0, clock, sink), 10, sink.blocks.at(-1) ?? null);
    assert.equal(sink.blocks.length, 5);
    await verify(sink.blocks);
  });

  void it('the chain has its id and forks in its description', () => {
    assert.equal(newChain().feed.chain, DEV_CHAIN);
    assert.equal(DEV_CHAIN.chainId, 31337n);
  });
});
