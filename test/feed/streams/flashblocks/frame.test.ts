// Frames of real feeds from text and brotli, and made-up ones with every field that may be missing or wrong.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { brotliCompressSync } from 'node:zlib';
import { decodeFrame, envOfBase, type Frame, type FrameFault } from '../../../../src/feed/streams/flashblocks/frame.js';
import { toHex } from '../../../../src/lib/hex.js';
import { LIMITS } from '../../../../src/limits.js';
import { sharedData, withoutData } from '../../../support/shared-data.js';
import { OPENING_BASE, repeated as word } from './frames.js';

const UNICHAIN = 'flashblocks/unichain-sepolia-35535698/flashblocks.ndjson';
const BASE = 'flashblocks/base-mainnet-single/flashblock-37646058-10.json';

function decoded(message: Uint8Array | string): Frame {
  const result = decodeFrame(typeof message === 'string' ? Buffer.from(message) : message);
  assert.equal(result.kind, 'frame', result.kind === 'fault' ? result.fault.detail : '');
  return result.frame;
}

function fault(message: Uint8Array | string): FrameFault {
  const result = decodeFrame(typeof message === 'string' ? Buffer.from(message) : message);
  assert.equal(result.kind, 'fault');
  return result.fault;
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

void describe('real frames', () => {
  void it('the five frames of a Unichain Sepolia block are decoded', { skip: withoutData(UNICHAIN) }, () => {
    const lines = readFileSync(sharedData(UNICHAIN), 'utf8').trim().split('\n');
    const frames = lines.map(decoded);
    assert.deepEqual(
      frames.map(({ index }) => index),
      [0, 1, 2, 3, 4],
    );
    assert.ok(
      frames.every(({ blockNumber, payloadId }) => blockNumber === 35_535_698 && payloadId === '0x03c446f063e3735a'),
    );
    assert.deepEqual(
      frames.map(({ transactions }) => transactions.map((raw) => raw[0])),
      [[0x7e, 2], [2], [2], [2], [2]],
    );
    assert.deepEqual(
      frames.map(({ gasUsed }) => gasUsed),
      [0x10994n, 0x18f7dn, 0x21566n, 0x29b4fn, 0x32138n],
    );
    assert.deepEqual(
      frames.map(({ base }) => base !== null),
      [true, false, false, false, false],
    );
    assert.equal(toHex(frames[4]!.receiptsRoot!), '0x588e1d47b0618d7e935b20c3945cba3b7b8c00141904f79ceed20312ea502e63');
    const env = envOfBase(frames[0]!.base!, 0n);
    assert.deepEqual(
      [env.number, env.timestamp, env.gasLimit, env.baseFeePerGas],
      [0x21e3b52, 0x690be89en, 0x3938700n, 0x33n],
    );
    assert.equal(toHex(env.coinbase), '0x4200000000000000000000000000000000000011');
    assert.equal(toHex(env.prevRandao), '0x8beee738d20a9d77c5f27e9cb799ebe5b536f0985efad5f7d77ebff47f092c4a');
    assert.equal(
      toHex(frames[0]!.base!.parentHash),
      '0x06ff95a9cd23b0328da74a984aa986b2e01d377dab1825f1029e39ece6c4a3ea',
    );
    assert.equal(toHex(frames[0]!.base!.extraData), '0x00000000320000000c');
  });

  void it('a Base frame is the same from text, from brotli and behind white space', { skip: withoutData(BASE) }, () => {
    const json = readFileSync(sharedData(BASE));
    const frame = decoded(json);
    assert.deepEqual([frame.blockNumber, frame.index, frame.transactions.length], [37_646_058, 10, 11]);
    assert.equal(frame.gasUsed, 0x2907796n);
    assert.equal(frame.base, null);
    assert.deepEqual(decoded(brotliCompressSync(json)), frame);
    assert.deepEqual(decoded(Buffer.concat([Buffer.from(' \t\r\n'), json])), frame);
    assert.deepEqual(decoded(brotliCompressSync(Buffer.concat([Buffer.from('\n'), json]))), frame);
  });
});

void describe('what does not matter', () => {
  void it('unknown fields, on every level', () => {
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

  void it('a follower may have no base, null or one', () => {
    const frame = decoded(text(follower()));
    assert.equal(frame.base, null);
    assert.deepEqual(decoded(text({ ...follower(), base: null })), frame);
    assert.deepEqual(decoded(text({ ...follower(), base: opening().base })), frame);
  });

  void it('an opening without metadata, with null, without its number', () => {
    const { metadata: _metadata, ...rest } = opening();
    for (const message of [rest, { ...rest, metadata: null }, { ...rest, metadata: {} }])
      assert.equal(decoded(text(message)).blockNumber, 16);
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

  void it('zero or absent roots, absent withdrawals', () => {
    const { diff } = opening();
    assert.equal(decoded(text({ ...opening(), diff: { ...diff, receipts_root: word('0') } })).receiptsRoot, null);
    const bare = { gas_used: '0x0', transactions: [] };
    const frame = decoded(text({ ...opening(), diff: bare }));
    assert.deepEqual([frame.receiptsRoot, frame.withdrawals, frame.transactions], [null, [], []]);
  });

  void it('a post-execution transaction is told beside the others', () => {
    const { diff } = opening();
    const frame = decoded(text({ ...opening(), diff: { ...diff, post_exec_tx: '0x7d01' } }));
    assert.equal(toHex(frame.postExecTransaction!), '0x7d01');
    assert.equal(frame.transactions.length, 2);
    assert.equal(decoded(text({ ...opening(), diff: { ...diff, post_exec_tx: null } })).postExecTransaction, null);
    assert.equal(decoded(text({ ...opening(), diff: { ...diff, post_exec_tx: { a: 1 } } })).postExecTransaction, null);
  });

  void it('payload ids are compared in lower case', () => {
    assert.equal(decoded(text(opening())).payloadId, '0x0123456789abcdef');
  });

  void it('withdrawals where a chain has them', () => {
    const withdrawals = [{ index: '0x1', validatorIndex: '0x2', address: `0x${'5'.repeat(40)}`, amount: '0x3' }];
    const frame = decoded(text({ ...opening(), diff: { ...opening().diff, withdrawals } }));
    assert.deepEqual(
      frame.withdrawals.map(({ index, validatorIndex, address, amount }) => [
        index,
        validatorIndex,
        toHex(address),
        amount,
      ]),
      [[1n, 2n, `0x${'5'.repeat(40)}`, 3n]],
    );
  });
});

void describe('what is relied on', () => {
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
    ['diff.withdrawals', { ...opening(), diff: { ...diff, withdrawals: {} } }],
    ['diff.withdrawals[0]', { ...opening(), diff: { ...diff, withdrawals: ['0x'] } }],
    ['metadata', { ...follower(), metadata: undefined }],
    ['metadata.block_number', { ...follower(), metadata: {} }],
    ['metadata.block_number', { ...follower(), metadata: { block_number: '0x10' } }],
    ['metadata.block_number', { ...opening(), metadata: { block_number: 17 } }],
  ];
  for (const [field, message] of broken) {
    void it(`${field}: ${text(message).slice(0, 40)}`, () => {
      const { reason, detail } = fault(text(message));
      assert.equal(reason, 'malformed');
      assert.ok(detail.startsWith(field), detail);
    });
  }

  void it('a message that is neither a JSON object nor brotli of one is a fault', () => {
    assert.equal(fault('{"payload_id":').reason, 'notJson');
    assert.equal(fault('[]').reason, 'notBrotli');
    assert.equal(fault('').reason, 'notBrotli');
    assert.equal(fault('  ').reason, 'notBrotli');
    assert.equal(fault(brotliCompressSync('nonsense')).reason, 'notJson');
    assert.equal(fault(brotliCompressSync('[1]')).reason, 'malformed');
    assert.equal(fault(brotliCompressSync('null')).reason, 'malformed');
    assert.equal(fault(brotliCompressSync(text(opening())).subarray(0, 60)).reason, 'notBrotli');
  });

  void it('no more bytes than allowed, before and after unpacking', () => {
    assert.equal(fault(new Uint8Array(LIMITS.feedFrameBytesMax + 1)).reason, 'tooLarge');
    const bomb = brotliCompressSync(Buffer.alloc(LIMITS.feedFrameBytesMax + 1, 0x20));
    assert.ok(bomb.length < 1000);
    assert.equal(fault(bomb).reason, 'tooLarge');
  });
});
