// Flashblock messages of real feeds as text and brotli, and made-up ones in which every field is missing or wrong in
// turn.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { brotliCompressSync } from 'node:zlib';
import type { PayloadBase, Increment, ReportedIncrement } from '../../../src/feed/pre-confirmation-stream-events.js';
import { decodeFlashblock } from '../../../src/feed/streams/flashblocks-decoder.js';
import { toHex } from '../../../src/lib/bytes/hex.js';
import { LIMITS } from '../../../src/limits/index.js';
import { sharedData, withoutData } from '../../support/shared-data.js';
import { OPENING_BASE, repeated as word } from './flashblocks/frames.js';

const UNICHAIN = 'flashblocks/unichain-sepolia-35535698/flashblocks.ndjson';
const BASE = 'flashblocks/base-mainnet-single/flashblock-37646058-10.json';

function decoded(message: Uint8Array | string): ReportedIncrement {
  const news = decodeFlashblock(typeof message === 'string' ? Buffer.from(message) : message);
  assert.ok('increment' in news, 'reason' in news ? news.reason : '');
  return news;
}

function increment(message: Uint8Array | string): Increment {
  return decoded(message).increment;
}

function baseOf(reported: ReportedIncrement): PayloadBase {
  assert.ok(reported.kind === 'open');
  return reported.base;
}

/** The reason why a message cannot be decoded. */
function fault(message: Uint8Array | string): string {
  const news = decodeFlashblock(typeof message === 'string' ? Buffer.from(message) : message);
  assert.ok(news.kind === 'gap');
  assert.equal(news.block, null);
  return news.reason;
}

type Json = Record<string, unknown>;

function opening(): { payload_id: unknown; index: unknown; base: Json; diff: Json; metadata: Json } {
  return {
    payload_id: '0x0123456789ABCDEF',
    index: 0,
    base: { ...OPENING_BASE },
    diff: {
      state_root: word('0'),
      receipts_root: word('a'),
      logs_bloom: '0x',
      gas_used: '0x5208',
      block_hash: word('0'),
      transactions: ['0x7e01', '0xc0'],
      withdrawals: [],
      withdrawals_root: word('0'),
    },
    metadata: { block_number: 16 },
  };
}

function follower(): Json & { diff: Json; metadata: Json } {
  const { base: _base, ...rest } = opening();
  return { ...rest, index: 3 };
}

const text = (value: unknown): string => JSON.stringify(value);

void describe('real Flashblocks', () => {
  void it('the five Flashblocks of a Unichain Sepolia block are decoded', { skip: withoutData(UNICHAIN) }, () => {
    const lines = readFileSync(sharedData(UNICHAIN), 'utf8').trim().split('\n');
    const frames = lines.map(decoded);
    assert.deepEqual(
      frames.map(({ increment: { index } }) => index),
      [0, 1, 2, 3, 4],
    );
    assert.ok(frames.every(({ block, attempt }) => block === 35_535_698 && attempt === '0x03c446f063e3735a'));
    assert.deepEqual(
      frames.map(({ increment: { transactions } }) => transactions.map((raw) => raw[0])),
      [[0x7e, 2], [2], [2], [2], [2]],
    );
    assert.deepEqual(
      frames.map(({ increment: { gasUsed } }) => gasUsed),
      [0x10994n, 0x18f7dn, 0x21566n, 0x29b4fn, 0x32138n],
    );
    assert.deepEqual(
      frames.map(({ kind }) => kind),
      ['open', 'append', 'append', 'append', 'append'],
    );
    assert.equal(
      toHex(frames[4]!.increment.receiptsRoot!),
      '0x588e1d47b0618d7e935b20c3945cba3b7b8c00141904f79ceed20312ea502e63',
    );
    const { env, parentHash, extraData } = baseOf(frames[0]!);
    assert.deepEqual(
      [env.number, env.timestamp, env.gasLimit, env.baseFeePerGas],
      [0x21e3b52, 0x690be89en, 0x3938700n, 0x33n],
    );
    assert.equal(toHex(env.coinbase!), '0x4200000000000000000000000000000000000011');
    assert.equal(toHex(env.prevRandao!), '0x8beee738d20a9d77c5f27e9cb799ebe5b536f0985efad5f7d77ebff47f092c4a');
    assert.equal(toHex(parentHash!), '0x06ff95a9cd23b0328da74a984aa986b2e01d377dab1825f1029e39ece6c4a3ea');
    assert.equal(toHex(extraData!), '0x00000000320000000c');
  });

  void it(
    'a Base Flashblock decodes alike from text, from brotli and after white space',
    { skip: withoutData(BASE) },
    () => {
      const json = readFileSync(sharedData(BASE));
      const frame = decoded(json);
      const { index, transactions, gasUsed } = frame.increment;
      assert.deepEqual([frame.kind, frame.block, index, transactions.length], ['append', 37_646_058, 10, 11]);
      assert.equal(gasUsed, 0x2907796n);
      assert.deepEqual(decoded(brotliCompressSync(json)), frame);
      assert.deepEqual(decoded(Buffer.concat([Buffer.from(' \t\r\n'), json])), frame);
      assert.deepEqual(decoded(brotliCompressSync(Buffer.concat([Buffer.from('\n'), json]))), frame);
    },
  );
});

