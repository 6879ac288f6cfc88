// Decodes RLP (yellow paper appendix B), either item by item as the caller expects them, or as a whole tree.
import { RLP_LIST_PREFIX_MIN } from './encode-rlp.js';
import { readInteger } from './big-endian.js';

/** A decoded item: a view of the encoded bytes, or a list of items. */
export type DecodedRlpItem = Uint8Array | readonly DecodedRlpItem[];

/** Decodes one item that spans all bytes. Its error messages are those of @ethereumjs/rlp, because clients see them. */
export function decodeRlp(bytes: Uint8Array): DecodedRlpItem {
  if (bytes.length === 0) return bytes;
  const reader = new RlpReader(bytes);
  const item = readItem(reader);
  const fault = reader.fault ?? (reader.isAtEnd ? null : 'invalid RLP: remainder must be zero');
  if (fault !== null) throw new Error(fault);
  return item;
}

function readItem(reader: RlpReader): DecodedRlpItem {
  return reader.isAtList ? reader.list(readItem) : reader.string();
}

/** From this length on, the length of a payload is written in front of it as a number. */
const LONG_MIN = 56;
const OUT_OF_BOUNDS = 'invalid RLP (safeSlice): end slice of Uint8Array out-of-bounds';
/**
 * Errors of an item whose payload length is written in front of it. `least`: minimum bytes of payload that must follow.
 */
const LONG_FAULTS = {
  string: {
    least: 1,
    cut: 'invalid RLP: not enough bytes for string length',
    short: 'invalid RLP: expected string length to be greater than 55',
    beyond: OUT_OF_BOUNDS,
  },
  list: {
    least: 0,
    cut: OUT_OF_BOUNDS,
    short: 'invalid RLP: encoded list too short',
    beyond: 'invalid RLP: total length is larger than the data',
  },
};

/**
 * Reads canonical RLP item by item. After an error all reads return empty values, so that the caller checks only once,
 * at the end.
 */
export class RlpReader {
  readonly #bytes: Uint8Array;
  #at: number;
  /** End offset of the list that is being read. */
  #end: number;
  #fault: string | null = null;
  /** Start offset of the last item's payload. */
  #itemAt = 0;

  /** `start` is the offset of the first item. */
  constructor(bytes: Uint8Array, start = 0) {
    this.#bytes = bytes;
    this.#at = start;
    this.#end = bytes.length;
  }

  /** True if there was no error so far. */
  get isSound(): boolean {
    return this.#fault === null;
  }

  /** The first error; `null` if there was none. */
  get fault(): string | null {
    return this.#fault;
  }

  /** True if the next item is a list. */
  get isAtList(): boolean {
    return this.#bytes[this.#at]! >= RLP_LIST_PREFIX_MIN;
  }

  /** Offset of the next item. */
  get offset(): number {
    return this.#at;
  }

  /** True if the current list, or at top level the input, has been read to its end. */
  get isAtEnd(): boolean {
    return this.#at === this.#end;
  }

  /** Moves back or forward to an item of the current list, whose offset was read before. */
  seek(offset: number): void {
    if (this.#fault === null) this.#at = offset;
  }

  /** Reads a byte string, as a view. */
  string(): Uint8Array {
    this.#item(false);
    return this.#bytes.subarray(this.#itemAt, this.#at);
  }

  /** Reads a byte string of exactly `length` bytes, as a view. */
  exactly(length: number): Uint8Array {
    const bytes = this.string();
    if (bytes.length !== length) this.#fail('invalid RLP: a string of another length');
    return bytes;
  }

  /** Reads an unsigned integer of at most `bytesMax` bytes, without leading zeros. */
  integer(bytesMax: number): bigint {
    this.skipInteger(bytesMax);
    return this.#fault === null ? readInteger(this.#bytes, this.#itemAt, this.#at) : 0n;
  }

  /** Skips an unsigned integer of at most `bytesMax` bytes. */
  skipInteger(bytesMax: number): void {
    this.#item(false);
    const from = this.#itemAt;
    if (this.#at - from > bytesMax || (this.#at > from && this.#bytes[from] === 0))
      this.#fail('invalid RLP: no integer');
  }

  /** Skips an item of any kind. */
  skip(): void {
    this.#item(this.isAtList);
  }

  /** Enters a list. The returned value must be passed to `leave`. */
  enter(): number {
    const outer = this.#end;
    this.#item(true);
    this.#end = this.#at;
    this.#at = this.#itemAt;
    return outer;
  }

  /** Leaves a list that has been read to its end. */
  leave(outer: number): void {
    if (this.#at !== this.#end) this.#fail('invalid RLP: a list with more items');
    this.#end = this.#fault === null ? outer : this.#at;
  }

  /** Reads a list, each of whose items `read` reads. */
  list<T>(read: (reader: RlpReader) => T): T[] {
    const items: T[] = [];
    const outer = this.enter();
    while (this.#at < this.#end) items.push(read(this));
    this.leave(outer);
    return items;
  }

  /** Reads the prefix of the next item. The item's payload is then from `#itemAt` to `#at`. */
  #item(isList: boolean): void {
    const at = this.#at;
    const first = at < this.#end ? this.#bytes[at]! : -1;
    if (first < 0 || first >= RLP_LIST_PREFIX_MIN !== isList) return this.#fail('invalid RLP: another item expected');
    if (first < 0x80) return this.#take(at, 1);
    const short = first - (isList ? RLP_LIST_PREFIX_MIN : 0x80);
    if (short >= LONG_MIN) return this.#longItem(at, short - LONG_MIN + 1, LONG_FAULTS[isList ? 'list' : 'string']);
    this.#take(at + 1, short);
    if (!isList && short === 1 && this.#bytes[this.#itemAt]! < 0x80)
      this.#fail('invalid RLP encoding: invalid prefix, single byte < 0x80 are not prefixed');
  }

  #longItem(at: number, lengthBytes: number, faults: (typeof LONG_FAULTS)['list']): void {
    if (this.#end - at <= lengthBytes + faults.least) return this.#fail(faults.cut);
    if (this.#bytes[at + 1] === 0) return this.#fail('invalid RLP: extra zeros');
    let length = 0;
    for (let i = 1; i <= lengthBytes; i++) length = length * 256 + this.#bytes[at + i]!;
    if (length < LONG_MIN) return this.#fail(faults.short);
    this.#take(at + 1 + lengthBytes, length, faults.beyond);
  }

  #take(from: number, length: number, fault = OUT_OF_BOUNDS): void {
    if (length > this.#end - from) return this.#fail(fault);
    this.#itemAt = from;
    this.#at = from + length;
  }

  #fail(fault: string): void {
    this.#fault ??= fault;
    this.#itemAt = this.#at = this.#end;
  }
}
