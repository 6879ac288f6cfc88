// A chain recorded from go-ethereum across Amsterdam, followed by a live feed as its node served it: by diffs before
// the fork, by diffs and by access lists from it on. Every value of the whole state is read after every block. Four
// blocks are a fixture; all 55 are in the shared data.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { afterEach, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { createChainRules, type ChainRules } from '../../../src/evm/reference/fork-rules.js';
import { parseGenesis } from '../../../src/execution/block/genesis.js';
import { toHex } from '../../../src/lib/bytes/hex.js';
import { decodeBlockRecord } from '../../../src/state/archive/format/block-records.js';
import type { MissingKeys } from '../../../src/state/views/miss-recording-view.js';
import { sharedData, withoutData } from '../../support/shared-data.js';
import type { Json } from '../../support/node-json.js';
import {
  diffsOf,
  genesisBefore,
  linesOf,
  moveByList,
  rulesBefore,
  TraceFollower,
  stateAfter,
} from '../diffs/recorded-chain.js';
import { WholeState, type Alloc } from '../diffs/whole-state.js';
import { LiveRig } from './live-rig.js';
import { serveRecorded, statedBlock, type StatedBlock, type WholeBlock } from './recorded-node.js';

const FIXTURE = fileURLToPath(new URL('../../../../test/feed/live/fixtures/amsterdam-live.json.gz', import.meta.url));
const FOLDER = 'geth-amsterdam';
const skip = withoutData(FOLDER);
/** The last block before Amsterdam. */
const BEFORE = 13;
/** Enough blocks after it. */
const LAST_ANNOUNCED = 20;

/** Results of eth_config: at the start, and once a block has been followed. */
type Configs = readonly [Json, Json];

interface Fixture {
  readonly genesis: unknown;
  /** Results of eth_config before Amsterdam, and from it on. */
  readonly configs: Configs;
  /** The state after the first block, as far as the other blocks touch it. */
  readonly state: Alloc;
  readonly blocks: readonly WholeBlock[];
}

let rig: LiveRig | null = null;
afterEach(async () => {
  await rig?.stop();
  rig = null;
});

/** Every key of the state. */
function keysOf(state: WholeState): MissingKeys {
  const { accounts, slots } = state.read(state.addresses);
  return { accounts: accounts.map(({ address }) => address), slots };
}

interface Course {
  readonly rules: ChainRules;
  readonly configs?: Configs;
  readonly hasLists: boolean;
  readonly followBy?: 'diffs' | 'execution';
}

/** Amsterdam as an unknown fork, with system contracts other than its own. */
function ofUnknown(configs: Configs): Configs {
  return JSON.parse(JSON.stringify(configs).replaceAll('BUILDER_', 'UNKNOWN_')) as [Json, Json];
}

/** Follows a node from the first to the last block and compares the whole state after each; all keys are cached. */
async function follow(blocks: readonly WholeBlock[], stated: readonly StatedBlock[], course: Course): Promise<LiveRig> {
  const { rules, configs, hasLists, followBy = 'diffs' } = course;
  let reported = configs?.[0];
  rig = await LiveRig.start({
    blocks: stated.slice(0, 1),
    rules,
    queriesRules: configs !== undefined,
    following: { followBy, diffSample: 1 },
    prepare: (node) => {
      serveRecorded(node, blocks, hasLists);
      if (configs !== undefined) node.methods.set('eth_config', () => reported!);
    },
  });
  assert.equal(await rig.fetch(keysOf(stated[0]!.state)), null);
  const known = keysOf(stated.at(-1)!.state);
  reported = configs?.[1];
  for (const block of stated.slice(1)) {
    await rig.confirm(block);
    assertState(rig, block, known);
  }
  const { mismatches, restarts, samplesDiffering } = rig.status.counts;
  assert.deepEqual({ mismatches, restarts, samplesDiffering }, { mismatches: 0, restarts: 0, samplesDiffering: 0 });
  assert.equal(rig.epochs, 1, rig.notes.join('; '));
  return rig;
}

/** All current keys, and cached ones of `more`, have the right value; nothing is fetched from the node for this. */
function assertState(on: LiveRig, { state, number }: StatedBlock, more: MissingKeys): void {
  const now = keysOf(state);
  assert.deepEqual(on.missing(now), { accounts: [], slots: [] }, `held after block ${number}`);
  const lacked = on.missing(more);
  const names = new Set([...lacked.accounts.map(toHex), ...lacked.slots.map(nameOf)]);
  for (const address of [...now.accounts, ...more.accounts]) {
    if (names.has(toHex(address))) continue;
    assert.deepEqual(on.latest.account(address), state.account(address), `${toHex(address)} after block ${number}`);
  }
  for (const each of [...now.slots, ...more.slots]) {
    if (names.has(nameOf(each))) continue;
    const { address, slot } = each;
    assert.deepEqual(on.latest.storage(address, slot), state.storage(address, slot), `${nameOf(each)} after ${number}`);
  }
}

function nameOf({ address, slot }: MissingKeys['slots'][number]): string {
  return `${toHex(address)} ${toHex(slot)}`;
}

/** Blocks with the states after them, by their access lists. `state` is the one after the first block. */
function statedByLists(blocks: readonly WholeBlock[], state: WholeState): StatedBlock[] {
  return blocks.map((block, at) => {
    if (at > 0) moveByList(state, block, block.blockAccessList);
    return statedBlock(block, state.copy());
  });
}

