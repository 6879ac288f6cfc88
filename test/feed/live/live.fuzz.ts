// Random histories of a chain - blocks, reorgs, complete and partial increments, of blocks that arrive and of blocks
// that do not, state requested at any time - compared with the states that the blocks were built with.
import assert from 'node:assert/strict';
import test from 'node:test';
import * as fc from 'fast-check';
import { toHex } from '../../../src/lib/bytes/hex.js';
import { toBytes } from '../../../src/lib/bytes/big-endian.js';
import type { MissingKeys } from '../../../src/state/views/miss-recording-view.js';
import { VersionNotKept } from '../../../src/state/table/read/table-reader-and-snapshot.js';
import {
  ACCOUNTS,
  CALLER,
  FACTORY,
  READER,
  WRITER,
  created,
  framesOf,
  genesis,
  makeBlock,
  type Action,
  type MadeBlock,
} from './chain-maker.js';
import { LiveRig, assertSameState } from './live-rig.js';
import { rounds } from '../../support/rounds.js';

const SENDERS = 4;
const SLOTS = 6;
const RUNS = rounds(4);
const SEED = 20261121;

const word = (value: number): Uint8Array => toBytes(BigInt(value), 32);
const CREATED = Array.from({ length: SLOTS }, (_, salt) => created(BigInt(salt)));
const ALL: MissingKeys = {
  accounts: [...ACCOUNTS.slice(0, SENDERS + 1), WRITER, READER, FACTORY, ...CREATED],
  slots: [WRITER, READER, ...CREATED].flatMap((address) =>
    Array.from({ length: SLOTS + 12 }, (_, slot) => ({ address, slot: word(slot) })),
  ),
};

const action = fc.record({
  from: fc.nat(SENDERS - 1),
  kind: fc.constantFrom('write', 'read', 'call', 'pay', 'create'),
  slot: fc.nat(SLOTS - 1),
  value: fc.nat(3),
});
const actions = fc.array(action, { maxLength: 4 });
const step = fc.oneof(
  fc.record({ kind: fc.constant('push' as const), actions, reported: fc.nat(6) }),
  fc.record({
    kind: fc.constant('reorg' as const),
    depth: fc.integer({ min: 1, max: 3 }),
    blocks: fc.array(actions, { minLength: 3, maxLength: 4 }),
  }),
  fc.record({
    kind: fc.constant('mislead' as const),
    actions,
    reported: fc.integer({ min: 1, max: 6 }),
    instead: actions,
  }),
  fc.record({
    kind: fc.constant('again' as const),
    actions,
    reported: fc.integer({ min: 1, max: 6 }),
    instead: actions,
  }),
  fc.record({ kind: fc.constant('ahead' as const), actions, next: actions }),
  fc.record({ kind: fc.constant('fill' as const), slots: fc.array(fc.nat(SLOTS + 11), { maxLength: 5 }) }),
);

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

function actionOf({ from, kind, slot, value }: typeof action extends fc.Arbitrary<infer T> ? T : never): Action {
  if (kind === 'write') return { from, to: WRITER, words: [BigInt(slot), BigInt(value)] };
  if (kind === 'create') return { from, to: FACTORY, words: [BigInt(slot)] };
  if (kind === 'pay') return { from, to: ACCOUNTS[SENDERS]!, words: [], value: BigInt(value) };
  return { from, to: kind === 'read' ? READER : CALLER, words: [BigInt(slot)] };
}

class Life {
  readonly rig: LiveRig;
  chain: MadeBlock[];
  #salt = 1;

  constructor(rig: LiveRig, chain: MadeBlock[]) {
    this.rig = rig;
    this.chain = chain;
  }

  get tip(): MadeBlock {
    return this.chain.at(-1)!;
  }

