// Random request bodies for the decoders: valid, almost valid, and hostile. A seed always gives the same bodies.
import { LIMITS } from '../../../src/limits/index.js';

/** xorshift32: fast enough that a fuzzer spends its time in the decoders, not in the generator. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 1;
  }

  /** 0 <= result < `bound`. */
  below(bound: number): number {
    this.#state ^= this.#state << 13;
    this.#state ^= this.#state >>> 17;
    this.#state ^= this.#state << 5;
    return (this.#state >>> 0) % bound;
  }

  chance(percent: number): boolean {
    return this.below(100) < percent;
  }

  pick<T>(values: readonly T[]): T {
    return values[this.below(values.length)]!;
  }
}

type Bytes = Buffer<ArrayBuffer>;

const HEX = '0123456789abcdefABCDEF';
const SPACES = ['', '', '', '', ' ', '\n', '\t', '\r\n', '  ', ' '.repeat(61)];
const NUMBERS = ['0', '-0', '1', '42', '-7', '1.5', '0.10', '2e3', '1E-2', '1e999', '-1e+999', '18446744073709551616'];
const BAD_NUMBERS = ['01', '-', '1.', '.1', '1e', '+1', '0x1', 'NaN', '-a', '1e1.5', '00', '1..2', '1ee5'];
const ATOMS = ['true', 'false', 'null'];
const BAD_ATOMS = ['nul', 'nulll', 'True', 'tru', 'undefined', "'a'", 'null"a"', 'truefalse'];
const ESCAPES = [
  '\\n',
  '\\"',
  '\\\\',
  '\\/',
  '\\b',
  '\\f',
  '\\r',
  '\\t',
  '\\u0041',
  '\\ud83d\\ude00',
  '\\ud800',
  '\\u0000',
];
const BAD_ESCAPES = ['\\x', '\\u12', '\\u00g0', '\\', '\\u', '\\N', '\n', '\u0000', '\u001f'];
const CHARACTERS = [
  'a',
  'Z',
  ' ',
  ':',
  ',',
  '{',
  '}',
  '[',
  ']',
  '\u00e9',
  '\u20ac',
  '\u{1f600}',
  '\u007f',
  '\ud7ff',
  '\u2028',
];
const KEYS = ['jsonrpc', 'method', 'params', 'id'];
const METHODS = [
  'eth_getTransactionCount',
  'eth_getStorageAt',
  'eth_getBalance',
  'eth_getCode',
  'eth_call',
  '',
  'eth_getCod',
];
const TAGS = [
  'latest',
  'pending',
  'safe',
  'finalized',
  'earliest',
  'Latest',
  'late',
  'latest ',
  '0x',
  '0x0',
  '0x00',
  '0x1f',
];
const BAD_BYTES = [
  0x00, 0x0c, 0x1a, 0x1f, 0x22, 0x5c, 0x7f, 0x80, 0xbf, 0xc0, 0xc2, 0xe0, 0xed, 0xef, 0xf0, 0xf4, 0xff,
];
const BAD_SEQUENCES = [
  'eda080',
  'edbfbf',
  'e09fbf',
  'c1bf',
  'f08fbfbf',
  'f4908080',
  'f5808080',
  'e282',
  'f09f98',
  '80',
];
const GOOD_BYTES = [...Buffer.from(' \n\t\r{}[],:"\\0123456789abcdefxuntlE+-./')];

/** One body: mostly JSON text, sometimes damaged. */
export function randomBody(random: Random): Bytes {
  let body: Bytes = Buffer.from(random.pick(SPACES) + document(random) + random.pick(SPACES));
  if (random.chance(1)) body = Buffer.concat([Buffer.from('\ufeff'), body]);
  if (random.chance(40)) for (let times = 1 + random.below(3); times > 0; times--) body = damage(random, body);
  return body;
}

function document(random: Random): string {
  if (random.chance(60)) return request(random);
  if (random.chance(20)) return value(random, 4);
  if (random.chance(4)) return nested(random);
  const length = random.below(1000) === 0 ? LIMITS.batchCallsMax - 1 + random.below(4) : random.below(6);
  const elements = Array.from({ length }, () => (random.chance(80) ? request(random) : value(random, 3)));
  return list(random, '[', elements, ']');
}

function nested(random: Random): string {
  const depth = 60 + random.below(8);
  const [open, close] = random.pick([
    ['[', ']'],
    ['{"a":', '}'],
    ['[{"id":', '}]'],
  ] as const);
  return open.repeat(depth) + (random.chance(80) ? '1' : '') + close.repeat(random.chance(90) ? depth : depth - 1);
}

