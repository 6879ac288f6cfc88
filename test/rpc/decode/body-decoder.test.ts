// Both decoders on a table of bodies, with the expected words of each.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { LIMITS } from '../../../src/limits/index.js';
import { createBodyDecoder } from '../../../src/rpc/decode/body-decoder.js';
import { PortableBodyDecoder } from '../../../src/rpc/decode/portable-body-decoder.js';
import {
  BODY_KIND,
  type BodyDecoder,
  NOTIFICATION_FLAG,
  ROW_WORDS,
  ROW_KIND,
  ROW_WORD_INDEX,
} from '../../../src/rpc/decode/decoded-call-row.js';

const ADDRESS = '0x7dcd17433742F4c0ca53122ab541d0ba67fc27df';

interface Call {
  readonly shape: number;
  readonly notification: boolean;
  readonly method: string;
  readonly id: string;
  readonly params: string;
  readonly offset: number;
}

/** Decoded call `index` in readable form. */
function call(decoder: BodyDecoder, body: Uint8Array, index = 0): Call {
  const row = decoder.rows.slice(index * ROW_WORDS, (index + 1) * ROW_WORDS);
  const text = (word: number) => Buffer.from(body.subarray(row[word], row[word]! + row[word + 1]!)).toString();
  const shape = row[ROW_WORD_INDEX.shape]!;
  return {
    shape: shape & ~NOTIFICATION_FLAG,
    notification: (shape & NOTIFICATION_FLAG) !== 0,
    method: text(ROW_WORD_INDEX.methodOffset),
    id: text(ROW_WORD_INDEX.idOffset),
    params: text(ROW_WORD_INDEX.paramsOffset),
    offset: row[ROW_WORD_INDEX.offset]!,
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

const decoders: { readonly name: string; readonly decoder: BodyDecoder }[] = [
  { name: 'bytes', decoder: new PortableBodyDecoder('') },
];
const native = createBodyDecoder();
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
    assert.equal(decoder.decode(bytes), BODY_KIND.single, body);
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
      for (const text of malformed) assert.equal(decode(text), BODY_KIND.malformed, JSON.stringify(text));
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
        assert.equal(decode(inside), BODY_KIND.malformed, hex);
        assert.equal(decode(Buffer.concat([Buffer.from('1'), Buffer.from(hex, 'hex')])), BODY_KIND.malformed, hex);
        assert.equal(decode(Buffer.concat([Buffer.from('"'), Buffer.from(hex, 'hex')])), BODY_KIND.malformed, hex);
      }
      for (const text of ['"\u00a2\u20ac\ud55c\u{1f600}\u{10ffff}\ud7ff\ue000"', '"\u0080\u0800\u{10000}"']) {
        assert.equal(decode(text), BODY_KIND.single, text);
      }
    });

    void it('JSON that is not a JSON-RPC request is an invalid request', () => {
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
      for (const text of texts)
        assert.deepEqual({ text, shape: single(text).shape }, { text, shape: ROW_KIND.invalid });
      assert.ok(decoder.rows.subarray(0, ROW_WORDS).every((word) => word === 0));
    });

    void it('JSON nested too deep is refused', () => {
      assert.equal(decode(nestedArrays(LIMITS.jsonDepthMax)), BODY_KIND.batch);
      assert.equal(decode(nestedArrays(LIMITS.jsonDepthMax + 1)), BODY_KIND.malformed);
      assert.equal(decode(nestedObjects(LIMITS.jsonDepthMax)), BODY_KIND.single);
      assert.equal(decode(nestedObjects(LIMITS.jsonDepthMax + 1)), BODY_KIND.malformed);
      assert.equal(decode('['.repeat(LIMITS.bodyBytesMax)), BODY_KIND.malformed);
      assert.equal(decode('{"a":'.repeat(LIMITS.bodyBytesMax / 5)), BODY_KIND.malformed);
    });

    void it('a body that is too large is refused', () => {
      assert.equal(decode(stringOf(LIMITS.bodyBytesMax)), BODY_KIND.single);
      assert.equal(decode(stringOf(LIMITS.bodyBytesMax + 1)), BODY_KIND.malformed);
    });

    void it('the text of every valid id is preserved', () => {
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
        assert.deepEqual([found.id, found.shape, found.notification], [id, ROW_KIND.call, false]);
        assert.deepEqual([single(`{"id":${id}}`).id, single(`{"id":${id}}`).shape], [id, ROW_KIND.invalid]);
      }
      for (const id of ['true', 'false', '[]', '{}', '[1]', '{"a":1}']) {
        const found = single(`{"jsonrpc":"2.0","id":${id},"method":"m"}`);
        assert.deepEqual([found.id, found.shape], ['', ROW_KIND.invalid]);
      }
    });

    void it('requests, notifications and invalid requests are distinguished', () => {
      const valid = [ROW_KIND.call, false];
      const invalid = [ROW_KIND.invalid, false];
      assert.deepEqual(shapeOf('"jsonrpc":"2.0","method":"m"'), [ROW_KIND.call, true]);
      assert.deepEqual(shapeOf('"jsonrpc":"2.0","method":"m","id":null'), valid);
      assert.deepEqual(shapeOf('"jsonrpc":"2.0","method":" ","id":1,"params":null,"x":[{"id":2}]'), valid);
      assert.deepEqual(shapeOf('"jsonrpc":"2.0","method":"","id":1'), invalid);
      assert.deepEqual(shapeOf('"jsonrpc":"2.0","method":""'), invalid);
      assert.deepEqual(shapeOf('"jsonrpc":"2.0","method":"m","id":1,"params":{"a":1}'), valid);
      assert.deepEqual(shapeOf('"\\u006asonrpc":"\\u0032.0","m\\u0065thod":"m","\\u0069\\u0064":1'), valid);
      for (const params of ['1', '"a"', 'true', 'false', '-1']) {
        assert.deepEqual(shapeOf(`"jsonrpc":"2.0","method":"m","id":1,"params":${params}`), valid);
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
      assert.deepEqual([found.shape, found.id, found.params], [ROW_KIND.call, '"x"', '[]']);
      assert.equal(single('{"jsonrpc":"2.0","method":"m","id":1,"id":[]}').shape, ROW_KIND.invalid);
      assert.equal(single('{"jsonrpc":"2.0","method":"m","id":1,"\\u0069d":{}}').id, '');
    });

    void it('a decoded call has its method and params as written, and its offset', () => {
      const params = `[ "${ADDRESS}" , "\\u0070ending" ]`;
      const found = single(` {"params": ${params} ,"method": "eth\\u005fgetCode","jsonrpc":"2.0","id":7}`);
      assert.deepEqual(found, {
        shape: ROW_KIND.call,
        notification: false,
        method: '"eth\\u005fgetCode"',
        id: '7',
        params,
        offset: 1,
      });
      const bare = single('{"jsonrpc":"2.0","method":"m"}');
      assert.deepEqual([bare.params, bare.id, bare.notification, bare.offset], ['', '', true, 0]);
    });

    void it('batches are decoded', () => {
      assert.deepEqual([decode(' [ ] '), decoder.count], [BODY_KIND.batch, 0]);
      const body = Buffer.from(
        `[${nonceOf(`["${ADDRESS}"]`)}, 1 ,[],{"id":5},\n${storageOf(`["${ADDRESS}","0x1"]`)} ]`,
      );
      assert.deepEqual([decoder.decode(body), decoder.count], [BODY_KIND.batch, 5]);
      const found = Array.from({ length: 5 }, (_, index) => call(decoder, body, index));
      const offsets = [1, 0, 0, 0, body.lastIndexOf('{"jsonrpc"')];
      assert.deepEqual(
        found.map(({ offset }) => offset),
        offsets,
      );
      const shapes = found.map(({ shape }) => shape);
      assert.deepEqual(shapes, [ROW_KIND.call, ROW_KIND.invalid, ROW_KIND.invalid, ROW_KIND.invalid, ROW_KIND.call]);
      assert.equal(call(decoder, body, 3).id, '5');
      assert.equal(decode(`[${Array(LIMITS.batchCallsMax).fill(nonceOf('[]')).join(',')}]`), BODY_KIND.batch);
      assert.equal(decoder.count, LIMITS.batchCallsMax);
    });

    void it('of a batch that is too large only the ids are decoded', () => {
      const elements = Array.from({ length: LIMITS.batchCallsMax + 1 }, (_, id) =>
        nonceOf(`["${ADDRESS}"]`).replace('"id":1', `"id":${id}`),
      );
      elements.push('{"id":[]}', '{"jsonrpc":"2.0","method":"m"}', '4');
      const body = Buffer.from(`[${elements.join(',')}]`);
      assert.deepEqual([decoder.decode(body), decoder.count], [BODY_KIND.batchTooLarge, elements.length]);
      for (let index = 0; index < elements.length; index++) {
        const found = call(decoder, body, index);
        assert.equal(found.id, index <= LIMITS.batchCallsMax ? `${index}` : '');
        const rest = decoder.rows
          .slice(index * ROW_WORDS, (index + 1) * ROW_WORDS)
          .fill(0, ROW_WORD_INDEX.idOffset, ROW_WORD_INDEX.idLength + 1);
        assert.ok(rest.every((word) => word === 0));
      }
      assert.equal(decode(`[${'1,'.repeat(5000)}]`), BODY_KIND.malformed);
      const most = `[${'1,'.repeat(LIMITS.bodyBytesMax / 2 - 2)}1]`;
      assert.deepEqual([decode(most), decoder.count], [BODY_KIND.batchTooLarge, LIMITS.batchIdsMax]);
      assert.equal(single(nonceOf(`["${ADDRESS}"]`)).shape, ROW_KIND.call);
      assert.equal(decoder.rows.length, LIMITS.batchCallsMax * ROW_WORDS);
    });
  });
}
