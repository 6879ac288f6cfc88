// Both decoders against tables of bodies and the words expected of them.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { LIMITS } from '../../../src/limits.js';
import { createDecoder, type Decoder } from '../../../src/rpc/decode/decoder.js';
import {
  BLOCK,
  BODY,
  FAST_METHODS,
  NOTIFICATION,
  OTHER_METHOD,
  ROW_WORDS,
  SHAPE,
  WORD,
} from '../../../src/rpc/decode/request-row.js';

const ADDRESS = '0x7dcd17433742F4c0ca53122ab541d0ba67fc27df';
const SLOT = `0x${'00'.repeat(30)}12aB`;

interface Call {
  readonly shape: number;
  readonly notification: boolean;
  readonly method: string;
  readonly id: string;
  readonly params: string;
  readonly block: number;
  readonly number: bigint;
  readonly address: string;
  readonly slot: string;
}

/** Row `index` in words that a reader understands. */
function call(decoder: Decoder, body: Uint8Array, index = 0): Call {
  const row = decoder.rows.slice(index * ROW_WORDS, (index + 1) * ROW_WORDS);
  const text = (word: number) => Buffer.from(body.subarray(row[word], row[word]! + row[word + 1]!)).toString();
  const hex = (word: number, bytes: number) => `0x${Buffer.from(row.buffer, word * 4, bytes).toString('hex')}`;
  const shape = row[WORD.shape]!;
  return {
    shape: shape & ~NOTIFICATION,
    notification: (shape & NOTIFICATION) !== 0,
    method: text(WORD.methodOffset),
    id: text(WORD.idOffset),
    params: text(WORD.paramsOffset),
    block: row[WORD.block]!,
    number: (BigInt(row[WORD.numberHigh]!) << 32n) | BigInt(row[WORD.numberLow]!),
    address: hex(WORD.address, 20),
    slot: hex(WORD.slot, 32),
  };
}

function nonceOf(params: string): string {
  return `{"jsonrpc":"2.0","id":1,"method":"eth_getTransactionCount","params":${params}}`;
}

function storageOf(params: string): string {
  return `{"jsonrpc":"2.0","id":1,"method":"eth_getStorageAt","params":${params}}`;
}

function nestedArrays(depth: number): string {
  return '['.repeat(depth) + ']'.repeat(depth);
}

