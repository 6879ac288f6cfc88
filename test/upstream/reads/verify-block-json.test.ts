// From JSON to RLP: blocks of every fork and transactions of every type become their original bytes, and altered blocks
// are rejected.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assert as check, nat, property } from 'fast-check';
import { keccak_256 as keccak256 } from '@noble/hashes/sha3.js';
import { encodeHeader } from '../../../src/chain/block/header.js';
import type { ImportedBlock } from '../../../src/feed/import/decode-imported-block.js';
import { fromHex, toHex, toQuantity } from '../../../src/lib/bytes/hex.js';
import { renderBlock } from '../../../src/rpc/render/blocks-and-transactions.js';
import type { CompleteBlock, Receipt, Withdrawal } from '../../../src/state/complete-block.js';
import { parseBlock, parseHead } from '../../../src/upstream/reads/verify-block-json.js';
import { parseTransaction } from '../../../src/upstream/reads/transaction-json-to-bytes.js';
import { UpstreamError } from '../../../src/upstream/upstream.js';
import { blockJson, headerJson, transactionJson, type Json, type JsonObject } from '../../support/node-json.js';
import { withoutData } from '../../support/shared-data.js';
import { CHAIN_FILE, OP_BLOCKS, OP_FOLDER, chainBlocks, makeBlock, opBlock } from '../blocks.js';

const SENDER = fromHex('f39fd6e51aad88f6f4ce6ab8827279cfffb92266');
const RECEIPT: Receipt = {
  type: 0,
  status: 1,
  gasUsed: 0n,
  cumulativeGasUsed: 0n,
  effectiveGasPrice: 12n,
  contractAddress: null,
  logs: [],
};

/** A block without its senders, which the data do not contain and which do not matter here. */
function completeBlock(block: ImportedBlock): CompleteBlock {
  const { header, hash, sizeBytes, withdrawals } = block;
  const transactions = block.transactions.map((raw) => ({ raw, hash: keccak256(raw), from: SENDER, receipt: RECEIPT }));
  return { number: header.number, hash, header: encodeHeader(header), sizeBytes, transactions, withdrawals };
}

/** Copies the address, which is a view of the file's buffer. */
const plain = (withdrawal: Withdrawal): Withdrawal => ({ ...withdrawal, address: Uint8Array.from(withdrawal.address) });

const isMalformed = (error: unknown): boolean => error instanceof UpstreamError && error.kind === 'malformed';
const overTheWire = (json: unknown): JsonObject => JSON.parse(JSON.stringify(json)) as JsonObject;

test(
  'blocks of all forks and transaction types convert to their RLP, from two writers of JSON',
  { skip: withoutData(CHAIN_FILE) },
  async () => {
    const types = new Set<number>();
    for (const block of await chainBlocks()) {
      const complete = completeBlock(block);
      const executed = {
        ...complete,
        timestamp: block.header.timestamp,
        blobGasPrice: 1n,
        l1: null,
        timestampMs: null,
        uncles: [],
      };
      for (const json of [renderBlock(complete, executed), blockJson(complete, true)]) {
        const { number, hash, header, transactions, withdrawals, sizeBytes } = parseBlock(overTheWire(json));
        assert.equal(number, complete.number);
        assert.deepEqual(hash, complete.hash);
        assert.deepEqual(header, complete.header);
        assert.deepEqual(
          transactions.map(({ raw }) => toHex(raw)),
          block.transactions.map(toHex),
        );
        assert.ok(transactions.every(({ from }) => toHex(from) === toHex(SENDER)));
        assert.deepEqual(withdrawals, block.withdrawals?.map(plain) ?? null);
        assert.equal(sizeBytes, block.sizeBytes);
      }
      for (const raw of block.transactions) types.add(raw[0]! >= 0xc0 ? 0 : raw[0]!);
    }
    assert.deepEqual(
      [...types].sort((a, b) => a - b),
      [0, 1, 2, 3, 4],
    );
  },
);

test("a block's size is computed where the node leaves it out", { skip: withoutData(CHAIN_FILE) }, async () => {
  for (const block of await chainBlocks()) {
    if (block.uncles.length > 0) continue;
    const { size: _, ...json } = blockJson(completeBlock(block), true);
    assert.equal(parseBlock(json).sizeBytes, block.sizeBytes);
  }
});

test(
  'real blocks of an OP-Stack chain convert to their RLP, deposits included',
  { skip: withoutData(OP_FOLDER) },
  () => {
    for (const number of OP_BLOCKS) {
      const { header, hash, transactions } = opBlock(number);
      const json = { ...header, hash, transactions: transactions.map((raw) => transactionJson(raw)), withdrawals: [] };
      const block = parseBlock(overTheWire(json));
      assert.equal(block.number, number);
      assert.equal(toHex(block.hash), hash);
      assert.deepEqual(
        block.transactions.map(({ raw }) => raw),
        transactions,
      );
      assert.equal(block.transactions[0]!.raw[0], 0x7e);
      assert.equal(toHex(block.transactions[0]!.from), '0xdeaddeaddeaddeaddeaddeaddeaddeaddead0001');
    }
  },
);

