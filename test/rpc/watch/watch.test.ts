// The topic `watch`: which calls run again, what is sent, and its bounds.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DEV_CHAIN } from '../../../src/feed/dev/genesis.js';
import { toHex } from '../../../src/lib/bytes/hex.js';
import { LIMITS } from '../../../src/limits/index.js';
import { readWatchedCall, type WatchedCall } from '../../../src/rpc/watch/run-watched-call.js';
import { account, addressOf, diffOf, slot } from '../../state/diffs.js';
import { CONTRACTS_FROM, Reader, type Json } from '../push/rig.js';
import { IDLE_CONTRACT, WatchRig } from './watch-rig.js';
import { LATEST_BLOCK } from '../../../src/rpc/view/block-param-types.js';

const IDLE = CONTRACTS_FROM + IDLE_CONTRACT;
const IDLE_CALLS = 10_000;

/** A call of the contract that depends on one of its slots; different data make it a different call. */
function idleCall(at: number): unknown {
  const data = `0x${at.toString(16).padStart(8, '0')}`;
  return { method: 'eth_call', params: [{ to: toHex(addressOf(IDLE)), data }, 'pending'] };
}

const nonceCall = (at: number, tag = 'pending'): unknown => ({
  method: 'eth_getTransactionCount',
  params: [toHex(addressOf(at)), tag],
});

function watch(rig: WatchRig, reader: Reader, calls: readonly WatchedCall[]): string {
  const topic = rig.watches.topic(calls, undefined, rig.parts);
  const opened = 'error' in topic ? topic : rig.subscriptions.open(reader, topic, null);
  assert.ok(typeof opened === 'string', JSON.stringify(opened));
  return opened;
}

/** Publishes an increment of the next block with these changes. */
async function publish(rig: WatchRig, index: number, changes: Parameters<typeof diffOf>[0] | object): Promise<void> {
  const block = rig.tip.number + 1;
  rig.publisher.publishVersion(diffOf({ block, index, parentHash: rig.tip.hash, ...changes }), {
    kind: 'increment',
    announcement: null,
  });
  await rig.calm();
}

function refusalOf(call: unknown): string {
  const read = readWatchedCall(call, 3, { chain: DEV_CHAIN, defaultBlock: LATEST_BLOCK });
  assert.ok('error' in read && read.error === 'invalidParams');
  return read.message;
}

function reported(reader: Reader, id: string): readonly Json[] {
  const messages = reader.take(id);
  reader.results.length = 0;
  return messages;
}

function answersOf(message: Json | undefined): readonly Json[] {
  return message!['answers'] as Json[];
}