  /** Applies a step; resolves once the chain has been followed. */
  async take(taken: Step): Promise<void> {
    switch (taken.kind) {
      case 'push':
        return this.push(await this.make(this.tip, taken.actions), taken.reported);
      case 'mislead':
        this.rig.send(...framesOf(await this.make(this.tip, taken.actions), 1).slice(0, taken.reported));
        return this.push(await this.make(this.tip, taken.instead), 0);
      case 'again': {
        this.rig.send(...framesOf(await this.make(this.tip, taken.actions), 1).slice(0, taken.reported));
        const instead = await this.make(this.tip, taken.instead);
        return this.push(instead, taken.reported);
      }
      case 'ahead': {
        const block = await this.make(this.tip, taken.actions);
        const next = await this.make(block, taken.next);
        this.rig.send(...framesOf(block, 2), ...framesOf(next, 2));
        await this.push(block, 0);
        return this.push(next, 0);
      }
      case 'reorg':
        return this.reorg(taken.depth, taken.blocks);
      case 'fill':
        await this.rig.fetch({
          accounts: [],
          slots: taken.slots.map((slot) => ({ address: READER, slot: word(slot) })),
        });
    }
  }

  async make(parent: MadeBlock, made: readonly Parameters<typeof actionOf>[0][]): Promise<MadeBlock> {
    return makeBlock(parent, made.map(actionOf), this.#salt++);
  }

  /** `reported`: number of its increments that are announced before it. */
  async push(block: MadeBlock, reported: number): Promise<void> {
    this.rig.send(...framesOf(block, 1).slice(0, reported));
    this.chain.push(block);
    await this.rig.confirm(block);
  }

  async reorg(depth: number, blocks: readonly (readonly Parameters<typeof actionOf>[0][])[]): Promise<void> {
    const count = Math.min(depth, this.chain.length - 3);
    if (count < 1) return;
    // A node may drop the state of blocks that have left its chain.
    for (const { hash } of this.chain.slice(-count)) this.rig.node.faults.pruned.add(toHex(hash));
    this.chain = this.chain.slice(0, -count);
    const others: MadeBlock[] = [];
    for (const made of blocks) others.push(await this.make(others.at(-1) ?? this.tip, made));
    this.chain.push(...others);
    this.rig.node.reorg(count, others);
    await this.rig.atHead(this.tip);
  }
}

test('under random reorgs and faults every kept block has the state it was made with', async () => {
  const seen = { blocks: 0, promoted: 0, reorgs: 0, increments: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 8 }), async (steps) => {
      const root = genesis();
      const first = await makeBlock(root, []);
      const rig = await LiveRig.start({ blocks: [root, first], hasFeed: true });
      try {
        const life = new Life(rig, [root, first]);
        for (const taken of steps) await life.take(taken);
        assert.equal(await rig.fetch(ALL), null);
        assertSameState(rig.latest, life.tip.state, ALL, 'latest');
        seen.blocks += assertKept(rig, life.chain);
        assert.equal(rig.epochs, 1, rig.notes.join('; '));
        assert.equal(rig.status.counts.mismatches, 0, rig.notes.join('; '));
        seen.promoted += rig.status.counts.blocksPromoted;
        seen.reorgs += rig.status.counts.reorgs;
        seen.increments += rig.status.counts.increments;
      } finally {
        await rig.stop();
      }
    }),
    { numRuns: RUNS, seed: SEED },
  );
  for (const [what, count] of Object.entries(seen)) assert.ok(count >= RUNS / 4, `${count} ${what}`);
});

/** Compares the blocks that have a version of their own; returns their number. */
function assertKept(rig: LiveRig, chain: readonly MadeBlock[]): number {
  let compared = 0;
  for (const block of chain) {
    const version = rig.reader.versionOfBlock(block.number, rig.newest.version);
    if (version === 0) continue;
    try {
      assertSameState(rig.reader.snapshot(version), block.state, ALL, `block ${block.number}`);
    } catch (error) {
      if (!(error instanceof VersionNotKept)) throw error;
    }
    compared++;
  }
  return compared;
}
