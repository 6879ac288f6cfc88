// Finds constant slots and addresses in code, and does not mistake numbers and masks for addresses.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findConstantKeys } from '../../../../src/feed/live/cold/find-code-constants.js';
import { fromHex, toHex } from '../../../../src/lib/bytes/hex.js';
import { LIMITS } from '../../../../src/limits/index.js';
import { assemble } from '../../../support/assembler.js';

const FACTORY = '0x5c69bee701ef814a2b6a3edd4b1652cb9cc5aa6f';

const slotsOf = (code: string): bigint[] => findConstantKeys(fromHex(code)).slots.map((slot) => BigInt(toHex(slot)));
const addressesOf = (code: string): string[] => findConstantKeys(fromHex(code)).addresses.map(toHex);
const last = (at: number): string => at.toString(16).padStart(2, '0');
const pushed = (word: string): string => `0x7f${word.slice(2).padStart(64, '0')}`;

test('constants pushed shortly before SLOAD or SSTORE are slots, each once', () => {
  assert.deepEqual(slotsOf(assemble('PUSH 8; SLOAD; PUSH 9; DUP1; SLOAD; PUSH 300; PUSH 0; SWAP1; SLOAD')), [
    8n,
    9n,
    300n,
    0n,
  ]);
  assert.deepEqual(slotsOf(assemble('PUSH 8; SLOAD; PUSH 8; SLOAD')), [8n]);
  assert.deepEqual(slotsOf(assemble('PUSH 7; POP; POP; POP; SLOAD; PUSH 6; SSTORE')), []);
});

test('push data is not read as instructions, and may be cut off at the end of the code', () => {
  assert.deepEqual(slotsOf('0x6254545400'), []);
  assert.deepEqual(slotsOf('0x7f54'), []);
});

test('addresses are constants of 20 bytes, or words with leading zeros', () => {
  assert.deepEqual(addressesOf(`0x73${FACTORY.slice(2)}`), [FACTORY]);
  assert.deepEqual(addressesOf(pushed(FACTORY)), [FACTORY]);
  assert.deepEqual(addressesOf(`0x73${'ff'.repeat(20)}`), []);
  assert.deepEqual(addressesOf(pushed('0xde0b6b3a7640000')), []);
  assert.deepEqual(addressesOf(`0x7f${'12'.repeat(32)}`), []);
});

test('slots and addresses are bounded by the limits', () => {
  const { constantSlotsMax, constantAddressesMax } = LIMITS;
  const reads = Array.from({ length: constantSlotsMax + 10 }, (_, slot) => `PUSH ${slot}; SLOAD; POP; POP; POP`);
  assert.equal(slotsOf(assemble(...reads)).length, constantSlotsMax);
  const names = Array.from({ length: constantAddressesMax + 10 }, (_, at) => `73${FACTORY.slice(2, -2)}${last(at)}`);
  assert.equal(addressesOf(`0x${names.join('')}`).length, constantAddressesMax);
});
