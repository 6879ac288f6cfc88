// A live chain whose pre-confirmations include their state changes: they are not executed, and every state, receipt and
// log equals the block's, whose header is verified all the same.
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { decodeHeader } from '../../../src/chain/block/header.js';
import { BEACON_ROOTS_ADDRESS, HISTORY_STORAGE_ADDRESS } from '../../../src/chain/block-start-system-contracts.js';
import { createChainRules } from '../../../src/evm/reference/fork-rules.js';
import { DEV_CHAIN_BY_HARDFORK } from '../../../src/feed/dev/genesis.js';
import { SHREDS_FORMAT } from '../../../src/feed/streams/shreds-decoder.js';
import { SYSTEM_CONTRACTS } from '../../../src/feed/dev/system-contract-code.js';
import { fromHex, toHex } from '../../../src/lib/bytes/hex.js';
import { toBytes } from '../../../src/lib/bytes/big-endian.js';
import type { MissingKeys } from '../../../src/state/views/miss-recording-view.js';
import type { StateView } from '../../../src/state/views/state-view.js';
import { unpackExecutedTransactions } from '../../../src/state/packed-transactions.js';
import {
  ACCOUNTS,
  FACTORY,
  LOGGER,
  READER,
  RULES,
  WRITER,
  created,
  genesis,
  makeBlock,
  makeInIncrements,
  shredsOf,
  type Action,
  type Increments,
  type MadeBlock,
} from './chain-maker.js';
import { LiveRig, assertSameState } from './live-rig.js';
import { EXECUTOR } from '../../support/engine.js';
import { MemoryView } from '../../support/memory-view.js';

const SIZE = 2;
const FOLLOWING = { followBy: 'auto', diffSample: 0.02 } as const;

/** Writes, logs, a created account with a slot and no code, and transfers. */
function actions(block: number): Action[] {
  const number = BigInt(block);
  return [
    { from: 0, to: WRITER, words: [1n, 100n * number] },
    { from: 1, to: LOGGER, words: [number] },
    { from: 0, to: WRITER, words: [number + 1n, 7n] },
    { from: 2, to: FACTORY, words: [number] },
    { from: 1, to: WRITER, words: [1n, 0n] },
    { from: 3, to: ACCOUNTS[4]!, words: [], value: 10n ** 15n },
    { from: 4, to: LOGGER, words: [number + 1n] },
  ];
}

function blockOn(parent: MadeBlock, salt = 0): Promise<Increments> {
  return makeInIncrements(parent, actions(parent.number + 1 + 40 * salt), SIZE, salt);
}

const CREATED = [1n, 2n, 3n, 4n].map(created);
/** Every key that a block may touch. */
const KEYS: MissingKeys = {
  accounts: [...ACCOUNTS.slice(0, 6), WRITER, READER, FACTORY, ...CREATED],
  slots: [WRITER, ...CREATED].flatMap((address) =>
    Array.from({ length: 8 }, (_, i) => ({ address, slot: toBytes(BigInt(i), 32) })),
  ),
};

const assertSame = (actual: StateView, expected: StateView, what: string): void =>
  assertSameState(actual, expected, KEYS, what);

async function startRig(t: TestContext, root: MadeBlock, feeds = 1, rules = RULES): Promise<LiveRig> {
  const rig = await LiveRig.start({
    blocks: [root],
    hasFeed: true,
    feeds,
    format: SHREDS_FORMAT,
    following: FOLLOWING,
    rules,
  });
  t.after(() => rig.stop());
  // Everything that is compared is cached, so that reading it causes no request.
  await rig.fetch(KEYS);
  return rig;
}

async function reported(rig: LiveRig, number: number, index: number): Promise<void> {
  await rig.until(rig.isAt({ number }, index), `shred ${index} of block ${number}`);
}

/** All transactions of the block that the main thread was informed of, with their receipts. */
function announced(rig: LiveRig, block: number): object[] {
  return rig.messages.flatMap((message) =>
    message.kind === 'published' && message.coordinates.block === block
      ? unpackExecutedTransactions(message.transactions)
      : [],
  );
}

