// A live chain whose blocks are taken as diffs of the node's tracer: key by key its state equals that of the executed
// chain, and it continues where execution mismatches or is not possible.
import assert from 'node:assert/strict';
import { afterEach, describe, test } from 'node:test';
import { SYSTEM_CONTRACTS } from '../../../src/feed/dev/system-contract-code.js';
import { decodeHeader } from '../../../src/chain/block/header.js';
import { fromHex, toHex } from '../../../src/lib/bytes/hex.js';
import { toBytes } from '../../../src/lib/bytes/big-endian.js';
import { unpackExecutedTransactions } from '../../../src/state/packed-transactions.js';
import type { MissingKeys } from '../../../src/state/views/miss-recording-view.js';
import type { MemoryView } from '../../support/memory-view.js';
import {
  ACCOUNTS,
  altered,
  created,
  FACTORY,
  framesOf,
  genesis,
  makeBlock,
  READER,
  WRITER,
  type Action,
  type MadeBlock,
  write,
} from './chain-maker.js';
import { LiveRig, type RigOptions, assertSameState } from './live-rig.js';
import { UnknownTypeBlocks, unknownTypeBlock } from './unknown-type-blocks.js';
import { TracedChain } from './traced-chain.js';

const SLOTS = Array.from({ length: 12 }, (_, slot) => ({ address: WRITER, slot: toBytes(BigInt(slot), 32) }));
/** Blocks with calls, values, new contracts, and slots that become zero. */
const BLOCKS: readonly (readonly Action[])[] = [
  [write(1n, 5n), write(2n, 6n, 1)],
  [{ from: 2, to: READER, words: [0n] }, { from: 0, to: FACTORY, words: [7n] }, write(1n, 0n)],
  [],
  [{ from: 1, to: fromHex(`0x${'77'.repeat(20)}`), words: [], value: 5n }, write(3n, 9n, 3), write(3n, 10n, 3)],
  [{ from: 3, to: FACTORY, words: [7n] }, write(2n, 0n, 1), write(2n, 11n, 1)],
];

let rigs: LiveRig[] = [];
afterEach(async () => {
  for (const rig of rigs) await rig.stop();
  rigs = [];
});

/** The root block with the system contracts, whose writes are in no trace. */
function root(): MadeBlock {
  const made = genesis();
  for (const { address, code } of SYSTEM_CONTRACTS) (made.state as MemoryView).put(address, { nonce: 1n, code });
  return made;
}

async function start(options: RigOptions): Promise<LiveRig> {
  const rig = await LiveRig.start(options);
  rigs.push(rig);
  return rig;
}

async function startTraced(chain: TracedChain, options: RigOptions, isTraced = true): Promise<LiveRig> {
  return start({ ...options, prepare: (node) => isTraced && chain.serveOn(node) });
}

/** Slots of the system contracts that a block writes. */
function systemSlots({ env, number }: MadeBlock): MissingKeys['slots'] {
  const [roots, hashes] = SYSTEM_CONTRACTS.map(({ address }) => fromHex(address));
  const ring = env.timestamp % 8191n;
  return [
    { address: roots!, slot: toBytes(ring, 32) },
    { address: roots!, slot: toBytes(ring + 8191n, 32) },
    { address: hashes!, slot: toBytes(BigInt(number - 1) % 8191n, 32) },
  ];
}

function keysOf(block: MadeBlock): MissingKeys {
  const accounts = [...ACCOUNTS.slice(0, 5), WRITER, READER, FACTORY, created(7n), block.env.coinbase];
  const slots = [...SLOTS, { address: created(7n), slot: new Uint8Array(32) }, ...systemSlots(block)];
  return { accounts: [...accounts, fromHex(`0x${'77'.repeat(20)}`)], slots };
}

/** Every key reads as in the state that the block was built with. */
async function assertState(rig: LiveRig, block: MadeBlock): Promise<void> {
  const keys = keysOf(block);
  assert.equal(await rig.fetch(keys), null);
  assertSameState(rig.latest, block.state, keys, `block ${block.number}`);
}

async function madeOn(base: MadeBlock, blocks = BLOCKS): Promise<MadeBlock[]> {
  const made = [base];
  for (const actions of blocks) made.push(await makeBlock(made.at(-1)!, actions));
  return made;
}

/** Polls of the tags, and prefetched slots of system calls, which no tracer reports. */
const POLLS_OR_PREFETCH = /^(eth_getBlockByNumber.*|(eth_getStorageAt ?){60,})$/;

/** Methods of an HTTP body, in order. */
function namesIn(body: string): string {
  const parsed = JSON.parse(body) as { method: string } | { method: string }[];
  return [parsed]
    .flat()
    .map(({ method }) => method)
    .join(' ');
}

const DIFFS = { followBy: 'diffs', diffSample: 1 } as const;

