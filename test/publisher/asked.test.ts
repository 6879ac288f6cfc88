// Answers of an executor to its replicas that cannot be given: each is an error that says so.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LIMITS } from '../../src/limits.js';
import { answerAsked } from '../../src/publisher/asked.js';
import { decodeReply, encodeAsk, type Reply } from '../../src/replication/ask.js';

async function asked(question: Uint8Array, result: unknown): Promise<Reply | null> {
  const upstream = { fill: () => Promise.resolve(), request: () => Promise.resolve(result) };
  const parts = { feed: { upstream }, buffer: () => null, onSnapshot: () => {}, stateBytesMax: 1000 };
  return decodeReply(await answerAsked(question, parts));
}

test('an answer that no client could be given is refused by its size', async () => {
  const request = encodeAsk({ kind: 'request', method: 'eth_getLogs', params: [], timeoutMs: 1000 });
  const reply = await asked(request, 'x'.repeat(LIMITS.responseBytesMax));
  assert.ok(reply?.kind === 'refused');
  assert.match(
    reply.message,
    new RegExp(`^an answer of \\d+ bytes is more than a replica may give: ${LIMITS.responseBytesMax}$`),
  );
  assert.deepEqual(await asked(request, [1]), { kind: 'result', text: '[1]' });
});

test('what is no question, or of a state that is not kept, is refused', async () => {
  const wants = { accounts: [new Uint8Array(20)], slots: [] };
  for (const question of [Uint8Array.of(99), encodeAsk({ kind: 'read', block: new Uint8Array(32), wants })]) {
    assert.equal((await asked(question, null))?.kind, 'refused');
  }
});