for (const hasLists of [true, false])
  test(`four blocks by ${hasLists ? 'access lists' : 'diffs'}: contracts that destroy themselves, requests`, async () => {
    const { genesis, configs, state, blocks } = JSON.parse(gunzipSync(readFileSync(FIXTURE)).toString()) as Fixture;
    const rules = rulesBefore(JSON.stringify(genesis));
    const stated = statedByLists(blocks, WholeState.of(state));
    const { status } = await follow(blocks, stated, { rules, configs: ofUnknown(configs), hasLists });
    const { blocksByAccessList, blocksByPrestate, accountsUnverified } = status.counts;
    assert.deepEqual([blocksByAccessList, blocksByPrestate], hasLists ? [4, 0] : [0, 4]);
    assert.equal(accountsUnverified > 0, !hasLists, 'a tracer has accounts wrong');
  });

test('four blocks by execution, each with the access list of its header', async () => {
  const { genesis, state, blocks } = JSON.parse(gunzipSync(readFileSync(FIXTURE)).toString()) as Fixture;
  const { chain } = parseGenesis('genesis.json', JSON.stringify(genesis));
  const stated = statedByLists(blocks, WholeState.of(state));
  const followed = await follow(blocks, stated, {
    rules: createChainRules(chain),
    hasLists: false,
    followBy: 'execution',
  });
  assert.equal(followed.status.counts.blocksExecuted, blocks.length - 1);
  // The main thread serves access lists from there.
  const kept = followed.messages.flatMap((each) =>
    each.kind === 'completed' && each.kept !== null ? [each.kept] : [],
  );
  const lists = kept.map(({ record }) => decodeBlockRecord(record).accessList ?? null);
  assert.deepEqual(
    lists.map((list) => (list === null ? null : toHex(list))),
    blocks.slice(1).map(({ blockAccessList }) => blockAccessList),
  );
});

function recorded(): WholeBlock[] {
  return linesOf(sharedData(`${FOLDER}/blocks.jsonl.gz`)) as WholeBlock[];
}

function genesisText(): string {
  return readFileSync(sharedData(`${FOLDER}/genesis.json`), 'utf8');
}

function configAt(number: number): Json {
  const requested = linesOf(sharedData(`${FOLDER}/questions.jsonl.gz`)) as {
    at: number;
    method: string;
    result: Json;
  }[];
  return requested.find(({ at, method }) => at === number && method === 'eth_config')!.result;
}

describe('all recorded blocks', { skip }, () => {
  test('across Amsterdam by execution', async () => {
    const blocks = recorded().slice(BEFORE - 1);
    const stated = statedByLists(blocks, stateAfter(BEFORE));
    const { chain } = parseGenesis('genesis.json', genesisText());
    const { status } = await follow(blocks, stated, {
      rules: createChainRules(chain),
      hasLists: false,
      followBy: 'execution',
    });
    assert.equal(status.counts.blocksExecuted, blocks.length - 1);
  });

  test('if the node reports a fork only with its first block, the state continues by the new rules', async () => {
    const blocks = recorded().slice(BEFORE - 1, LAST_ANNOUNCED);
    const stated = statedByLists(blocks, stateAfter(BEFORE));
    let reported = configAt(BEFORE);
    rig = await LiveRig.start({
      blocks: stated.slice(0, 1),
      rules: rulesBefore(genesisText()),
      queriesRules: true,
      following: { followBy: 'execution', diffSample: 1 },
      prepare: (node) => {
        serveRecorded(node, blocks, false);
        node.methods.set('eth_config', () => reported);
      },
    });
    reported = configAt(BEFORE + 1);
    await rig.confirm(...stated.slice(1));
    const { mismatches, blocksExecuted } = rig.status.counts;
    assert.deepEqual({ mismatches, blocksExecuted }, { mismatches: 0, blocksExecuted: blocks.length - 1 });
    assert.equal(rig.epochs, 1, rig.notes.join('; '));
  });

  test('before Amsterdam by diffs, from the genesis on', async () => {
    const text = genesisText();
    const rules = rulesBefore(text);
    const { block } = parseGenesis('genesis.json', genesisBefore(text));
    const state = WholeState.of((JSON.parse(text) as { alloc: Alloc }).alloc);
    const first = { ...block, transactions: [], withdrawals: [], state: state.copy() };
    const follower = new TraceFollower(state, rules);
    const truth = stateAfter(BEFORE);
    const stated: StatedBlock[] = [first];
    const blocks = recorded().slice(0, BEFORE);
    for (const each of blocks) {
      await follower.follow(each, follower.writesOf(each, diffsOf(each)).writes, truth);
      stated.push(statedBlock(each, state.copy()));
    }
    assert.deepEqual(state.differences(truth), []);
    const { status } = await follow(blocks, stated, { rules, hasLists: false });
    assert.equal(status.counts.blocksByPrestate, BEFORE);
  });

  for (const hasLists of [true, false])
    test(`from Amsterdam on by ${hasLists ? 'access lists' : 'diffs'}`, async () => {
      const blocks = recorded().slice(BEFORE - 1);
      const stated = statedByLists(blocks, stateAfter(BEFORE));
      const last = stated.at(-1)!;
      assert.deepEqual(last.state.differences(stateAfter(last.number)), []);
      const configs = [configAt(BEFORE), configAt(BEFORE + 1)] as const;
      const rules = rulesBefore(genesisText());
      const { status } = await follow(blocks, stated, { rules, configs: ofUnknown(configs), hasLists });
      const { blocksByAccessList, blocksByPrestate } = status.counts;
      const count = blocks.length - 1;
      assert.deepEqual([blocksByAccessList, blocksByPrestate], hasLists ? [count, 0] : [0, count]);
    });
});
