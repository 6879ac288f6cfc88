// Random bodies through both decoders, which must agree on every word, and through a reference that applies the rules
// of decoded-call-row.ts to the result of JSON.parse.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';

import { LIMITS } from '../../../src/limits/index.js';
import { createBodyDecoder } from '../../../src/rpc/decode/body-decoder.js';
import { PortableBodyDecoder } from '../../../src/rpc/decode/portable-body-decoder.js';
import { valueEnd } from '../../../src/rpc/decode/json-scanner.js';
import { Random, randomBody } from './request-bodies.js';
import {
  BODY_KIND,
  type BodyDecoder,
  NOTIFICATION_FLAG,
  ROW_WORDS,
  ROW_KIND,
  ROW_WORD_INDEX,
} from '../../../src/rpc/decode/decoded-call-row.js';
import { rounds } from '../../support/rounds.js';

const SEED = 20_251_121;
const BODIES = rounds(10_000);
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const NOT_JSON = Symbol('not JSON');

/** The value of a body, or NOT_JSON. */
function parsed(body: Uint8Array): unknown {
  try {
    const value: unknown = JSON.parse(UTF8.decode(body));
    return depthOf(value) > LIMITS.jsonDepthMax ? NOT_JSON : value;
  } catch {
    return NOT_JSON;
  }
}

/** A lower bound: members hidden by a repeated key are gone. */
function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Object.values(value).reduce((most: number, inner: unknown) => Math.max(most, depthOf(inner)), 0);
}

/** The decoded call of one element, as decoded-call-row.ts defines it. */
interface Expected {
  readonly shape: number;
  readonly method: unknown;
  readonly id: unknown;
  readonly params: unknown;
  /** The call's JSON, found by its offset; `undefined` if there is none. */
  readonly call: unknown;
}

const NOTHING: Expected = {
  shape: ROW_KIND.invalid,
  method: undefined,
  id: undefined,
  params: undefined,
  call: undefined,
};

function expected(element: unknown): Expected {
  if (typeof element !== 'object' || element === null || Array.isArray(element)) return NOTHING;
  const members = new Map<string, unknown>(Object.entries(element));
  const id = members.get('id');
  const method = members.get('method');
  if (typeof id === 'boolean' || (typeof id === 'object' && id !== null)) return NOTHING;
  if (members.get('jsonrpc') !== '2.0' || typeof method !== 'string' || method === '') return { ...NOTHING, id };
  const notification = id === undefined ? NOTIFICATION_FLAG : 0;
  return { shape: ROW_KIND.call | notification, method, id, params: members.get('params'), call: element };
}

/** Decoded call `index`, in the reference's terms. */
function actual(decoder: BodyDecoder, body: Buffer, index: number): Expected {
  const row = decoder.rows.slice(index * ROW_WORDS, (index + 1) * ROW_WORDS);
  const isCall = (row[ROW_WORD_INDEX.shape]! & ROW_KIND.call) !== 0;
  return {
    shape: row[ROW_WORD_INDEX.shape]!,
    method: spanned(body, row[ROW_WORD_INDEX.methodOffset]!, row[ROW_WORD_INDEX.methodLength]!),
    id: spanned(body, row[ROW_WORD_INDEX.idOffset]!, row[ROW_WORD_INDEX.idLength]!),
    params: spanned(body, row[ROW_WORD_INDEX.paramsOffset]!, row[ROW_WORD_INDEX.paramsLength]!),
    call: isCall ? objectAt(body, row[ROW_WORD_INDEX.offset]!) : undefined,
  };
}

/** The object that starts at `offset`: the decoder does not report its end. */
function objectAt(body: Buffer, offset: number): unknown {
  assert.equal(String.fromCharCode(body[offset]!), '{');
  return JSON.parse(body.toString('utf8', offset, valueEnd(body, offset, LIMITS.jsonDepthMax)));
}

function spanned(body: Buffer, offset: number, length: number): unknown {
  return length === 0 ? undefined : JSON.parse(body.toString('utf8', offset, offset + length));
}

/** Compares a decoded body with the value from JSON.parse. */
function checkAgainst(value: unknown, decoder: BodyDecoder, kind: number, body: Buffer): void {
  const elements: readonly unknown[] = Array.isArray(value) ? value : [value];
  const tooLarge = elements.length > LIMITS.batchCallsMax;
  assert.equal(kind, Array.isArray(value) ? (tooLarge ? BODY_KIND.batchTooLarge : BODY_KIND.batch) : BODY_KIND.single);
  assert.equal(decoder.count, elements.length);
  for (const [index, element] of elements.entries()) {
    const wanted = tooLarge ? { ...NOTHING, id: expected(element).id } : expected(element);
    const found = actual(decoder, body, index);
    if (!isDeepStrictEqual(found, wanted)) assert.deepEqual(found, wanted);
  }
}

function describeBody(body: Buffer, number: number): string {
  return `body ${number} of seed ${SEED}: ${JSON.stringify(body.toString('latin1'))}`;
}

const bytes = new PortableBodyDecoder('');
const addon = createBodyDecoder();

void describe('decoders on random bodies', () => {
  void it('the byte decoder agrees with JSON.parse on what is JSON', () => {
    const random = new Random(SEED);
    let valid = 0;
    let calls = 0;
    for (let number = 0; number < BODIES; number++) {
      const body = randomBody(random);
      const kind = bytes.decode(body);
      const value = parsed(body);
      if (kind !== BODY_KIND.malformed) valid++;
      try {
        if (kind === BODY_KIND.malformed) assert.equal(value, NOT_JSON);
        else checkAgainst(value, bytes, kind, body);
      } catch (error) {
        throw new Error(describeBody(body, number), { cause: error });
      }
      for (let row = 0; row < bytes.count; row++) calls += bytes.rows[row * ROW_WORDS]! & ROW_KIND.call;
    }
    // Guards against a generator that degenerates into one kind of body.
    assert.ok(valid > BODIES / 4 && valid < (BODIES * 3) / 4 && calls > BODIES / 20, `${valid} valid, ${calls} calls`);
  });

  void it('the addon agrees on every word', { skip: addon.name === 'simdjson' ? false : addon.reason }, () => {
    const random = new Random(SEED + 2);
    for (let number = 0; number < BODIES * 2; number++) {
      const body = randomBody(random);
      const kind = addon.decode(body);
      assert.equal(kind, bytes.decode(body), describeBody(body, number));
      assert.equal(addon.count, bytes.count, describeBody(body, number));
      for (let word = 0; word < bytes.count * ROW_WORDS; word++) {
        if (addon.rows[word] === bytes.rows[word]) continue;
        assert.fail(`word ${word % ROW_WORDS} of row ${Math.floor(word / ROW_WORDS)}: ${describeBody(body, number)}`);
      }
    }
  });
});