function request(random: Random): string {
  const method = random.pick(METHODS);
  const members = [
    [
      'jsonrpc',
      random.chance(94) ? '"2.0"' : random.pick(['"2\\u002e0"', '"1.0"', '2.0', 'null', '"2\\/0"', '"2.0 "']),
    ],
    ['method', random.chance(94) ? string(random, method) : value(random, 1)],
    ['params', params(random, random.chance(90) ? method : '')],
    ['id', random.chance(90) ? scalar(random) : value(random, 2)],
  ] as [string, string][];
  if (random.chance(15)) members.splice(random.below(4), 1);
  if (random.chance(15)) members.push([random.chance(50) ? random.pick(KEYS) : letters(random), value(random, 2)]);
  if (random.chance(30)) members.sort(() => random.below(3) - 1);
  const texts = members.map(
    ([key, text]) => string(random, key) + random.pick(SPACES) + `:${random.pick(SPACES)}${text}`,
  );
  return list(random, '{', texts, '}');
}

function params(random: Random, method: string): string {
  if (random.chance(8)) return value(random, 3);
  const elements = [string(random, hex(random, random.chance(90) ? 40 : random.below(44)))];
  if (method === 'eth_getStorageAt' ? random.chance(95) : random.chance(5))
    elements.push(string(random, hex(random, random.chance(40) ? 64 : random.below(68))));
  if (random.chance(70)) elements.push(random.chance(10) ? 'null' : string(random, block(random)));
  if (random.chance(5)) elements.push(value(random, 1));
  if (random.chance(3)) elements.shift();
  return list(random, '[', elements, ']');
}

function block(random: Random): string {
  return random.chance(70) ? random.pick(TAGS) : hex(random, random.below(19));
}

function hex(random: Random, digits: number): string {
  let text = random.chance(97) ? '0x' : random.pick(['0X', '', '00', '1x', '0']);
  for (let i = 0; i < digits; i++) text += HEX[random.below(HEX.length)];
  if (random.chance(3)) text += random.pick(['g', ' ', ']', ',', '@', '`', '\u00e9']);
  return text;
}

/** `text` in quotes, sometimes with some characters escaped. */
function string(random: Random, text: string): string {
  if (random.chance(85)) return `"${text}"`;
  return `"${text.replaceAll(/./g, (unit) => (random.chance(20) ? escaped(unit) : unit))}"`;
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function letters(random: Random): string {
  let text = '';
  for (let length = random.below(9); length > 0; length--) {
    if (random.chance(80)) text += random.pick(CHARACTERS);
    else text += random.chance(96) ? random.pick(ESCAPES) : random.pick(BAD_ESCAPES);
  }
  return text;
}

function scalar(random: Random): string {
  if (random.chance(50)) return random.chance(98) ? random.pick(NUMBERS) : random.pick(BAD_NUMBERS);
  if (random.chance(70)) return `"${letters(random)}"`;
  return random.chance(98) ? random.pick(ATOMS) : random.pick(BAD_ATOMS);
}

function value(random: Random, depth: number): string {
  if (depth === 0 || random.chance(40)) return scalar(random);
  const elements = Array.from({ length: random.below(4) }, () => value(random, depth - 1));
  if (random.chance(50)) return list(random, '[', elements, ']');
  const key = () => (random.chance(50) ? random.pick(KEYS) : letters(random));
  const members = elements.map((text) => `"${key()}":${text}`);
  return list(random, '{', members, '}');
}

function list(random: Random, open: string, elements: readonly string[], close: string): string {
  const space = () => random.pick(SPACES);
  const comma = random.chance(99) ? ',' : random.pick([',,', '', ':', ';']);
  return open + elements.map((text) => space() + text + space()).join(comma) + (random.chance(99) ? '' : ',') + close;
}

/** The body with one fault. */
export function damage(random: Random, body: Bytes): Bytes {
  if (body.length === 0) return body;
  const at = random.below(body.length);
  const to = Math.min(body.length, at + random.below(9));
  const part = (from: number, end: number) => body.subarray(from, end);
  switch (random.below(8)) {
    case 0:
      return Buffer.from(part(0, at)); // truncated
    case 1:
      return Buffer.concat([part(0, at), part(to, body.length)]); // cut out
    case 2:
      return Buffer.concat([part(0, to), part(at, body.length)]); // doubled
    case 3:
      return Buffer.concat([part(0, at), Buffer.from([random.pick(BAD_BYTES)]), part(at, body.length)]);
    case 6:
      return Buffer.concat([part(0, at), Buffer.from(random.pick(BAD_SEQUENCES), 'hex'), part(at, body.length)]);
    case 4:
      return Buffer.concat([part(0, at), Buffer.from([random.pick(GOOD_BYTES)]), part(at, body.length)]);
    case 5:
      return Buffer.concat([part(0, at), Buffer.from([random.pick(GOOD_BYTES)]), part(at + 1, body.length)]);
    default: {
      const flipped = Buffer.from(body);
      flipped[at]! ^= 1 << random.below(8);
      return flipped;
    }
  }
}