function nestedObjects(depth: number): string {
  return `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
}

function stringOf(bytes: number): string {
  return `"${'a'.repeat(bytes - 2)}"`;
}

const decoders: { readonly name: string; readonly decoder: Decoder }[] = [
  { name: 'bytes', decoder: createDecoder({ addon: false }) },
];
const native = createDecoder({ addon: true });
if (native.name === 'simdjson') decoders.push({ name: 'simdjson', decoder: native });

void describe('addon', () => {
  void it('the simdjson addon is built', { skip: native.name === 'simdjson' ? false : native.reason }, () => {
    assert.match(native.reason, /^simdjson addon \(\w+\)$/);
  });
});

for (const { name, decoder } of decoders) {
  const decode = (body: string | Uint8Array): number => decoder.decode(Buffer.from(body));
  const single = (body: string): Call => {
    const bytes = Buffer.from(body);
    assert.equal(decoder.decode(bytes), BODY.single, body);
    assert.equal(decoder.count, 1);
    return call(decoder, bytes);
  };

  const shapeOf = (members: string): readonly [number, boolean] => {
    const found = single(`{${members}}`);
    return [found.shape, found.notification];
  };

  void describe(`decoder: ${name}`, () => {
    void it('a body that is not JSON is malformed', () => {
      const malformed = [
        '',
        ' ',
        '\n\t',
        '[',
        ']',
        '{',
        '}',
        '[1',
        '[1,',
        '[1,]',
        '[,1]',
        '{"a"}',
        '{"a":}',
        '{"a":1,}',
        '{,}',
        '{a:1}',
        "{'a':1}",
        '{"a" 1}',
        '{"a":1 "b":2}',
        '1 2',
        '[] []',
        '{}x',
        'nul',
        'nulll',
        'True',
        'tru',
        'fals',
        '01',
        '-',
        '+1',
        '-01',
        '1.',
        '.5',
        '1e',
        '1e+',
        '1.e5',
        '0x10',
        'NaN',
        'Infinity',
        '1_0',
        '--1',
        '1-',
        '2"a"',
        '"',
        '"a',
        '"\\',
        '"\\"',
        '"\\x"',
        '"\\u12"',
        '"\\u123g"',
        '"a\nb"',
        '"\u0000"',
        '"\u001f"',
        '"a""b"',
        '"a"b',
        '\u0000',
        '{}\u0000',
        '\ufeff{}',
        '[1\u00a0]',
        '[1\f]',
        '[1\v]',
        '{"a"\u001a1}',
        '[1\u000c2]',
        '/**/1',
        '1//',
        '[1:2]',
        '{"a",1}',
        '[}',
        '{]',
      ];
      for (const text of malformed) assert.equal(decode(text), BODY.malformed, JSON.stringify(text));
      assert.equal(decoder.count, 0);
    });

    void it('a body that is not UTF-8 is malformed', () => {
      const bad = [
        '80',
        'c0af',
        'c1bf',
        'c2',
        'c228',
        'e08080',
        'e09fbf',
        'eda080',
        'edbfbf',
        'ee80',
        'f0808080',
        'f08fbfbf',
      ];
      bad.push('f4908080', 'f5808080', 'ff', 'fe', 'f09f98', 'e282', 'c280c2');
      for (const hex of bad) {
        const inside = Buffer.concat([Buffer.from('"'), Buffer.from(hex, 'hex'), Buffer.from('"')]);
        assert.equal(decode(inside), BODY.malformed, hex);
        assert.equal(decode(Buffer.concat([Buffer.from('1'), Buffer.from(hex, 'hex')])), BODY.malformed, hex);
        assert.equal(decode(Buffer.concat([Buffer.from('"'), Buffer.from(hex, 'hex')])), BODY.malformed, hex);
      }
      for (const text of ['"\u00a2\u20ac\ud55c\u{1f600}\u{10ffff}\ud7ff\ue000"', '"\u0080\u0800\u{10000}"']) {
        assert.equal(decode(text), BODY.single, text);
      }
    });

    void it('JSON that is no request is an invalid one', () => {
      const texts = [
        '0',
        '-0',
        '1e999',
        '-1.5E-7',
        '123456789012345678901234567890',
        'true',
        'false',
        'null',
        '"\\ud800"',
        '{}',
      ];
      texts.push(' \r\n\t{ } ', '"\\u0000\\/\\b\\f\\n\\r\\t\\"\\\\"', '{"jsonrpc":"2.0"}', '{"method":"a"}', '{"":{}}');
      for (const text of texts) assert.deepEqual({ text, shape: single(text).shape }, { text, shape: SHAPE.invalid });
      assert.ok(decoder.rows.subarray(0, ROW_WORDS).every((word) => word === 0));
    });

    void it('JSON nested too deep is refused', () => {
      assert.equal(decode(nestedArrays(LIMITS.jsonDepthMax)), BODY.batch);
      assert.equal(decode(nestedArrays(LIMITS.jsonDepthMax + 1)), BODY.malformed);
      assert.equal(decode(nestedObjects(LIMITS.jsonDepthMax)), BODY.single);
      assert.equal(decode(nestedObjects(LIMITS.jsonDepthMax + 1)), BODY.malformed);
      assert.equal(decode('['.repeat(LIMITS.bodyBytesMax)), BODY.malformed);
      assert.equal(decode('{"a":'.repeat(LIMITS.bodyBytesMax / 5)), BODY.malformed);
    });

    void it('a body that is too large is refused', () => {
      assert.equal(decode(stringOf(LIMITS.bodyBytesMax)), BODY.single);
      assert.equal(decode(stringOf(LIMITS.bodyBytesMax + 1)), BODY.malformed);
    });

    void it('the text of every valid id is kept', () => {
      const valid = [
        '1',
        '-1',
        '0',
        '1.50',
        '1e999',
        '-0',
        '123456789012345678901234567890',
        '""',
        '"a\\u0062\\""',
        'null',
        '"\u20ac"',
      ];
      for (const id of valid) {
        const found = single(`{"jsonrpc":"2.0", "id" : ${id} ,"method":"m"}`);
        assert.deepEqual([found.id, found.shape, found.notification], [id, SHAPE.slow, false]);
        assert.deepEqual([single(`{"id":${id}}`).id, single(`{"id":${id}}`).shape], [id, SHAPE.invalid]);
      }
      for (const id of ['true', 'false', '[]', '{}', '[1]', '{"a":1}']) {
        const found = single(`{"jsonrpc":"2.0","id":${id},"method":"m"}`);
        assert.deepEqual([found.id, found.shape], ['', SHAPE.invalid]);
      }
    });

    void it('requests, notifications and invalid requests are told apart', () => {
      const slow = [SHAPE.slow, false];
      const invalid = [SHAPE.invalid, false];
      assert.deepEqual(shapeOf('"jsonrpc":"2.0","method":"m"'), [SHAPE.slow, true]);
      assert.deepEqual(shapeOf('"jsonrpc":"2.0","method":"m","id":null'), slow);
      assert.deepEqual(shapeOf('"jsonrpc":"2.0","method":" ","id":1,"params":null,"x":[{"id":2}]'), slow);
      assert.deepEqual(shapeOf('"jsonrpc":"2.0","method":"","id":1'), invalid);
      assert.deepEqual(shapeOf('"jsonrpc":"2.0","method":""'), invalid);
      assert.deepEqual(shapeOf('"jsonrpc":"2.0","method":"m","id":1,"params":{"a":1}'), slow);
      assert.deepEqual(shapeOf('"\\u006asonrpc":"\\u0032.0","m\\u0065thod":"m","\\u0069\\u0064":1'), slow);
      for (const params of ['1', '"a"', 'true', 'false', '-1']) {
        assert.deepEqual(shapeOf(`"jsonrpc":"2.0","method":"m","id":1,"params":${params}`), slow);
      }
      for (const version of ['"1.0"', '2.0', '"2.00"', '"2."', 'null', '["2.0"]', '"2\\/0"', '"2.0\\u0000"', '""']) {
        assert.deepEqual(shapeOf(`"jsonrpc":${version},"method":"m","id":1`), invalid);
      }
      for (const method of ['1', 'null', 'true', '["m"]', '{}']) {
        assert.deepEqual(shapeOf(`"jsonrpc":"2.0","method":${method},"id":1`), invalid);
      }
      for (const key of ['Method', 'metho', 'methods', 'method\\u0000', 'meth\u00f6d', 'm\\ud800ethod']) {
        assert.deepEqual(shapeOf(`"jsonrpc":"2.0","${key}":"m","id":1`), invalid);
      }
    });

    void it('of repeated keys the last one counts', () => {
      const found = single(
        '{"id":1,"jsonrpc":"1","jsonrpc":"2.0","method":1,"method":"m","params":1,"params":[],"id":"x"}',
      );
      assert.deepEqual([found.shape, found.id, found.params], [SHAPE.slow, '"x"', '[]']);
      assert.equal(single('{"jsonrpc":"2.0","method":"m","id":1,"id":[]}').shape, SHAPE.invalid);
      assert.equal(single('{"jsonrpc":"2.0","method":"m","id":1,"\\u0069d":{}}').id, '');
    });

    void it('the parameters of fast methods are packed', () => {
      for (const [index, method] of FAST_METHODS.entries()) {
        const params =
          method === 'eth_getStorageAt' ? `["${ADDRESS}","${SLOT}","pending"]` : `["${ADDRESS}","pending"]`;
        const found = single(`{"params": ${params} ,"method": "${method}","jsonrpc":"2.0","id":7}`);
        assert.equal(decoder.rows[WORD.method], index);
        assert.deepEqual(found, {
          shape: SHAPE.fast,
          notification: false,
          method: `"${method}"`,
          id: '7',
          params,
          block: BLOCK.pending,
          number: 0n,
          address: ADDRESS.toLowerCase(),
          slot: method === 'eth_getStorageAt' ? SLOT.toLowerCase() : `0x${'00'.repeat(32)}`,
        });
      }
      for (const method of [
        'eth_getTransactionCounts',
        'eth_getcode',
        'eth_getCod',
        'eth_call',
        'eth_getCode\\u0000',
      ]) {
        assert.equal(single(`{"jsonrpc":"2.0","id":1,"method":"${method}","params":["${ADDRESS}"]}`).shape, SHAPE.slow);
        assert.equal(decoder.rows[WORD.method], OTHER_METHOD);
      }
      const escaped = single(`{"jsonrpc":"2.0","method":"eth\\u005fget\\u0043ode","params":["${ADDRESS}"]}`);
      assert.deepEqual([escaped.shape, escaped.notification, decoder.rows[WORD.method]], [SHAPE.fast, true, 3]);
    });

    void it('block parameters are packed', () => {
      const blocks: readonly (readonly [string, number, bigint])[] = [
        ['', BLOCK.latest, 0n],
        [',null', BLOCK.latest, 0n],
        [', null ', BLOCK.latest, 0n],
        [',"latest"', BLOCK.latest, 0n],
        [' , "pending"\t', BLOCK.pending, 0n],
        [',"safe"', BLOCK.safe, 0n],
        [',"finalized"', BLOCK.finalized, 0n],
        [',"earliest"', BLOCK.earliest, 0n],
        [',"0x0"', BLOCK.number, 0n],
        [',"0x1b4"', BLOCK.number, 0x1b4n],
        [',"0xFEDCBA9876543210"', BLOCK.number, 0xfedcba9876543210n],
        [',"0xffffffffffffffff"', BLOCK.number, 0xffffffffffffffffn],
        [',"0x123456789"', BLOCK.number, 0x123456789n],
      ];
      for (const [text, block, number] of blocks) {
        const found = single(nonceOf(`[ "${ADDRESS}"${text}]`));
        assert.deepEqual([found.shape, found.block, found.number], [SHAPE.fast, block, number], text);
        assert.equal(single(storageOf(`["${ADDRESS}" ,"0x"${text}]`)).block, block, text);
      }
      const slow = [
        '"0x"',
        '"0x00"',
        '"0x01"',
        '"0X1"',
        '"1"',
        '1',
        '"0x10000000000000000"',
        '"Latest"',
        '"latest "',
        '"lates"',
        '""',
      ];
      slow.push(
        '"l\\u0061test"',
        '"0xg"',
        '"0x1\\u0030"',
        '{}',
        '{"blockNumber":"0x1"}',
        '[]',
        'true',
        'false',
        `"0x${'11'.repeat(32)}"`,
      );
      slow.push('"latest",null', '"latest","latest"', 'null,null', '"0x1]"', '"latest]"', '"]"');
      for (const text of slow) {
        const bytes = Buffer.from(nonceOf(`["${ADDRESS}",${text}]`));
        assert.equal(decoder.decode(bytes), BODY.single, text);
        const found = call(decoder, bytes);
        assert.deepEqual([found.shape, found.block, found.number], [SHAPE.slow, BLOCK.none, 0n], text);
        assert.equal(found.address, `0x${'00'.repeat(20)}`);
      }
    });

    void it('slots and addresses are packed', () => {
      const slots = ['', '0', '1', 'abc', '0abc', 'F'.repeat(63), 'f'.repeat(64), '0'.repeat(64)];
      for (const digits of slots) {
        const found = single(storageOf(`["${ADDRESS}","0x${digits}","latest"]`));
        assert.deepEqual(
          [found.shape, found.slot],
          [SHAPE.fast, `0x${digits.toLowerCase().padStart(64, '0')}`],
          digits,
        );
      }
      // A quote 64 characters into the text need not be the slot's own.
      for (let digits = 55; digits < 64; digits++) {
        for (const between of [',', ' , ', ' ,\n', ',   ']) {
          const found = single(storageOf(`["${ADDRESS}","0x${'A'.repeat(digits)}"${between}"0x8"]`));
          assert.deepEqual(
            [found.shape, found.number, found.slot],
            [SHAPE.fast, 8n, `0x${'a'.repeat(digits).padStart(64, '0')}`],
          );
        }
      }
      const slow = [
        '0'.repeat(65),
        '0'.repeat(66),
        'g',
        '0x',
        `${'0'.repeat(63)}g`,
        `${'0'.repeat(63)}]`,
        '\\u0030',
        '1 ',
        '1]',
      ];
      for (const digits of slow) {
        assert.equal(single(storageOf(`["${ADDRESS}","0x${digits}"]`)).shape, SHAPE.slow, digits);
      }
      for (const params of [
        '[]',
        '{}',
        'null',
        `["${ADDRESS}"]`,
        `["${ADDRESS}",null]`,
        `["${ADDRESS}","00"]`,
        '[[]]',
        '[null]',
      ]) {
        assert.equal(single(storageOf(params)).shape, SHAPE.slow, params);
      }
      const digits = ADDRESS.slice(2);
      for (const text of [
        '',
        '0x',
        digits,
        `0X${digits}`,
        `0x${digits}0`,
        `0x${digits.slice(1)}`,
        `0x${digits.slice(1)}g`,
        ` 0x${digits}`,
      ]) {
        assert.equal(single(nonceOf(`["${text}"]`)).shape, SHAPE.slow, text);
      }
      for (let at = 0; at < 40; at++) {
        for (const wrong of ['/', ':', '@', 'G', '`', 'g', '\u007f', '!']) {
          assert.equal(
            single(nonceOf(`["0x${digits.slice(0, at)}${wrong}${digits.slice(at + 1)}"]`)).shape,
            SHAPE.slow,
          );
        }
      }
    });

    void it('batches are decoded', () => {
      assert.deepEqual([decode(' [ ] '), decoder.count], [BODY.batch, 0]);
      const body = Buffer.from(
        `[${nonceOf(`["${ADDRESS}"]`)}, 1 ,[],{"id":5},\n${storageOf(`["${ADDRESS}","0x1"]`)} ]`,
      );
      assert.deepEqual([decoder.decode(body), decoder.count], [BODY.batch, 5]);
      const shapes = Array.from({ length: 5 }, (_, index) => call(decoder, body, index).shape);
      assert.deepEqual(shapes, [SHAPE.fast, SHAPE.invalid, SHAPE.invalid, SHAPE.invalid, SHAPE.fast]);
      assert.equal(call(decoder, body, 3).id, '5');
      assert.equal(decode(`[${Array(LIMITS.batchCallsMax).fill(nonceOf('[]')).join(',')}]`), BODY.batch);
      assert.equal(decoder.count, LIMITS.batchCallsMax);
    });

    void it('of a batch that is too large only the ids are kept', () => {
      const elements = Array.from({ length: LIMITS.batchCallsMax + 1 }, (_, id) =>
        nonceOf(`["${ADDRESS}"]`).replace('"id":1', `"id":${id}`),
      );
      elements.push('{"id":[]}', '{"jsonrpc":"2.0","method":"m"}', '4');
      const body = Buffer.from(`[${elements.join(',')}]`);
      assert.deepEqual([decoder.decode(body), decoder.count], [BODY.batchTooLarge, elements.length]);
      for (let index = 0; index < elements.length; index++) {
        const found = call(decoder, body, index);
        assert.equal(found.id, index <= LIMITS.batchCallsMax ? `${index}` : '');
        const rest = decoder.rows
          .slice(index * ROW_WORDS, (index + 1) * ROW_WORDS)
          .fill(0, WORD.idOffset, WORD.idLength + 1);
        assert.ok(rest.every((word) => word === 0));
      }
      assert.equal(decode(`[${'1,'.repeat(5000)}]`), BODY.malformed);
      const most = `[${'1,'.repeat(LIMITS.bodyBytesMax / 2 - 2)}1]`;
      assert.deepEqual([decode(most), decoder.count], [BODY.batchTooLarge, LIMITS.batchIdsMax]);
      assert.equal(single(nonceOf(`["${ADDRESS}"]`)).shape, SHAPE.fast);
      assert.equal(decoder.rows.length, LIMITS.batchCallsMax * ROW_WORDS);
    });
  });
}