describe('watch', () => {
  it('10,000 calls run once each, and never again while only other state changes', async () => {
    const rig = new WatchRig(1, 'on');
    await publish(rig, 0, {});
    const calls = rig.read(Array.from({ length: IDLE_CALLS }, (_, at) => idleCall(at)));
    const readers: Reader[] = [];
    for (let at = 0; at < calls.length; at += LIMITS.watchedCallsPerSocketMax) {
      readers.push(new Reader());
      watch(rig, readers.at(-1)!, calls.slice(at, at + LIMITS.watchedCallsPerSocketMax));
    }
    await rig.calm();
    assert.ok(readers.every(({ results }) => results.length === 1));
    const { runs, vain } = rig.watches.counts;
    assert.equal(runs - vain, IDLE_CALLS);
    const { jobs } = rig;
    for (let index = 1; index <= 20; index++) {
      const other = { accounts: [account(2, BigInt(index))], slots: [slot(IDLE, 1, index), slot(3, 2, index)] };
      await publish(rig, index, other);
    }
    assert.deepEqual([rig.watches.counts.runs, rig.jobs], [runs, jobs], 'no execution');
    assert.ok(readers.every(({ results }) => results.length === 1));
    for (const reader of readers) rig.subscriptions.closeAll(reader);
    assert.deepEqual({ ...rig.watches.counts, runs: 0, vain: 0 }, { calls: 0, names: 0, runs: 0, vain: 0 });
  });

  it('a message has the results that changed, and its version', async () => {
    const rig = new WatchRig(2, 'on');
    const reader = new Reader();
    await publish(rig, 0, { accounts: [account(1, 5n), account(2, 6n)], slots: [slot(IDLE, 2, 9)] });
    const id = watch(rig, reader, rig.read([nonceCall(1), nonceCall(2), idleCall(0)]));
    await rig.calm();
    const word = `0x${'9'.padStart(64, '0')}`;
    assert.deepEqual(answersOf(reported(reader, id)[0]), [
      { call: 0, result: '0x5' },
      { call: 1, result: '0x6' },
      { call: 2, result: word },
    ]);
    await publish(rig, 1, { accounts: [account(2, 7n)] });
    const [message] = reported(reader, id);
    assert.deepEqual(answersOf(message), [{ call: 1, result: '0x7' }]);
    const version = rig.events.versionOf(rig.reader.newest());
    const block = `0x${(rig.tip.number + 1).toString(16)}`;
    assert.deepEqual(message!['position'], { block, index: '0x1', hash: null, version });
    await publish(rig, 2, { accounts: [account(2, 7n, 1n)], slots: [slot(IDLE, 2, 9)] });
    assert.deepEqual(reported(reader, id), [], 'they ran again and answered the same');
  });

  it('equal calls of several subscriptions run once', async () => {
    const rig = new WatchRig(3, 'on');
    await publish(rig, 0, { slots: [slot(IDLE, 2, 1)] });
    const readers = Array.from({ length: 20 }, () => new Reader());
    const ids = readers.map((reader, at) => watch(rig, reader, rig.read([idleCall(0), nonceCall(at % 4)])));
    await rig.calm();
    readers.forEach((reader, at) => reported(reader, ids[at]!));
    const { runs, vain, calls } = rig.watches.counts;
    assert.equal(calls, 5);
    await publish(rig, 1, { slots: [slot(IDLE, 2, 2)] });
    assert.equal(rig.watches.counts.runs - rig.watches.counts.vain - (runs - vain), 1);
    readers.forEach((reader, at) => assert.equal(answersOf(reported(reader, ids[at]!)[0]).length, 1));
  });

  it('a slow reader gets all current results once it reads again, and the number of messages skipped', async () => {
    const rig = new WatchRig(4, 'on');
    const reader = new Reader();
    await publish(rig, 0, { accounts: [account(1, 1n), account(2, 1n)] });
    const id = watch(rig, reader, rig.read([nonceCall(1), nonceCall(2)]));
    await rig.calm();
    reported(reader, id);
    reader.isSlow = true;
    for (let nonce = 2; nonce <= 4; nonce++) await publish(rig, nonce, { accounts: [account(1, BigInt(nonce))] });
    reader.isSlow = false;
    rig.subscriptions.drained(reader);
    const [{ result, skipped }] = reader.results as [(typeof reader.results)[number]];
    assert.deepEqual(answersOf(result), [
      { call: 0, result: '0x4' },
      { call: 1, result: '0x1' },
    ]);
    assert.equal(skipped, 3);
  });

  it('a subscription closed and opened again before its first message gets that message once', async () => {
    const rig = new WatchRig(5, 'on');
    await publish(rig, 0, { accounts: [account(1, 5n)] });
    const [calls, other, reader] = [rig.read([nonceCall(1)]), new Reader(), new Reader()];
    const id = watch(rig, other, calls);
    await rig.calm();
    watch(rig, reader, calls);
    rig.subscriptions.close(reader, id);
    assert.equal(watch(rig, reader, calls), id);
    await rig.calm();
    assert.equal(reported(reader, id).length, 1);
  });

  it('the number of watched calls is bounded per connection and in all', async () => {
    const rig = new WatchRig(5, 'on');
    const reader = new Reader();
    const half = rig.read(Array.from({ length: LIMITS.watchedCallsPerSocketMax / 2 }, (_, at) => idleCall(at)));
    watch(rig, reader, half);
    watch(rig, reader, half);
    const topic = rig.watches.topic(half.slice(0, 1), undefined, rig.parts);
    assert.ok(!('error' in topic));
    const refused = rig.subscriptions.open(reader, topic, null);
    assert.deepEqual(refused, { error: 'overload', message: 'too many watched calls (max 64)' });
    const many = rig.read(Array.from({ length: LIMITS.watchedCallsMax }, (_, at) => idleCall(at + half.length)));
    const all = rig.watches.topic(many, undefined, rig.parts);
    assert.deepEqual(all, { error: 'overload', message: 'too many watched calls' });
    rig.subscriptions.closeAll(reader);
    await rig.calm();
    assert.deepEqual([rig.watches.counts.calls, rig.subscriptions.count], [0, 0]);
  });

  it('a call that cannot be watched is refused with the reason', () => {
    const address = toHex(addressOf(1));
    assert.equal(refusalOf(7), 'watched call 3: not an object');
    const unknown = refusalOf({ method: 'eth_call', params: [{}], block: 'pending' });
    assert.equal(unknown, 'watched call 3: invalid argument 1: json: unknown field "block"');
    assert.equal(refusalOf({ method: 'eth_blockNumber' }), 'watched call 3: "eth_blockNumber" cannot be watched');
    assert.equal(refusalOf({ method: 'eth_call', params: {} }), 'watched call 3: non-array params');
    assert.equal(refusalOf(nonceCall(1, 'safe')), 'watched call 3: only pending and latest are watched');
    assert.equal(refusalOf(nonceCall(1, '0x1')), 'watched call 3: only pending and latest are watched');
    assert.match(refusalOf({ method: 'eth_getBalance', params: ['0x12'] }), /^watched call 3: invalid argument 0: hex/);
    assert.match(refusalOf({ method: 'eth_getBalance', params: [address, 'latest', 1] }), /too many arguments/);
    const data = `0x${'00'.repeat(LIMITS.watchedCallBytesMax / 2)}`;
    assert.match(refusalOf({ method: 'eth_call', params: [{ to: address, data }] }), /too long \(max 65536 bytes\)/);
  });
});
