// Contract creations that a state diff does not show.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  CALL_TRACER_CONFIG,
  contractsCreatedInCalls,
  mayHideCreation,
} from '../../../src/feed/diffs/hidden-creations.js';
import type { AccountDiff } from '../../../src/feed/diffs/transaction-diff.js';
import { fromHex, toHex } from '../../../src/lib/bytes/hex.js';
import { UpstreamError } from '../../../src/upstream/upstream.js';
import { bytes } from '../../support/memory-view.js';

const SENDER = bytes('01', 20);
const FACTORY = bytes('02', 20);
const BORN = bytes('03', 20);
const CALL = { from: SENDER, to: FACTORY };
const CREATION = { from: SENDER, to: null };
const NO_CODE = new Uint8Array(0);
const CODE = Uint8Array.of(0x60);
const DELEGATION = fromHex(`0xef0100${'0c'.repeat(20)}`);

interface Sides {
  readonly nonces?: readonly [bigint, bigint];
  readonly codes?: readonly [Uint8Array, Uint8Array | null];
}

function diff(address: Uint8Array, { nonces, codes = [NO_CODE, null] }: Sides): AccountDiff {
  return {
    address,
    before: { nonce: nonces?.[0] ?? 1n, balance: 1n, code: codes[0] },
    after: { nonce: nonces?.[1] ?? null, balance: 2n, code: codes[1] },
    isGone: false,
    isVague: false,
    slots: [],
  };
}

const sender = diff(SENDER, { nonces: [4n, 5n] });
const factory = diff(FACTORY, { nonces: [7n, 8n], codes: [CODE, null] });
const born = diff(BORN, { nonces: [0n, 1n], codes: [NO_CODE, CODE] });

void test('a transaction whose diff shows all of its creations hides none', () => {
  assert.equal(mayHideCreation([sender], CALL), false);
  assert.equal(mayHideCreation([sender, factory, born], CALL), false);
  assert.equal(mayHideCreation([sender, born], CREATION), false);
  // A new contract that has created two others, of which only one is shown, as is an unrelated one.
  const parent = diff(BORN, { nonces: [0n, 2n], codes: [NO_CODE, CODE] });
  const child = diff(bytes('04', 20), { nonces: [0n, 1n], codes: [NO_CODE, CODE] });
  assert.equal(mayHideCreation([sender, parent, child], CREATION), false);
});

void test('a nonce that rises without a new contract may hide a creation', () => {
  assert.equal(mayHideCreation([sender, factory], CALL), true);
  assert.equal(mayHideCreation([sender], CREATION), true);
  const twice = diff(FACTORY, { nonces: [7n, 9n], codes: [CODE, null] });
  assert.equal(mayHideCreation([sender, twice, born], CALL), true);
  const parent = diff(BORN, { nonces: [0n, 2n], codes: [NO_CODE, CODE] });
  assert.equal(mayHideCreation([sender, parent], CREATION), true);
  assert.equal(mayHideCreation([diff(SENDER, { nonces: [4n, 6n] })], CALL), true);
});

void test('a new account without code, or with non-EVM code, does not count as the creation', () => {
  const codeless = diff(BORN, { nonces: [0n, 1n] });
  assert.equal(mayHideCreation([sender, factory, codeless], CALL), true);
  const foreign = diff(BORN, { nonces: [0n, 1n], codes: [NO_CODE, Uint8Array.of(0xef)] });
  assert.equal(mayHideCreation([sender, factory, foreign], CALL), true);
});

void test('an authorization explains a risen nonce, too', () => {
  const set = diff(BORN, { nonces: [0n, 1n], codes: [NO_CODE, DELEGATION] });
  const taken = diff(BORN, { nonces: [3n, 4n], codes: [DELEGATION, NO_CODE] });
  const renewed = diff(BORN, { nonces: [3n, 4n], codes: [DELEGATION, null] });
  assert.equal(mayHideCreation([sender, set], CALL), false);
  assert.equal(mayHideCreation([sender, taken], CALL), false);
  assert.equal(mayHideCreation([sender, renewed], CALL), true);
  assert.equal(mayHideCreation([sender, set, factory], CALL), true);
  const itself = diff(SENDER, { nonces: [4n, 6n], codes: [NO_CODE, DELEGATION] });
  assert.equal(mayHideCreation([itself], CALL), false);
});

void test('a deleted account may have created anything', () => {
  assert.equal(mayHideCreation([sender, { ...factory, isGone: true }], CALL), true);
});

void test('call traces list created contracts, without failed creations', () => {
  assert.deepEqual(CALL_TRACER_CONFIG, { tracer: 'callTracer' });
  const calls = [
    { type: 'CREATE', to: toHex(BORN), calls: [{ type: 'CREATE2', to: toHex(FACTORY) }] },
    { type: 'CREATE', error: 'execution reverted', calls: [{ type: 'CREATE', to: toHex(SENDER) }] },
    { type: 'SELFDESTRUCT', to: toHex(SENDER) },
  ];
  const top = { type: 'CALL', to: toHex(SENDER), calls };
  assert.deepEqual(contractsCreatedInCalls(top).map(toHex), [BORN, FACTORY, SENDER].map(toHex));
  for (const wrong of [() => contractsCreatedInCalls(null), () => contractsCreatedInCalls({ calls: 1 })])
    assert.throws(wrong, UpstreamError);
});
