// Missed heads: the blocks in between are fetched in a few round trips, however many they are, if the node's chain
// still has them by number, and otherwise one by one.
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { toHex } from '../../../../src/lib/bytes/hex.js';
import { LIMITS } from '../../../../src/limits/index.js';
import { toBytes } from '../../../../src/lib/bytes/big-endian.js';
import { WRITER, genesis, makeChain, type Action, type MadeBlock } from '../chain-maker.js';
import { LiveRig, type RigOptions } from '../live-rig.js';
import { TracedChain } from '../traced-chain.js';
import { blockJson } from '../../../support/node-json.js';

/** Latency of every request, as of a distant node. */
const LATENCY_MS = 10;
const MISSED = 48;
const SLOT = { address: WRITER, slot: toBytes(1n, 32) };

const write = (value: number): Action => ({ from: 0, to: WRITER, words: [1n, BigInt(value)] });

interface Question {
  readonly method: string;
  readonly params: readonly unknown[];
}

let rig: LiveRig;
let first: MadeBlock[];

afterEach(() => rig.stop());

/** Starts a rig that caches everything that later blocks touch. */
async function begin(more: Partial<RigOptions> = {}): Promise<void> {
  first = await makeChain(genesis(), [[write(1)], [write(2)], [write(3)]]);
  rig = await LiveRig.start({ blocks: first, ...more });
  assert.equal(await rig.fetch({ accounts: [], slots: [SLOT] }), null);
}

/** Records the node's requests from here on, by HTTP request, without the polls for heads. */
function questions(): Question[][] {
  const requested: Question[][] = [];
  rig.node.onBody = (body) => {
    const parsed = JSON.parse(body) as Question | Question[];
    const all = Array.isArray(parsed) ? parsed : [parsed];
    if (all.every(({ params }) => params[0] !== 'latest')) requested.push(all);
  };
  return requested;
}

const isHeader = ({ method, params }: Question): boolean => method.startsWith('eth_getBlockBy') && params[1] === false;

/** The node's announcements are lost while its chain gets these blocks. */
async function miss(change: () => void, newest: MadeBlock): Promise<Question[][]> {
  const { faults } = rig.node;
  faults.mute = faults.stalled = true;
  change();
  const requested = questions();
  faults.latencyMs = LATENCY_MS;
  faults.stalled = false;
  await rig.atHead(newest);
  assert.equal(toHex(rig.latest.storage(SLOT.address, SLOT.slot)), toHex(newest.state.storage(WRITER, SLOT.slot)));
  return requested;
}

/** Blocks that each change the slot. `salt` distinguishes branches. */
function blocksAfter(parent: MadeBlock, count: number, salt = 0): Promise<MadeBlock[]> {
  const blocks = Array.from({ length: count }, (_, i) => [write(i + 10)]);
  return makeChain(parent, blocks, salt);
}

const pushAll = (blocks: readonly MadeBlock[]) => (): void => blocks.forEach((block) => rig.node.push(block));

test('missed blocks are requested by number, in batches, and are ancestors of the newest block', async () => {
  await begin();
  const blocks = await blocksAfter(first.at(-1)!, MISSED);
  const requested = await miss(pushAll(blocks), blocks.at(-1)!);
  const headers = requested.filter((one) => one.some(isHeader));
  assert.equal(headers.flat().length, MISSED - 1);
  assert.ok(headers.flat().every(({ method }) => method === 'eth_getBlockByNumber'));
  assert.equal(headers.length, Math.ceil((MISSED - 1) / LIMITS.upstreamRequestBatchMax));
  assert.deepEqual([rig.epochs, rig.status.counts.blocksExecuted], [1, MISSED], rig.notes.join('; '));
});

test('if the newest block is on another branch, its ancestors are found one by one by hash', async () => {
  await begin();
  const old = await blocksAfter(first.at(-1)!, 2);
  pushAll(old)();
  await rig.atHead(old.at(-1)!);
  const blocks = await blocksAfter(first.at(-1)!, 10, 1);
  const requested = await miss(() => rig.node.reorg(2, blocks), blocks.at(-1)!);
  const headers = requested.flat().filter(isHeader);
  const byHash = headers.filter(({ method }) => method === 'eth_getBlockByHash');
  assert.deepEqual([headers.length, byHash.length], [9, 2]);
  const { blocksExecuted, reorgs } = rig.status.counts;
  assert.deepEqual([rig.epochs, blocksExecuted, reorgs], [1, 12, 1], rig.notes.join('; '));
});

test('if the blocks by number are not ancestors of the newest one, the ancestors are found one by one by hash', async () => {
  await begin();
  const blocks = await blocksAfter(first.at(-1)!, 9);
  // The node switches to another branch before it is queried by number.
  const others = await blocksAfter(first.at(-1)!, 9, 1);
  rig.node.methods.set('eth_getBlockByNumber', ([requested]) => {
    if (requested === 'latest') return blockJson(blocks.at(-1)!, false);
    const block = others.find(({ number }) => number === Number(requested));
    return block === undefined ? null : blockJson(block, false);
  });
  const requested = await miss(pushAll(blocks), blocks.at(-1)!);
  const walked = requested.flat().filter((one) => isHeader(one) && one.method === 'eth_getBlockByHash');
  assert.equal(walked.length, 8);
  assert.deepEqual([rig.epochs, rig.status.counts.blocksExecuted], [1, 9], rig.notes.join('; '));
});

test('missed blocks applied as diffs are fetched together with their diffs and receipts', async () => {
  await begin({ following: { followBy: 'diffs', diffSample: 0 } });
  const blocks = await blocksAfter(first.at(-1)!, 20);
  new TracedChain([...first, ...blocks]).serveOn(rig.node);
  await rig.confirm(blocks[0]!);
  const requested = await miss(pushAll(blocks.slice(1)), blocks.at(-1)!);
  const behind = requested.filter((one) => one.some(({ method }) => method === 'eth_getBlockReceipts'));
  assert.equal(behind.length, 19);
  for (const one of behind)
    assert.deepEqual(
      one.map(({ method }) => method),
      ['eth_getBlockByHash', 'eth_getBlockReceipts', 'debug_traceBlockByHash'],
    );
  assert.deepEqual([rig.epochs, rig.status.counts.blocksByPrestate], [1, 20], rig.notes.join('; '));
});
