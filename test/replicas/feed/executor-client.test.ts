// Requests to an executor that is dead, hung or slow: each ends in time, at once if nobody listens, with an error that
// names the executor.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { ExecutorClient } from '../../../src/replicas/feed/executor-client.js';
import { LIMITS } from '../../../src/limits/index.js';
import { decodeRecord, recordBytes } from '../../../src/replicas/messages/control-messages-json.js';
import { BusUnavailableError, type StoppableTask } from '../../../src/replicas/bus/chain-bus.js';
import type { Clock } from '../../../src/lib/clock.js';
import { UpstreamError } from '../../../src/upstream/upstream.js';
import { addressOf, hashOf } from '../../state/diffs.js';

const WANTS = { accounts: [addressOf(1)], slots: [] };
const FOUND = { accounts: [{ address: addressOf(1), account: null }], slots: [], codes: [] };
const { replicationSilenceMsMax: SILENCE_MS, replicationAliveMs: ALIVE_MS } = LIMITS;
const nobodyListens = (): never => assert.fail('nobody listens');
const late = async (): Promise<never> => Promise.reject(new BusUnavailableError('timeout'));
const never = (): Promise<never> => new Promise(() => undefined);

/** A clock that only moves when told to. */
class ManualClock implements Clock {
  #nowMs = 0;
  readonly #sleepers = new Set<{ readonly timeMs: number; readonly wake: () => void }>();

  now(): number {
    return this.#nowMs;
  }

  wall(): number {
    return this.#nowMs;
  }

  sleepUntil(timeMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const sleeper = { timeMs, wake: resolve };
      this.#sleepers.add(sleeper);
      signal.addEventListener('abort', () => this.#sleepers.delete(sleeper) && resolve());
    });
  }

  /** Sleepers whose time has come are awake afterwards. */
  async move(ms: number): Promise<void> {
    this.#nowMs += ms;
    for (const sleeper of this.#sleepers) {
      if (sleeper.timeMs > this.#nowMs) continue;
      this.#sleepers.delete(sleeper);
      sleeper.wake();
    }
    await setImmediate();
  }

  get sleepers(): number {
    return this.#sleepers.size;
  }
}

/** A server on which the executor responds as the test defines. */
function remoteStateOf(answer: (question: Uint8Array, timeoutMs: number) => Promise<Uint8Array>) {
  const clock = new ManualClock();
  const requested: number[] = [];
  let say: (bytes: Uint8Array) => void = nobodyListens;
  const bus = {
    request: (question: Uint8Array, timeoutMs: number): Promise<Uint8Array> => {
      requested.push(timeoutMs);
      return answer(question, timeoutMs);
    },
    listen: (take: (bytes: Uint8Array) => void): StoppableTask => {
      say = take;
      return { stop: () => {} };
    },
  };
  return { clock, requested, remote: new ExecutorClient(bus, clock), speak: () => say(new Uint8Array()) };
}

async function refusalOf(remote: ExecutorClient): Promise<string> {
  const { refused } = await remote.read(hashOf(1), WANTS);
  assert.equal(refused[0]?.error.kind, 'unreachable');
  return refused[0].error.message;
}

describe('an executor that hangs', () => {
  test('is waited for until it has been silent for too long, and gets no more requests until it sends something', async () => {
    const { clock, requested, remote, speak } = remoteStateOf(never);
    const first = refusalOf(remote);
    await clock.move(SILENCE_MS - 1);
    speak();
    await clock.move(SILENCE_MS - 1);
    assert.equal(clock.sleepers, 1, 'a word in between');
    await clock.move(1);
    const text = `the executor has not been heard of for ${SILENCE_MS} ms`;
    assert.equal(await first, text);
    assert.equal(await refusalOf(remote), text);
    await assert.rejects(remote.request('eth_any', []), { name: 'UpstreamError', message: text });
    assert.deepEqual(await remote.submit(Uint8Array.of(1)), { accepted: false, message: text });
    assert.equal(requested.length, 1, 'the others have cost nothing');
    speak();
    void remote.read(hashOf(1), WANTS);
    assert.equal(requested.length, 2);
  });

  test('but still sends messages gets slightly less time than the call has, so that its error arrives in time', async () => {
    const { clock, requested, remote } = remoteStateOf(late);
    assert.equal(await refusalOf(remote), 'the executor gives no answer: timeout');
    await assert.rejects(remote.request('eth_any', [], clock.now() + 2000), UpstreamError);
    await assert.rejects(remote.request('eth_any', []), UpstreamError);
    const spareMs = LIMITS.replicationRequestSpareMs;
    assert.deepEqual(requested, [LIMITS.fillMsMax - spareMs, 2000 - spareMs, LIMITS.passedOnMsMax - spareMs]);
  });
});

describe('an executor that answers', () => {
  test('leaves no timer behind', async () => {
    const { clock, requested, remote } = remoteStateOf(async () =>
      recordBytes('reply', { kind: 'state', state: FOUND }),
    );
    assert.deepEqual(await remote.read(hashOf(1), WANTS), { ...FOUND, refused: [] });
    assert.equal(requested.length, 1);
    assert.equal(clock.sleepers, 0);
  });

  test('to a read in several requests has no more time for all of them than for one', async () => {
    const wants = { accounts: [addressOf(1), addressOf(1)], slots: [] };
    const { clock, requested, remote, speak } = remoteStateOf(async (question) => {
      assert.equal(decodeRecord('request', question)?.kind, 'read');
      await clock.move(ALIVE_MS);
      speak();
      return recordBytes('reply', { kind: 'state', state: FOUND });
    });
    assert.equal((await remote.read(hashOf(1), wants)).accounts.length, 2);
    assert.equal(requested[0]! - requested[1]!, ALIVE_MS);
  });
});