test('every shred publishes the state, receipts and logs up to it', async (t) => {
  const root = genesis();
  const rig = await startRig(t, root);
  let parent = root;
  for (let number = 1; number <= 3; number++) {
    const increments = await blockOn(parent);
    const { made, states } = increments;
    for (const [index, shred] of shredsOf(increments, SIZE).entries()) {
      rig.send(shred);
      await reported(rig, number, index);
      assertSame(rig.pending, states[index]!, `shred ${index} of block ${number}`);
    }
    assert.deepEqual(announced(rig, number), made.block.transactions);
    const { env, coordinates } = rig.newest;
    assert.deepEqual([env.gasLimit, env.baseFeePerGas], [made.env.gasLimit, made.env.baseFeePerGas]);
    assert.equal(toHex(coordinates.parentHash), toHex(decodeHeader(made.header).parentHash));
    await rig.confirm(made);
    assertSame(rig.latest, made.state, `block ${number}`);
    assert.deepEqual(rig.newest.env, made.env);
    parent = made;
  }
  const { counts } = rig.status;
  assert.deepEqual([counts.blocksPromoted, counts.blocksExecuted, counts.mismatches], [3, 0, 0]);
});

test('from Amsterdam on a block is promoted although its gas is not the sum of its receipts', async (t) => {
  const rules = createChainRules(DEV_CHAIN_BY_HARDFORK.amsterdam);
  const root = genesis();
  const rig = await startRig(t, root, 1, rules);
  const fresh = new Uint8Array(20).fill(0xe1);
  const one = await makeInIncrements(root, [{ from: 0, to: fresh, words: [], value: 1n }], SIZE, 0, EXECUTOR, rules);
  const { gasUsed } = decodeHeader(one.made.header);
  assert.notEqual(gasUsed, one.made.block.transactions.at(-1)!.receipt.cumulativeGasUsed);
  rig.send(...shredsOf(one, SIZE));
  await reported(rig, 1, 1);
  await rig.confirm(one.made);
  assert.equal(rig.latest.account(fresh)!.balance, 1n);
  assert.deepEqual([rig.status.counts.blocksPromoted, rig.status.counts.mismatches], [1, 0]);
});

test('system calls of a block are executed where shreds do not contain their changes', async (t) => {
  const root = genesis();
  for (const { address, code } of SYSTEM_CONTRACTS)
    (root.state as MemoryView).put(fromHex(address), { nonce: 1n, code });
  const rig = await startRig(t, root);
  const one = await blockOn(root);
  rig.send(...shredsOf(one, SIZE, false));
  await reported(rig, 1, 4);
  assertSame(rig.pending, one.states.at(-1)!, 'before its end');
  await rig.confirm(one.made);
  assert.deepEqual([rig.status.counts.blocksPromoted, rig.status.counts.mismatches], [1, 0]);
  const { timestamp, number } = one.made.env;
  const slots = [
    { address: BEACON_ROOTS_ADDRESS, slot: toBytes(timestamp % 8191n, 32) },
    { address: HISTORY_STORAGE_ADDRESS, slot: toBytes(BigInt(number - 1) % 8191n, 32) },
  ];
  for (const { address, slot } of slots)
    assert.equal(toHex(rig.latest.storage(address, slot)), toHex(one.made.state.storage(address, slot)));
});

test('a block of shreds waits until its parent is confirmed, as the hash of the parent is not known before', async (t) => {
  const root = genesis();
  const rig = await startRig(t, root);
  const one = await blockOn(root);
  const two = await blockOn(one.made);
  rig.send(...shredsOf(one, SIZE), ...shredsOf(two, SIZE));
  await rig.until(() => rig.received >= 1 + 2 * 5, 'all received');
  await reported(rig, 1, 4);
  rig.node.push(one.made);
  await reported(rig, 2, 4);
  assert.equal(toHex(rig.newest.coordinates.parentHash), toHex(one.made.hash));
  assertSame(rig.latest, one.made.state, 'the first');
  assertSame(rig.pending, two.states.at(-1)!, 'the second');
  assert.deepEqual([rig.status.counts.blocksPromoted, rig.status.counts.fallbacks], [1, 0]);
});

test('a missing shred interrupts its block until the shred or the confirmed block arrives', async (t) => {
  const root = genesis();
  const rig = await startRig(t, root);
  const one = await blockOn(root);
  const shreds = shredsOf(one, SIZE);
  rig.send(shreds[0]!, shreds[2]!, shreds[3]!);
  await rig.until(() => rig.status.counts.gaps === 1, 'a gap');
  await reported(rig, 1, 0);
  rig.send(shreds[1]!);
  await reported(rig, 1, 3);
  assertSame(rig.pending, one.states[3]!, 'closed');
  await rig.confirm(one.made);
  assertSame(rig.latest, one.made.state, 'its last shred was missing');
  assert.deepEqual([rig.status.counts.blocksPromoted, rig.status.counts.blocksExecuted], [0, 1]);
});

