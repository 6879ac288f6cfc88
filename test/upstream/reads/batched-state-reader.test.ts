// State read from a test node over HTTP at the hash of a block: the values are the node's, in as few round trips as
// possible.
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { array, assert as check, asyncProperty, constantFrom, nat, record } from 'fast-check';
import { keccak_256 as keccak256 } from '@noble/hashes/sha3.js';
import { toHex } from '../../../src/lib/bytes/hex.js';
import { toBytes } from '../../../src/lib/bytes/big-endian.js';
import type { MissingKeys } from '../../../src/state/views/miss-recording-view.js';
import { createUpstream } from '../../../src/upstream/create-upstream.js';
import type { FetchedState, Upstream } from '../../../src/upstream/upstream.js';
import type { UpstreamClientLimits } from '../../../src/upstream/transport/upstream-client-limits.js';
import { MemoryView } from '../../support/memory-view.js';
import { PATIENCE_MS, until } from '../../support/patience.js';
import { UpstreamNode, type NodeBlock } from '../../support/upstream-node.js';
import { hashOf, makeBlock } from '../blocks.js';

const address = (n: number): Uint8Array => toBytes(BigInt(n), 20);
const word = (n: number | bigint): Uint8Array => toBytes(BigInt(n), 32);
const CODE = Uint8Array.of(0x60, 0x00, 0x60, 0x00, 0xfd);

/** Account n: nothing, a balance, a nonce, a contract; the slots of n contain n and `salt`. */
function stateOf(salt: number): MemoryView {
  const view = new MemoryView();
  for (let n = 1; n < 40; n++) {
    if (n % 4 === 0) continue;
    const code = n % 4 === 3 ? Uint8Array.of(...CODE, n % 8) : new Uint8Array(0);
    view.put(address(n), { nonce: n % 4 === 1 ? 0n : BigInt(n), balance: BigInt(salt) * 10n ** 18n + BigInt(n), code });
    for (let slot = 0; slot < n % 5; slot++) view.setSlot(address(n), word(slot), word(2n ** 250n + BigInt(n * salt)));
  }
  return view;
}

interface Stand {
  readonly node: UpstreamNode;
  readonly upstream: Upstream;
  readonly blocks: readonly NodeBlock[];
  /** Hash of a block. */
  readonly at: (index: number) => Uint8Array;
}

async function stand(t: TestContext, tuning: Partial<UpstreamClientLimits> = {}): Promise<Stand> {
  const blocks: NodeBlock[] = [];
  for (let number = 0; number < 3; number++) {
    const parentHash = number === 0 ? word(0) : hashOf(blocks[number - 1]!);
    blocks.push(makeBlock({ number, parentHash }, [], stateOf(number + 1)));
  }
  const node = await UpstreamNode.start({ blocks });
  const upstream = createUpstream(
    { url: node.url, wsUrl: null, pollMs: 1000 },
    { tuning: { retryMs: 1, timeoutMs: PATIENCE_MS, ...tuning } },
  );
  t.after(async () => {
    await upstream.close();
    await node.close();
  });
  return { node, upstream, blocks, at: (index) => hashOf(blocks[index]!) };
}

/** Reasons why values were refused. */
async function reasons(fill: Promise<FetchedState>): Promise<string[]> {
  return (await fill).refused.map(({ error }) => error.kind);
}

function checkFill(fill: FetchedState, wants: MissingKeys, view: MemoryView): void {
  const accounts = new Map(fill.accounts.map((change) => [toHex(change.address), change.account]));
  const codes = new Map(fill.codes.map(({ hash, bytes }) => [toHex(hash), bytes]));
  const slots = new Map(fill.slots.map((change) => [toHex(change.address) + toHex(change.slot), change.value]));
  for (const wanted of wants.accounts) {
    const is = view.account(wanted);
    assert.deepEqual(accounts.get(toHex(wanted)), is);
    const code = is === null ? new Uint8Array(0) : view.code(is.codeHash);
    if (code.length > 0) assert.deepEqual(codes.get(toHex(is!.codeHash)), code);
  }
  for (const { address: owner, slot } of wants.slots)
    assert.deepEqual(slots.get(toHex(owner) + toHex(slot)), view.storage(owner, slot));
  for (const [hash, bytes] of codes) assert.equal(toHex(keccak256(bytes)), hash);
  // Each key once, and only requested keys.
  assert.equal(accounts.size, fill.accounts.length);
  assert.equal(slots.size, fill.slots.length);
  assert.equal(accounts.size, new Set(wants.accounts.map(toHex)).size);
  assert.equal(slots.size, new Set(wants.slots.map((want) => toHex(want.address) + toHex(want.slot))).size);
}

const allAccounts = Array.from({ length: 40 }, (_, n) => address(n));
const allSlots = allAccounts.flatMap((owner) => [0, 1, 2].map((slot) => ({ address: owner, slot: word(slot) })));

