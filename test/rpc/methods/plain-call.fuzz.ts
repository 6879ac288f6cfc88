// Calls read from their bytes against the same calls read from parsed JSON: where the fast reader reads one, both read the
// same, and it reads what clients usually write. Seeded.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LIMITS } from '../../../src/limits.js';
import { Arguments } from '../../../src/rpc/methods/arguments.js';
import { readExecution } from '../../../src/rpc/methods/execution.js';
import { readPlainCall } from '../../../src/rpc/methods/plain-call.js';
import { Random } from '../../support/programs/random.js';

const ROUNDS = 20_000;
const ADDRESS = 'aB'.repeat(20);
const LONGEST_DATA = 'ab'.repeat(LIMITS.plainCallBytesMax);

const ADDRESSES = [
  `0x${ADDRESS}`,
  `0x${ADDRESS}`,
  `0x${ADDRESS}`,
  `0X${ADDRESS}`,
  ADDRESS,
  '0x12',
  '0x',
  '',
  null,
  7,
  {},
];
const DATA = [
  '0x',
  '0xa9059cbb',
  `0x${'a9'.repeat(68)}`,
  `0x${LONGEST_DATA}`,
  '0xabc',
  '0xag',
  'ab',
  '',
  null,
  1,
  [],
  '0xé',
];
const QUANTITIES = [
  '0x0',
  '0x1',
  '0xABCdef',
  '0xffffffffffffffff',
  '0x10000000000000000',
  `0x${'f'.repeat(64)}`,
  `0x1${'0'.repeat(64)}`,
  '0x00',
  '0x01',
  '0x',
  '0xg',
  '12',
  '',
  null,
  5,
  true,
];
const BLOCKS = [
  'latest',
  'pending',
  'safe',
  'finalized',
  'earliest',
  'Latest',
  'late',
  '0x1',
  null,
  3,
  {},
  `0x${'ab'.repeat(32)}`,
];
/** Members and what they may be; the first values are those of nearly all clients. */
const VALUES: readonly (readonly [name: string, values: readonly unknown[]])[] = [
  ['from', ADDRESSES],
  ['to', ADDRESSES],
  ['data', DATA],
  ['input', DATA],
  ['value', QUANTITIES],
  ['gas', QUANTITIES],
  ['gasPrice', QUANTITIES],
  ['maxFeePerGas', QUANTITIES],
  ['maxPriorityFeePerGas', QUANTITIES],
  ['nonce', QUANTITIES],
  ['chainId', QUANTITIES],
  ['type', ['0x2']],
  ['accessList', [[], null]],
  ['froM', ADDRESSES],
];

/** One of the values, mostly one of the first. */
function oneOf<T>(random: Random, values: readonly T[]): T {
  return values[random.below(random.below(4) === 0 ? values.length : Math.min(3, values.length))]!;
}

/** A member as text; seldom its name is written with an escape. */
function member(random: Random, name: string, value: unknown): string {
  const key =
    random.below(60) === 0 ? `"\\u00${name.charCodeAt(0).toString(16)}${name.slice(1)}"` : JSON.stringify(name);
  return `${space(random)}${key}${space(random)}:${space(random)}${JSON.stringify(value)}${space(random)}`;
}

function space(random: Random): string {
  return random.below(6) === 0 ? [' ', '\n', '\t', '\r '][random.below(4)]! : '';
}

function callText(random: Random): string {
  const often = VALUES.slice(0, 3).filter(() => random.below(8) > 0);
  const seldom = VALUES.filter(() => random.below(20) === 0);
  const members = [...often, ...seldom].map(([name, values]) => member(random, name, oneOf(random, values)));
  return random.below(100) === 0 ? '[]' : `{${members.join(',')}}`;
}

function paramsText(random: Random): string {
  const block = random.below(4) === 0 ? [] : [JSON.stringify(oneOf(random, BLOCKS))];
  const more = random.below(20) === 0 ? ['{}'] : [];
  const values = [callText(random), ...block, ...(block.length === 0 ? [] : more)];
  return `[${values.map((text) => `${space(random)}${text}${space(random)}`).join(',')}]`;
}

describe('a call read from its bytes', () => {
  it('is the call that its JSON says, or is left to the other reader', () => {
    const random = new Random(21);
    let plain = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const text = paramsText(random);
      const call = readPlainCall(Buffer.from(text));
      if (call === null) continue;
      plain++;
      const args = new Arguments(JSON.parse(text) as unknown[]);
      const { block, ...read } = readExecution(args, 1n);
      assert.equal(args.failure, null, text);
      assert.deepEqual(read, { call: call.call, stateOverride: [], blockOverride: null }, text);
      assert.deepEqual(block, call.block, text);
    }
    assert.ok(plain > ROUNDS / 4 && plain < ROUNDS, `${plain} of ${ROUNDS} are plain`);
  });

  it('keeps its data, whatever calls are read after it', () => {
    const texts = Array.from({ length: 2000 }, (_, i) =>
      (i % 256)
        .toString(16)
        .padStart(2, '0')
        .repeat((i * 7) % 1500),
    );
    const read = texts.map((data) => readPlainCall(Buffer.from(`[{"data":"0x${data}"}]`))!.call.data);
    assert.deepEqual(
      read.map((data) => Buffer.from(data).toString('hex')),
      texts,
    );
  });

  it('takes what clients write, and its values are those of the JSON', () => {
    const call = {
      from: `0x${ADDRESS}`,
      to: `0x${ADDRESS}`,
      gas: '0x5208',
      value: '0xde0b6b3a7640000',
      input: '0xa9059cbb',
    };
    const fees = [{ gasPrice: '0x1' }, { maxFeePerGas: '0x2', maxPriorityFeePerGas: '0x1' }, {}];
    for (const more of fees) {
      const params = [{ ...call, ...more }, 'pending'];
      const json = Buffer.from(JSON.stringify(params));
      const args = Arguments.ofCall(readPlainCall(json)!, json);
      assert.deepEqual(args.all, params);
      assert.deepEqual(readExecution(args, 1n), readExecution(new Arguments(params), 1n));
    }
  });
});
