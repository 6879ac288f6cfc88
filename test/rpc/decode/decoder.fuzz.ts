// Random bodies through both decoders, which must agree on every word, and through a reference of the rules of
// request-row.ts that is built on JSON.parse.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';

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
import { Random, randomBody } from './request-bodies.js';

const SEED = 20_251_121;
const BODIES = 100_000;
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

/** What request-row.ts says of one element. */
interface Expected {
  readonly shape: number;
  readonly method: number;
  readonly id: unknown;
  readonly params: unknown;
  readonly block: number;
  readonly number: bigint;
  readonly address: string;
  readonly slot: string;
}

const NOTHING: Expected = {
  shape: SHAPE.invalid,
  method: 0,
  id: undefined,
  params: undefined,
  block: BLOCK.none,
  number: 0n,
  address: '0'.repeat(40),
  slot: '0'.repeat(64),
};

function expected(element: unknown): Expected {
  if (typeof element !== 'object' || element === null || Array.isArray(element)) return NOTHING;
  const members = new Map<string, unknown>(Object.entries(element));
  const id = members.get('id');
  const method = members.get('method');
  const params = members.get('params');
  if (typeof id === 'boolean' || (typeof id === 'object' && id !== null)) return NOTHING;
  if (members.get('jsonrpc') !== '2.0' || typeof method !== 'string' || method === '') return { ...NOTHING, id };
  const index = FAST_METHODS.findIndex((name) => name === method);
  const call = { ...NOTHING, shape: SHAPE.slow, method: index < 0 ? OTHER_METHOD : index, id, params };
  const fast = index < 0 || !Array.isArray(params) ? null : fastParams(method, params);
  const notification = id === undefined ? NOTIFICATION : 0;
  return { ...call, ...fast, shape: (fast === null ? SHAPE.slow : SHAPE.fast) | notification };
}

/** Fast params by regular expressions, or null. The reference cannot see escapes: those are taken out before. */
function fastParams(method: string, params: readonly unknown[]): Partial<Expected> | null {
  const [address, ...others] = params;
  const slot = method === 'eth_getStorageAt' ? others.shift() : '0x';
  const [blockText = null, ...surplus] = others;
  if (typeof address !== 'string' || typeof slot !== 'string' || surplus.length > 0 || others.length > 1) return null;
  if (!/^0x[0-9a-fA-F]{40}$/.test(address) || !/^0x[0-9a-fA-F]{0,64}$/.test(slot)) return null;
  const block = fastBlock(blockText);
  if (block === null) return null;
  return { ...block, address: address.slice(2).toLowerCase(), slot: slot.slice(2).toLowerCase().padStart(64, '0') };
}

function fastBlock(text: unknown): { readonly block: number; readonly number: bigint } | null {
  if (text === null) return { block: BLOCK.latest, number: 0n };
  if (typeof text !== 'string') return null;
  if (/^0x(0|[1-9a-fA-F][0-9a-fA-F]{0,15})$/.test(text)) return { block: BLOCK.number, number: BigInt(text) };
  for (const tag of ['latest', 'pending', 'safe', 'finalized', 'earliest'] as const) {
    if (text === tag) return { block: BLOCK[tag], number: 0n };
  }
  return null;
}

/** The words of row `index`, read back into the reference's terms. */
function actual(decoder: Decoder, body: Buffer, index: number): Expected {
  const row = decoder.rows.slice(index * ROW_WORDS, (index + 1) * ROW_WORDS);
  const hex = (word: number, bytes: number) => Buffer.from(row.buffer, word * 4, bytes).toString('hex');
  return {
    shape: row[WORD.shape]!,
    method: row[WORD.method]!,
    id: spanned(body, row[WORD.idOffset]!, row[WORD.idLength]!),
    params: spanned(body, row[WORD.paramsOffset]!, row[WORD.paramsLength]!),
    block: row[WORD.block]!,
    number: (BigInt(row[WORD.numberHigh]!) << 32n) | BigInt(row[WORD.numberLow]!),
    address: hex(WORD.address, 20),
    slot: hex(WORD.slot, 32),
  };
}

function spanned(body: Buffer, offset: number, length: number): unknown {
  return length === 0 ? undefined : JSON.parse(body.toString('utf8', offset, offset + length));
}

/** Escapes in params make them slow, which JSON.parse hides. */
function escapesInParams(decoder: Decoder, body: Buffer, index: number): boolean {
  const offset = decoder.rows[index * ROW_WORDS + WORD.paramsOffset]!;
  const length = decoder.rows[index * ROW_WORDS + WORD.paramsLength]!;
  return body.subarray(offset, offset + length).includes('\\');
}

function cooled(call: Expected): Expected {
  if ((call.shape & SHAPE.fast) === 0) return call;
  const { block, number, address, slot } = NOTHING;
  return { ...call, shape: (call.shape & NOTIFICATION) | SHAPE.slow, block, number, address, slot };
}

/** Compares a decoded body to JSON.parse's value of it. */
function checkAgainst(value: unknown, decoder: Decoder, kind: number, body: Buffer): void {
  const elements: readonly unknown[] = Array.isArray(value) ? value : [value];
  const tooLarge = elements.length > LIMITS.batchCallsMax;
  assert.equal(kind, Array.isArray(value) ? (tooLarge ? BODY.batchTooLarge : BODY.batch) : BODY.single);
  assert.equal(decoder.count, elements.length);
  for (const [index, element] of elements.entries()) {
    const wanted = tooLarge ? { ...NOTHING, id: expected(element).id } : expected(element);
    const wantedHere = escapesInParams(decoder, body, index) ? cooled(wanted) : wanted;
    const found = actual(decoder, body, index);
    if (!isDeepStrictEqual(found, wantedHere)) assert.deepEqual(found, wantedHere);
  }
}

function describeBody(body: Buffer, number: number): string {
  return `body ${number} of seed ${SEED}: ${JSON.stringify(body.toString('latin1'))}`;
}

const bytes = createDecoder({ addon: false });
const addon = createDecoder({ addon: true });

void describe('decoders, random bodies', () => {
  void it('the byte decoder agrees with JSON.parse on what is JSON', () => {
    const random = new Random(SEED);
    let valid = 0;
    let fast = 0;
    for (let number = 0; number < BODIES; number++) {
      const body = randomBody(random);
      const kind = bytes.decode(body);
      const value = parsed(body);
      if (kind !== BODY.malformed) valid++;
      try {
        if (kind === BODY.malformed) assert.equal(value, NOT_JSON);
        else checkAgainst(value, bytes, kind, body);
      } catch (error) {
        throw new Error(describeBody(body, number), { cause: error });
      }
      for (let row = 0; row < bytes.count; row++) fast += (bytes.rows[row * ROW_WORDS]! & SHAPE.fast) >> 1;
    }
    // The generator itself must not rot into one kind of body.
    assert.ok(valid > BODIES / 4 && valid < (BODIES * 3) / 4 && fast > BODIES / 20, `${valid} valid, ${fast} fast`);
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
