// A client that watches calls has the results that a polling client gets, at every version that a message names,
// through reorgs, abandoned blocks, resyncs, full pools and slow readers; and planted faults are detected. Seeded.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { KernelMode } from '../../../src/evm/kernel/kernel-or-reference-engine.js';
import { ANYTHING_READ, NOTHING_READ, type RecordedReadKeys } from '../../../src/state/views/recorded-read-keys.js';
import type { ChainEvents } from '../../../src/rpc/push/chain-events.js';
import type { WatchedCall } from '../../../src/rpc/watch/run-watched-call.js';
import { Random } from '../../support/programs/random.js';
import { fewTicks } from '../push/event-loop-ticks.js';
import { Reader, type Json } from '../push/rig.js';
import { CALLS, WatchRig, type Plant } from './watch-rig.js';

const MORE: readonly KernelMode[] = Array.from({ length: 12 }, () => 'on');
const MODES: readonly KernelMode[] = ['on', 'interpreted', 'off', ...(process.env['HEAVY'] === '1' ? MORE : [])];
const STEPS = 30;
/** The reference engine is slow. */
const STEPS_OF_REFERENCE = 12;

/** Responses to a polling client, by version and call. */
type Truths = Map<number, ReadonlyMap<string, string>>;

/** A connection that watches calls, and the results it has. */
class Watcher {
  readonly reader = new Reader();
  readonly id: string;
  readonly calls: readonly WatchedCall[];
  readonly mirror: string[] = [];
  version = 0;

  constructor(rig: WatchRig, calls: readonly WatchedCall[]) {
    this.calls = calls;
    const topic = rig.watches.topic(calls, undefined, rig.parts);
    assert.ok(!('error' in topic));
    const id = rig.subscriptions.open(this.reader, topic, null);
    assert.ok(typeof id === 'string');
    this.id = id;
  }

  /** Applies messages; the results must then equal those of a client that polled at that version. */
  take(truths: Truths): void {
    for (const { answers, position } of this.reader.take(this.id)) {
      const { version } = position as { readonly version: number };
      assert.ok(version >= this.version, 'messages are in order');
      this.version = version;
      for (const { call, ...answer } of answers as (Json & { readonly call: number })[])
        this.mirror[call] = JSON.stringify(answer);
      const truth = truths.get(version);
      if (truth !== undefined)
        assert.deepEqual(
          this.mirror,
          this.calls.map(({ key }) => truth.get(key)),
          `version ${version}`,
        );
    }
    this.reader.results.length = 0;
  }
}

/** Responses to a client that requests everything now. */
async function truthOf(rig: WatchRig, calls: readonly WatchedCall[]): Promise<ReadonlyMap<string, string>> {
  const answers = await rig.query(calls);
  return new Map(calls.map(({ key }, at) => [key, JSON.stringify(JSON.parse(`{${answers[at]!}}`))]));
}

async function assertMirror(
  rig: WatchRig,
  watchers: readonly Watcher[],
  { all, truths, step }: { readonly all: readonly WatchedCall[]; readonly truths: Truths; readonly step: number },
): Promise<void> {
  await rig.calm();
  for (const watcher of watchers) {
    if (watcher.reader.isSlow) continue;
    rig.subscriptions.drained(watcher.reader);
    watcher.take(truths);
    const truth = await truthOf(rig, all);
    assert.deepEqual(
      watcher.mirror,
      watcher.calls.map(({ key }) => truth.get(key)),
      `step ${step}`,
    );
  }
}

/** A random subset of the calls, in any order. */
function someOf(calls: readonly WatchedCall[], random: Random): readonly WatchedCall[] {
  const some = calls.filter(() => random.below(3) === 0);
  return some.length === 0 ? calls.slice(0, 1) : some;
}

async function live(seed: number, mode: KernelMode, plant?: Plant): Promise<WatchRig> {
  const rig = new WatchRig(seed, mode, plant);
  const all = rig.read(CALLS);
  const truths: Truths = new Map();
  const watchers = [new Watcher(rig, all), new Watcher(rig, all)];
  const steps = mode === 'on' ? STEPS : STEPS_OF_REFERENCE;
  for (let step = 0; step < steps; step++) {
    await rig.published();
    const version = rig.events.versionOf(rig.reader.newest());
    if (rig.random.below(2) === 0) truths.set(version, await truthOf(rig, all));
    if (rig.random.below(3) === 0) await fewTicks();
    const [, second] = watchers;
    if (rig.random.below(6) === 0) second!.reader.isSlow = !second!.reader.isSlow;
    if (rig.random.below(8) === 0) watchers.push(new Watcher(rig, someOf(all, rig.random)));
    if (rig.random.below(10) === 0) rig.subscriptions.closeAll(watchers.splice(2, 1)[0]?.reader ?? new Reader());
    if (rig.random.below(2) === 0) await assertMirror(rig, watchers, { all, truths, step });
  }
  for (const { reader } of watchers) rig.subscriptions.closeAll(reader);
  await rig.calm();
  return rig;
}

/** Drops some events of one kind. */
function deaf(events: ChainEvents): ChainEvents {
  return new Proxy(events, {
    get: (target, name) => {
      if (name === 'listen')
        return (listener: Parameters<ChainEvents['listen']>[0]) =>
          target.listen((each) => {
            if (each.event.kind !== 'changed' || each.serial % 4 > 0) listener(each);
          });
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

function readingLess(change: (reads: RecordedReadKeys) => RecordedReadKeys): Plant {
  return {
    outcome: (outcome) => (outcome.kind === 'watched' ? { ...outcome, reads: change(outcome.reads) } : outcome),
  };
}

const PLANTS: Readonly<Record<string, Plant>> = {
  'the first slot is missing': readingLess((reads) => ({ ...reads, slots: reads.slots.slice(52) })),
  'the last slot is missing': readingLess((reads) => ({ ...reads, slots: reads.slots.slice(0, -52) })),
  'an account is missing': readingLess((reads) => ({ ...reads, accounts: reads.accounts.slice(0, -20) })),
  'the block is not a dependency': readingLess((reads) => ({ ...reads, block: 'none' })),
  'block hashes are not a dependency': readingLess((reads) => {
    return reads.block === 'anything' ? { ...reads, block: 'none' } : reads;
  }),
  'reads are not recorded': readingLess(() => NOTHING_READ),
  'versions are missed': { events: deaf },
};

describe('watch', () => {
  for (const [at, mode] of MODES.entries()) {
    const seed = at + 1;
    it(`a watcher has the results that a polling client gets, kernel ${mode} (seed ${seed})`, async () => {
      const rig = await live(seed, mode);
      const { calls, names } = rig.watches.counts;
      assert.deepEqual([calls, names, rig.subscriptions.count], [0, 0, 0]);
    });
  }

  for (const [name, plant] of Object.entries(PLANTS)) {
    it(`the comparison finds the fault when ${name}`, async () => {
      await assert.rejects(async () => {
        for (let seed = 1; seed <= 4; seed++) await live(seed, 'on', plant);
      }, assert.AssertionError);
    });
  }

  it('without knowledge of reads every call runs at every version, with the same results', async () => {
    await live(
      1,
      'on',
      readingLess(() => ANYTHING_READ),
    );
  });
});