test('accounts of every kind and slots are read in one round trip', async (t) => {
  const { node, upstream, blocks, at } = await stand(t);
  const wants = { accounts: allAccounts, slots: allSlots };
  for (const index of [0, 1, 2]) {
    node.resetCounts();
    checkFill(await upstream.read(at(index), wants), wants, blocks[index]!.state as MemoryView);
    assert.equal(node.counts.roundTrips, 1);
  }
  assert.deepEqual(node.counts.requests, 40 * 3 + 120);
});

test('an absent account is null, an absent slot zero, and an empty read sends no request', async (t) => {
  const { node, upstream, at } = await stand(t);
  assert.deepEqual(await upstream.read(at(0), { accounts: [], slots: [] }), {
    accounts: [],
    slots: [],
    codes: [],
    refused: [],
  });
  assert.equal(node.counts.roundTrips, 0);
  const slot = { address: address(999), slot: word(1) };
  const fill = await upstream.read(at(0), { accounts: [address(999)], slots: [slot] });
  assert.deepEqual(fill.accounts, [{ address: address(999), account: null }]);
  assert.deepEqual(fill.slots, [{ ...slot, value: word(0) }]);
});

test('a hundred concurrent reads of the same values send one request for each value', async (t) => {
  const { node, upstream, blocks, at } = await stand(t);
  const wants = { accounts: allAccounts.slice(0, 10), slots: allSlots.slice(0, 10) };
  await upstream.read(at(1), { accounts: [address(1)], slots: [] });
  node.resetCounts();
  const fills = await Promise.all(Array.from({ length: 100 }, () => upstream.read(at(1), wants)));
  for (const fill of fills) checkFill(fill, wants, blocks[1]!.state as MemoryView);
  assert.deepEqual([node.counts.roundTrips, node.counts.requests], [1, 40]);
  assert.equal(upstream.stats.merged, 99 * 20);
});

test('values already being read are awaited, only the others are requested', async (t) => {
  const { node, upstream, blocks, at } = await stand(t);
  node.faults.stalled = true;
  const first = upstream.read(at(1), { accounts: [address(1), address(2)], slots: [] });
  await until(() => node.counts.roundTrips === 1);
  const wants = { accounts: [address(2), address(3)], slots: [] };
  const second = upstream.read(at(1), wants);
  const elsewhere = upstream.read(at(2), wants);
  await until(() => node.counts.roundTrips === 3);
  node.faults.stalled = false;
  checkFill(await second, wants, blocks[1]!.state as MemoryView);
  checkFill(await elsewhere, wants, blocks[2]!.state as MemoryView);
  await first;
  assert.equal(node.counts.byMethod['eth_getTransactionCount'], 2 + 1 + 2);
});

test('values are not cached: a later read requests them again', async (t) => {
  const { node, upstream, at } = await stand(t);
  for (let i = 0; i < 3; i++) await upstream.read(at(1), { accounts: [address(1)], slots: [] });
  assert.equal(node.counts.byMethod['eth_getCode'], 3);
});

test('a thousand slots of a hundred accounts are read in two round trips', async (t) => {
  const { node, upstream } = await stand(t);
  const accounts = Array.from({ length: 100 }, (_, n) => address(n));
  const slots = Array.from({ length: 1000 }, (_, n) => ({ address: address(n % 100), slot: word(n) }));
  await upstream.read(hashOf(makeBlock({ number: 0, parentHash: word(0) })), { accounts, slots });
  assert.ok(node.counts.roundTrips <= 2, `${node.counts.roundTrips} round trips`);
});

test('a code shared by several accounts is requested once', async (t) => {
  const view = new MemoryView();
  for (let n = 0; n < 5; n++) view.put(address(n), { code: CODE });
  const block = makeBlock({ number: 9 }, [], view);
  const { node, upstream } = await stand(t);
  node.push(block);
  const fill = await upstream.read(hashOf(block), { accounts: [0, 1, 2, 3, 4].map(address), slots: [] });
  assert.deepEqual(fill.codes, [{ hash: keccak256(CODE), bytes: CODE }]);
});

test('a node that does not support block hashes (EIP-1898) is distinguished from one that lacks the block', async (t) => {
  const { node, upstream, at } = await stand(t);
  node.faults.eip1898 = 'refused';
  const wants = { accounts: [address(1)], slots: [] };
  assert.match(String((await upstream.read(at(1), wants)).refused[0]?.error), /EIP-1898/);
});

test('a node that answers at "latest" instead of the block hash is detected before any of its values is used', async (t) => {
  const { node, upstream, at } = await stand(t);
  node.faults.eip1898 = 'ignored';
  const wants = { accounts: [address(1)], slots: [{ address: address(1), slot: word(0) }] };
  for (let i = 0; i < 2; i++) assert.match(String((await upstream.read(at(1), wants)).refused[0]?.error), /EIP-1898/);
});

test('reads name a block hash, never a number or a tag', async (t) => {
  const { node, upstream, at } = await stand(t);
  const bodies: string[] = [];
  node.onBody = (body) => bodies.push(body);
  await upstream.read(at(1), { accounts: [address(1)], slots: [{ address: address(1), slot: word(0) }] });
  const params = (JSON.parse(bodies[0]!) as { params: unknown[] }[]).slice(1).map((request) => request.params.at(-1));
  assert.deepEqual(
    params,
    Array.from({ length: 4 }, () => ({ blockHash: toHex(at(1)) })),
  );
});

