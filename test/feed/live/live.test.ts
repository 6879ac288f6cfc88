// A live chain against a test node: missing state is fetched at once, reorgs revert what they remove, and what cannot
// be followed causes a resync instead of a guess.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { decodeHeader } from '../../../src/chain/block/header.js';
import { DEV_CHAIN, DEV_FEE_RECIPIENT } from '../../../src/feed/dev/genesis.js';
import { LIMITS } from '../../../src/limits/index.js';
import { fromHex, toHex } from '../../../src/lib/bytes/hex.js';
import { toBytes } from '../../../src/lib/bytes/big-endian.js';
import type { MissingKeys } from '../../../src/state/views/miss-recording-view.js';
import { StateMiss } from '../../../src/state/table/read/table-reader-and-snapshot.js';
import type { StateView } from '../../../src/state/views/state-view.js';
import { createChainRules } from '../../../src/evm/reference/fork-rules.js';
import {
  ACCOUNTS,
  CALLER,
  DEEP_STEPS,
  DEEP_WALKER,
  GATE,
  HASHER,
  LOGGER,
  READER,
  STEPS,
  WALKER,
  WRITER,
  altered,
  framesOf,
  genesis,
  makeBlock,
  makeChain,
  type Action,
  type MadeBlock,
  write,
} from './chain-maker.js';
import { unpackExecutedTransactions } from '../../../src/state/packed-transactions.js';
import { LiveRig, assertSameState } from './live-rig.js';
import type { JsonObject } from '../../support/node-json.js';
import { MemoryView } from '../../support/memory-view.js';
import { RESTLESS } from '../../support/table-settings.js';
import { NodeError } from '../../support/upstream-node.js';

const ROUND_TRIPS_MAX = 8;

const read = (slot: bigint, from = 0, to = READER): Action => ({ from, to, words: [slot] });
const walk = (from: bigint, sender: number): Action => ({ from: sender, to: WALKER, words: [from] });
const word = (value: bigint): Uint8Array => toBytes(value, 32);

/** Everything that the tests touch, and some keys that they do not. */
const KEYS: MissingKeys = {
  accounts: [
    ...ACCOUNTS,
    WRITER,
    READER,
    CALLER,
    DEV_CHAIN.depositContract ?? Uint8Array.from({ length: 20 }, () => 9),
  ],
  slots: [
    ...Array.from({ length: 12 }, (_, i) => ({ address: WRITER, slot: word(BigInt(i)) })),
    ...Array.from({ length: 24 }, (_, i) => ({ address: READER, slot: word(BigInt(i)) })),
  ],
};

const assertSame = (actual: StateView, expected: StateView, what: string): void =>
  assertSameState(actual, expected, KEYS, what);

/** `latest` reads as the state after this block. */
async function assertLatest(block: MadeBlock): Promise<void> {
  assert.equal(await rig.fetch(KEYS), null);
  assertSame(rig.latest, block.state, 'latest');
}

/** A slot of WALKER in the format of the node's `refusedKeys`. */
const refusedKey = (slot: bigint): string => `${toHex(WALKER)} ${toHex(word(slot))}`;

let rig: LiveRig;
let root: MadeBlock;
let first: MadeBlock[];

beforeEach(async () => {
  root = genesis();
  first = await makeChain(root, [[write(1n, 1n)], [write(2n, 2n, 1)], [write(1n, 3n)]]);
});
afterEach(() => rig.stop());

async function follow(hasFeed = false): Promise<void> {
  rig = await LiveRig.start({ blocks: [root, ...first], hasFeed });
}

/** Pushes so many blocks, then replaces them by others that read uncached state; returns the last of those. */
async function reorgOf(count: number, inBetween = (): void => undefined): Promise<MadeBlock> {
  const base = first.at(-1)!;
  const old = await makeChain(
    base,
    Array.from({ length: count }, (_, i) => [write(BigInt(i), 1n)]),
  );
  await rig.confirm(...old);
  inBetween();
  const other = await makeChain(base, [[write(1n, 7n, 3)], [write(6n, 8n, 3), read(5n, 2)]], 1);
  rig.node.reorg(count, other);
  await rig.atHead(other.at(-1)!);
  return other.at(-1)!;
}

