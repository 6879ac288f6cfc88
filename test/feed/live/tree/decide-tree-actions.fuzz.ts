// A feed with increments lost, duplicated and reordered, payloads restarted, and canonical blocks in between: readers
// see what a plain model predicts; it never has a gap, never mixes payloads, never builds on an incomplete block, and
// recovers.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import * as fc from 'fast-check';
import type {
  CanonicalBlock,
  StreamEvent,
  ReportedIncrement,
} from '../../../../src/feed/pre-confirmation-stream-events.js';
import { toHex } from '../../../../src/lib/bytes/hex.js';
import { keccak256 } from '../../../../src/lib/bytes/keccak-wasm.js';
import { attempt, blockHash, canonical, frame, transactionAt } from '../../streams/flashblocks/frames.js';
import { AnnouncedModel } from './announced-model.js';
import { rigAt, type TreeRig } from './tree-rig.js';
import { rounds } from '../../../support/rounds.js';

const RUNS = rounds(500);
const MODEL_RUNS = rounds(200);
const FIRST = 10;

/** One block of the feed: attempts in order, of which the last becomes canonical. */
interface Build {
  readonly block: number;
  readonly attempts: readonly (readonly ReportedIncrement[])[];
}

const builds = fc
  .array(fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 8 })
  .map((blocks) =>
    blocks.map((counts, at): Build => {
      const block = FIRST + at;
      return { block, attempts: counts.map((count, number) => attempt(block, count, 16 * block + number)) };
    }),
  );

const DOWN: StreamEvent = { kind: 'down', reason: 'closed' };

type Step =
  | { readonly frame: ReportedIncrement }
  | { readonly canonical: number }
  | { readonly reject: number }
  | 'interrupted';

/** The canonical block with the last attempt's transactions, or with none if the feed was wrong about it. */
function canonicalOf(all: readonly Build[], number: number, wrong: boolean): CanonicalBlock {
  const build = all.find(({ block }) => block === number);
  return canonical(number, wrong ? [] : (build?.attempts.at(-1) ?? []));
}

function framesOf(all: readonly Build[]): ReportedIncrement[] {
  return all.flatMap(({ attempts }) => attempts.flat());
}

/** Every served transaction belongs to its payload at its index. */
function checkContent({ tree }: TreeRig): void {
  for (const { block, payloadId, increments, execution } of tree.executed) {
    for (const [index, increment] of increments.slice(0, execution.index + 1).entries()) {
      assert.equal(increment.index, index);
      assert.deepEqual(increment.transactions.map(toHex), [toHex(transactionAt(block, index, Number(payloadId)))]);
    }
  }
}

/** Whatever has happened before: after the next canonical block, a complete block is served at once. */
function checkRecovery(rig: TreeRig, all: readonly Build[]): void {
  const next = FIRST + all.length;
  rig.canonical(canonicalOf(all, next - 1, false));
  for (const each of attempt(next, 3, 9999)) rig.take(each);
  assert.deepEqual(rig.tip, { block: next, index: 2 });
  assert.equal(rig.tree.executed.length, 1);
}

/** One of many inputs, as numbers relative to the current state. */
const input = fc.record({
  kind: fc.constantFrom(
    ...(['increment', 'increment', 'increment', 'next', 'next', 'opening', 'opening', 'opening', 'opening'] as const),
    ...(['head', 'head', 'down', 'reject'] as const),
  ),
  above: fc.integer({ min: 0, max: 6 }),
  index: fc.nat(4),
  payload: fc.nat(2),
  branch: fc.nat(1),
  /** It does not name its parent. */
  isUnanchored: fc.boolean(),
  isOdd: fc.nat(7),
});

type Drawn = typeof input extends fc.Arbitrary<infer T> ? T : never;

/** `isOdd`: at 0 the increment has other transactions than usual, or repeats the newest one with others. */
function frameOf({ kind, above, index, payload, branch, isUnanchored, isOdd }: Drawn, rig: TreeRig): ReportedIncrement {
  const newest = rig.tree.announced.at(-1);
  if (kind === 'next' && newest !== undefined) {
    const { block, payloadId, increments } = newest;
    const next = { block, index: increments.length, payload: Number(payloadId) };
    return frame(isOdd > 0 ? next : { ...next, index: next.index - 1, transactions: [Uint8Array.of(9)] });
  }
  const tip = rig.tree.tip!;
  if (kind === 'opening') {
    const block = (rig.tip?.block ?? tip.number) + 1;
    return frame({ block, index: 0, payload, branch: block === tip.number + 1 ? tip.hash[0]! : 0 });
  }
  const block = tip.number + above;
  const fields = { block, index, payload, branch: branch * (above === 1 ? 1 : 0) };
  const reported = frame(isOdd === 0 ? { ...fields, transactions: [Uint8Array.of(9)] } : fields);
  if (reported.kind === 'append' || !isUnanchored) return reported;
  return { ...reported, base: { ...reported.base, parentHash: null } };
}