test('pruned state and unknown blocks are refused as not found', async (t) => {
  const { node, upstream, at } = await stand(t);
  node.faults.pruned.add(toHex(at(1)));
  const wants = { accounts: [address(1)], slots: [] };
  assert.deepEqual(await reasons(upstream.read(at(1), wants)), ['notFound']);
  assert.deepEqual(await reasons(upstream.read(word(5), wants)), ['notFound']);
  assert.equal((await upstream.read(at(2), wants)).accounts.length, 1);
});

test('a malformed value fails only the reads of that value', async (t) => {
  const { node, upstream, blocks, at } = await stand(t);
  node.methods.set('eth_getStorageAt', () => 'nonsense');
  const slots = [{ address: address(1), slot: word(0) }];
  const wants = { accounts: [address(1)], slots: [] };
  const bad = upstream.read(at(1), { accounts: [], slots });
  const good = upstream.read(at(1), wants);
  assert.deepEqual(await reasons(bad), ['malformed']);
  checkFill(await good, wants, blocks[1]!.state as MemoryView);
});

/** What nodes return for a slot. */
const WORDS: readonly (readonly [result: string | null, value: bigint | 'malformed'])[] = [
  ['0x5', 5n],
  ['0x0', 0n],
  ['0x0005', 5n],
  [`0x${'f'.repeat(64)}`, 2n ** 256n - 1n],
  [`0x${'0'.repeat(64)}5`, 'malformed'],
  ['0x', 'malformed'],
  ['5', 'malformed'],
  [null, 'malformed'],
];

for (const [result, value] of WORDS)
  test(`as a storage word, ${result} is ${value}`, async (t) => {
    const { node, upstream, at } = await stand(t);
    node.methods.set('eth_getStorageAt', () => result);
    const { slots, refused } = await upstream.read(at(1), { accounts: [], slots: [allSlots[0]!] });
    if (value === 'malformed') assert.deepEqual([slots, refused[0]?.error.kind], [[], value]);
    else assert.deepEqual([slots[0]?.value, refused], [word(value), []]);
  });

test('a refused value is left out of the result and named with its reason', async (t) => {
  const { node, upstream, at } = await stand(t);
  const [good, bad] = [word(0), word(1)];
  node.faults.refusedKeys.add(`${toHex(address(7))} ${toHex(bad)}`);
  const slots = [good, bad].map((slot) => ({ address: address(7), slot }));
  const fill = await upstream.read(at(1), { accounts: [address(7)], slots });
  assert.deepEqual([fill.accounts.length, fill.slots.map(({ slot }) => slot)], [1, [good]]);
  const [refused] = fill.refused;
  assert.deepEqual([refused?.address, refused?.slot, refused?.error.kind], [address(7), bad, 'rpc']);
});

test('values arrive in spite of lost, truncated, refused and late responses and small batch limits', async (t) => {
  const { node, upstream, blocks, at } = await stand(t, { triesMax: 10 });
  const wants = { accounts: allAccounts, slots: allSlots };
  node.faults.batchMax = 50;
  node.faults.next = [
    { kind: 'drop' },
    { kind: 'none' },
    { kind: 'status', status: 503 },
    { kind: 'cut' },
    { kind: 'status', status: 429, retryAfter: '0' },
    { kind: 'error', code: -32005, message: 'slow down' },
    { kind: 'reversed' },
  ];
  checkFill(await upstream.read(at(1), wants), wants, blocks[1]!.state as MemoryView);
  assert.ok(upstream.stats.retries >= 4);
  assert.equal(node.faults.next.length, 0);
});

test('random concurrent reads at random blocks get the values of the node', async (t) => {
  const { upstream, blocks, at } = await stand(t, { batchMax: 7 });
  const account = nat({ max: 45 }).map(address);
  const slot = record({ address: account, slot: nat({ max: 4 }).map(word) });
  const reader = record({
    block: nat({ max: 2 }),
    accounts: array(account, { maxLength: 8 }),
    slots: array(slot, { maxLength: 8 }),
    turn: constantFrom('same', 'later'),
  });
  const run = async (
    readers: readonly { block: number; turn: string; accounts: Uint8Array[]; slots: MissingKeys['slots'] }[],
  ): Promise<void> => {
    const reads: Promise<void>[] = [];
    for (const { block, turn, ...wants } of readers) {
      if (turn === 'later') await new Promise((resolve) => setImmediate(resolve));
      reads.push(
        upstream.read(at(block), wants).then((fill) => checkFill(fill, wants, blocks[block]!.state as MemoryView)),
      );
    }
    await Promise.all(reads);
  };
  await check(asyncProperty(array(reader, { minLength: 1, maxLength: 12 }), run), { numRuns: 60, seed: 11 });
  assert.ok(upstream.stats.merged > 0);
});
