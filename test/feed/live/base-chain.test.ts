// Base after Denim as its node serves it: five blocks share a timestamp, each starts with the deposits of L1 and of
// BaseTime, and the node's eth_config names its own precompiles. Every block costs a single request to the node,
// without a resync, for as long as it runs.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { BASE_TIME_ADDRESS } from '../../../src/chain/op/predeploys.js';
import { HISTORY_STORAGE_ADDRESS, blockHashSlot } from '../../../src/chain/block-start-system-contracts.js';
import { toBytes } from '../../../src/lib/bytes/big-endian.js';
import { LIMITS } from '../../../src/limits/index.js';
import { BaseChain, DENIM, KEYS, RULES, sinceDenimMs, type BaseBlock } from './base-chain.js';
import { LiveRig, assertSameState, type RigOptions } from './live-rig.js';
import { NodeError, UpstreamNode } from '../../support/upstream-node.js';

const BLOCKS = 15;

const B20_FACTORY = `0xb20f${'0'.repeat(36)}`;
const FORK = {
  activationTime: DENIM,
  blobSchedule: null,
  precompiles: { P256VERIFY: `0x${'100'.padStart(40, '0')}`, B20_FACTORY },
  systemContracts: {},
};
/** Everything that blocks change is cached and equals the node's state. */
function assertSame(rig: LiveRig, { state, number }: BaseBlock): void {
  assertSameState(rig.latest, state, KEYS, `after block ${number}`);
  const millis = rig.latest.storage(BASE_TIME_ADDRESS, new Uint8Array(32));
  assert.deepEqual(millis, toBytes(BigInt(sinceDenimMs(number) % 1000), 32), `milliseconds of block ${number}`);
}

/** Follows the chain's node from this block on. */
function startRig(chain: BaseChain, first: BaseBlock, more: Partial<RigOptions> = {}): Promise<LiveRig> {
  const prepare = (node: UpstreamNode): void => {
    node.methods.set('eth_config', () => ({ current: FORK, next: null, last: null }));
    chain.serveOn(node);
  };
  return LiveRig.start({ blocks: [first], rules: RULES, queriesRules: true, prepare, ...more });
}

describe('Base after Denim', () => {
  const blocks: BaseBlock[] = [];
  const chain = new BaseChain();
  let rig: LiveRig;
  before(async () => {
    for (let count = 0; count <= BLOCKS; count++) blocks.push(await chain.next());
    rig = await startRig(chain, blocks[0]!);
  });
  after(() => rig.stop());

  test('unknown precompiles of the node are reported and do not make the rules unverified', () => {
    assert.equal(rig.status.doubt, null);
    assert.equal(rig.status.notice, null);
    assert.deepEqual(rig.status.unknownFeatures, [{ kind: 'precompile', name: `B20_FACTORY (${B20_FACTORY})` }]);
    assert.deepEqual(rig.warnings, [`not known here: precompile B20_FACTORY (${B20_FACTORY})`]);
  });

  test('blocks with equal timestamps are followed correctly, at one request each', async () => {
    assert.equal(new Set(blocks.map(({ parsed }) => parsed.timestamp)).size, Math.ceil((BLOCKS + 2) / 5));
    assert.equal(await rig.fetch(KEYS), null);
    for (const block of blocks.slice(1)) {
      const known = { ...rig.node.counts.byMethod };
      await rig.confirm(block);
      const requested = Object.entries(rig.node.counts.byMethod).filter(([method, count]) => count !== known[method]);
      // Polls of the tags have an interval of their own.
      const ofBlock = requested.filter(([method]) => method !== 'eth_getBlockByNumber');
      if (block.number > 2) assert.deepEqual(ofBlock, [['eth_getBlockByHash', (known['eth_getBlockByHash'] ?? 0) + 1]]);
      assertSame(rig, block);
      // System calls write slots that no earlier block has: those of future blocks are prefetched with the first one.
      const slot = blockHashSlot(BLOCKS + 2);
      const coming = { accounts: [], slots: [{ address: HISTORY_STORAGE_ADDRESS, slot }] };
      if (block.number === 2) await rig.until(() => rig.missing(coming).slots.length === 0, 'read ahead');
    }
    const { mismatches, restarts, blocksExecuted } = rig.status.counts;
    assert.deepEqual({ mismatches, restarts, blocksExecuted }, { mismatches: 0, restarts: 0, blocksExecuted: BLOCKS });
    await rig.until(() => rig.headsVisible.count === BLOCKS + 1, 'each head has its time');
    assert.equal(rig.epochs, 1, rig.notes.join('; '));
  });

  test('an unknown fork that the node schedules is reported, and makes the rules unverified only once it is active', async () => {
    const zenith = { ...FORK, activationTime: DENIM + 10_000 };
    rig.node.methods.set('eth_config', () => ({ current: FORK, next: zenith, last: zenith }));
    await rig.node.kill();
    await rig.until(() => rig.status.upstreamSilentSinceMs !== null, 'the node is missed');
    await rig.node.restart();
    const block = await chain.next();
    blocks.push(block);
    await rig.confirm(block);
    assert.match(rig.status.notice ?? '', new RegExp(`not known here, from timestamp ${DENIM + 10_000} on`));
    assert.deepEqual(rig.status.unknownFeatures.at(-1), { kind: 'fork', name: `at ${DENIM + 10_000}` });
    assert.equal(rig.status.doubt, null);
    assert.equal(rig.status.counts.blocksExecuted, BLOCKS + 1);
  });
});

