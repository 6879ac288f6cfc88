// A recorded chain across Amsterdam, followed by access lists and by go-ethereum's diffs: the state root after every
// block equals the header's. Twelve blocks are a fixture; all 55 are in the shared data.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import type { StateChanges } from '../../../src/state/state-diff.js';
import { StateMiss } from '../../../src/state/views/state-miss.js';
import { sharedData, withoutData } from '../../support/shared-data.js';
import {
  diffsOf,
  followAll,
  linesOf,
  rulesBefore,
  TraceFollower,
  type RecordedBlock,
  stateAfter,
} from './recorded-chain.js';
import { WholeState, type Alloc } from './whole-state.js';

const FIXTURE = fileURLToPath(new URL('../../../../test/feed/diffs/fixtures/amsterdam.json.gz', import.meta.url));
const FOLDER = 'geth-amsterdam';
const skip = withoutData(FOLDER);
/** Amsterdam's first block. */
const FORK = 14;

interface Fixture {
  readonly genesis: unknown;
  /** The state after block 15; code that is never run is given by its hash only. */
  readonly state: Alloc;
  /** Blocks from 16 on, four of them with diffs. */
  readonly blocks: readonly RecordedBlock[];
}

void test('diffs give the right state root for blocks with withdrawals, requests, delegations and selfdestructs', async () => {
  const { genesis, state, blocks } = JSON.parse(gunzipSync(readFileSync(FIXTURE)).toString()) as Fixture;
  assert.equal(blocks.filter(({ diffs }) => diffs !== undefined).length, 4);
  assert.ok((await followAll(WholeState.of(state), blocks, rulesBefore(JSON.stringify(genesis)))) >= 6);
});

void test('a block retried after each state miss gives the same changes', async () => {
  const { genesis, state, blocks } = JSON.parse(gunzipSync(readFileSync(FIXTURE)).toString()) as Fixture;
  const rules = rulesBefore(JSON.stringify(genesis));
  const whole = new TraceFollower(WholeState.of(state), rules);
  const partial = new TraceFollower(WholeState.of(state), rules);
  const [recorded] = blocks;
  const { writes } = whole.writesOf(recorded!, diffsOf(recorded!));
  const expected = await whole.follow(recorded!, writes, whole.state);
  const missing = partial.state.missOnce();
  let misses = 0;
  for (let changes: StateChanges | null = null; changes === null; misses++) {
    changes = await partial.follow(recorded!, writes, partial.state).catch((error: unknown) => {
      if (error instanceof StateMiss) return null;
      throw error;
    });
    if (changes !== null) assert.deepEqual(changes, expected);
  }
  // Misses: the system contracts, their caller, their slots, and three withdrawals.
  assert.ok(misses > 10 && missing.size > 10, `${misses} tries`);
});

void test('diffs give the right state root for recorded blocks before Amsterdam', { skip }, async () => {
  const genesis = readFileSync(sharedData(`${FOLDER}/genesis.json`), 'utf8');
  const state = WholeState.of((JSON.parse(genesis) as { alloc: Alloc }).alloc);
  const follower = new TraceFollower(state, rulesBefore(genesis));
  // Accounts that are read again are as after their block.
  const truth = stateAfter(FORK - 1);
  for (const recorded of recordedBlocks().slice(0, FORK - 1)) {
    const { writes, mismatch } = follower.writesOf(recorded, diffsOf(recorded));
    assert.equal(mismatch, null);
    await follower.follow(recorded, writes, truth);
    assert.equal(await state.root(), recorded.block['stateRoot'], `block ${recorded.number}`);
  }
});

void test('recorded blocks from Amsterdam on by access lists and diffs', { skip }, async () => {
  const genesis = readFileSync(sharedData(`${FOLDER}/genesis.json`), 'utf8');
  await followAll(stateAfter(FORK - 1), recordedBlocks().slice(FORK - 1), rulesBefore(genesis));
});

function recordedBlocks(): RecordedBlock[] {
  return linesOf(sharedData(`${FOLDER}/blocks.jsonl.gz`)) as RecordedBlock[];
}
