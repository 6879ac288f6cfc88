// The main thread's side of a publisher that dies: it is replaced, its table is passed to the new one, pending requests
// are answered, and after repeated failures the main thread gives up.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { KernelCounters } from '../../src/evm/kernel/kernel-counters-and-code-denylist.js';
import { PublisherHost } from '../../src/publisher/publisher-host.js';
import { monotonicMs } from '../../src/lib/clock.js';
import { Histogram } from '../../src/lib/histogram.js';
import { LIMITS } from '../../src/limits/index.js';
import type { MissingKeys } from '../../src/state/views/miss-recording-view.js';
import { StartError } from '../../src/lib/start-error.js';
import type { PublisherRequest, PublisherOptions } from '../../src/publisher/publisher-protocol.js';
import { until } from '../support/patience.js';
import { ORDER, START } from './fixtures/frail-publisher.js';

const FILE = new URL('./fixtures/frail-publisher.js', import.meta.url);
const KERNEL = { mode: 'off', counters: new KernelCounters().buffer } as const;
const BUS = { url: 'nats://127.0.0.1', credsFile: null, caFile: null };
const nothing = (): MissingKeys => ({ accounts: [], slots: [] });
const INTERNAL = { error: 'internal', message: 'internal error' };

function start(dataDir: string, source: PublisherOptions['source'] = { kind: 'dev', trafficTps: 0 }) {
  const reported = { tables: 0, crashes: [] as string[], fatal: [] as [string, number][] };
  const host = new PublisherHost(
    FILE,
    { source, dataDir, kernel: KERNEL, table: {}, visible: Histogram.createBuffer() },
    {
      onTable: () => reported.tables++,
      onEvent: () => undefined,
      onCrash: (reason) => reported.crashes.push(reason),
      onFatal: (message, exitCode) => reported.fatal.push([message, exitCode]),
    },
  );
  after(() => host.stop());
  return { host, reported };
}

const order = (kind: number): PublisherRequest => ({ kind: 'transaction', raw: Uint8Array.of(kind, 0xab) });

describe('a publisher', () => {
  test('a publisher answers submitted transactions, and stops', async () => {
    const { host, reported } = start(START.well);
    const { chain, table } = await host.ready;
    assert.ok(chain.acceptsTransactions && table.generation === 1);
    assert.equal(await host.ask(order(ORDER.accept)), '"0x00ab"');
    assert.deepEqual(await host.ask(order(ORDER.reject)), {
      error: 'transactionRejected',
      message: 'nonce too low',
    });
    await host.stop();
    assert.deepEqual(await host.ask(order(ORDER.accept)), { error: 'overload', message: 'shutting down' });
    assert.deepEqual(reported, { tables: 0, crashes: [], fatal: [] });
  });

  test('a replica that still waits for its chain can be stopped', async () => {
    const { host, reported } = start(START.waits, { kind: 'replica', bus: BUS, upstreamUrl: null });
    await host.stop();
    assert.deepEqual(reported, { tables: 0, crashes: [], fatal: [] });
  });

  test('a request that the publisher does not answer in time ends in an error', async () => {
    const { host } = start(START.well);
    await host.ready;
    const late = { error: 'upstream', message: 'the upstream node does not answer in time' };
    assert.deepEqual(await host.fill(nothing(), monotonicMs() + 10), late);
    assert.deepEqual(await host.request('eth_getLogs', [], monotonicMs()), late);
    await host.stop();
  });

  for (const [name, deadly] of [
    ['throws', ORDER.throw],
    ['exits', ORDER.exit],
  ] as const) {
    test(`a publisher that ${name} is replaced: pending requests fail, the new table is announced, the next request is answered`, async () => {
      const { host, reported } = start(START.well);
      await host.ready;
      const waiting = host.ask(order(ORDER.ignore));
      assert.deepEqual(await host.ask(order(deadly)), INTERNAL);
      assert.deepEqual(await waiting, INTERNAL);
      await until(() => reported.tables === 1);
      assert.equal(await host.ask(order(ORDER.accept)), '"0x00ab"');
      assert.equal(host.restarts, 1);
      assert.equal(reported.crashes.length, 1);
      assert.deepEqual(reported.fatal, []);
    });
  }

  test('main gives up on a publisher that keeps dying, with one message', async () => {
    const { host, reported } = start(START.well);
    await host.ready;
    for (let crash = 0; crash <= LIMITS.publisherRestartsMax; crash++) {
      assert.deepEqual(await host.ask(order(ORDER.throw)), INTERNAL);
    }
    assert.equal(host.restarts, LIMITS.publisherRestartsMax);
    assert.equal(reported.fatal.length, 1);
    assert.match(reported.fatal[0]![0], /^the publisher keeps failing: Error: told to throw/);
    assert.equal(reported.fatal[0]![1], 1);
  });

  test('the start fails if the publisher dies at every try', async () => {
    const { host, reported } = start(START.throws);
    await assert.rejects(host.ready, (error) => error instanceof StartError && error.exitCode === 1);
    assert.equal(reported.crashes.length, LIMITS.publisherRestartsMax);
    assert.deepEqual(reported.fatal, []);
  });

  test('a publisher that reports a fatal error is not started again', async () => {
    const early = start(START.fatal);
    await assert.rejects(early.host.ready, (error) => {
      return error instanceof StartError && error.exitCode === 2 && error.message === 'wrong folder';
    });
    const late = start(START.well);
    await late.host.ready;
    void late.host.ask(order(ORDER.fatal));
    await until(() => late.reported.fatal.length > 0);
    assert.deepEqual(late.reported, { tables: 0, crashes: [], fatal: [['the disk is full', 1]] });
  });
});