describe('blocks applied as diffs', () => {
  test('have the same state as executed ones, key by key, with nothing executed', async () => {
    const made = await madeOn(root());
    const chain = new TracedChain(made);
    const executed = await start({ blocks: made.slice(0, 1) });
    const byDiffs = await startTraced(chain, { blocks: made.slice(0, 1), following: DIFFS });
    for (const block of made.slice(1)) {
      for (const rig of [executed, byDiffs]) {
        await rig.confirm(block);
        await assertState(rig, block);
      }
    }
    const { blocksByPrestate, blocksExecuted, mismatches, restarts } = byDiffs.status.counts;
    assert.deepEqual([blocksByPrestate, blocksExecuted, mismatches, restarts], [BLOCKS.length, 0, 0, 0]);
    assert.equal(executed.status.counts.blocksExecuted, BLOCKS.length);
    assert.equal(byDiffs.status.notice, null);
    assert.deepEqual(byDiffs.warnings, []);
  });

  test('replace pre-confirmed blocks and blocks that are reorged out', async () => {
    const [base, one, two] = await madeOn(root());
    const other = await makeBlock(one!, [write(4n, 1n, 4), write(1n, 3n)], 1);
    const chain = new TracedChain([base!, one!, two!, other]);
    const rig = await startTraced(chain, { blocks: [base!], hasFeed: true, following: DIFFS });
    rig.send(...framesOf(one!, 1));
    await rig.until(rig.isAt(one!, 2), 'increments');
    await rig.confirm(one!, two!);
    rig.node.reorg(1, [other]);
    await rig.atHead(other);
    await assertState(rig, other);
    const { blocksByPrestate, blocksPromoted, blocksExecuted, reorgs } = rig.status.counts;
    assert.deepEqual([blocksByPrestate, blocksPromoted, blocksExecuted, reorgs], [3, 0, 0, 1]);
  });

  test('cost the node one round trip, whatever part of their state is cached', async () => {
    // New senders and slots; nothing that a tracer omits or gets wrong.
    const fresh = Array.from({ length: 4 }, (_, at) => [write(BigInt(at), 5n, at), write(BigInt(at) + 8n, 0n, at)]);
    const made = await madeOn(root(), fresh);
    const following = { ...DIFFS, diffSample: 0 };
    const rig = await startTraced(new TracedChain(made), { blocks: made.slice(0, 1), following });
    const requested: string[] = [];
    rig.node.onBody = (body) => requested.push(namesIn(body));
    for (const block of made.slice(1)) {
      requested.length = 0;
      await rig.confirm(block);
      const costs = requested.filter((names) => !POLLS_OR_PREFETCH.test(names));
      const batch = 'eth_getBlockByHash eth_getBlockReceipts debug_traceBlockByHash';
      if (block.number > 1) assert.deepEqual(costs, [batch], `block ${block.number}`);
    }
    await assertState(rig, made.at(-1)!);
  });

  test('are executed if the node offers no diff source, which is reported once', async () => {
    const made = await madeOn(root());
    const rig = await start({ blocks: made.slice(0, 1), following: DIFFS });
    await rig.confirm(...made.slice(1));
    await assertState(rig, made.at(-1)!);
    assert.equal(rig.status.counts.blocksExecuted, BLOCKS.length);
    const reported = rig.notes.filter((note) =>
      note.startsWith('the upstream node offers no eth_getBlockReceipts beside '),
    );
    assert.equal(reported.length, 1, rig.notes.join('; '));
    assert.equal(rig.status.notice, reported[0]);
    assert.ok((rig.node.counts.byMethod['eth_getBlockReceipts'] ?? 0) <= 2, 'asked again for each block');
  });

  test('that differ from sampled state of the node cause a resync, and are reported', async () => {
    const made = await madeOn(root());
    const chain = new TracedChain(made);
    const rig = await startTraced(chain, { blocks: made.slice(0, 1), following: DIFFS });
    chain.bend = (diffs) => JSON.parse(JSON.stringify(diffs).replaceAll(/("0x0{63})5"/g, '$16"')) as typeof diffs;
    rig.node.push(made[1]!);
    await rig.until(() => rig.status.counts.restarts === 1, 'the state begins anew');
    await rig.atHead(made[1]!);
    const { samplesDiffering, mismatches, restarts } = rig.status.counts;
    assert.deepEqual([samplesDiffering, mismatches, restarts], [1, 1, 1], rig.notes.join('; '));
    assert.ok(
      rig.notes.some((note) => /^block 1: slot 0x0+1 of 0x0+aa is 0x0+6 by the diff, 0x0+5 at the node$/.test(note)),
    );
    await assertState(rig, made[1]!);
  });
});

describe('a chain with unknown features', () => {
  test('continues after a block with a transaction of an unknown type; main gets only its header if the raw block is not available', async () => {
    const first = root();
    const odd = unknownTypeBlock(await makeBlock(first, BLOCKS[0]!));
    const made = [first, odd, await makeBlock(odd, BLOCKS[1]!)];
    const chain = new TracedChain(made);
    const rig = await startTraced(chain, { blocks: made.slice(0, 1), following: { followBy: 'auto', diffSample: 1 } });
    UnknownTypeBlocks.on(rig.node, chain, [odd], false);
    for (const block of made.slice(1)) {
      await rig.confirm(block);
      await assertState(rig, block);
    }
    const { unknownBlocks, blocksByPrestate, blocksExecuted, restarts } = rig.status.counts;
    assert.deepEqual([unknownBlocks, blocksByPrestate, blocksExecuted, restarts], [1, 1, 1, 0]);
    const completed = rig.messages.flatMap((each) => (each.kind === 'completed' ? [each] : []));
    assert.deepEqual(
      completed.map(({ number, header, kept }) => [number, header !== undefined, kept !== null]),
      [
        [1, true, false],
        [2, false, true],
      ],
    );
    assert.ok(rig.notes.includes('blocks are applied as diffs: a transaction of type 0x7d, which is not known here'));
  });

  test('has blocks with transactions of an unknown type whole, in sequence, if the node serves raw blocks', async () => {
    const made = [root()];
    for (const actions of BLOCKS)
      made.push(unknownTypeBlock(await makeBlock(made.at(-1)!, actions.length === 0 ? [write(5n, 5n)] : actions)));
    const chain = new TracedChain(made);
    const rig = await startTraced(chain, { blocks: made.slice(0, 1), following: { followBy: 'auto', diffSample: 1 } });
    const odd = UnknownTypeBlocks.on(rig.node, chain, made.slice(1));
    for (const block of made.slice(1)) {
      await rig.confirm(block);
      await assertState(rig, block);
    }
    const { unknownBlocks, blocksByPrestate, restarts, mismatches } = rig.status.counts;
    const count = BLOCKS.length;
    assert.deepEqual([unknownBlocks, blocksByPrestate, restarts, mismatches, rig.epochs], [count, count, 0, 0, 1]);
    const completed = rig.messages.flatMap((each) => (each.kind === 'completed' ? [each] : []));
    for (const [at, { number, kept }] of completed.entries()) {
      assert.equal(number, at + 1);
      const transactions = unpackExecutedTransactions(kept!.transactions);
      const block = made[at + 1]!.block.transactions;
      assert.equal(transactions.length, block.length);
      const [first, ...others] = transactions;
      assert.equal(toHex(first!.raw), `0x7d${toHex(block[0]!.raw).slice(2)}`);
      assert.deepEqual(JSON.parse(first!.reported!.transaction!).postExec, { refund: '0x7' });
      assert.equal(JSON.parse(first!.reported!.receipt).opGasRefund, '0x7');
      assert.ok(
        others.every(
          ({ reported }) => reported?.transaction === null && JSON.parse(reported.receipt).blockNumber !== undefined,
        ),
      );
      assert.deepEqual(first!.receipt.logs, block[0]!.receipt.logs);
    }
    // Raw transactions that do not match the header are not served, and are requested again.
    const next = unknownTypeBlock(await makeBlock(made.at(-1)!, [write(6n, 6n)]));
    const later = UnknownTypeBlocks.on(rig.node, chain, [...made.slice(1), next]);
    later.bend = (raw) => `${raw}00`;
    odd.bend = later.bend;
    rig.node.push(next);
    await rig.until(() => rig.status.counts.upstreamFailures > 0, 'failure');
    assert.ok(
      rig.notes.some((note) => /transaction 0x\w+ has other bytes than its hash/.test(note)),
      rig.notes.join('; '),
    );
    later.bend = (raw) => raw;
    await rig.atHead(next);
    assert.equal(rig.epochs, 1);
  });

  test('is followed by diffs for good after three similar mismatches', async () => {
    // Headers whose gas differs from that of their transactions, as on a chain with other gas prices.
    const expensive = [root()];
    for (const actions of BLOCKS) {
      const made = await makeBlock(expensive.at(-1)!, actions);
      expensive.push(altered(made, { gasUsed: decodeHeader(made.header).gasUsed + 1n }));
    }
    const chain = new TracedChain(expensive);
    const rig = await startTraced(chain, { blocks: expensive.slice(0, 1) });
    for (const block of expensive.slice(1)) {
      await rig.confirm(block);
      await assertState(rig, block);
    }
    const { mismatches, restarts, switchedToDiffs, blocksByPrestate, blocksExecuted } = rig.status.counts;
    assert.deepEqual(
      { mismatches, restarts, switchedToDiffs, blocksByPrestate, blocksExecuted },
      { mismatches: 3, restarts: 3, switchedToDiffs: 1, blocksByPrestate: 2, blocksExecuted: 0 },
      rig.notes.join('; '),
    );
    assert.equal(rig.warnings.length, 1, rig.warnings.join('; '));
    assert.match(
      rig.warnings[0]!,
      /^the rules of block 3 are not known to be right: 3 mismatches alike in 100 blocks \(gas used is .*: nothing is executed/,
    );
    assert.match(rig.status.notice ?? '', /^blocks are applied as diffs: 3 mismatches alike/);
    assert.match(rig.status.doubt ?? '', /^3 mismatches alike/);
  });
});
