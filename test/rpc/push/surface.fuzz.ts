// Subscriptions under arbitrary client behaviour: any parameters, floods of eth_subscribe and eth_unsubscribe,
// connections that close at any moment. Nothing throws, every response is an id or a clear error, and nothing leaks.
// Seeded.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { toHex } from '../../../src/lib/bytes/hex.js';
import { LIMITS } from '../../../src/limits/index.js';
import { subscriptionMethods } from '../../../src/rpc/methods/subscribe.js';
import { addressOf, wordOf } from '../../state/diffs.js';
import type { Random } from '../../support/programs/random.js';
import { fewTicks } from './event-loop-ticks.js';
import { Reader } from './rig.js';
import { query, CALLS, WatchRig } from '../watch/watch-rig.js';
import { isError } from '../../../src/rpc/answer/call-result.js';

const SEEDS = 4;
const QUESTIONS = 1500;
const STEPS = 60;
/** Errors with which a subscription may be refused. */
const REFUSALS: ReadonlySet<string> = new Set(['invalidParams', 'overload', 'notKept', 'methodNotFound']);

const FILTER = { address: toHex(addressOf(1)), topics: [[toHex(wordOf(1)), null], null] };
const FROM = { fromVersion: 3 };

/** Valid parameters, one row per topic, which are then mutated. */
const PARAMETERS: readonly (readonly unknown[])[] = [
  ['newHeads', FROM],
  ['logs', FILTER, { fromBlock: 5, fromIndex: 0 }],
  ['newPendingTransactions', true, FROM],
  ['newFlashblocks', FROM],
  ['pendingLogs', FILTER],
  ['newFlashblockTransactions', true],
  ['newFlashblockTransactions', FILTER, FROM],
  ['transactionReceipts', { transactionHashes: [toHex(wordOf(1))] }],
  ['stateChanges', [toHex(addressOf(1))], FROM],
  ['stateChanges', { [toHex(addressOf(1))]: [toHex(wordOf(1))] }],
  ['watch', { calls: CALLS.slice(20) }],
  ['watch', { calls: CALLS }, FROM],
];

/** Any JSON value. */
function anything(random: Random, depth = 0): unknown {
  const many = <T>(make: () => T): T[] => Array.from({ length: random.below(4) }, make);
  const next = (): unknown => anything(random, depth + 1);
  const makers = [
    () => null,
    () => random.below(2) === 0,
    () => random.below(9) - 4,
    () => 2 ** random.below(70),
    () => random.pick(['', '0x', '0x0', 'pending', 'latest', 'watch', '\0', '0xzz', '__proto__', 'eth_call']),
    () => toHex(new Uint8Array(random.below(40))),
    () => many(next),
    () =>
      Object.fromEntries(many(() => [random.pick(['calls', 'method', 'params', 'address', 'topics', 'x']), next()])),
  ];
  return random.pick(depth > 3 ? makers.slice(0, 6) : makers)();
}