/** HTTP requests until `block` has been followed, without the polls for new heads. */
async function roundTripsTo(block: MadeBlock): Promise<number> {
  let count = 0;
  rig.node.onBody = (body) => {
    if (!body.includes('"finalized"')) count++;
  };
  await rig.confirm(block);
  return count;
}

describe('confirmed blocks', () => {
  beforeEach(() => follow());

  test('the status of a live chain is announced before its first table', () => {
    const kinds = rig.messages.map(({ kind }) => kind);
    assert.ok(kinds.indexOf('live') >= 0 && kinds.indexOf('live') < kinds.indexOf('table'), kinds.join());
  });

  test('blocks are cached from the head on, and missing state is fetched on demand, at every version', async () => {
    const [next] = await makeChain(first.at(-1)!, [[write(1n, 9n)]]);
    await rig.confirm(next!);
    assert.throws(() => rig.latest.storage(WRITER, word(2n)), StateMiss);
    await assertLatest(next!);
    const before = rig.reader.versionOfBlock(first.at(-1)!.number, rig.newest.version);
    assertSame(rig.reader.snapshot(before), first.at(-1)!.state, 'the block before');
  });

  test('request each missing value once, however many callers wait for it', async () => {
    rig.node.resetCounts();
    await Promise.all(Array.from({ length: 20 }, () => rig.fetch(KEYS)));
    const { eth_getStorageAt: slots = 0, eth_getProof: proofs = 0 } = rig.node.counts.byMethod;
    assert.ok(slots + proofs <= KEYS.slots.length, `${slots} slots and ${proofs} proofs were asked for`);
    assert.ok(rig.node.counts.roundTrips <= 4, `${rig.node.counts.roundTrips} round trips`);
  });

  test('a block of a hundred transactions on a thousand cold slots takes a handful of round trips', async () => {
    const actions = Array.from({ length: 100 }, (_, i) => read(BigInt(i * 10), i % 8, i % 2 === 0 ? READER : CALLER));
    const block = await makeBlock(first.at(-1)!, actions);
    const count = await roundTripsTo(block);
    const slots = Array.from({ length: 1000 }, (_, i) => ({ address: READER, slot: word(BigInt(i)) }));
    assert.deepEqual(rig.missing({ accounts: [], slots }), { accounts: [], slots: [] });
    assert.ok(count <= ROUND_TRIPS_MAX, `${count} round trips`);
    assert.equal(rig.status.counts.mismatches, 0);
  });

  test('whose transactions follow chains of slots take a round trip per step, however many transactions there are', async () => {
    const block = await makeBlock(
      first.at(-1)!,
      Array.from({ length: 8 }, (_, i) => walk(BigInt(i * 100), i)),
    );
    const count = await roundTripsTo(block);
    assert.ok(count > STEPS && count <= STEPS + ROUND_TRIPS_MAX, `${count} round trips`);
  });

  test('whose transactions read more after an earlier one has run take no round trip each', async () => {
    const open: Action = { from: 0, to: GATE, words: [0n, 100n] };
    const readers = Array.from({ length: STEPS }, (_, i) => read(BigInt(500 + i), i % 8, GATE));
    const block = await makeBlock(first.at(-1)!, [open, ...readers]);
    const count = await roundTripsTo(block);
    assert.ok(count > STEPS && count <= STEPS + ROUND_TRIPS_MAX, `${count} round trips`);
  });

  test('whose transactions follow chains of slots take a handful of round trips if the node creates access lists', async () => {
    rig.node.methods.set('eth_createAccessList', ([call]) => {
      const start = BigInt((call as { input: string }).input);
      const storageKeys = Array.from({ length: STEPS }, (_, i) => toHex(word(start + BigInt(i))));
      return { accessList: [{ address: toHex(WALKER), storageKeys }], gasUsed: '0x0' };
    });
    const block = await makeBlock(
      first.at(-1)!,
      Array.from({ length: 8 }, (_, i) => walk(BigInt(i * 100), i)),
    );
    const count = await roundTripsTo(block);
    assert.ok(count <= ROUND_TRIPS_MAX, `${count} round trips`);
    const call = { from: toHex(ACCOUNTS[0]!), to: toHex(WALKER), input: toHex(word(5000n)) };
    assert.equal(await rig.fetch({ accounts: [], slots: [] }, call), null);
    const slots = Array.from({ length: STEPS }, (_, i) => ({ address: WALKER, slot: word(5000n + BigInt(i)) }));
    assert.deepEqual(rig.missing({ accounts: [], slots }), { accounts: [], slots: [] });
  });

  test('cold senders that call a cached contract on cold slots take one round trip', async () => {
    await rig.fetch({ accounts: [READER, CALLER, DEV_FEE_RECIPIENT], slots: [] });
    const actions = Array.from({ length: 8 }, (_, i) => read(BigInt(i * 10), i, i % 2 === 0 ? READER : CALLER));
    const block = await makeBlock(first.at(-1)!, actions);
    let reads = 0;
    rig.node.onBody = (body) => {
      // Slots of system calls to come are read once the block is shown.
      const isShown = rig.newest.heads.latest >= block.number;
      if (!isShown && (body.includes('eth_getBalance') || body.includes('eth_getStorageAt'))) reads++;
    };
    await rig.confirm(block);
    assert.equal(reads, 1);
    assert.equal(rig.status.counts.mismatches, 0);
  });

  test('cold code on cold slots takes two round trips if the node creates access lists, which come with the first', async () => {
    const slots = [...Array(STEPS).keys()].map((step) => toHex(word(500n + BigInt(step))));
    rig.node.methods.set('eth_createAccessList', () => {
      return { accessList: [{ address: toHex(WALKER), storageKeys: slots }], gasUsed: '0x0' };
    });
    const block = await makeBlock(first.at(-1)!, [walk(500n, 0)]);
    const bodies: string[] = [];
    rig.node.onBody = (body) => void bodies.push(body);
    await rig.confirm(block);
    const requested = bodies.flatMap((body) => {
      if (body.includes('eth_createAccessList')) return ['list'];
      if (body.includes('eth_getBalance')) return ['accounts'];
      return body.includes('eth_getStorageAt') ? ['slots'] : [];
    });
    assert.deepEqual(requested, ['list', 'accounts', 'slots']);
  });

  test('a transaction that needs more rounds of fetching than one try has is continued by the next try', async () => {
    const block = await makeBlock(first.at(-1)!, [{ from: 0, to: DEEP_WALKER, words: [0n] }]);
    await rig.confirm(block);
    assert.ok(rig.notes.some((note) => note.includes(`still missing after ${LIMITS.missRoundsMax} reads`)));
    assert.equal(rig.status.counts.upstreamFailures, 1);
    assert.ok(rig.status.counts.missPasses < DEEP_STEPS + 10, `${rig.status.counts.missPasses} passes`);
    assert.equal(rig.epochs, 1);
  });

  test('a transaction does not fail because a later one needs too many rounds of fetching', async () => {
    const block = await makeBlock(first.at(-1)!, [walk(0n, 0), { from: 1, to: DEEP_WALKER, words: [0n] }]);
    await rig.confirm(block);
    assert.equal(rig.status.counts.upstreamFailures, 0, rig.notes.join('; '));
    assert.equal(rig.status.counts.blocksExecuted, 1);
  });

  test('a block with a transaction of an unknown type causes a resync, and the blocks after it are executed', async () => {
    const made = await makeChain(first.at(-1)!, [[write(1n, 5n)], [write(2n, 6n)], [write(3n, 7n)]]);
    const [odd, second, third] = made;
    const extra = { type: '0x7d', hash: toHex(word(1n)) };
    rig.node.bend = (json) => {
      const transactions = [extra, ...(json['transactions'] as JsonObject[])];
      return json['hash'] === toHex(odd!.hash) ? { ...json, transactions } : json;
    };
    await rig.confirm(odd!);
    assert.equal(rig.epochs, 2);
    assert.match(rig.status.notice ?? '', new RegExp(`^block ${odd!.number} has a transaction of type 0x7d`));
    assert.ok(rig.notes.includes(rig.status.notice!));
    assert.deepEqual(rig.status.unknownFeatures, [{ kind: 'transaction type', name: '0x7d' }]);
    await assertLatest(odd!);
    await rig.confirm(second!, third!);
    assertSame(rig.latest, third!.state, 'later blocks');
    const { unknownBlocks, restarts, blocksExecuted, upstreamFailures } = rig.status.counts;
    assert.deepEqual([unknownBlocks, restarts, blocksExecuted, upstreamFailures], [1, 1, 2, 0]);
  });

  test('after one with a transaction of an unknown type are where a resync starts', async () => {
    const made = await makeChain(first.at(-1)!, [[write(1n, 5n)], [write(2n, 6n)]]);
    const transactions = [{ type: '0x7d', hash: toHex(word(1n)) }];
    rig.node.bend = (json) => (json['hash'] === toHex(made[0]!.hash) ? { ...json, transactions } : json);
    rig.node.faults.mute = true;
    for (const block of made) rig.node.push(block);
    await rig.atHead(made.at(-1)!);
    await assertLatest(made.at(-1)!);
    assert.equal(rig.status.counts.unknownBlocks, 1);
    assert.match(rig.status.notice ?? '', new RegExp(`^block ${made[0]!.number} `));
  });

  test('a block that the rules cannot complete causes a resync', async () => {
    // The node's code for withdrawal requests (EIP-7002) differs from the chain's: the system call fails.
    const broken = fromHex('0x00000961Ef480Eb55e80D19ad83579A64c007002');
    const withCode = new MemoryView().put(broken, { nonce: 1n, code: '0xfe' });
    const isBroken = (address: Uint8Array): boolean => Buffer.compare(address, broken) === 0;
    const last = first.at(-1)!;
    const state: StateView = {
      account: (address) => (isBroken(address) ? withCode : last.state).account(address),
      code: (hash) => (toHex(hash) === toHex(withCode.account(broken)!.codeHash) ? withCode : last.state).code(hash),
      storage: (address, slot) => last.state.storage(address, slot),
      blockHash: (number) => last.state.blockHash(number),
    };
    await rig.stop();
    rig = await LiveRig.start({ blocks: [root, ...first.slice(0, -1), { ...last, state }] });
    const next = await makeBlock(last, [write(1n, 5n)]);
    await rig.confirm(next);
    assert.equal(rig.epochs, 2, rig.notes.join('; '));
    assert.ok(
      rig.notes.some((note) => note.includes('withdrawal requests')),
      rig.notes.join('; '),
    );
  });

  test('several new blocks at once are executed, each with its own version', async () => {
    const more = await makeChain(
      first.at(-1)!,
      Array.from({ length: 6 }, (_, i) => [write(3n, BigInt(i + 1))]),
    );
    rig.node.faults.mute = true;
    for (const block of more) rig.node.push(block);
    await rig.atHead(more.at(-1)!);
    await rig.fetch(KEYS);
    for (const block of more) {
      const version = rig.reader.versionOfBlock(block.number, rig.newest.version);
      if (version !== 0) assertSame(rig.reader.snapshot(version), block.state, `block ${block.number}`);
    }
    assert.equal(rig.epochs, 1);
  });

  test('blocks that are reorged out leave no trace', async () => {
    const base = first.at(-1)!;
    const old = await makeChain(base, [
      [write(1n, 5n), read(0n, 2)],
      [write(4n, 6n), write(5n, 7n)],
    ]);
    await rig.confirm(...old);
    await rig.fetch(KEYS);
    const other = await makeChain(base, [[write(4n, 1n, 3)], [write(6n, 8n, 3)], []], 1);
    rig.node.reorg(2, other);
    await rig.atHead(other.at(-1)!);
    await rig.fetch(KEYS);
    for (const block of [base, ...other]) {
      const version = rig.reader.versionOfBlock(block.number, rig.newest.version);
      assertSame(rig.reader.snapshot(version), block.state, `block ${block.number}`);
    }
    assert.equal(rig.epochs, 1);
    assert.ok(rig.status.counts.reorgs >= 1);
    assert.equal(rig.status.counts.mismatches, 0);
  });

  test('a block that is not connected to the kept blocks causes a resync', async () => {
    const far = await makeChain(
      first.at(-1)!,
      Array.from({ length: LIMITS.catchUpBlocksMax + 2 }, () => []),
    );
    rig.node.faults.mute = true;
    await rig.node.kill();
    for (const block of far) rig.node.push(block);
    await rig.node.restart();
    await rig.atHead(far.at(-1)!);
    assert.equal(rig.epochs, 2);
    assert.equal(rig.status.counts.gaps, 1);
    await assertLatest(far.at(-1)!);
  });

  test('a reorg to a block outside the kept window causes a resync', async () => {
    await rig.stop();
    rig = await LiveRig.start({ blocks: [root, ...first], table: { ...RESTLESS, versionsKept: 4 } });
    const other = await reorgOf(8);
    assert.equal(rig.epochs, 2, rig.notes.join('; '));
    await assertLatest(other);
  });

  test('a reorg to a block whose state the node has pruned causes a resync', async () => {
    const other = await reorgOf(2, () => first.forEach(({ hash }) => rig.node.faults.pruned.add(toHex(hash))));
    assert.equal(rig.epochs, 2, rig.notes.join('; '));
    assert.match(rig.status.notice ?? '', /^block 5 cannot be followed: .* missing trie node/);
    await assertLatest(other);
  });

  test('a block whose execution does not match its header causes a resync', async () => {
    const made = await makeBlock(first.at(-1)!, [write(1n, 9n)]);
    const wrong = altered(made, { gasUsed: made.block.transactions[0]!.receipt.gasUsed + 1n });
    await rig.confirm(wrong);
    assert.equal(rig.status.counts.mismatches, 1);
    assert.equal(rig.epochs, 2);
    const next = await makeBlock({ ...wrong, parent: null }, [write(2n, 1n)]);
    await rig.confirm(next);
    assert.equal(rig.epochs, 2);
    assert.equal(rig.status.counts.mismatches, 1);
  });

  test('a wrong sender in a block of the node is detected before the block is published, among few or many', async () => {
    let parent = first.at(-1)!;
    for (const [times, count] of [2, LIMITS.sendersApartMin + 4].entries()) {
      const actions = Array.from({ length: count }, (_, at) => write(BigInt(at % 12), BigInt(at), at % 3));
      const block = await makeBlock(parent, actions);
      rig.node.bend = (json) => ({
        ...json,
        transactions: (json['transactions'] as JsonObject[]).with(1, {
          ...(json['transactions'] as JsonObject[])[1],
          from: toHex(ACCOUNTS.at(-1)!),
        }),
      });
      await rig.confirm(block);
      assert.deepEqual([rig.status.counts.mismatches, rig.epochs], [times + 1, times + 2]);
      assert.match(rig.notes.join('\n'), /: transaction 1: its sender is not the one that the node tells/);
      parent = { ...block, parent: null };
    }
  });

  test('a block that runs non-EVM code causes a resync, and is not counted as a mismatch', async () => {
    await rig.stop();
    const foreign = [{ prefix: LOGGER, kind: 'account' as const }];
    rig = await LiveRig.start({
      blocks: [root, ...first],
      hasFeed: true,
      rules: createChainRules({ ...DEV_CHAIN, foreign }),
    });
    const log = { from: 1, to: LOGGER, words: [7n] };
    const made = await makeBlock(first.at(-1)!, [write(1n, 9n), log]);
    const frames = framesOf(made, 1);
    rig.send(...frames);
    await rig.until(() => rig.notes.some((note) => note.includes("whose code is not the EVM's")), 'told');
    await rig.confirm(made);
    assert.equal(rig.status.counts.blocksNonEvm, 1);
    assert.equal(rig.status.counts.mismatches, 0);
    assert.equal(rig.epochs, 2);
    await assertLatest(made);
    const next = await makeBlock(made, [write(2n, 1n)]);
    await rig.confirm(next);
    assert.equal(rig.epochs, 2);
  });

  test('blocks are followed again after the node was down, and requests for state meanwhile are refused', async () => {
    await rig.node.kill();
    assert.match((await rig.fetch(KEYS)) ?? 'held', /cannot be reached|ECONN/);
    const more = await makeChain(first.at(-1)!, [[write(7n, 1n)], [write(7n, 2n)]]);
    for (const block of more) rig.node.push(block);
    await rig.node.restart();
    await rig.atHead(more.at(-1)!);
    await assertLatest(more.at(-1)!);
    assert.equal(rig.epochs, 1);
  });

  test('prefetched keys may be refused by the node, which is reported once', async () => {
    rig.node.faults.refusedKeys.add(refusedKey(0n));
    const made = await makeChain(first.at(-1)!, [[walk(100n, 0)], [walk(200n, 1)]]);
    await rig.confirm(...made);
    const { blocksExecuted, upstreamFailures, refusedHints } = rig.status.counts;
    assert.deepEqual([blocksExecuted, upstreamFailures, rig.epochs], [2, 0, 1]);
    assert.ok(refusedHints >= 2, `${refusedHints} refused`);
    assert.equal(rig.notes.filter((note) => /which may not be needed, cannot be read/.test(note)).length, 1);
  });

  test('if the node refuses one key of a client request, that key is reported, and the others are fetched', async () => {
    rig.node.faults.refusedKeys.add(refusedKey(0n));
    const slots = [0n, 1n].map((slot) => ({ address: WALKER, slot: word(slot) }));
    assert.equal(await rig.fetch({ accounts: [], slots }), null);
    assert.match(
      (await rig.fetch({ accounts: [], slots })) ?? 'held',
      /^slot 0x0+ of 0x0+ee cannot be read: .*refused$/,
    );
  });

  test('BLOCKHASH knows the blocks before the first one even if the node serves no slots', async () => {
    rig.node.methods.set('eth_getStorageAt', () => {
      throw new NodeError(-32000, 'there are no slots today');
    });
    const wrong = altered(await makeBlock(first.at(-1)!, []), { gasUsed: 1n });
    await rig.confirm(wrong);
    assert.equal(rig.epochs, 2);
    for (const block of [root, ...first]) assert.deepEqual(rig.latest.blockHash(block.number), block.hash);
  });

  test('BLOCKHASH knows the blocks before the first one that was followed', () => {
    for (const block of [root, ...first]) assert.deepEqual(rig.latest.blockHash(block.number), block.hash);
  });

  test('safe and finalized follow the node', async () => {
    rig.node.setTags(2, 1);
    let tip = first.at(-1)!;
    while (rig.newest.heads.safe === null && tip.number < 100) {
      tip = await makeBlock(tip, []);
      await rig.confirm(tip);
    }
    assert.deepEqual(rig.newest.heads, { latest: tip.number, safe: 2, finalized: 1 });
  });
});

