// Reads the parameters of a call as nearly all clients write them straight from their bytes: a transaction object of plain
// members and a tag. Anything else FieldReader reads and judges. Runs on main.
//
// Gain: 0.3 to 0.4 of the 3 us that parsing and reading take. Price: a second reader, which plain-call.fuzz.ts holds
// equal to the first.
import type { CallRequest } from '../../transaction/call-request.js';
import { LIMITS } from '../../limits.js';
import {
  byteAt,
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  hexDigit,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
  skipSpace,
} from '../decode/json-bytes.js';
import { LATEST, TAGS, type BlockRef } from './arguments.js';

/** V8 keeps the memory of arrays up to here in its heap. */
const HEAP_BYTES_MAX = 64;
/**
 * Data up to here share buffers of SHELF_BYTES. Gain: 0.4 of the 1.1 us of a call of 68 bytes. Price: who keeps
 * one call's data keeps the memory of its neighbours.
 */
const SHARED_BYTES_MAX = 1024;
const SHELF_BYTES = 16_384;

/** A call and the block that it names, both well-formed. */
export interface PlainCall {
  readonly call: CallRequest;
  readonly block: BlockRef;
}

/** A call while its members are read. */
type Draft = { -readonly [name in keyof CallRequest]: CallRequest[name] };

const MEMBERS = [
  'from',
  'to',
  'data',
  'value',
  'input',
  'gas',
  'gasPrice',
  'maxFeePerGas',
  'maxPriorityFeePerGas',
] as const;
const QUOTED_MEMBERS = MEMBERS.map(quoted);
const QUOTED_TAGS = TAGS.map(quoted);
const BLOCKS: readonly BlockRef[] = TAGS.map((kind) => ({ kind }));

let shelf = new ArrayBuffer(SHELF_BYTES);
let shelfUsed = 0;

const ADDRESS_BYTES = 20;
const ZERO_ADDRESS = new Uint8Array(ADDRESS_BYTES);
const NO_BYTES = new Uint8Array();
const ZERO = 0x30;
const LETTER_X = 0x78;

/** `params`: JSON that the decoder has found well-formed. `null`: they are not plain, or something is wrong with them. */
export function readPlainCall(params: Uint8Array): PlainCall | null {
  return params.length > LIMITS.plainCallBytesMax ? null : new PlainCallReader(params).read();
}

/** Goes over the text once. Every method answers `null` or false where that is not plain. */
class PlainCallReader {
  readonly #json: Uint8Array;
  #at = 0;

  constructor(json: Uint8Array) {
    this.#json = json;
  }

  read(): PlainCall | null {
    const call = this.#takes(OPEN_ARRAY) && this.#takes(OPEN_OBJECT) ? this.#call() : null;
    if (call === null) return null;
    const block = this.#takes(COMMA) ? BLOCKS[this.#oneOf(QUOTED_TAGS)] : LATEST;
    return block !== undefined && this.#takes(CLOSE_ARRAY) ? { call, block } : null;
  }

