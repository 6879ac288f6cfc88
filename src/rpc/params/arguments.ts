// Reads the parameters of a request, as strictly as go-ethereum and with its error messages.
import { rpcError, type RpcError } from '../../rpc-errors.js';
import { parseHex } from '../../lib/bytes/hex.js';
import type { UpstreamBlockRef } from '../view/stored-blocks.js';
import { unhex } from '../decode/unhex.js';
import { LongStringViews } from './parse-params-zero-copy.js';
import type { NativelyParsedCall, NativelyParsedParams } from './native-call-parser.js';
import type { ForwardedCall } from '../view/upstream-node-access.js';
import { LATEST_BLOCK, BLOCK_TAGS, type BlockParam } from '../view/block-param-types.js';
import { readStructMembers, closedStruct, type ParamPath } from './json-struct.js';

const HEX = /^[0-9a-fA-F]*$/;

/** A block parameter in the object form of EIP-1898. */
const BLOCK = closedStruct('rpc.BlockNumberOrHash', ['blockNumber', 'blockHash', 'requireCanonical']);

/** Returns the kind of a JSON value as Go names it in error messages. */
function jsonKind(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}

/**
 * The positional parameters of one request. Each method of this class reads one value. The first invalid value sets
 * `failure`, and values that are read after that mean nothing. So a caller reads everything that it needs, and checks
 * `failure` once.
 */
export class RpcArguments {
  failure: RpcError | null = null;
  /** The parameters of a call if the addon has already parsed them; otherwise `null`. */
  readonly plain: NativelyParsedCall | null;
  /** JSON of the parameters, which is parsed only when a value in it is needed. */
  readonly #json: string | null;
  #parsed: readonly unknown[] | null;
  #long: LongStringViews;
  /** The block that is used if the block parameter is missing or null. */
  readonly defaultBlock: BlockParam;
  /** Allocates memory for the bytes of long hex strings. Its initial contents do not matter. */
  allocate = allocateBytes;

  /**
   * `long`: the long strings of the parameters, as views of the request body; `values` has placeholders for them.
   * `defaultBlock`: used if no block is given.
   */
  constructor(
    values: readonly unknown[] | NativelyParsedParams,
    long: LongStringViews = LongStringViews.none,
    defaultBlock: BlockParam = LATEST_BLOCK,
  ) {
    const isPlain = 'plain' in values;
    this.plain = isPlain ? values.plain : null;
    this.#json = isPlain ? values.json : null;
    this.#parsed = isPlain ? null : values;
    this.#long = long;
    this.defaultBlock = defaultBlock;
  }

  get #values(): readonly unknown[] {
    return (this.#parsed ??= JSON.parse(this.#json!) as readonly unknown[]);
  }

  /**
   * Copies all data that still refers to the request body, so that parameters can be read after the body is released.
   */
  keep(): void {
    this.#long = this.#long.copy();
  }

  /** True if some parameters contain long strings, which are views of the request body. */
  get hasLong(): boolean {
    return this.#long !== LongStringViews.none;
  }