void describe('Flashblocks decode alike with', () => {
  void it('unknown fields at every level', () => {
    const { base, diff, metadata, ...rest } = opening();
    const more = { new_field: { deep: [1] }, __proto__x: 1 };
    const message = {
      ...rest,
      ...more,
      base: { ...base, ...more },
      diff: { ...diff, ...more },
      metadata: { ...metadata, ...more },
    };
    assert.deepEqual(decoded(text(message)), decoded(text(opening())));
  });

  void it('no base, a null one or a base in a later Flashblock', () => {
    const frame = decoded(text(follower()));
    assert.equal(frame.kind, 'append');
    assert.deepEqual(decoded(text({ ...follower(), base: null })), frame);
    assert.deepEqual(decoded(text({ ...follower(), base: opening().base })), frame);
  });

  void it('no metadata, null, or no block number in the first Flashblock', () => {
    const { metadata: _metadata, ...rest } = opening();
    for (const message of [rest, { ...rest, metadata: null }, { ...rest, metadata: {} }])
      assert.equal(decoded(text(message)).block, 16);
  });

  void it('receipts in either encoding', () => {
    const receipts = [
      { '0xaa': { Eip1559: { status: '0x1', cumulativeGasUsed: '0x1', logs: [] } } },
      { '0xaa': { type: '0x2', status: '0x1', cumulativeGasUsed: '0x1', logs: [], logsBloom: '0x' } },
    ];
    for (const encoding of receipts) {
      const metadata = { block_number: 16, receipts: encoding, new_account_balances: { '0x00': '0x1' } };
      assert.deepEqual(decoded(text({ ...opening(), metadata })), decoded(text(opening())));
    }
  });

  void it('zero or absent roots, and withdrawals of any form', () => {
    const { diff } = opening();
    assert.equal(increment(text({ ...opening(), diff: { ...diff, receipts_root: word('0') } })).receiptsRoot, null);
    const bare = { gas_used: '0x0', transactions: [] };
    for (const withdrawals of [undefined, [], [{ index: '0x1' }], {}]) {
      const { receiptsRoot, transactions } = increment(text({ ...opening(), diff: { ...bare, withdrawals } }));
      assert.deepEqual([receiptsRoot, transactions], [null, []]);
    }
  });

  void it('a post-execution transaction, which is reported separately', () => {
    const { diff } = opening();
    const ended = increment(text({ ...opening(), diff: { ...diff, post_exec_tx: '0x7d01' } }));
    assert.equal(toHex(ended.ending!), '0x7d01');
    assert.equal(ended.transactions.length, 2);
    for (const other of [null, { a: 1 }])
      assert.equal(increment(text({ ...opening(), diff: { ...diff, post_exec_tx: other } })).ending, null);
  });

  void it('payload ids in upper case', () => {
    assert.equal(decoded(text(opening())).attempt, '0x0123456789abcdef');
  });
});

