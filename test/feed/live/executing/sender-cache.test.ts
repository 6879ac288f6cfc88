// A cache of senders only returns what was added, whatever it has evicted.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keccak256 } from '../../../../src/lib/bytes/keccak-wasm.js';
import type { RecoveredSender } from '../../../../src/transaction/recover-sender.js';
import { SenderCache } from '../../../../src/feed/live/executing/sender-cache.js';

const COUNT = 1024;

const senderOf = (at: number): RecoveredSender => {
  const hash = keccak256(Buffer.from(`transaction ${at}`));
  return { hash, address: keccak256(hash).slice(12) };
};

test('a sender stays cached until many others were added', () => {
  const known = new SenderCache(COUNT);
  const senders = Array.from({ length: 100 * COUNT }, (_, at) => senderOf(at));
  for (const [at, sender] of senders.entries()) {
    assert.equal(known.get(sender.hash), null);
    known.add(sender);
    assert.deepEqual(known.get(sender.hash), sender.address);
    const earlier = senders[Math.max(0, at - COUNT / 8)]!;
    assert.deepEqual(known.get(earlier.hash) ?? earlier.address, earlier.address);
  }
  const left = senders.map(({ hash, address }) => [known.get(hash), address] as const);
  for (const [found, address] of left) assert.deepEqual(found ?? address, address);
  assert.equal(left.filter(([found]) => found !== null).length, COUNT);
  const newest = left.slice(-COUNT / 4);
  assert.ok(newest.filter(([found]) => found !== null).length > 0.95 * newest.length);
});

test('hashes in the same set are distinguished, and the oldest sender of the set is evicted', () => {
  const known = new SenderCache(COUNT);
  const senders = Array.from({ length: 9 }, (_, at) => {
    const hash = new Uint8Array(32).fill(7);
    hash[31] = at;
    return { hash, address: new Uint8Array(20).fill(at + 1) };
  });
  for (const sender of senders) known.add(sender);
  assert.equal(known.get(senders[0]!.hash), null);
  for (const { hash, address } of senders.slice(1)) assert.deepEqual(known.get(hash), address);
});

test("an address that is handed out is nobody else's", () => {
  const known = new SenderCache(COUNT);
  const sender = senderOf(0);
  known.add(sender);
  known.get(sender.hash)!.fill(0);
  assert.deepEqual(known.get(sender.hash), sender.address);
});