/** Deposits encoded by hand: RLP of [sourceHash, from, to, mint, value, gas, isSystemTx, data]. */
const SOURCE = 'aa'.repeat(32);
const FROM = 'bb'.repeat(20);
const DEPOSITS: readonly (readonly [name: string, raw: string, json: JsonObject])[] = [
  [
    'a deposit that mints and creates a contract',
    `7ef8 40 a0${SOURCE} 94${FROM} 80 820100 05 830f4240 80 821234`,
    { to: null, mint: '0x100', value: '0x5', gas: '0xf4240', isSystemTx: false, input: '0x1234' },
  ],
  [
    'a deposit without mint, isSystemTx left out',
    `7ef8 4e a0${SOURCE} 94${FROM} 94${'cc'.repeat(20)} 80 80 825208 80 80`,
    { to: `0x${'cc'.repeat(20)}`, value: '0x0', gas: '0x5208', input: '0x' },
  ],
  [
    'a system transaction of the time before Regolith, mint null',
    `7ef8 4e a0${SOURCE} 94${FROM} 94${'cc'.repeat(20)} 80 80 825208 01 80`,
    { to: `0x${'cc'.repeat(20)}`, mint: null, value: '0x0', gas: '0x5208', isSystemTx: true, data: '0x' },
  ],
];

for (const [name, text, members] of DEPOSITS) {
  test(name, () => {
    const raw = withLength(fromHex(text.replaceAll(' ', '')));
    const from = `0x${FROM}`;
    const json = { type: '0x7e', hash: toHex(keccak256(raw)), sourceHash: `0x${SOURCE}`, from, ...members };
    assert.deepEqual(parseTransaction(json), { raw, hash: keccak256(raw), from: fromHex(from) });
  });
}

/** Sets the length of the list, the third byte, to the correct value. */
function withLength(raw: Uint8Array): Uint8Array {
  const fixed = raw.slice();
  fixed[2] = raw.length - 3;
  return fixed;
}

test(
  'a typed transaction with its parity in v only, and a legacy one without type, are understood',
  {
    skip: withoutData(CHAIN_FILE),
  },
  async () => {
    const all = (await chainBlocks()).flatMap(({ transactions }) => transactions);
    const typed = all.find((raw) => raw[0] === 2)!;
    const { yParity: _, ...withoutParity } = transactionJson(typed, SENDER);
    assert.equal(toHex(parseTransaction(withoutParity).raw), toHex(typed));
    const legacy = all.find((raw) => raw[0]! >= 0xc0)!;
    const { type: __, ...withoutType } = transactionJson(legacy, SENDER);
    assert.equal(toHex(parseTransaction(withoutType).raw), toHex(legacy));
  },
);

test('unknown members of a block are ignored, and optional ones may be null', () => {
  const json = blockJson(makeBlock({ requestsHash: null }), true);
  const block = parseBlock({
    ...json,
    requestsHash: null,
    totalDifficulty: '0x0',
    l1BlockNumber: '0x1',
    sendRoot: 'x',
  });
  assert.equal(toHex(block.hash), json['hash']);
});

test('a header field of a future fork changes the hash, so the block is refused', () => {
  assert.throws(() => parseBlock({ ...blockJson(makeBlock({}), true), hash: `0x${'12'.repeat(32)}` }), isMalformed);
});

test('unknown header fields are named when the rest of a header is taken from the node as it is', () => {
  const made = makeBlock({});
  const json = { ...blockJson(made, true), hash: `0x${'12'.repeat(32)}`, newTree: { root: '0x1' }, newList: ['0x1'] };
  const { header, hash, unknownFields: strangeFields } = parseBlock(json);
  assert.deepEqual([toHex(hash), toHex(header)], [json.hash, toHex(made.header)]);
  assert.deepEqual(strangeFields, ['newTree', 'newList']);
  const many = Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`field${at}`, '0x1']));
  assert.equal(parseBlock({ ...json, ...many }).unknownFields?.length, 5);
});

test('a head as newHeads announces it is decoded', () => {
  const { header } = makeBlock({ number: 77, parentHash: new Uint8Array(32).fill(3) });
  const head = { number: 77, hash: keccak256(header), parentHash: new Uint8Array(32).fill(3) };
  assert.deepEqual(parseHead(headerJson(header)), head);
  assert.throws(() => parseHead({ ...headerJson(header), number: null }), isMalformed);
});

