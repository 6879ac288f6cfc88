// Transactions are decoded as by the library, and rejected where and with the message with which it rejects them, at
// every fork; only ours rejects non-canonical encodings. Decoders with planted bugs are detected.
import assert from 'node:assert/strict';
import test from 'node:test';
import { createTxFromRLP, type TypedTransaction } from '@ethereumjs/tx';
import * as fc from 'fast-check';
import { DEV_CHAIN } from '../../src/feed/dev/genesis.js';
import { createChainRules, type ForkRules } from '../../src/evm/reference/fork-rules.js';
import { keccak256 } from '../../src/lib/bytes/keccak-wasm.js';
import { toBigInt } from '../../src/lib/bytes/big-endian.js';
import { fromHex, toHex } from '../../src/lib/bytes/hex.js';
import { encodeRlp } from '../../src/lib/bytes/encode-rlp.js';
import { GETH_INVALID_SIGNATURE_MESSAGE } from '../../src/transaction/ethereumjs-transaction.js';
import { decodeSignedTransaction, type SignedTransaction } from '../../src/transaction/signed-transaction.js';
import { signed, transaction, unsigned, type Item } from './random-transaction.js';
import { rounds } from '../support/rounds.js';

const SEED = 21;
const RUNS = rounds(2500);
const OTHER_CHAIN_ID = 9;
const FORKS = [
  'chainstart',
  'homestead',
  'spuriousDragon',
  'berlin',
  'london',
  'shanghai',
  'cancun',
  'prague',
  'osaka',
];
const RULES = FORKS.map((name) =>
  createChainRules({ ...DEV_CHAIN, forks: [{ name, block: 0, timestamp: null }] }).at(1, 0),
);

type Decoder = (raw: Uint8Array, rules: ForkRules) => SignedTransaction | string;

const filled = (length: number, byte = 1): Uint8Array<ArrayBuffer> => new Uint8Array(length).fill(byte);
const blobs = (count: number, version = 1): Item => Array.from({ length: count }, () => filled(32, version));
const tuple = (change: Readonly<Record<number, Item>>): Item =>
  [7, filled(20), 3, 1, 77n, 78n].map((item, index) => change[index] ?? item);

/** Items for any position. */
const ITEMS: readonly Item[] = [
  0,
  1,
  127,
  128,
  2 ** 32,
  2n ** 64n - 2n,
  2n ** 64n - 1n,
  2n ** 64n,
  2n ** 192n,
  2n ** 256n - 1n,
  2n ** 256n,
  ...[0, 1, 19, 20, 21, 31, 32, 33, 55, 56, 300, 49_152, 49_153].map((length) => filled(length)),
  filled(1, 0),
  filled(8, 0),
  filled(20, 0),
  [],
  [[]],
  [filled(20)],
  [[filled(20)]],
  [[filled(20), []]],
  [[filled(20), [filled(32)], []]],
  [[filled(19), []]],
  [[filled(20), [filled(31)]]],
  [[filled(20), filled(32)]],
  [[[filled(20)], []]],
  ...[1, 2, 6, 7, 9, 10].map((count) => blobs(count)),
  blobs(1, 2),
  blobs(2, 0),
  [filled(31)],
  [[filled(32)]],
  ...[{}, { 0: 2n ** 256n - 1n }, { 0: 2n ** 256n }, { 1: filled(19) }, { 2: 2n ** 64n - 1n }, { 2: 2n ** 64n }].map(
    (change) => [tuple(change)],
  ),
  ...[{ 3: 0 }, { 3: 255 }, { 3: 256 }, { 4: 0 }, { 4: 2n ** 256n }, { 5: filled(2, 0) }, { 5: [] }].map((change) => [
    tuple(change),
  ]),
];

/** Mostly `usual`. */
const rarely = <T>(usual: T, other: fc.Arbitrary<T>, weight = 8): fc.Arbitrary<T> =>
  fc.oneof({ weight, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: other });

interface Change {
  readonly kind: 'replace' | 'drop' | 'add';
  readonly at: number;
  readonly item: Item;
}

/** A change to the signed fields. */
const oneChange: fc.Arbitrary<Change> = fc.record({
  kind: rarely<Change['kind']>('replace', fc.constantFrom('drop', 'add')),
  at: fc.nat(12),
  item: fc.constantFrom(...ITEMS),
});

