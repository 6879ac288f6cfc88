// State reads by constant keys of a code, for each account that runs the code.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConstantKeyCache } from '../../../../src/feed/live/cold/code-constants-cache.js';
import { fromHex, toHex } from '../../../../src/lib/bytes/hex.js';
import { toBytes } from '../../../../src/lib/bytes/big-endian.js';
import { assemble } from '../../../support/assembler.js';
import { MemoryView } from '../../../support/memory-view.js';

const address = (n: number): Uint8Array => toBytes(BigInt(n), 20);
const TOKEN = address(100);
const POOL = address(103);

test('constant slots of code are prefetched at the account that runs it, at a proxy too', () => {
  const implementationSlot = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc';
  const view = new MemoryView();
  view.put(POOL, { nonce: 1n, code: assemble(`PUSH ${implementationSlot}; SLOAD; STOP`) });
  view.setSlot(POOL, fromHex(implementationSlot), Uint8Array.from([...new Uint8Array(12), ...TOKEN]));
  view.put(TOKEN, { nonce: 1n, code: `${assemble('PUSH 8; SLOAD')}73${'ab'.repeat(20)}` });
  const { accounts, slots } = new ConstantKeyCache().of([POOL, address(1)], view);
  assert.deepEqual(accounts.map(toHex), [`0x${'ab'.repeat(20)}`]);
  assert.deepEqual(
    slots.map(({ address: at, slot }) => `${toHex(at)} ${toHex(slot)}`),
    [implementationSlot, toHex(toBytes(8n, 32))].map((slot) => `${toHex(POOL)} ${slot}`),
  );
});