void describe('Flashblocks are refused for', () => {
  const { base, diff } = opening();
  const broken: readonly (readonly [field: string, message: unknown])[] = [
    ['payload_id', { ...opening(), payload_id: '0x0123' }],
    ['payload_id', { ...opening(), payload_id: 7 }],
    ['index', { ...opening(), index: -1 }],
    ['index', { ...opening(), index: 0.5 }],
    ['index', { ...opening(), index: '0x0' }],
    ['index', { ...opening(), index: LIMITS.feedIncrementsMax }],
    ['base', { ...opening(), base: null }],
    ['base', { ...opening(), base: [] }],
    ...Object.keys(base).map((name) => [`base.${name}`, { ...opening(), base: { ...base, [name]: '0xzz' } }] as const),
    ...Object.keys(base).map(
      (name) => [`base.${name}`, { ...opening(), base: { ...base, [name]: undefined } }] as const,
    ),
    ['base.timestamp', { ...opening(), base: { ...base, timestamp: '0xfffffffffffffffff' } }],
    ['diff', { ...opening(), diff: null }],
    ['diff.transactions', { ...opening(), diff: { ...diff, transactions: null } }],
    ['diff.transactions[1]', { ...opening(), diff: { ...diff, transactions: ['0x02', '0x0'] } }],
    ['diff.transactions[0]', { ...opening(), diff: { ...diff, transactions: ['0x'] } }],
    ['diff.transactions[0]', { ...opening(), diff: { ...diff, transactions: [{ raw: '0x02' }] } }],
    ['diff.transactions[0]', { ...opening(), diff: { ...diff, transactions: ['0x02zz'] } }],
    ['diff.gas_used', { ...opening(), diff: { ...diff, gas_used: 21_000 } }],
    ['diff.gas_used', { ...opening(), diff: { ...diff, gas_used: '0x' } }],
    ['diff.gas_used', { ...opening(), diff: { ...diff, gas_used: `0x1${'0'.repeat(16)}` } }],
    ['diff.receipts_root', { ...opening(), diff: { ...diff, receipts_root: '0x12' } }],
    ['metadata', { ...follower(), metadata: undefined }],
    ['metadata.block_number', { ...follower(), metadata: {} }],
    ['metadata.block_number', { ...follower(), metadata: { block_number: '0x10' } }],
    ['metadata.block_number', { ...opening(), metadata: { block_number: 17 } }],
  ];
  for (const [field, message] of broken) {
    void it(`an invalid ${field}: ${text(message).slice(0, 40)}`, () => {
      const reason = fault(text(message));
      assert.ok(reason.startsWith(field), reason);
    });
  }

  void it('being neither a JSON object nor brotli of one', () => {
    assert.match(fault('{"payload_id":'), /^no JSON/);
    assert.match(fault('[]'), /^no brotli/);
    assert.match(fault(''), /^no brotli/);
    assert.match(fault('  '), /^no brotli/);
    assert.match(fault(brotliCompressSync('nonsense')), /^no JSON/);
    assert.match(fault(brotliCompressSync('[1]')), /^message must be an object/);
    assert.match(fault(brotliCompressSync('null')), /^message must be an object/);
    assert.match(fault(brotliCompressSync(text(opening())).subarray(0, 60)), /^no brotli/);
  });

  void it('too many bytes, before or after decompression', () => {
    assert.match(fault(new Uint8Array(LIMITS.feedFrameBytesMax + 1)), /^too large/);
    const bomb = brotliCompressSync(Buffer.alloc(LIMITS.feedFrameBytesMax + 1, 0x20));
    assert.ok(bomb.length < 1000);
    assert.match(fault(bomb), /^too large/);
  });
});
