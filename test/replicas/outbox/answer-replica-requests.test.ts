// An executor's replies to its replicas: state after a block that is canonical, reorged out or canonical again, and
// errors that say why there is none.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LIMITS } from '../../../src/limits/index.js';
import { answerReplicaRequest } from '../../../src/replicas/outbox/answer-replica-requests.js';
import { decodeRecord, recordBytes, type LeaderReply } from '../../../src/replicas/messages/control-messages-json.js';
import { StateWriter } from '../../../src/publisher/state-writer.js';
import { account, addressOf, diffOf, hashOf } from '../../state/diffs.js';

async function replyTo(question: Uint8Array, result: unknown): Promise<LeaderReply | null> {
  const upstream = { fill: () => Promise.resolve(), request: () => Promise.resolve(result) };
  const parts = { feed: { upstream }, buffer: () => null, onSnapshot: () => {}, stateBytesMax: 1000 };
  return decodeRecord('reply', await answerReplicaRequest(question, parts));
}

test('a reply larger than a client could be sent is refused with its size', async () => {
  const request = recordBytes('request', { kind: 'request', method: 'eth_getLogs', params: [], timeoutMs: 1000 });
  const reply = await replyTo(request, 'x'.repeat(LIMITS.responseBytesMax));
  assert.ok(reply?.kind === 'refused');
  assert.match(
    reply.message,
    new RegExp(`^an answer of \\d+ bytes is more than a replica may give: ${LIMITS.responseBytesMax}$`),
  );
  assert.deepEqual(await replyTo(request, [1]), { kind: 'result', text: '[1]' });
});

test('a malformed request, or one for state no longer kept, is refused', async () => {
  const missing = { accounts: [new Uint8Array(20)], slots: [] };
  for (const question of [
    Uint8Array.of(99),
    recordBytes('request', { kind: 'read', block: new Uint8Array(32), missing }),
  ]) {
    assert.equal((await replyTo(question, null))?.kind, 'refused');
  }
});

test('state after a kept block is read, whether canonical, reorged out, or back again', async () => {
  const executor = new StateWriter({ archive: null, post: () => undefined });
  executor.begin(diffOf({ block: 7, hash: hashOf(7) }), { number: 7, hash: hashOf(7), header: new Uint8Array() }, []);
  executor.addMissing({ accounts: [{ address: addressOf(1), account: null }], slots: [], codes: [] }, 1);
  const nonceAfter = async (block: Uint8Array): Promise<bigint | string | undefined> => {
    const message = recordBytes('request', { kind: 'read', block, missing: { accounts: [addressOf(1)], slots: [] } });
    const feed = { upstream: { fill: () => Promise.resolve(), request: () => Promise.resolve(null) } };
    const parts = { feed, buffer: () => executor.buffer, onSnapshot: () => {}, stateBytesMax: 1000 };
    const reply = decodeRecord('reply', await answerReplicaRequest(message, parts));
    return reply?.kind === 'state' ? reply.state.accounts[0]!.account?.nonce : reply?.kind;
  };
  const [a, b] = [hashOf(8), hashOf(8, 1)];
  const publish = (hash: Uint8Array, nonce: bigint): void =>
    executor.publishVersion(diffOf({ block: 8, hash, accounts: [account(1, nonce)] }), {
      kind: 'increment',
      announcement: null,
    });
  publish(a, 10n);
  assert.deepEqual([await nonceAfter(a), await nonceAfter(b)], [10n, 'refused']);
  publish(b, 20n);
  assert.deepEqual([await nonceAfter(a), await nonceAfter(b)], [10n, 20n]);
  publish(a, 10n);
  assert.deepEqual([await nonceAfter(a), await nonceAfter(b), await nonceAfter(hashOf(7))], [10n, 20n, undefined]);
});
