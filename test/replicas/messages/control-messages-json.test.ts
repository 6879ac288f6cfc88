// Records, and messages between members: they are read as they were written, and as null if they are invalid.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  decodeRecord,
  recordBytes,
  type LeaderRequest,
  type Records,
} from '../../../src/replicas/messages/control-messages-json.js';

test('a record reads as it was written, whatever its texts look like, and null where it is cut', () => {
  const request: LeaderRequest = {
    kind: 'request',
    method: 'eth_call',
    params: ['b64', 'n1', 's', '', { bytes: '0x12', integer: '5', none: null }, [true, 1.5]],
    timeoutMs: 1000,
  };
  const read: LeaderRequest = {
    kind: 'read',
    block: new Uint8Array(32).fill(7),
    missing: { accounts: [new Uint8Array(20).fill(0xab)], slots: [] },
  };
  for (const record of [request, read]) {
    const bytes = recordBytes('request', record);
    assert.deepEqual(decodeRecord('request', bytes), record);
    for (let length = 0; length < bytes.length; length++)
      assert.equal(decodeRecord('request', bytes.subarray(0, length)), null);
  }
  const send = { raw: Buffer.of(1, 2), from: new Uint8Array(20), nonce: 2n ** 64n - 2n, client: 'x', ageMs: 3 };
  const sent = decodeRecord('group', recordBytes('group', { kind: 'send', member: 'a', id: 1, send }));
  assert.ok(sent?.kind === 'send');
  assert.deepEqual(sent.send, { ...send, raw: Uint8Array.of(1, 2) });
});

test('a record with the shape of another one, or of none, is null', () => {
  const names: readonly (keyof Records)[] = [
    ...(['chain', 'snapshot', 'alive', 'position', 'origin', 'request', 'reply', 'group'] as const),
  ];
  const others = [null, 5, [], {}, { kind: 'sread' }, { kind: 'sstate', state: {} }, { epoch: 'sx' }, 'snothing'];
  for (const name of names) {
    for (const other of others) assert.equal(decodeRecord(name, JSON.stringify(other)), null, name);
  }
  const alive = recordBytes('group', { kind: 'alive', member: 'a' });
  for (const name of names.filter((each) => each !== 'group')) assert.equal(decodeRecord(name, alive), null, name);
  const short: LeaderRequest = { kind: 'read', block: new Uint8Array(31), missing: { accounts: [], slots: [] } };
  assert.equal(decodeRecord('request', recordBytes('request', short)), null);
});