test('after a reconnect shreds continue, and a block whose first shred was missed appears once it is confirmed', async (t) => {
  const root = genesis();
  const rig = await startRig(t, root);
  const one = await blockOn(root);
  const two = await blockOn(one.made);
  const [first, second] = [shredsOf(one, SIZE), shredsOf(two, SIZE)];
  rig.send(...first.slice(0, 2));
  await reported(rig, 1, 1);
  rig.cut();
  await rig.until(() => rig.notes.some((note) => note.startsWith('the feed is down')), 'the loss is told');
  await rig.until(() => rig.connections === 1, 'connected again');
  rig.send(...first.slice(2));
  await reported(rig, 1, 4);
  assertSame(rig.pending, one.states[4]!, 'gone on');
  rig.send(...second.slice(1));
  rig.node.push(one.made);
  await rig.confirm(two.made);
  assertSame(rig.latest, two.made.state, 'the second');
});

test('a block that is restarted by the feed is published anew', async (t) => {
  const root = genesis();
  const rig = await startRig(t, root);
  const [old, anew] = [await blockOn(root, 1), await blockOn(root)];
  rig.send(...shredsOf(old, SIZE));
  await reported(rig, 1, 4);
  assertSame(rig.pending, old.states.at(-1)!, 'the old one');
  const shreds = shredsOf(anew, SIZE).map((shred, index) =>
    index === 0 ? shred.replace('"startingLogIndex":0', '"startingLogIndex": 0') : shred,
  );
  rig.send(shreds[0]!.replace(/"blockTimestamp":(\d+)/, (_, time: string) => `"blockTimestamp":${Number(time) + 1}`));
  await reported(rig, 1, 0);
  assertSame(rig.pending, anew.states[0]!, 'the new one');
  rig.send(shreds[0]!, ...shreds.slice(1));
  await reported(rig, 1, 4);
  assertSame(rig.pending, anew.states.at(-1)!, 'and its end');
  await rig.confirm(anew.made);
  assert.equal(rig.status.counts.blocksPromoted, 1);
});

for (const [what, break_] of [
  ['a balance', (shred: string) => shred.replaceAll(/"balance":"0x[0-9a-f]+"/g, '"balance":"0x1"')],
  ['a log', (shred: string) => shred.replace(/"topics":\["0x[0-9a-f]{2}/, '"topics":["0xff')],
  ['a status', (shred: string) => shred.replace('"status":"0x1"', '"status":"0x0"')],
] as const) {
  test(`a block with ${what} that the feed reported wrongly is executed instead of promoted`, async (t) => {
    const root = genesis();
    const rig = await startRig(t, root);
    const one = await blockOn(root);
    rig.send(...shredsOf(one, SIZE).map((shred, index) => (index > 0 ? break_(shred) : shred)));
    await reported(rig, 1, 4);
    await rig.confirm(one.made);
    const { counts } = rig.status;
    assert.deepEqual([counts.mismatches, counts.blocksPromoted], [1, 0]);
    assertSame(rig.latest, one.made.state, 'executed');
  });
}

test('a canonical block of another branch drops pre-confirmed shreds without a parent hash', async (t) => {
  const root = genesis();
  const rig = await startRig(t, root);
  const one = await blockOn(root);
  const two = await blockOn(one.made);
  await rig.confirm(one.made);
  rig.send(...shredsOf(two, SIZE));
  await reported(rig, 2, 4);
  const other = await makeBlock(root, [{ from: 0, to: WRITER, words: [1n, 9n] }], 3);
  rig.node.reorg(1, [other]);
  await rig.atHead(other);
  assert.equal(rig.newest.coordinates.block, 1);
  assertSame(rig.pending, other.state, 'nothing of the other branch');
});

test('two feeds of shreds fill the gaps of each other', async (t) => {
  const root = genesis();
  const rig = await startRig(t, root, 2);
  const one = await blockOn(root);
  const shreds = shredsOf(one, SIZE);
  rig.sendBy(0, ...shreds.filter((_, index) => index !== 1));
  rig.sendBy(1, ...shreds.filter((_, index) => index !== 3));
  await reported(rig, 1, 4);
  assertSame(rig.pending, one.states.at(-1)!, 'whole');
  await rig.confirm(one.made);
  assert.deepEqual([rig.status.counts.blocksPromoted, rig.status.counts.mismatches], [1, 0]);
});