/** The value with some part replaced, removed or duplicated. */
function spoilt(value: unknown, random: Random): unknown {
  if (random.below(4) === 0) return anything(random);
  if (Array.isArray(value) && value.length > 0) {
    const at = random.below(value.length);
    if (random.below(5) === 0) return value.toSpliced(at, 1);
    if (random.below(5) === 0) return [...value, value[at]];
    return value.with(at, spoilt(value[at], random));
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  if (entries.length === 0) return {};
  const at = random.below(entries.length);
  const [name, inner] = entries[at]!;
  if (random.below(5) === 0) return Object.fromEntries(entries.toSpliced(at, 1));
  return Object.fromEntries(entries.with(at, [name, spoilt(inner, random)]));
}

/** Nothing is open, retained or pinned. */
async function assertEmpty(rig: WatchRig): Promise<void> {
  await rig.calm();
  const { calls, names } = rig.watches.counts;
  assert.deepEqual([calls, names, rig.subscriptions.count, rig.inFlight], [0, 0, 0, 0]);
  // A leaked pin would be found by its age.
  rig.reader.oldestPinAgeMs(1);
  assert.equal(rig.reader.oldestPinAgeMs(2), 0);
}

class Flood {
  readonly #rig: WatchRig;
  readonly #random: Random;
  /** Ids by connection. */
  readonly #open = new Map<Reader, string[]>();

  constructor(rig: WatchRig) {
    this.#rig = rig;
    this.#random = rig.random;
  }

  /** Sends several requests at once. */
  query(): void {
    for (let count = this.#random.below(30); count > 0; count--) this.#one();
  }

  end(): void {
    for (const reader of this.#open.keys()) this.#drop(reader);
  }

  #one(): void {
    const kind = this.#random.below(20);
    if (this.#open.size === 0 || kind === 0) this.#open.set(new Reader(), []);
    const reader = this.#random.pick([...this.#open.keys()]);
    if (kind === 1) this.#drop(reader);
    else if (kind === 2) reader.isSlow = !reader.isSlow;
    else if (kind < 12) this.#subscribe(reader);
    else this.#unsubscribe(reader);
  }

  #subscribe(reader: Reader): void {
    const result = query(this.#rig, subscriptionMethods.eth_subscribe, this.#random.pick(PARAMETERS), reader);
    if (!isError(result)) this.#open.get(reader)!.push(JSON.parse(result as string) as string);
    else assert.ok(result.error === 'overload' || result.error === 'notKept', result.message);
  }

  #unsubscribe(reader: Reader): void {
    const ids = this.#open.get(reader)!;
    const id = ids.splice(this.#random.below(Math.max(1, ids.length)), 1)[0] ?? '0x12';
    const result = query(this.#rig, subscriptionMethods.eth_unsubscribe, [id], reader);
    if (id === '0x12' || reader.dropped !== null) assert.ok(isError(result) || result === 'true');
    else assert.equal(result, 'true');
  }

  #drop(reader: Reader): void {
    this.#rig.subscriptions.closeAll(reader);
    this.#open.delete(reader);
  }
}

describe('the subscription methods', () => {
  for (let seed = 1; seed <= SEEDS; seed++) {
    it(`accept or refuse parameters of any kind without throwing (seed ${seed})`, async () => {
      const rig = new WatchRig(seed, 'on');
      for (let step = 0; step < 6; step++) await rig.published();
      const results = { accepted: 0, refused: 0 };
      for (let question = 0; question < QUESTIONS; question++) {
        const reader = new Reader();
        const params = spoilt(rig.random.pick(PARAMETERS), rig.random);
        const result = query(
          rig,
          subscriptionMethods.eth_subscribe,
          Array.isArray(params) ? params.slice(0, 3) : [params],
          reader,
        );
        if (isError(result)) {
          assert.ok(REFUSALS.has(result.error), `${result.error} ${JSON.stringify(params)}`);
          results.refused++;
        } else results.accepted++;
        if (question % 50 === 0) await fewTicks();
        rig.subscriptions.closeAll(reader);
      }
      assert.ok(results.accepted > QUESTIONS / 10 && results.refused > QUESTIONS / 10, JSON.stringify(results));
      await assertEmpty(rig);
    });

    it(`leave nothing behind after floods and closed connections (seed ${seed})`, async () => {
      const rig = new WatchRig(seed, 'on');
      const { listeners } = rig.events;
      const flood = new Flood(rig);
      for (let step = 0; step < STEPS; step++) {
        flood.query();
        await rig.published();
        flood.query();
        if (rig.random.below(3) === 0) await fewTicks();
      }
      flood.end();
      await assertEmpty(rig);
      assert.equal(rig.events.listeners, listeners);
    });
  }

  it('allow a connection only so many subscriptions', async () => {
    const rig = new WatchRig(1, 'on');
    const reader = new Reader();
    for (let count = 0; count < LIMITS.subscriptionsPerSocketMax; count++)
      assert.ok(!isError(query(rig, subscriptionMethods.eth_subscribe, ['newHeads'], reader)));
    const refused = query(rig, subscriptionMethods.eth_subscribe, ['newHeads'], reader);
    assert.deepEqual(refused, { error: 'overload', message: 'too many subscriptions' });
    rig.subscriptions.closeAll(reader);
    await assertEmpty(rig);
  });
});