/** `isOdd`: up to 3 the transactions of the first pre-confirmed block; then with one more, or none. */
function headOf({ above, branch, isOdd }: Drawn, rig: TreeRig): CanonicalBlock {
  const first = rig.tree.executed[0];
  const number = rig.tree.tip!.number + (above > 1 ? 1 : above);
  const ours = number === first?.block ? first.increments.flatMap(({ transactions }) => transactions) : [];
  const raws = isOdd < 4 ? ours : isOdd < 6 ? [...ours, Uint8Array.of(8)] : [];
  const parentHash = above > 1 ? rig.tree.tip!.hash : blockHash(number - 1);
  return { number, hash: blockHash(number, branch), parentHash, transactionHashes: raws.map((raw) => keccak256(raw)) };
}

function drawnInto(drawn: Drawn, rig: TreeRig, model: AnnouncedModel): void {
  switch (drawn.kind) {
    case 'down':
      rig.take(DOWN);
      return model.down();
    case 'reject': {
      const block = rig.tree.executed.at(drawn.above % 3)?.block ?? 0;
      rig.reject(block);
      return model.reject(block);
    }
    case 'head': {
      const block = headOf(drawn, rig);
      if (toHex(block.hash) === toHex(model.tip.hash)) return;
      const outcome = model.head(block);
      return assert.ok(
        rig.canonical(block).some((line) => line === `${outcome} ${block.number}`),
        outcome,
      );
    }
    default: {
      const reported = frameOf(drawn, rig);
      rig.take(reported);
      return model.increment(reported);
    }
  }
}

void it('readers see what a simple model predicts, for any sequence of events', () => {
  const depths = [0, 0, 0, 0];
  const property = fc.property(fc.array(input, { minLength: 5, maxLength: 60 }), (inputs) => {
    const first = canonical(FIRST - 1, []);
    const [rig, model] = [rigAt(first), new AnnouncedModel(first)];
    for (const drawn of inputs) {
      drawnInto(drawn, rig, model);
      assert.deepEqual(rig.seen, model.seen);
      assert.deepEqual(rig.counts, model.counts);
      depths[rig.seen.length]!++;
    }
  });
  fc.assert(property, { numRuns: MODEL_RUNS, seed: 6 });
  for (const [depth, times] of depths.entries())
    assert.ok(times > MODEL_RUNS / 20, `${depth} blocks were seen at once: ${depths.join()}`);
});

void it('increments in any order leave the published actions consistent', () => {
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
    const rig = rigAt(canonicalOf(all, FIRST - 1, false));
    for (const { step, wrong } of steps) {
      if (step === 'interrupted') rig.take(DOWN);
      else if ('frame' in step) rig.take(step.frame);
      else if ('reject' in step) rig.reject(step.reject);
      else rig.canonical(canonicalOf(all, step.canonical, wrong));
      checkContent(rig);
    }
    checkRecovery(rig, all);
  });
  fc.assert(property, { numRuns: RUNS, seed: 4 });
});

void it('with connections lost at any point nothing is built on an incomplete block, and complete blocks are promoted', () => {
  const loss = fc.record({ at: fc.nat(), frames: fc.nat({ max: 6 }) });
  const property = fc.property(builds, fc.array(loss, { maxLength: 4 }), (all, losses) => {
    const steps: Step[] = framesOf(all).map((each) => ({ frame: each }));
    for (const { at, frames } of losses) steps.splice(at % steps.length, frames, 'interrupted');
    const rig = rigAt(canonicalOf(all, FIRST - 1, false));
    let newest = FIRST;
    for (const step of steps) {
      if (step === 'interrupted') rig.take(DOWN);
      else if (typeof step === 'object' && 'frame' in step) {
        // Canonical block N arrives one block after the feed has started N + 1.
        if (step.frame.block > newest) {
          for (; newest < step.frame.block; newest++) {
            rig.canonical(canonicalOf(all, newest - 1, false));
          }
        }
        rig.take(step.frame);
      }
      checkContent(rig);
      for (const { block, payloadId, increments } of rig.tree.executed.slice(0, -1)) {
        const sent = all[block - FIRST]!.attempts.find(([first]) => first!.attempt === payloadId)!;
        assert.equal(increments.length, sent.length, `block ${block} is whole`);
      }
    }
    checkRecovery(rig, all);
  });
  fc.assert(property, { numRuns: RUNS, seed: 5 });
});
