// Long strings in parameters decode as if they had been parsed with everything else: values, bytes and error messages.
// Seeded.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RpcArguments } from '../../../src/rpc/params/arguments.js';
import { parseCallObject } from '../../../src/rpc/params/call-arguments.js';
import { parseParams } from '../../../src/rpc/params/parse-params-zero-copy.js';
import { unhex, unhexPortable } from '../../../src/rpc/decode/unhex.js';
import { Random } from '../../support/programs/random.js';

const ROUNDS = 150;
/** Around the length at which a string counts as long. */
const LENGTHS = [0, 2, 42, 16_380, 16_381, 16_382, 16_383, 16_384, 16_385, 16_386, 40_000, 70_001];

function hexText(random: Random, length: number): string {
  const digits = Array.from({ length }, () => random.below(16).toString(16)).join('');
  switch (random.below(8)) {
    case 0:
      return digits;
    case 1:
      return `0X${digits.toUpperCase()}`;
    case 2:
      return `0x${digits.slice(0, length >> 1)}é${digits.slice(length >> 1)}`;
    case 3:
      return `0x${digits}g`;
    case 4:
      return `0x${digits}\n`;
    default:
      return `0x${digits}`;
  }
}

function text(random: Random): string {
  return hexText(random, LENGTHS[random.below(LENGTHS.length)]!);
}

function params(random: Random): unknown[] {
  const call = {
    ...(random.below(8) === 0 ? { from: text(random) } : {}),
    ...(random.below(8) === 0 ? { gas: text(random) } : {}),
    ...(random.below(2) === 0 ? { data: text(random) } : {}),
    ...(random.below(2) === 0 ? { input: text(random) } : {}),
    ...(random.below(8) === 0 ? { accessList: [{ address: text(random), storageKeys: [text(random)] }] } : {}),
  };
  const overrides = { [text(random)]: { code: text(random), state: { [text(random)]: text(random) } } };
  return [call, random.below(8) === 0 ? text(random) : 'latest', ...(random.below(2) === 0 ? [overrides] : [])];
}

/** Everything that methods read, whether parsed at once or with long strings decoded separately. */
function read(args: RpcArguments): unknown {
  const call = parseCallObject(args, args.required(0), 0, 1n);
  const block = args.block(1);
  return { call: args.failure === null ? call : null, block, failure: args.failure, all: args.all };
}

describe('parameters with long strings', () => {
  it('decode as if they had been parsed with the rest', () => {
    const random = new Random(16);
    let long = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const values = params(random);
      const parsed = parseParams(Buffer.from(JSON.stringify(values)));
      const args = new RpcArguments(parsed.values as unknown[], parsed.long);
      if (random.below(2) === 0) args.keep();
      if (JSON.stringify(parsed.values) !== JSON.stringify(values)) long++;
      assert.deepEqual(read(args), read(new RpcArguments(values)), `round ${round}`);
    }
    assert.ok(long > ROUNDS / 8, `${long} rounds with strings apart`);
  });

  it('a string that looks like the placeholder for a long string is an ordinary string', () => {
    const values = ['\u00000', `0x${'00'.repeat(20_000)}`];
    const { values: parsed, long } = parseParams(Buffer.from(JSON.stringify(values)));
    assert.deepEqual(long.whole(parsed), values);
  });

  it('survive when the body is overwritten', () => {
    const body = Buffer.from(JSON.stringify([`0x${'ab'.repeat(20_000)}`]));
    const { values, long } = parseParams(body);
    const args = new RpcArguments(values as unknown[], long);
    args.keep();
    body.fill(0);
    assert.deepEqual(args.bytes(0), new Uint8Array(20_000).fill(0xab));
  });
});

describe('hex decoding', () => {
  it('gives the same bytes and refuses the same strings, in the addon and digit by digit', () => {
    const random = new Random(17);
    for (let round = 0; round < ROUNDS; round++) {
      const length = random.below(70);
      const digits = Buffer.from(
        Array.from({ length: 2 * length }, () => '0123456789abcdefABCDEF'[random.below(22)]).join(''),
      );
      if (length > 0 && random.below(3) === 0) digits[random.below(2 * length)] = random.below(256);
      const [fast, slow] = [new Uint8Array(length), new Uint8Array(length)];
      const isHex = /^[0-9a-fA-F]*$/.test(digits.toString('latin1'));
      assert.equal(unhex(digits, fast), isHex);
      assert.equal(unhexPortable(digits, slow), isHex);
      if (isHex) assert.deepEqual(fast, slow);
    }
  });

  it('accepts exactly the 22 hex digits at every position of a string longer than a SIMD block', () => {
    const bytes = new Uint8Array(19);
    const digits = Buffer.from('7'.repeat(2 * bytes.length));
    for (let at = 0; at < digits.length; at++) {
      for (let character = 0; character < 256; character++) {
        digits[at] = character;
        assert.equal(unhex(digits, bytes), /[0-9a-fA-F]/.test(String.fromCharCode(character)), `${character} at ${at}`);
      }
      digits[at] = '7'.charCodeAt(0);
    }
  });
});
