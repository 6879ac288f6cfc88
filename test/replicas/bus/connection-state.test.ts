// A lost connection: steps that need it are ended, and a stream reader resumes after the last message.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { StreamConsumers, type ConsumedMessages } from '../../../src/replicas/bus/stream-consumers.js';
import { ConnectionState } from '../../../src/replicas/bus/connection-state.js';
import { until } from '../../support/patience.js';

const forEver = (): Promise<never> => new Promise(() => undefined);

describe('a step that needs the connection', () => {
  test('resolves with its result', async () => {
    const link = new ConnectionState();
    assert.equal(await link.whileUp(async () => 5), 5);
    await assert.rejects(
      link.whileUp(async () => assert.fail('a step')),
      /a step/,
    );
  });

  test('ends as soon as the connection is lost, and does not start without one', async () => {
    const link = new ConnectionState();
    const waiting = link.whileUp(forEver);
    link.set(false);
    await assert.rejects(waiting, /the connection was lost/);
    let started = 0;
    const step = async (): Promise<number> => ++started;
    await assert.rejects(link.whileUp(step), /not connected/);
    link.set(true);
    assert.equal(await link.whileUp(step), 1);
  });
});

/** A consumer that delivers the given messages and ends when it is stopped. */
class Consumer implements ConsumedMessages {
  readonly from: number;
  isStopped = false;
  #arrive: (count: number) => void = () => {};

  constructor(from: number) {
    this.from = from;
  }

  stop(): void {
    this.isStopped = true;
    this.#arrive(0);
  }

  bring(count: number): void {
    this.#arrive(count);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<{ readonly data: Uint8Array; readonly seq: number }, void> {
    for (let next = this.from; !this.isStopped;) {
      const count = await new Promise<number>((resolve) => (this.#arrive = resolve));
      for (let i = 0; i < count; i++) yield { data: Uint8Array.of(next), seq: next++ };
    }
  }
}

describe('a reader of the stream', () => {
  test('opens a new consumer at the next sequence as soon as the connection is lost or back', async () => {
    const link = new ConnectionState();
    const opened: Consumer[] = [];
    const received: number[] = [];
    const open = (from: number): Promise<Consumer> =>
      link.whileUp(async () => opened[opened.push(new Consumer(from)) - 1]!);
    const take = async ({ sequence }: { readonly sequence: number }): Promise<void> => void received.push(sequence);
    const following = new StreamConsumers({ open, take, link, isClosed: () => false });
    const done = following.run(5);
    await until(() => opened.length === 1);
    await until(() => {
      if (received.length === 0) opened[0]!.bring(3);
      return received.length === 3;
    });
    link.set(false);
    assert.equal(opened[0]!.isStopped, true);
    link.set(true);
    await until(() => opened.length === 2, 'another consumer');
    assert.deepEqual([received, opened[1]!.from], [[5, 6, 7], 8]);
    following.stop();
    await done;
    assert.equal(opened[1]!.isStopped, true);
    assert.equal(opened.length, 2);
  });
});
