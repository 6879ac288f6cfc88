// Reads RLP sequentially, without building a tree (yellow paper appendix B). Runs on main, publisher, estimators and
// senders.
import { readInteger } from './words.js';

/** Payloads from this length on are preceded by their length. */
const LONG_MIN = 56;

/**
 * A cursor over bytes. It accepts canonical encodings only; after an error all reads return empty values, so that a
 * caller checks once, at the end.
 */
export class RlpReader {
  readonly #bytes: Uint8Array;
  #at: number;
  /** End of the list that is being read. */
  #end: number;
  #isSound = true;
  /** Offset of the payload of the last item. */
  #itemAt = 0;

  /** `start`: offset of the first item. */
  constructor(bytes: Uint8Array, start = 0) {
    this.#bytes = bytes;
    this.#at = start;
    this.#end = bytes.length;
  }

  /** True if there was no error so far. */
  get isSound(): boolean {
    return this.#isSound;
  }

  /** Offset of the next item. */
  get offset(): number {
    return this.#at;
  }

  /** True if the current list, or at top level the input, has been read to its end. */
  get isAtEnd(): boolean {
    return this.#at === this.#end;
  }

  /** A byte string, as a view. */
  string(): Uint8Array {
    this.#item(false);
    return this.#bytes.subarray(this.#itemAt, this.#at);
  }

  /** A byte string of exactly so many bytes, as a view. */
  exactly(length: number): Uint8Array {
    const bytes = this.string();
    if (bytes.length !== length) this.#fail();
    return bytes;
  }

  /** An unsigned integer of at most `bytesMax` bytes, without leading zeros. */
  integer(bytesMax: number): bigint {
    this.#item(false);
    const from = this.#itemAt;
    if (this.#at - from > bytesMax || (this.#at > from && this.#bytes[from] === 0)) this.#fail();
    return this.#isSound ? readInteger(this.#bytes, from, this.#at) : 0n;
  }

  /** Skips an item of any kind. */
  skip(): void {
    this.#item(this.#bytes[this.#at]! >= 0xc0);
  }

  /** Enters a list; returns the argument for `leave`. */
  enter(): number {
    const outer = this.#end;
    this.#item(true);
    this.#end = this.#at;
    this.#at = this.#itemAt;
    return outer;
  }

  /** Leaves a list that has been read to its end. */
  leave(outer: number): void {
    if (this.#at !== this.#end) this.#fail();
    this.#end = this.#isSound ? outer : this.#at;
  }

  /** A list whose items are read by `read`. */
  list<T>(read: (reader: RlpReader) => T): T[] {
    const items: T[] = [];
    const outer = this.enter();
    while (this.#at < this.#end) items.push(read(this));
    this.leave(outer);
    return items;
  }

  /** Reads the prefix of the next item: its payload is then from `#itemAt` to `#at`. */
  #item(isList: boolean): void {
    const at = this.#at;
    const first = at < this.#end ? this.#bytes[at]! : -1;
    const base = isList ? 0xc0 : 0x80;
    if (first < 0 || first >= 0xc0 !== isList) return this.#fail();
    if (!isList && first < 0x80) return this.#take(at, 1);
    const short = first - base;
    if (short >= LONG_MIN) return this.#longItem(at, short - LONG_MIN + 1);
    // A byte below 0x80 is its own encoding.
    if (!isList && short === 1 && this.#bytes[at + 1]! < 0x80) return this.#fail();
    this.#take(at + 1, short);
  }

  #longItem(at: number, lengthBytes: number): void {
    let length = 0;
    for (let i = 1; i <= lengthBytes; i++) length = length * 256 + (this.#bytes[at + i] ?? Infinity);
    if (this.#bytes[at + 1] === 0 || length < LONG_MIN) return this.#fail();
    this.#take(at + 1 + lengthBytes, length);
  }

  #take(from: number, length: number): void {
    if (length > this.#end - from) return this.#fail();
    this.#itemAt = from;
    this.#at = from + length;
  }

  #fail(): void {
    this.#isSound = false;
    this.#itemAt = this.#at = this.#end;
  }
}
