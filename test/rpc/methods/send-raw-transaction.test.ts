// Chains that accept no transactions say why, and which flag would change that.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEV_ACCOUNT_ADDRESSES } from '../../../src/feed/dev/accounts-and-contract-addresses.js';
import { toHex } from '../../../src/lib/bytes/hex.js';
import type { MethodName } from '../../../src/methods.table.js';
import { METHOD_FUNCTIONS, type MethodDeps } from '../../../src/rpc/methods/method-functions.js';
import { RpcArguments } from '../../../src/rpc/params/arguments.js';
import type { ReadView } from '../../../src/rpc/view/pinned-read-view.js';

/** Result of a method with these dependencies. */
function query(name: string, parts: object, ...params: readonly unknown[]): unknown {
  const run = METHOD_FUNCTIONS[name as MethodName];
  return run(new RpcArguments(params), {} as ReadView, parts as MethodDeps, { aborted: false });
}

for (const name of ['eth_sendRawTransaction', 'eth_sendRawTransactionSync']) {
  const parts = { sending: null, receipts: 'preconfirmed', executed: { find: () => null } };
  test(`${name} names the flag where there is a node to forward to`, () => {
    const because =
      'prestate passes it on with --passthrough, unless --passthrough-methods leaves eth_sendRawTransaction out';
    const message = `the method ${name} does not exist/is not available: ${because}`;
    assert.deepEqual(query(name, { ...parts, backing: {} }, '0x02'), { error: 'methodNotFound', message });
  });

  test(`${name} on a static chain reports that the chain accepts no transactions`, () => {
    const message = `the method ${name} does not exist/is not available: this chain takes no transactions`;
    assert.deepEqual(query(name, { ...parts, backing: null }, '0x02'), { error: 'methodNotFound', message });
  });
}

test('eth_accounts lists the accounts that the chain has for its users', () => {
  assert.equal(query('eth_accounts', { signer: null }), '[]');
  assert.equal(
    query('eth_accounts', { signer: { accounts: DEV_ACCOUNT_ADDRESSES } }),
    JSON.stringify(DEV_ACCOUNT_ADDRESSES.map(toHex)),
  );
});