  /** Fails if there are more parameters than the method takes. */
  most(count: number): this {
    if (this.#values.length > count) this.fail(`too many arguments, want at most ${count}`);
    return this;
  }

  /** Records an error about the parameters. Only the first one is reported. */
  fail(message: string): void {
    this.failure ??= rpcError('invalidParams', message);
  }

  /** All parameters as the client sent them. */
  get all(): readonly unknown[] {
    return this.#long.whole(this.#values) as readonly unknown[];
  }

  /**
   * Returns this call as a request to the upstream node, with the block parameter at `index` in the form that the node
   * expects.
   */
  forward(index: number, { ref }: UpstreamBlockRef): ForwardedCall {
    const params = [...this.all];
    params[index] = ref;
    return { forward: params, block: typeof ref === 'string' ? ref : ref.blockHash };
  }

  /** True if the parameter is present and not null. */
  has(index: number): boolean {
    return this.#values[index] !== undefined && this.#values[index] !== null;
  }

  /** Returns a parameter as parsed JSON; `undefined` or `null` if it is missing. */
  value(index: number): unknown {
    return this.#values[index];
  }

  /** Returns a required parameter as parsed JSON. */
  required(index: number): unknown {
    if (!this.has(index)) this.fail(`missing value for required argument ${index}`);
    return this.#values[index];
  }

  /** Reads a required address: exactly 20 bytes of hex with `0x`. */
  address(index: number): Uint8Array {
    return this.fixedBytes(this.required(index), 20, 'common.Address', { index });
  }

  /** Reads a required hash: exactly 32 bytes of hex with `0x`. */
  hash(index: number): Uint8Array {
    return this.fixedBytes(this.required(index), 32, 'common.Hash', { index });
  }

  /** Reads required bytes: hex with `0x` and an even number of digits. */
  bytes(index: number): Uint8Array {
    return this.hexBytes(this.required(index), { index });
  }

  /** Reads a required boolean; returns false after an error. */
  boolean(index: number): boolean {
    return this.truth(this.required(index), { index });
  }

  /** Reads `value`, which is at `path`, as a boolean; returns false after an error. */
  truth(value: unknown, path: ParamPath): boolean {
    if (typeof value !== 'boolean') this.#mismatch(jsonKind(value), 'bool', path);
    return value === true;
  }

  /** Reads a required string; returns an empty one after an error. */
  string(index: number): string {
    return this.textOf(this.required(index), { index });
  }

  /** Reads `value`, which is at `path`, as a string; returns an empty one after an error. */
  textOf(value: unknown, path: ParamPath): string {
    const text = this.#long.whole(value);
    if (typeof text === 'string') return text;
    this.#mismatch(jsonKind(text), 'string', path);
    return '';
  }

  /** Reads a non-negative integer, which is a JSON number or a quantity; returns 0 after an error. */
  count(value: unknown, { index, field = 'it' }: ParamPath): number {
    const number = typeof value === 'string' ? Number(this.quantity(value, 64, { index, field })) : value;
    if (typeof number === 'number' && Number.isSafeInteger(number) && number >= 0) return number;
    this.fail(`invalid argument ${index}: ${field} must be a whole number, not below 0`);
    return 0;
  }

  /** Reads a storage slot: hex of at most 32 bytes, padded on the left to 32. */
  slot(index: number): Uint8Array {
    return this.slotOf(this.required(index), index);
  }

  /** Reads a storage slot that is a value inside the parameter at `index`. */
  slotOf(parameter: unknown, index: number): Uint8Array {
    const text = this.#long.whole(parameter);
    if (typeof text !== 'string') {
      this.#mismatch(jsonKind(text), 'string', { index });
      return new Uint8Array(32);
    }
    let digits = hasPrefix(text) ? text.slice(2) : text;
    if (digits.length % 2 === 1) digits = `0${digits}`;
    if (digits.length > 64) this.fail(`storage key too long (want at most 32 bytes): ${JSON.stringify(text)}`);
    else if (!HEX.test(digits)) this.fail(`invalid hex in storage key: ${JSON.stringify(text)}`);
    return this.failure ? new Uint8Array(32) : Uint8Array.from(Buffer.from(digits.padStart(64, '0'), 'hex'));
  }

  /** Reads a block: tag, number, hash or EIP-1898 object. Returns the default block if it is missing or null. */
  block(index: number): BlockParam {
    return this.blockOf(this.#values[index], index);
  }

  /** Reads a block that is a value inside the parameter at `index`. */
  blockOf(parameter: unknown, index: number): BlockParam {
    const value = this.#long.whole(parameter);
    if (value === undefined || value === null) return this.defaultBlock;
    if (typeof value === 'string') return this.#blockText(value, index);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return this.#blockObject(value, index);
    this.#mismatch(jsonKind(value), 'string', { index });
    return LATEST_BLOCK;
  }

  /**
   * Reads a block number or tag, for methods that accept no hash. Returns the default block if it is missing or null.
   */
  blockNumber(index: number): BlockParam {
    return this.numberOf(this.#values[index], index);
  }

  /** Reads a block number or tag that is a value inside the parameter at `index`. */
  numberOf(parameter: unknown, index: number): BlockParam {
    const value = this.#long.whole(parameter);
    if (value === undefined || value === null) return this.defaultBlock;
    if (typeof value === 'string') return this.#numberText(value, index);
    this.fail(`invalid argument ${index}: hex string without 0x prefix`);
    return LATEST_BLOCK;
  }

  #blockText(text: string, index: number): BlockParam {
    if (text.length !== 66) return this.#numberText(text, index);
    return { kind: 'hash', hash: this.fixedBytes(text, 32, 'common.Hash', { index }) };
  }

  #numberText(text: string, index: number): BlockParam {
    const tag = BLOCK_TAGS.find((known) => known === text);
    if (tag !== undefined) return { kind: tag };
    const fault = hexQuantityFault(text, 64);
    if (fault !== null) this.fail(`invalid argument ${index}: ${fault}`);
    return { kind: 'number', number: fault === null ? BigInt(text) : 0n };
  }

  #blockObject(value: object, index: number): BlockParam {
    const { blockNumber, blockHash, requireCanonical } = readStructMembers(this, value, BLOCK, { index });
    if (isPresent(blockNumber) && isPresent(blockHash)) {
      this.fail(`invalid argument ${index}: cannot specify both BlockHash and BlockNumber, choose one or the other`);
    } else if (isPresent(blockNumber)) {
      return this.#numberOrTag(blockNumber, index);
    } else if (isPresent(blockHash)) {
      const hash = this.fixedBytes(blockHash, 32, 'common.Hash', { index });
      if (isPresent(requireCanonical) && typeof requireCanonical !== 'boolean') {
        this.#mismatch(jsonKind(requireCanonical), 'bool', { index, field: 'erased.requireCanonical' });
      }
      return { kind: 'hash', hash, requireCanonical: requireCanonical === true };
    } else this.fail(`invalid argument ${index}: either BlockNumber or BlockHash must be given`);
    return LATEST_BLOCK;
  }

