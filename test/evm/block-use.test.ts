// What code may ask about its block: by what can be reached, nothing else.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blockUseOf } from '../../src/evm/block-use.js';
import { fromHex } from '../../src/lib/hex.js';
import { assemble } from '../support/assembler.js';

function useOf(text: string): string {
  return blockUseOf(fromHex(assemble(text)));
}

void test('instructions that ask about the block count, whichever comes first', () => {
  assert.equal(useOf('PUSH 0; SLOAD; POP; CHAINID; SELFBALANCE; ORIGIN; GASPRICE; STOP'), 'none');
  for (const name of ['COINBASE', 'TIMESTAMP', 'NUMBER', 'PREVRANDAO', 'GASLIMIT', 'BASEFEE', 'BLOBBASEFEE'])
    assert.equal(useOf(`PUSH 1; ${name}; STOP`), 'environment', name);
  for (const name of ['BLOCKHASH', 'CREATE', 'CREATE2'])
    assert.equal(useOf(`TIMESTAMP; ${name}; NUMBER`), 'anything', name);
});

void test('bytes of a PUSH are no instructions', () => {
  assert.equal(useOf('PUSH 0x404142434445484a; STOP'), 'none');
  assert.equal(useOf('PUSH 0x4242424242424242424242424242424242424242424242424242424242424242; NUMBER'), 'environment');
});

void test('what stands behind an end is reached by a JUMPDEST alone', () => {
  for (const end of ['STOP', 'RETURN', 'REVERT', 'JUMP', 'SELFDESTRUCT', 'INVALID'])
    assert.equal(useOf(`${end}; TIMESTAMP`), 'none', end);
  assert.equal(useOf('STOP; TIMESTAMP; LABEL a; NUMBER'), 'environment');
  assert.equal(blockUseOf(Uint8Array.of(0x0c, 0x42)), 'none', 'no instruction');
  assert.equal(useOf('PUSH 1; JUMPI; TIMESTAMP'), 'environment');
});