  #call(): CallRequest | null {
    const call = draft();
    let seen = 0;
    do {
      const member = this.#oneOf(QUOTED_MEMBERS);
      if (member < 0 || (seen & (1 << member)) !== 0 || !this.#takes(COLON)) return null;
      if (!this.#fill(call, MEMBERS[member]!)) return null;
      seen |= 1 << member;
    } while (this.#takes(COMMA));
    return this.#takes(CLOSE_OBJECT) ? call : null;
  }

  #fill(call: Draft, member: (typeof MEMBERS)[number]): boolean {
    switch (member) {
      case 'from':
        return (call.from = this.#bytes() ?? NO_BYTES).length === ADDRESS_BYTES;
      case 'to':
        return (call.to = this.#bytes() ?? NO_BYTES).length === ADDRESS_BYTES;
      case 'data':
      case 'input':
        return this.#fillData(call);
      case 'value':
        return (call.value = this.#quantity(256) ?? -1n) >= 0n;
      case 'gas':
        return (call.gas = this.#quantity(64)) !== null;
      default:
        return (call[member] = this.#quantity(256)) !== null && !hasTwoKindsOfFees(call);
    }
  }

  /** `data` beside `input` is not plain. */
  #fillData(call: Draft): boolean {
    if (call.data !== NO_BYTES) return false;
    const data = this.#bytes();
    if (data === null) return false;
    call.data = data;
    return true;
  }

  /** Hex bytes with `0x`. */
  #bytes(): Uint8Array | null {
    const end = this.#hexEnd();
    if (end < 0 || (end - this.#at) % 2 === 1) return null;
    const bytes = bytesOf(this.#json, this.#at, end);
    this.#at = end + 1;
    return bytes;
  }

  /** A hex quantity of at most `bits`. */
  #quantity(bits: 64 | 256): bigint | null {
    const end = this.#hexEnd();
    const digits = end - this.#at;
    const isPadded = digits > 1 && this.#json[this.#at] === ZERO;
    if (end < 0 || digits === 0 || digits > bits / 4 || isPadded) return null;
    const value = quantityOf(this.#json, this.#at, end);
    this.#at = end + 1;
    return value;
  }

  /** Goes to the first digit of a string with `0x`; answers where its closing quote is, -1 where there is none such. */
  #hexEnd(): number {
    const json = this.#json;
    const at = skipSpace(json, this.#at);
    if (byteAt(json, at) !== QUOTE || byteAt(json, at + 1) !== ZERO || byteAt(json, at + 2) !== LETTER_X) return -1;
    this.#at = at + 3;
    return json.indexOf(QUOTE, this.#at);
  }

  /** Takes the byte if it is the next one behind white space. */
  #takes(byte: number): boolean {
    const at = skipSpace(this.#json, this.#at);
    if (byteAt(this.#json, at) !== byte) return false;
    this.#at = at + 1;
    return true;
  }

  /** Takes the next text behind white space if it is one of these; its index, or -1. */
  #oneOf(texts: readonly Uint8Array[]): number {
    const at = skipSpace(this.#json, this.#at);
    for (let index = 0; index < texts.length; index++) {
      if (!standsAt(this.#json, at, texts[index]!)) continue;
      this.#at = at + texts[index]!.length;
      return index;
    }
    return -1;
  }
}

function draft(): Draft {
  return {
    from: ZERO_ADDRESS,
    to: null,
    gas: null,
    gasPrice: null,
    maxFeePerGas: null,
    maxPriorityFeePerGas: null,
    maxFeePerBlobGas: null,
    value: 0n,
    data: NO_BYTES,
    accessList: null,
    blobVersionedHashes: null,
    authorizationList: null,
  };
}

function hasTwoKindsOfFees({ gasPrice, maxFeePerGas, maxPriorityFeePerGas }: Draft): boolean {
  return gasPrice !== null && (maxFeePerGas !== null || maxPriorityFeePerGas !== null);
}

/** The bytes of an even number of digits, or `null` where there is something else. */
function bytesOf(json: Uint8Array, start: number, end: number): Uint8Array | null {
  const bytes = room((end - start) >> 1);
  let seen = 0;
  for (let i = 0, at = start; at < end; i++, at += 2) {
    const high = hexDigit(json[at]!);
    const low = hexDigit(json[at + 1]!);
    seen |= high | low;
    bytes[i] = (high << 4) | low;
  }
  return seen < 16 ? bytes : null;
}

/** Bytes of their own, not yet written: short ones in V8's heap, longer ones side by side, the longest by themselves. */
function room(length: number): Uint8Array {
  if (length <= HEAP_BYTES_MAX || length > SHARED_BYTES_MAX) return new Uint8Array(length);
  if (shelfUsed + length > SHELF_BYTES) {
    shelf = new ArrayBuffer(SHELF_BYTES);
    shelfUsed = 0;
  }
  const bytes = new Uint8Array(shelf, shelfUsed, length);
  shelfUsed += length;
  return bytes;
}

/** The number of the digits, or `null` where there is something else. */
function quantityOf(json: Uint8Array, start: number, end: number): bigint | null {
  for (let at = start; at < end; at++) if (hexDigit(json[at]!) > 15) return null;
  return BigInt(`0x${Buffer.from(json.buffer, json.byteOffset + start, end - start).toString('latin1')}`);
}

function standsAt(json: Uint8Array, at: number, text: Uint8Array): boolean {
  for (let i = 0; i < text.length; i++) if (byteAt(json, at + i) !== text[i]) return false;
  return true;
}

function quoted(name: string): Uint8Array {
  return Buffer.from(`"${name}"`);
}