test('a block with B20 whose trace fails at first is tried again, and counts once', async () => {
  const chain = new BaseChain();
  const rig = await startRig(chain, await chain.next());
  try {
    assert.equal(await rig.fetch(KEYS), null);
    const trace = rig.node.methods.get('debug_traceBlockByHash')!;
    let refused = 0;
    rig.node.methods.set('debug_traceBlockByHash', (params) => {
      if (refused++ < 2) throw new NodeError(-32000, 'the node is busy');
      return trace(params);
    });
    const block = await chain.next(true);
    await rig.confirm(block);
    assertSame(rig, block);
    const { blocksNonEvm, blocksByPrestate, upstreamFailures, mismatches } = rig.status.counts;
    assert.deepEqual(
      { blocksNonEvm, blocksByPrestate, mismatches },
      { blocksNonEvm: 1, blocksByPrestate: 1, mismatches: 0 },
    );
    assert.ok(upstreamFailures >= 2, rig.notes.join('; '));
  } finally {
    await rig.stop();
  }
});

/**
 * Blocks of 200 ms. HEAVY=1 runs 100 minutes of the chain, in five minutes of one core; BASE_BLOCKS=432000 is a day. No
 * counter here goes beyond the window of 1,500 blocks, which is passed 20 times, and the ring of 4,096 versions.
 */
const RUN_BLOCKS = Number(process.env['BASE_BLOCKS'] ?? (process.env['HEAVY'] === undefined ? 300 : 30_000));
/** How much larger the heap may be at the end than after a third of the blocks: less than ten bytes per block. */
const HEAP_BYTES_MORE = 16 * 2 ** 20;
/** Slots that blocks change, L1's prices, and three rings of EIP-4788 and EIP-2935, which are prefetched. */
const SLOTS_MAX = KEYS.slots.length + 32 + 3 * 8191;
/** Blocks that the node retains. */
const NODE_BLOCKS = 64;
/** Three out of four blocks contain token transfers. */
const hasToken = (number: number): boolean => number % 4 !== 0;

/** Heap in use, after a garbage collection. */
function heapBytes(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
}

test(`${RUN_BLOCKS} blocks with B20 in quick succession are followed correctly, without a resync`, async () => {
  const chain = new BaseChain();
  const rig = await startRig(chain, await chain.next(), {
    following: { followBy: 'auto', diffSample: 0.05 },
    table: { keptWindowMs: LIMITS.keptWindowMs },
  });
  try {
    assert.equal(await rig.fetch(KEYS), null);
    let tokenBlocks = 0;
    let earlyBytes = Infinity;
    for (let count = 0; count < RUN_BLOCKS; count++) {
      const block = await chain.next(hasToken(count));
      tokenBlocks += hasToken(count) ? 1 : 0;
      await rig.confirm(block);
      assertSame(rig, block);
      chain.forget(block.number - NODE_BLOCKS);
      rig.node.forget(NODE_BLOCKS);
      rig.messages.length = 0;
      if (count === Math.floor(RUN_BLOCKS / 3)) earlyBytes = heapBytes();
    }
    assert.ok(rig.reader.usage().slots <= SLOTS_MAX, `${rig.reader.usage().slots} slots`);
    const lateBytes = heapBytes();
    assert.ok(lateBytes - earlyBytes < HEAP_BYTES_MORE, `${earlyBytes} and ${lateBytes} bytes`);
    const { mismatches, restarts, samplesDiffering, blocksExecuted, blocksByPrestate, blocksNonEvm } =
      rig.status.counts;
    assert.deepEqual(
      { mismatches, restarts, samplesDiffering, blocksExecuted, blocksByPrestate, blocksNonEvm },
      {
        mismatches: 0,
        restarts: 0,
        samplesDiffering: 0,
        blocksExecuted: RUN_BLOCKS - tokenBlocks,
        blocksByPrestate: tokenBlocks,
        blocksNonEvm: tokenBlocks,
      },
      rig.notes.join('; '),
    );
    assert.equal(rig.epochs, 1, rig.notes.join('; '));
  } finally {
    await rig.stop();
  }
});