describe('increments', () => {
  beforeEach(() => follow(true));

  test('increments are visible one by one, and their block is confirmed without being executed again', async () => {
    const block = await makeBlock(first.at(-1)!, [write(1n, 5n), write(2n, 6n, 1), read(0n, 2), read(10n, 3, CALLER)]);
    const frames = framesOf(block, 1);
    for (const [index, frame] of frames.entries()) {
      rig.send(frame);
      await rig.until(rig.isAt(block, index), `increment ${index}`);
    }
    await rig.fetch(KEYS);
    assert.equal(rig.newest.heads.latest, block.number - 1);
    assert.equal(toHex(rig.pending.storage(WRITER, word(1n))), toHex(word(5n)));
    assertSame(rig.latest, first.at(-1)!.state, 'latest');
    let fullBlocks = 0;
    rig.node.bend = (json) => {
      fullBlocks++;
      return json;
    };
    await rig.confirm(block);
    assertSame(rig.latest, block.state, 'confirmed');
    assert.equal(fullBlocks, 0);
    assert.equal(rig.status.counts.blocksPromoted, 1);
    assert.equal(rig.status.counts.blocksExecuted, 0);
    assert.equal(rig.status.counts.mismatches, 0);
    assert.equal(rig.visible.count, frames.length);
  });

  test('increments of the next block are accepted before its parent is confirmed', async () => {
    const [one, two] = await makeChain(first.at(-1)!, [[write(1n, 5n)], [write(1n, 6n), write(3n, 1n)]]);
    rig.send(...framesOf(one!, 1), ...framesOf(two!, 1));
    await rig.until(rig.isAt(two!, 2), 'the second block');
    assert.equal(rig.newest.heads.latest, one!.number - 1);
    await rig.confirm(one!);
    await assertLatest(one!);
    assert.equal(toHex(rig.pending.storage(WRITER, word(1n))), toHex(word(6n)));
    assert.ok(rig.isAt(two!, 2)());
    await rig.confirm(two!);
    assertSame(rig.latest, two!.state, 'second');
    assert.equal(rig.status.counts.blocksPromoted, 2);
  });

  test('BLOCKHASH of the parent is known to increments while the parent is not confirmed', async () => {
    const one = await makeBlock(first.at(-1)!, [write(1n, 5n)]);
    const two = await makeBlock(one, [{ from: 0, to: HASHER, words: [BigInt(one.number)] }]);
    rig.send(...framesOf(one, 1), ...framesOf(two, 1));
    await rig.until(rig.isAt(two, 1), 'the second block');
    const kept = { accounts: [], slots: [{ address: HASHER, slot: word(0n) }] };
    await rig.fetch(kept);
    assert.equal(toHex(rig.pending.storage(HASHER, word(0n))), toHex(one.hash));
    rig.node.push(one);
    await rig.confirm(two);
    assert.equal(toHex(rig.latest.storage(HASHER, word(0n))), toHex(one.hash));
  });

  test('a dropped pre-confirmed block leaves its parent, which is announced to main again', async () => {
    const [one, two] = await makeChain(first.at(-1)!, [[write(1n, 5n), write(8n, 1n, 1)], [write(1n, 6n)]]);
    const [opening, increment] = framesOf(two!, 1);
    rig.send(...framesOf(one!, 1), opening!);
    await rig.until(rig.isAt(two!, 0), 'the second block');
    rig.send(increment!.replace(/"gas_used":"0x[0-9a-f]+"/, '"gas_used":"0x5209"'));
    await rig.until(rig.isAt(one!, 2), 'the first block again');
    await rig.fetch(KEYS);
    assertSame(rig.pending, one!.state, 'pending');
    const last = rig.messages.findLast((message) => message.kind === 'published')!;
    assert.equal(last.version, rig.newest.version);
    const { block, index } = last.coordinates;
    assert.deepEqual([block, index, last.gasUsed], [one!.number, 2, decodeHeader(one!.header).gasUsed]);
    const hashes = unpackExecutedTransactions(last.transactions).map(({ hash }) => toHex(hash));
    assert.deepEqual(
      hashes,
      one!.block.transactions.map(({ hash }) => toHex(hash)),
    );
  });

  test('increments of a block that is replaced leave no trace', async () => {
    const ours = await makeBlock(first.at(-1)!, [write(1n, 5n), write(8n, 6n, 1)]);
    rig.send(...framesOf(ours, 1));
    await rig.until(rig.isAt(ours, 2), 'increments');
    const other = await makeBlock(first.at(-1)!, [write(9n, 7n, 2)], 1);
    await rig.confirm(other);
    await assertLatest(other);
    assertSame(rig.pending, other.state, 'pending');
    assert.equal(rig.status.counts.blocksExecuted, 1);
  });

  test('increments of a second attempt replace those of the first', async () => {
    const one = await makeBlock(first.at(-1)!, [write(1n, 5n), write(8n, 6n, 1)]);
    const two = await makeBlock(first.at(-1)!, [write(2n, 7n), write(9n, 7n, 2)]);
    rig.send(...framesOf(one, 1));
    await rig.until(rig.isAt(one, 2), 'first attempt');
    rig.send(...framesOf(two, 2));
    await rig.until(rig.isAt(two, 1), 'second attempt');
    await rig.fetch(KEYS);
    assert.equal(toHex(rig.pending.storage(WRITER, word(1n))), toHex(word(3n)));
    assert.equal(toHex(rig.pending.storage(WRITER, word(8n))), toHex(word(0n)));
    await rig.confirm(two);
    assertSame(rig.latest, two.state, 'confirmed');
  });

  test('whose gas differs from that of the feed fall back to latest', async () => {
    const block = await makeBlock(first.at(-1)!, [write(1n, 5n), write(8n, 6n, 1)]);
    const [opening, increment] = framesOf(block, 1);
    const wrong = increment!.replace(/"gas_used":"0x[0-9a-f]+"/, '"gas_used":"0x5209"');
    rig.send(opening!);
    await rig.until(rig.isAt(block, 0), 'opening');
    rig.send(wrong);
    await rig.until(() => rig.status.counts.mismatches === 1, 'mismatch');
    await rig.until(() => rig.newest.version === rig.newest.latestVersion, 'back to latest');
    await rig.fetch(KEYS);
    assertSame(rig.pending, first.at(-1)!.state, 'pending');
    await rig.confirm(block);
    assertSame(rig.latest, block.state, 'latest');
    assert.equal(rig.epochs, 1);
  });

  test('a second attempt that does not connect removes the first one, too', async () => {
    const one = await makeBlock(first.at(-1)!, [write(1n, 5n), write(8n, 6n, 1)]);
    const two = await makeBlock(first.at(-1)!, [write(2n, 7n)]);
    rig.send(...framesOf(one, 1));
    await rig.until(rig.isAt(one, 2), 'first attempt');
    rig.send(framesOf(two, 1)[0]!.replace(/"gas_used":"0x[0-9a-f]+"/, '"gas_used":"0x5209"'));
    await rig.until(() => rig.newest.version === rig.newest.latestVersion, 'back to latest');
    await rig.fetch(KEYS);
    assertSame(rig.pending, first.at(-1)!.state, 'pending');
    assert.equal(rig.status.counts.mismatches, 1);
  });

  test('increments after a lost one are skipped until the block is confirmed', async () => {
    const block = await makeBlock(first.at(-1)!, [write(1n, 5n), write(8n, 6n, 1), write(9n, 1n, 2)]);
    const [opening, one, , three] = framesOf(block, 1);
    rig.send(opening!, one!, three!);
    await rig.until(() => rig.status.counts.gaps === 1, 'gap');
    assert.equal(toHex(rig.pending.storage(WRITER, word(1n))), toHex(word(5n)));
    await rig.confirm(block);
    await assertLatest(block);
    assert.equal(rig.status.counts.mismatches, 0);
  });

  test('increments continue after the feed was reconnected and sent some of them twice', async () => {
    const [one, two] = await makeChain(first.at(-1)!, [[write(1n, 5n)], [write(1n, 6n)]]);
    const frames = framesOf(one!, 1);
    rig.send(frames[0]!, frames[0]!, frames[1]!, frames[1]!);
    await rig.until(rig.isAt(one!, 1), 'increments');
    rig.cut();
    await rig.confirm(one!);
    await rig.until(() => rig.connections === 1, 'connected again');
    rig.send(...framesOf(two!, 1));
    await rig.until(rig.isAt(two!, 1), 'increments again');
    await rig.confirm(two!);
    await assertLatest(two!);
  });

  test('increments that need a key which the node refuses are dropped, and the log names the key', async () => {
    rig.node.faults.refusedKeys.add(refusedKey(101n));
    const block = await makeBlock(first.at(-1)!, [walk(100n, 0)]);
    rig.send(...framesOf(block, 1));
    await rig.until(() => rig.status.counts.upstreamFailures > 0, 'failure');
    const reported = new RegExp(
      `^pre-confirmed block ${block.number} is dropped: slot 0x0+65 of 0x0+ee cannot be read: .*`,
    );
    assert.equal(rig.notes.filter((note) => reported.test(note)).length, 1, rig.notes.join('; '));
    rig.node.faults.refusedKeys.clear();
    await rig.confirm(block);
    assert.equal(rig.epochs, 1);
  });

  test('increments that need state while the node is down are dropped, and the chain continues when it is back', async () => {
    const block = await makeBlock(first.at(-1)!, [read(100n, 4), write(8n, 6n, 5)]);
    await rig.node.kill();
    rig.send(...framesOf(block, 1));
    await rig.until(() => rig.status.counts.upstreamFailures > 0, 'failure');
    assert.equal(rig.newest.heads.latest, first.at(-1)!.number);
    await rig.node.restart();
    await rig.confirm(block);
    await assertLatest(block);
    assert.equal(rig.epochs, 1);
  });
});