/** A change to the bytes. */
const damage = fc.oneof(
  { weight: 20, arbitrary: fc.constant({ kind: 'nothing' as const }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('set' as const), at: fc.nat(), byte: fc.nat(255) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cut' as const), at: fc.nat(200) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('append' as const), byte: fc.nat(255) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('type' as const), byte: fc.nat(6) }) },
);

type Damage = typeof damage extends fc.Arbitrary<infer T> ? T : never;

/** Edge cases that random transactions rarely have. */
type Edge = 'none' | 'blobs' | 'otherChain' | 'initcode';

const sample = fc.record({
  tx: transaction,
  changes: rarely<Change[]>([], fc.array(oneChange, { minLength: 1, maxLength: 2 }), 1),
  edge: rarely<Edge>('none', fc.constantFrom('blobs', 'otherChain', 'initcode'), 3),
  damage,
  v: rarely<bigint | null>(null, fc.constantFrom(0n, 2n, 26n, 29n, 35n, 36n, 37n, 38n), 12),
  isHigh: rarely(false, fc.constant(true)),
  fork: fc.oneof(fc.nat(RULES.length - 1), fc.constantFrom(RULES.length - 1, RULES.length - 2, 6)),
});
type Sample = typeof sample extends fc.Arbitrary<infer T> ? T : never;

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const flipped = (v: bigint): bigint => ((v < 27n ? v : v - 27n) % 2n === 0n ? v + 1n : v - 1n);

/** Inserts an edge case. */
function withEdge(items: readonly Item[], { tx, edge }: Sample): Item[] {
  const to = items.length - [3, 4, 4, 6, 5][tx.type]!;
  if (edge === 'otherChain' && tx.type > 0) return items.with(0, OTHER_CHAIN_ID);
  if (edge === 'initcode') return items.with(to, filled(0)).with(to + 2, filled(49_152 + (tx.nonce % 2)));
  if (edge === 'blobs' && tx.type === 3) return items.with(items.length - 1, blobs(1 + (tx.nonce % 10)));
  return [...items];
}

function changed(items: readonly Item[], { kind, at, item }: Change): Item[] {
  const index = at % (items.length + 1);
  if (kind === 'drop') return items.toSpliced(index, 1);
  return items.toSpliced(index, kind === 'replace' ? 1 : 0, item);
}

function damaged(raw: Uint8Array, what: Damage): Uint8Array {
  switch (what.kind) {
    case 'nothing':
      return raw;
    case 'set':
      return raw.with(what.at % raw.length, what.byte);
    case 'cut':
      return raw.slice(0, Math.max(0, raw.length - what.at));
    case 'append':
      return new Uint8Array([...raw, what.byte]);
    case 'type':
      return raw.with(0, what.byte);
  }
}

function bytesOf(one: Sample): Uint8Array {
  const { tx, changes, damage: harm, v, isHigh } = one;
  const items = changes.reduce<Item[]>(changed, withEdge(unsigned(tx), one));
  const raw = signed(
    tx,
    (right) => {
      const other = isHigh ? { v: flipped(right.v), r: right.r, s: ORDER - right.s } : right;
      return { ...other, v: v ?? other.v };
    },
    items,
  );
  return damaged(raw, harm);
}

/** The verdict of the library, on which our decoder was modelled. */
function libraryResult(raw: Uint8Array, rules: ForkRules): TypedTransaction | string {
  try {
    const tx = createTxFromRLP(raw, { common: rules.common });
    return tx.verifySignature() ? tx : GETH_INVALID_SIGNATURE_MESSAGE;
  } catch (error) {
    // The library's own message contains a line of its source code.
    return (error as Error).message.replace(
      /^Common chain ID [^]* not matching the derived chain ID (\d+)$/,
      `invalid chain id for signer: have $1 want ${rules.common.chainId()}`,
    );
  }
}

/** The library's transaction in our form. */
function fieldsOf(tx: TypedTransaction): object {
  const feeCap = 'gasPrice' in tx ? tx.gasPrice : tx.maxFeePerGas;
  const authorizationList =
    'authorizationList' in tx ? tx.authorizationList.map((item) => authorizationOf(item)) : null;
  return {
    hash: tx.hash(),
    from: tx.getSenderAddress().bytes,
    type: tx.type,
    nonce: tx.nonce,
    feeCap,
    tipCap: 'gasPrice' in tx ? tx.gasPrice : tx.maxPriorityFeePerGas,
    gasLimit: tx.gasLimit,
    to: tx.to?.bytes ?? null,
    value: tx.value,
    data: tx.data,
    accessList: 'accessList' in tx ? tx.accessList.map(([address, slots]) => ({ address, slots })) : [],
    blobFeeCap: 'maxFeePerBlobGas' in tx ? tx.maxFeePerBlobGas : 0n,
    blobVersionedHashes: 'blobVersionedHashes' in tx ? tx.blobVersionedHashes.map((hash) => fromHex(hash)) : null,
    authorizationList,
    intrinsicGas: tx.getIntrinsicGas(),
  };
}

function authorizationOf([chainId, address, nonce, yParity, r, s]: readonly Uint8Array[]): object {
  const [id, sequence, parity] = [chainId!, nonce!, yParity!].map((bytes) => toBigInt(bytes));
  return { chainId: id, address, nonce: sequence, yParity: parity, r: toBigInt(r!), s: toBigInt(s!) };
}

/**
 * True if the library would have encoded other bytes, or has accepted a value of the wrong kind: a hash that is no blob
 * hash, a string instead of a list.
 */
function isLenient(raw: Uint8Array, tx: TypedTransaction): boolean {
  const list: unknown = 'accessList' in tx ? tx.accessList : [];
  if (!Array.isArray(list) || list.some(([, slots]: readonly unknown[]) => !Array.isArray(slots))) return true;
  if ('blobVersionedHashes' in tx && tx.blobVersionedHashes.some((hash) => !hash.startsWith('0x01'))) return true;
  return toHex(tx.serialize()) !== toHex(raw);
}

/** Bytes, and the library's result: its transaction in our form, or the error. */
interface Case {
  readonly raw: Uint8Array;
  readonly rules: ForkRules;
  readonly expected: object | string;
  readonly isLenient: boolean;
}

interface Seen {
  decoded: number;
  refused: number;
  stricter: number;
}

function caseOf(raw: Uint8Array, rules: ForkRules): Case {
  const tx = libraryResult(raw, rules);
  if (typeof tx === 'string') return { raw, rules, expected: tx, isLenient: false };
  const lenient = isLenient(raw, tx);
  return { raw, rules, expected: lenient ? {} : fieldsOf(tx), isLenient: lenient };
}

/** Throws if the decoder's result differs from the library's. */
function compare(decode: Decoder, cases: readonly Case[]): Seen {
  const seen: Seen = { decoded: 0, refused: 0, stricter: 0 };
  for (const { raw, rules, expected, isLenient: lenient } of cases) {
    const decoded = decode(raw, rules);
    const where = `${rules.fork} ${toHex(raw).slice(0, 1000)}`;
    if (lenient) {
      seen.stricter++;
      assert.equal(decoded, 'invalid transaction encoding', where);
    } else if (typeof decoded === 'string') {
      seen.refused++;
      assert.equal(decoded, expected, where);
    } else {
      seen.decoded++;
      const { rules: by, raw: _raw, floorGas: _floor, ...fields } = decoded;
      assert.ok(by === rules);
      assert.deepEqual(plain(fields), plain(expected), where);
    }
  }
  return seen;
}

/** Removes the difference between a byte array and a view. */
function plain(fields: object | string): unknown {
  return JSON.parse(
    JSON.stringify(fields, (_name, value: unknown) => {
      if (value instanceof Uint8Array) return toHex(value);
      return typeof value === 'bigint' ? value.toString() : value;
    }),
  );
}

const CASES = fc.sample(sample, { seed: SEED, numRuns: RUNS }).map((one) => caseOf(bytesOf(one), RULES[one.fork]!));

test('the decoder and the library agree on any bytes', () => {
  const { decoded, refused, stricter } = compare(decodeSignedTransaction, CASES);
  for (const count of [decoded, refused]) assert.ok(count > RUNS / 10, `${decoded}, ${refused}, ${stricter}`);
});

/** Changes to the decoded transaction. */
const misread = (change: (tx: SignedTransaction, raw: Uint8Array) => Partial<SignedTransaction>): Decoder => {
  return (raw, rules) => {
    const decoded = decodeSignedTransaction(raw, rules);
    return typeof decoded === 'string' ? decoded : { ...decoded, ...change(decoded, raw) };
  };
};
/** Decodes under other rules. */
const ruledBy = (choose: (rules: ForkRules) => ForkRules): Decoder => {
  return (raw, rules) => {
    const decoded = decodeSignedTransaction(raw, choose(rules));
    return typeof decoded === 'string' ? decodeSignedTransaction(raw, rules) : { ...decoded, rules };
  };
};
const OTHER_CHAIN = createChainRules({ ...DEV_CHAIN, chainId: BigInt(OTHER_CHAIN_ID) }).at(1, 0);

const PLANTED: readonly (readonly [what: string, decode: Decoder])[] = [
  ['the tip for the cap', misread(({ tipCap }) => ({ feeCap: tipCap }))],
  ['the nonce without its last byte', misread(({ nonce }) => ({ nonce: nonce & ~255n }))],
  ['the nonce of 32 bits', misread(({ nonce }) => ({ nonce: BigInt.asUintN(32, nonce) }))],
  ['the value of 64 bits', misread(({ value }) => ({ value: BigInt.asUintN(64, value) }))],
  ['a creation for a call of the zero address', misread(({ to }) => ({ to: to ?? new Uint8Array(20) }))],
  ['no access list', misread(() => ({ accessList: [] }))],
  [
    'only the first slots',
    misread(({ accessList }) => ({
      accessList: accessList.map(({ address, slots }) => ({ address, slots: slots.slice(0, 1) })),
    })),
  ],
  [
    'only the first blob',
    misread(({ blobVersionedHashes }) => ({ blobVersionedHashes: blobVersionedHashes?.slice(0, 1) ?? null })),
  ],
  [
    'r and s of an authorisation in each other’s place',
    misread(({ authorizationList }) => ({
      authorizationList: authorizationList?.map((item) => ({ ...item, r: item.s, s: item.r })) ?? null,
    })),
  ],
  ['the hash of what was signed', misread((_tx, raw) => ({ hash: keccak256(raw.subarray(1)) }))],
  [
    'the data without zeros at its end',
    misread(({ data }) => ({ data: data.at(-1) === 0 ? data.subarray(0, -1) : data })),
  ],
  ['any chain', ruledBy((rules) => (rules.common.gteHardfork('osaka') ? OTHER_CHAIN : rules))],
  ['types of later forks', ruledBy((rules) => (rules.common.gteHardfork('cancun') ? rules : RULES.at(-1)!))],
  ['EIP-155 before its fork', ruledBy((rules) => (rules === RULES[1] ? RULES[2]! : rules))],
  ['a high s after Homestead', ruledBy((rules) => (rules === RULES[2] ? RULES[0]! : rules))],
  ['initialisation code of any size', ruledBy((rules) => (rules === RULES[6] ? RULES[4]! : rules))],
  ['nine blobs before Prague', ruledBy((rules) => (rules === RULES[6] ? RULES[7]! : rules))],
  [
    'what follows the transaction',
    (raw, rules) => {
      const exact = decodeSignedTransaction(raw.subarray(0, -1), rules);
      return typeof exact === 'string' ? decodeSignedTransaction(raw, rules) : { ...exact, raw };
    },
  ],
  ['text for what it decodes', (raw, rules) => (raw[0] === 3 ? 'no blobs here' : decodeSignedTransaction(raw, rules))],
];

for (const [what, decode] of PLANTED) {
  test(`the comparison detects a decoder that accepts ${what}`, () => {
    assert.throws(() => compare(decode, CASES));
  });
}

test('empty bytes and bare type bytes are refused with the error of the library', () => {
  const bare = ['', 'c0', '01c0', '02', '02c0', '03c0', '04c0', '7ec0', '05c0', '80', 'f8', '02f800'];
  const cases = RULES.flatMap((rules) => bare.map((hex) => caseOf(fromHex(hex), rules)));
  assert.equal(compare(decodeSignedTransaction, cases).refused, cases.length);
});

const PLAIN = {
  isProtected: true,
  nonce: 1,
  to: filled(20),
  value: 5n,
  data: filled(3),
  accessList: [],
  key: filled(32),
};

test('every type is decoded at the newest fork', () => {
  const cases = ([0, 1, 2, 3, 4] as const).map((type) => caseOf(signed({ type, ...PLAIN }), RULES.at(-1)!));
  assert.equal(compare(decodeSignedTransaction, cases).decoded, 5);
});

function made(type: 2 | 3, at: number, item: Item): Uint8Array {
  const tx = { type, ...PLAIN };
  return signed(tx, (same) => same, unsigned(tx).with(at, item));
}

test('bytes that only the library accepts as a transaction are refused', () => {
  const chainId = encodeRlp(DEV_CHAIN.chainId);
  const lenient = [
    made(2, 0, new Uint8Array([0, ...chainId.subarray(1)])),
    made(2, 8, filled(0)),
    made(2, 8, [[filled(20), filled(0)]]),
    made(3, 10, blobs(1, 0x1a)),
  ];
  const cases = lenient.map((raw) => caseOf(raw, RULES.at(-1)!));
  assert.equal(compare(decodeSignedTransaction, cases).stricter, cases.length);
});
