// The responses in all conversations are decodable by typed clients, and each method has a schema.
import assert from 'node:assert/strict';
import test from 'node:test';
import { METHODS } from '../../src/methods.table.js';
import { assertTyped, schemaOf } from './answers.js';
import { ownConversations } from './conversation.js';

test('each method has a schema', () => {
  for (const name of METHODS.keys()) assert.doesNotThrow(() => schemaOf(name, []));
});

/** Checks a result against the schema of an account. */
const requested = (result: unknown) => (): void =>
  assertTyped('{"id":1,"method":"eth_getAccountInfo"}', JSON.stringify({ id: 1, result }));

test('a member that is missing, null or unknown is an error', () => {
  assert.doesNotThrow(requested({ balance: '0x0', nonce: '0x0', code: '0x' }));
  assert.throws(requested({ balance: '0x0', nonce: '0x0' }), /code is no bytes: nothing/);
  assert.throws(requested({ balance: '0x0', nonce: null, code: '0x' }), /nonce is no quantity of 64 bits: null/);
  assert.throws(requested({ balance: '0x00', nonce: '0x0', code: '0x' }), /balance is no quantity: "0x00"/);
  assert.throws(requested({ balance: '0x0', nonce: '0x0', code: '0x', root: '0x' }), /root must not be there/);
});

for (const { file, conversation } of ownConversations()) {
  test(file, () => {
    for (const { request, answer } of conversation.exchanges) assertTyped(request, answer);
  });
}