const WRONG: readonly (readonly [name: string, json: unknown])[] = [
  ['null', null],
  ['a list', []],
  ['a text', '0x1'],
  ['no hash', { ...blockJson(makeBlock({}), true), hash: undefined }],
  ['a pending block', { ...blockJson(makeBlock({}), true), hash: null, number: null }],
  ['transaction hashes in place of transactions', { ...blockJson(makeBlock({}), true), transactions: [`0x${SOURCE}`] }],
  ['no list of transactions', { ...blockJson(makeBlock({}), true), transactions: null }],
  ['a number that is too large', { ...blockJson(makeBlock({}), true), number: '0xffffffffffffffff' }],
  ['withdrawals that are no list', { ...blockJson(makeBlock({}), true), withdrawals: {} }],
  ['a withdrawal without address', { ...blockJson(makeBlock({}), true), withdrawals: [{ index: '0x1' }] }],
];

test('a block with an unknown transaction type yields its header and that type, but no transactions', () => {
  const made = makeBlock({});
  const odd = { type: '0x7b', hash: `0x${SOURCE}`, from: `0x${FROM}` };
  const block = parseBlock({ ...blockJson(made, true), transactions: [odd] });
  assert.equal(block.unknownType, 0x7b);
  assert.deepEqual(block.transactions, []);
  assert.deepEqual(block.header, made.header);
  assert.equal(parseBlock(blockJson(made, true)).unknownType, null);
});

for (const [name, json] of WRONG) {
  test(`malformed block is refused: ${name}`, () => assert.throws(() => parseBlock(json), isMalformed));
}

test('a block is refused when any of its members is altered', { skip: withoutData(CHAIN_FILE) }, async () => {
  const blocks = (await chainBlocks()).filter(({ transactions }) => transactions.length > 0);
  const jsons = blocks.map((block) => blockJson(completeBlock(block), true));
  const index = nat();
  check(
    property(index, index, index, index, (a, b, c, d) => {
      const json = jsons[a % jsons.length]!;
      const transactions = json['transactions'] as readonly JsonObject[];
      const at = b % transactions.length;
      const transaction = alter(transactions[at]!, SIGNED, d);
      const altered =
        c % 2 === 0
          ? alter(json, HASHED, d)
          : transaction && { ...json, transactions: transactions.with(at, transaction) };
      if (altered !== null) assert.throws(() => parseBlock(altered), isMalformed);
    }),
    { numRuns: 1500, seed: 7 },
  );
});

test(
  'a block with a transaction removed, duplicated or moved is refused',
  { skip: withoutData(CHAIN_FILE) },
  async () => {
    const block = (await chainBlocks()).find(({ transactions }) => transactions.length > 2)!;
    const json = blockJson(completeBlock(block), true);
    const list = json['transactions'] as readonly Json[];
    const others = [list.slice(1), list.slice(0, -1), [...list, list[0]!], list.toReversed()];
    for (const transactions of others) assert.throws(() => parseBlock({ ...json, transactions }), isMalformed);
  },
);

const HASHED =
  'hash parentHash sha3Uncles miner stateRoot transactionsRoot receiptsRoot logsBloom difficulty number gasLimit gasUsed timestamp extraData mixHash nonce baseFeePerGas withdrawalsRoot blobGasUsed excessBlobGas parentBeaconBlockRoot requestsHash'.split(
    ' ',
  );
const SIGNED =
  'hash nonce gas to value input r s chainId maxFeePerGas maxPriorityFeePerGas maxFeePerBlobGas yParity accessList blobVersionedHashes authorizationList'.split(
    ' ',
  );

/** Changes or removes one member; `null` if that results in the same block. */
function alter(json: JsonObject, names: readonly string[], choice: number): JsonObject | null {
  const present = names.filter((name) => typeof json[name] === 'string' || Array.isArray(json[name]));
  const name = present[choice % present.length]!;
  // In a legacy transaction v contains the chain id, and only signed members count.
  if (name === 'chainId' && json['type'] === '0x0') return null;
  const other = otherValue(json[name]!, choice);
  // If absent, they are derived from v, or empty.
  if (other === null && (name === 'yParity' || name === 'accessList')) return null;
  return JSON.stringify(other) === JSON.stringify(json[name]) ? null : { ...json, [name]: other };
}

function otherValue(value: Json, choice: number): Json {
  if (Array.isArray(value)) return value.length === 0 ? [`0x${SOURCE}`] : value.slice(1);
  const text = value as string;
  const kinds = [null, '', '0x', 'x', `${text}01`, flipped(text, choice), toQuantity(BigInt(choice)), { a: text }];
  return kinds[choice % kinds.length]!;
}

/** Changes one digit. */
function flipped(text: string, choice: number): string {
  const at = 2 + (choice % Math.max(1, text.length - 2));
  return `${text.slice(0, at)}${text[at] === 'f' ? 'e' : 'f'}${text.slice(at + 1)}`;
}
