// A feed with frames lost, doubled and out of order, attempts restarted and canonical blocks in between: what is told
// never has a hole, never mixes attempts, is never built on a block that is not whole, and always recovers.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import * as fc from 'fast-check';
import type { StreamNews, ToldIncrement } from '../../../../src/feed/stream.js';
import { Tracker } from '../../../../src/feed/live/pre-confirmed/tracker.js';
import { toHex } from '../../../../src/lib/bytes/hex.js';
import { attempt, canonical, frame, transactionAt } from '../../streams/flashblocks/frames.js';
import { Follower } from './follower.js';
import { rounds } from '../../../support/rounds.js';

const RUNS = rounds(1500);
const FIRST = 10;

/** One block of the feed: attempts in order, of which the last becomes canonical. */
interface Build {
  readonly block: number;
  readonly attempts: readonly (readonly ToldIncrement[])[];
}

const builds = fc
  .array(fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 8 })
  .map((blocks) =>
    blocks.map((counts, at): Build => {
      const block = FIRST + at;
      return { block, attempts: counts.map((count, number) => attempt(block, count, 16 * block + number)) };
    }),
  );

const DOWN: StreamNews = { kind: 'down', reason: 'closed' };

type Step =
  | { readonly frame: ToldIncrement }
  | { readonly canonical: number }
  | { readonly reject: number }
  | 'interrupted';

/** The canonical block with the last attempt's transactions, or with none for a block that the feed got wrong. */
function canonicalOf(all: readonly Build[], number: number, wrong: boolean): Parameters<Tracker['canonical']>[0] {
  const build = all.find(({ block }) => block === number);
  return canonical(number, wrong ? [] : (build?.attempts.at(-1) ?? []));
}

function framesOf(all: readonly Build[]): ToldIncrement[] {
  return all.flatMap(({ attempts }) => attempts.flat());
}

/** Every transaction that is served is the one of its attempt at its place. */
function checkContent({ chain }: Follower): void {
  for (const { block, attempt: name, increments } of chain) {
    for (const [index, increment] of increments.entries()) {
      assert.equal(increment.index, index);
      assert.deepEqual(increment.transactions.map(toHex), [toHex(transactionAt(block, index, Number(name)))]);
    }
  }
}

/** Whatever has been: after the next canonical block, a whole block is served at once. */
function checkRecovery(tracker: Tracker, follower: Follower, all: readonly Build[]): void {
  const next = FIRST + all.length;
  follower.take(tracker.canonical(canonicalOf(all, next - 1, false)));
  for (const each of attempt(next, 3, 9999)) follower.take(tracker.take(each));
  assert.deepEqual(tracker.tip, { block: next, index: 2 });
  assert.deepEqual(
    follower.chain.map(({ block, increments }) => [block, increments.length]),
    [[next, 3]],
  );
}

void it('increments in any order leave what is told consistent', () => {
  const noise = fc.record({
    at: fc.nat(),
    how: fc.constantFrom('drop', 'double', 'swap', 'late', 'canonical', 'reject', 'interrupted', 'forge'),
    lag: fc.nat({ max: 4 }),
    wrong: fc.boolean(),
  });
  const property = fc.property(builds, fc.array(noise, { maxLength: 20 }), (all, noises) => {
    const steps: { step: Step; wrong: boolean }[] = framesOf(all).map((each) => ({
      step: { frame: each },
      wrong: false,
    }));
    for (const { at, how, lag, wrong } of noises) {
      const place = at % (steps.length + 1);
      const here = steps[place];
      const number = FIRST - 1 + (at % (all.length + 1)) - (lag === 4 ? 1 : 0);
      if (how === 'canonical') steps.splice(place, 0, { step: { canonical: number }, wrong });
      else if (how === 'reject') steps.splice(place, 0, { step: { reject: number }, wrong });
      else if (how === 'interrupted') steps.splice(place, 0, { step: 'interrupted', wrong });
      else if (here === undefined) continue;
      else if (how === 'drop') steps.splice(place, 1);
      else if (how === 'double') steps.splice(place, 0, here);
      else if (how === 'late') steps.splice(Math.min(place + 1 + lag * 3, steps.length), 0, here);
      else if (how === 'swap') steps.splice(place, 2, ...steps.slice(place, place + 2).toReversed());
      else if (typeof here.step === 'object' && 'frame' in here.step && here.step.frame.kind === 'append') {
        const { block, increment, attempt: name } = here.step.frame;
        steps.splice(place, 0, {
          step: { frame: frame({ block, index: increment.index, payload: Number(name) + 1 }) },
          wrong,
        });
      }
    }
    const [tracker, follower] = [new Tracker(), new Follower()];
    follower.take(tracker.canonical(canonicalOf(all, FIRST - 1, false)));
    for (const { step, wrong } of steps) {
      if (step === 'interrupted') tracker.take(DOWN);
      else if ('frame' in step) follower.take(tracker.take(step.frame));
      else if ('reject' in step) follower.take(tracker.reject(step.reject));
      else follower.take(tracker.canonical(canonicalOf(all, step.canonical, wrong)));
      checkContent(follower);
      const last = follower.chain.at(-1);
      const expected = last === undefined ? null : { block: last.block, index: last.increments.length - 1 };
      assert.deepEqual(tracker.tip, expected);
    }
    checkRecovery(tracker, follower, all);
  });
  fc.assert(property, { numRuns: RUNS, seed: 4 });
});

void it('connections lost anywhere: nothing is built on a block without its end, and what is whole is promoted', () => {
  const loss = fc.record({ at: fc.nat(), frames: fc.nat({ max: 6 }) });
  const property = fc.property(builds, fc.array(loss, { maxLength: 4 }), (all, losses) => {
    const steps: Step[] = framesOf(all).map((each) => ({ frame: each }));
    for (const { at, frames } of losses) steps.splice(at % steps.length, frames, 'interrupted');
    const [tracker, follower] = [new Tracker(), new Follower()];
    follower.take(tracker.canonical(canonicalOf(all, FIRST - 1, false)));
    let newest = FIRST;
    for (const step of steps) {
      if (step === 'interrupted') tracker.take(DOWN);
      else if (typeof step === 'object' && 'frame' in step) {
        // Canonical N comes one block after the feed has begun N + 1.
        if (step.frame.block > newest) {
          for (; newest < step.frame.block; newest++) {
            follower.take(tracker.canonical(canonicalOf(all, newest - 1, false)));
          }
        }
        follower.take(tracker.take(step.frame));
      }
      checkContent(follower);
      for (const { block, attempt: name, increments } of follower.chain.slice(0, -1)) {
        const sent = all[block - FIRST]!.attempts.find(([first]) => first!.attempt === name)!;
        assert.equal(increments.length, sent.length, `block ${block} is whole`);
      }
    }
    checkRecovery(tracker, follower, all);
  });
  fc.assert(property, { numRuns: RUNS, seed: 5 });
});
