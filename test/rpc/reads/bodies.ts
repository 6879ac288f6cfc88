// Random bodies of plain reads, and of calls that are almost plain reads.
import { toHex } from '../../../src/lib/bytes/hex.js';
import { addressOf } from '../../state/diffs.js';
import { damage, randomBody, type Random } from '../decode/request-bodies.js';
import { ACCOUNTS, BLOCKS, SLOTS } from './random-tables.js';

const IDS = ['0', '1', '42', '900719925474099267', '"a"', '""', '"a b~!"', '"0x1"'];
const OTHER_IDS = [
  '01',
  '00',
  '042',
  '-1',
  '1.5',
  '1e3',
  'null',
  'true',
  '"\\u0041"',
  '"a\\"b"',
  '"\\x"',
  '"\\\\"',
  '"a\\n"',
  '"\n"',
  '"a\tb"',
  '"\0"',
  '"\u001f"',
  '"\u00e9"',
  '[1]',
  '"a',
  '"\u007f"',
];
const TAGS = ['"latest"', '"pending"', '"latest"', '"pending"', '"safe"', '"finalized"'];
const OTHER_TAGS = [
  '"earliest"',
  '"Latest"',
  '"latest "',
  'nul',
  '"pending',
  '"0x"',
  '"0x01"',
  '"0X1"',
  '"0xg"',
  '"0x1',
  '1',
  '"0x00000000000000001"',
  '"0x10000000000000001"',
  '"0x100000001"',
  '"0xffffffffffffffff"',
];
const OTHER_METHODS = [
  'eth_getBalanc',
  'eth_getBalances',
  'eth_getCode',
  'eth_getStorageAT',
  'eth_getTransactionCoun',
  'eth_chainId',
];
/** Bytes after a body, mostly none. */
const ENDS = [...Array<string>(40).fill(''), '\n', ' ', ',', ']', '{}', '\0'];
/** White space, and characters that only look like it. */
const SPACES = ['', '', ' ', '  ', '\n', '\r\n\t', '\n    '];
const OTHER_SPACES = ['\f', '\v', '\0', '\u00a0'];
const STRING_OR_MARK = /"(?:[^"\\]|\\.)*"|[{}[\],:]/g;
/** Calls in a batch: mostly few, sometimes the maximum, and one more. */
const COUNTS = [1, 2, 3, 5, 8, 100, 1000, 1001];

/** Mostly plain reads only. */
export function randomReads(random: Random): Buffer<ArrayBuffer> {
  if (random.chance(5)) return randomBody(random);
  const body = Buffer.from(spaced(random, (random.chance(40) ? call(random) : batch(random)) + random.pick(ENDS)));
  return random.chance(20) ? damage(random, body) : body;
}

/** JSON as JavaScript formats it, as Python does, or with arbitrary white space. */
function spaced(random: Random, text: string): string {
  const kind = random.below(10);
  if (kind < 4) return text;
  if (kind < 7) return text.replace(STRING_OR_MARK, (part) => (part === ',' || part === ':' ? `${part} ` : part));
  const space = (): string => random.pick(random.below(1000) === 0 ? OTHER_SPACES : SPACES);
  return text.replace(STRING_OR_MARK, (part) => (part.startsWith('"') ? part : space() + part + space()));
}

function batch(random: Random): string {
  const count = COUNTS[random.below(random.chance(97) ? 5 : COUNTS.length)]!;
  const one = random.chance(70) ? () => plainCall(random, 0) : () => call(random);
  const calls = Array.from({ length: random.chance(98) ? count : 0 }, one);
  return `[${calls.join(',')}${random.chance(98) ? ']' : ''}`;
}

function call(random: Random): string {
  return random.chance(80) ? plainCall(random, 10) : nearlyPlain(random);
}

/** In `otherPercent` of addresses and slots the hex digits are replaced, possibly by none. */
function plainCall(random: Random, otherPercent: number): string {
  const hasSlot = random.chance(50);
  const hex = [address(random), ...(hasSlot ? [slot(random)] : [])].map((text) =>
    random.chance(otherPercent) ? otherHex(random, text) : text,
  );
  const params = [...hex.map((text) => `"${text}"`), ...block(random)];
  return object(random, methodFor(random, hasSlot), random.pick(IDS), params);
}

/** Mostly a tag; otherwise a number, missing or null. */
function block(random: Random): string[] {
  if (random.chance(80)) return [random.pick(TAGS)];
  return random.chance(70) ? [`"0x${random.below(BLOCKS + 2).toString(16)}"`] : random.pick([[], ['null']]);
}

function methodFor(random: Random, hasSlot: boolean): string {
  return hasSlot ? 'eth_getStorageAt' : random.pick(['eth_getTransactionCount', 'eth_getBalance']);
}

/** A plain call except for one part. */
function nearlyPlain(random: Random): string {
  const hasSlot = random.chance(50);
  const namesSlot = random.chance(80) === hasSlot;
  const method = methodFor(random, namesSlot);
  const hex = [address(random), ...(hasSlot ? [slot(random)] : [])];
  const params = [...hex.map((text) => `"${text}"`), '"latest"'];
  const id = random.pick(IDS);
  switch (random.below(8)) {
    case 0:
    case 1:
    case 2:
      return object(random, method, random.pick(OTHER_IDS), params);
    case 3:
      return object(random, random.pick(OTHER_METHODS), id, params);
    case 4:
      return object(random, method, id, [...params.slice(0, -1), random.pick(OTHER_TAGS)]);
    case 5:
      return object(random, method, id, params.slice(random.below(2), random.below(4)));
    case 6:
      return object(random, method, id, params).slice(0, -1 - random.below(3));
    default:
      return doubled(random, object(random, method, id, params));
  }
}

/** With one member more or less. */
function doubled(random: Random, text: string): string {
  const members = text.slice(1, -1).split(/,(?="(?:jsonrpc|id|method|params)":)/);
  const at = random.below(members.length);
  const changed = random.chance(50) ? members.toSpliced(at, 1) : members.toSpliced(random.below(5), 0, members[at]!);
  return `{${changed.join(',')}}`;
}

function object(random: Random, method: string, id: string, params: readonly string[]): string {
  const members = ['"jsonrpc":"2.0"', `"id":${id}`, `"method":"${method}"`, `"params":[${params.join(',')}]`];
  if (random.chance(30)) members.sort(() => random.below(3) - 1);
  return `{${members.join(',')}}`;
}

function address(random: Random): string {
  return toHex(addressOf(random.below(ACCOUNTS + 2)));
}

function slot(random: Random): string {
  const digits = random.below(SLOTS + 1).toString(16);
  if (random.chance(15)) return `0x${digits}`;
  return `0x${digits.padStart(random.chance(50) ? 64 : random.below(65), '0')}`;
}

/** Other, more or fewer digits, or characters around them. */
function otherHex(random: Random, text: string): string {
  const at = 2 + random.below(text.length - 2);
  const digits = random.pick(['A', 'f', '00', '', 'g', '/', ':', '@', '`', 'G', '"', ' ']);
  return text.slice(0, at) + digits + text.slice(at + 1);
}