  #numberOrTag(value: unknown, index: number): BlockParam {
    if (typeof value === 'string' && value.length !== 66) return this.#numberText(value, index);
    this.#mismatch(typeof value === 'string' ? 'hex number > 64 bits' : jsonKind(value), 'rpc.BlockNumber', { index });
    return LATEST_BLOCK;
  }

  /** Reads a hex quantity of at most `bits` bits; 0 for an empty string, as in go-ethereum. */
  quantity(
    value: unknown,
    bits: 64 | 256,
    path: ParamPath,
    type = bits === 64 ? 'hexutil.Uint64' : 'hexutil.Big',
  ): bigint {
    const text = this.#long.whole(value);
    if (text === '') return 0n;
    const fault = typeof text === 'string' ? hexQuantityFault(text, bits) : 'non-string';
    if (fault === null) return BigInt(text as string);
    this.#mismatch(fault, type, path);
    return 0n;
  }

  /** Reads bytes: hex with an even number of digits. */
  hexBytes(value: unknown, path: ParamPath): Uint8Array {
    const bytes = this.#bytesOf(value);
    if (typeof bytes !== 'string') return bytes;
    this.#mismatch(bytes, 'hexutil.Bytes', path);
    return new Uint8Array();
  }

  /** Reads exactly `length` bytes of hex. `type` names the expected type in the error message. */
  fixedBytes(value: unknown, length: number, type: string, path: ParamPath): Uint8Array {
    const bytes = this.#bytesOf(value);
    if (typeof bytes === 'string') this.#mismatch(bytes, type, path);
    else if (bytes.length === length) return bytes;
    else {
      const digits = bytes.length * 2;
      this.fail(`invalid argument ${path.index}: hex string has length ${digits}, want ${length * 2} for ${type}`);
    }
    return new Uint8Array(length);
  }

  object(value: unknown, type: string, path: ParamPath): Readonly<Record<string, unknown>> {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
    this.#mismatch(jsonKind(value), type, path);
    return {};
  }

  array(value: unknown, type: string, path: ParamPath): readonly unknown[] {
    if (Array.isArray(value)) return value;
    this.#mismatch(jsonKind(value), type, path);
    return [];
  }

  /** Decodes hex bytes. If the value is invalid, returns go-ethereum's description of what is wrong. */
  #bytesOf(value: unknown): Uint8Array | string {
    const text = this.#long.textOf(value);
    const long = text === null ? null : this.#longBytes(text);
    return long ?? parseHexBytes(this.#long.whole(value));
  }

  /** Decodes hex bytes from a long string that is still in the body; `null` if it is invalid. */
  #longBytes(text: Uint8Array): Uint8Array | null {
    if (text.length % 2 === 1 || !hasPrefix(String.fromCharCode(text[0]!, text[1]!))) return null;
    const bytes = this.allocate(text.length / 2 - 1);
    return unhex(text.subarray(2), bytes) ? bytes : null;
  }

  #mismatch(found: string, type: string, path: ParamPath): void {
    const into = path.field === undefined ? 'Go value' : `Go struct field ${path.field}`;
    this.fail(`invalid argument ${path.index}: json: cannot unmarshal ${found} into ${into} of type ${type}`);
  }
}

/** Allocates bytes that belong to the caller. */
export function allocateBytes(length: number): Uint8Array {
  return new Uint8Array(length);
}

/** True if the value is neither missing nor null. */
export function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** Returns what is wrong with a hex quantity in go-ethereum's words (`hexutil`), or null if it is valid. */
function hexQuantityFault(text: string, bits: 64 | 256): string | null {
  if (text.length === 0) return 'empty hex string';
  if (!hasPrefix(text)) return 'hex string without 0x prefix';
  if (text.length === 2) return 'hex string "0x"';
  if (!HEX.test(text.slice(2))) return 'invalid hex string';
  if (text.length > 3 && text[2] === '0') return 'hex number with leading zero digits';
  return text.length - 2 > bits / 4 ? `hex number > ${bits} bits` : null;
}

/** Decodes a string of hex with `0x`. If it is invalid, returns what is wrong with it. */
export function parseHexBytes(value: unknown): Uint8Array | string {
  if (typeof value !== 'string') return 'non-string';
  // go-ethereum accepts an empty string as no bytes, and clients send it.
  if (value.length === 0) return new Uint8Array();
  if (!hasPrefix(value)) return 'hex string without 0x prefix';
  if (value.length % 2 === 1) return 'hex string of odd length';
  return parseHex(value, 2) ?? 'invalid hex string';
}

/** True if the text starts with `0x` or `0X`. */
function hasPrefix(text: string): boolean {
  return text.charCodeAt(0) === 0x30 && (text.charCodeAt(1) | 0x20) === 0x78;
}
