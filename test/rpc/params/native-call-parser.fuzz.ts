// A plain call as decoded by the addon equals the call that FieldReader decodes; the addon leaves anything else to
// FieldReader.
import assert from 'node:assert/strict';
import test from 'node:test';
import * as fc from 'fast-check';
import { loadNativeModule } from '../../../src/native/load-addon.js';
import { RpcArguments } from '../../../src/rpc/params/arguments.js';
import { parseCallObject } from '../../../src/rpc/params/call-arguments.js';
import { parseCallNatively, type NativelyParsedParams } from '../../../src/rpc/params/native-call-parser.js';
import { rounds } from '../../support/rounds.js';

const RUNS = rounds(20_000);
const SEED = Number(process.env['SEED'] ?? 1);
const NO_ADDON = loadNativeModule('json').part === null && 'there is no addon here';

const hex = (bytes: number): fc.Arbitrary<string> =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((all) => `0x${Buffer.from(all).toString('hex')}`);
const quantity = fc.oneof(
  fc.bigInt({ min: 0n, max: 2n ** 32n }),
  fc.bigInt({ min: 0n, max: 2n ** 64n }),
  fc.bigInt({ min: 0n, max: 2n ** 256n }),
);
const wellFormed = fc.oneof(
  quantity.map((number) => `0x${number.toString(16)}`),
  quantity.map((number) => `0x${number.toString(16).toUpperCase()}`),
  hex(20),
  fc.constantFrom(0, 1, 4, 68, 1024, 1025).chain(hex),
  fc.constantFrom(8191, 8192, 8193).map((bytes) => `0x${'5b'.repeat(bytes)}`),
);
const odd = fc.constantFrom<unknown>(
  '',
  '0x',
  '0x0',
  '0x00',
  '0x01',
  '0X1',
  '0xg',
  '0x123',
  '1',
  'é',
  'a"b',
  null,
  1,
  true,
  [],
  {},
);
const NAMES = ['from', 'to', 'data', 'input', 'value', 'gas', 'gasPrice', 'maxFeePerGas', 'maxPriorityFeePerGas'];
const name = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom(...NAMES) },
  { weight: 1, arbitrary: fc.constantFrom('nonce', 'chainId', 'type', 'accessList', 'From', 'x', '') },
);
const address = fc.constantFrom('from', 'to').chain((key) => hex(20).map((value) => [key, value] as const));
const number = fc
  .tuple(fc.constantFrom('value', 'gas', 'gasPrice', 'maxFeePerGas', 'maxPriorityFeePerGas'), quantity)
  .map(([key, value]) => [key, `0x${value.toString(16)}`] as const);
const anything = fc.tuple(name, fc.oneof({ weight: 6, arbitrary: wellFormed }, { weight: 1, arbitrary: odd }));
const member = fc.oneof(
  { weight: 3, arbitrary: address },
  { weight: 3, arbitrary: number },
  { weight: 2, arbitrary: anything },
);
const space = fc.constantFrom('', '', '', ' ', '\n\t', '\r');
const tag = fc.constantFrom<readonly unknown[]>(
  [],
  [],
  ['latest'],
  ['pending'],
  ['safe'],
  ['finalized'],
  ['earliest'],
  ['0x1'],
  ['Latest'],
  [null],
  ['latest', {}],
);

/** The parameters as text: members in any order, possibly a duplicate, with white space anywhere. */
const params = fc
  .tuple(fc.array(member, { maxLength: 6 }), tag, space, space)
  .map(([members, rest, before, between]) => {
    const fields = members.map(
      ([key, value]) => `${before}${JSON.stringify(key)}${between}:${before}${JSON.stringify(value)}`,
    );
    const all = [`{${fields.join(between + ',')}${before}}`, ...rest.map((value) => JSON.stringify(value))];
    return `${between}[${all.join(`${between},${before}`)}${between}]`.trim();
  });

/** A hex digit in the middle of a string. */
const DIGIT = /(?<=0x[0-9a-f]+)[0-9a-f](?=[0-9a-f]+")/i;

/** Decodes the plain parameters of this text after so much white space: they equal the reference's, or `null`. */
function checkedRead(text: string, offset: number): NativelyParsedParams | null {
  const body = Buffer.from(' '.repeat(offset) + text + '"0x"');
  const read = parseCallNatively(body, offset, Buffer.byteLength(text));
  if (read === null) return null;
  const args = new RpcArguments(JSON.parse(text) as unknown[]);
  assert.equal(read.json, text);
  assert.deepEqual(read.plain.call, parseCallObject(args, args.required(0), 0, 1n));
  assert.deepEqual(read.plain.block ?? { kind: 'latest' }, args.block(1));
  assert.equal(args.failure, null);
  return read;
}

/** Texts up to this length are remembered. */
const REMEMBERED_MAX = 16_384;

test('the addon decodes a plain call as FieldReader does', { skip: NO_ADDON }, () => {
  let plain = 0;
  fc.assert(
    fc.property(params, fc.nat(3), (text, offset) => {
      const read = checkedRead(text, offset);
      if (read === null) return;
      plain++;
      const again = checkedRead(text, offset + 1);
      if (text.length <= REMEMBERED_MAX) assert.equal(again, read, 'the same text again');
      checkedRead(
        text.replace(DIGIT, (digit) => (digit === '1' ? '2' : '1')),
        offset,
      );
    }),
    { seed: SEED, numRuns: RUNS },
  );
  assert.ok(plain > RUNS / 10, `${plain} of ${RUNS} were plain`);
});

test('calls as clients write them are plain', { skip: NO_ADDON }, () => {
  const somebody = `0x${'Ab'.repeat(20)}`;
  const calls = [
    [{ from: somebody, to: somebody, value: '0x1' }],
    [{ from: somebody, to: somebody, data: `0x${'ab'.repeat(68)}` }, 'pending'],
    [
      { to: somebody, input: '0x', gas: '0x5208', maxFeePerGas: `0x${'f'.repeat(64)}`, maxPriorityFeePerGas: '0x0' },
      'latest',
    ],
    [{ from: somebody, data: `0x${'60'.repeat(1024)}`, gasPrice: '0x3b9aca00' }, 'safe'],
  ];
  for (const call of calls) {
    const text = Buffer.from(JSON.stringify(call));
    assert.notEqual(parseCallNatively(text, 0, text.length), null);
  }
});
