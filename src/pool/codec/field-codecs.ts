// Packs jobs and outcomes into bytes, so that a message between threads is one buffer and no objects are cloned. This
// file encodes lists, and objects by tables of their fields.
//
// u8, u32: little endian. number: IEEE 754 double. integer: u8 count of 64-bit limbs, limbs, low limb first. bytes: u32
// length, bytes. list of X: u32 count, X times count. Fields with a flag are present when its bit is set.
import type { ByteReader, ByteWriter } from '../../lib/bytes/byte-reader-writer.js';

/** How a value of one type is packed and unpacked. Unpacked bytes are views of the reader's memory. */
export interface Codec<Value> {
  pack(value: Value, to: ByteWriter): void;
  unpack(from: ByteReader): Value;
}

/** A codec for each field of an object. */
type Fields<T> = { readonly [Name in keyof T]-?: Codec<Exclude<T[Name], undefined>> };

export const INTEGER_CODEC: Codec<bigint> = {
  pack: (value, to) => to.integer(value),
  unpack: (from) => from.integer(),
};
export const BYTES_CODEC: Codec<Uint8Array> = { pack: (value, to) => to.bytes(value), unpack: (from) => from.bytes() };
/** Codec for bytes that are copied when they are unpacked. */
export const COPIED_BYTES_CODEC: Codec<Uint8Array> = {
  pack: (value, to) => to.bytes(value),
  unpack: (from) => from.bytes().slice(),
};

export function listCodec<Item>(item: Codec<Item>): Codec<readonly Item[]> {
  return {
    pack(items, to) {
      to.u32(items.length);
      for (const each of items) item.pack(each, to);
    },
    unpack(from) {
      const count = from.u32();
      const items: Item[] = [];
      for (let index = 0; index < count; index++) items.push(item.unpack(from));
      return items;
    },
  };
}

export function pairCodec<A, B>(first: Codec<A>, second: Codec<B>): Codec<readonly [A, B]> {
  return {
    pack([a, b], to) {
      first.pack(a, to);
      second.pack(b, to);
    },
    unpack: (from) => [first.unpack(from), second.unpack(from)],
  };
}

/** Returns a codec for an object that has all of these fields, in the order of the table. */
export function structCodec<T extends object>(fields: Fields<T>): Codec<T> {
  const optional = new OptionalFieldsCodec<T>(fields);
  return { pack: (value, to) => optional.packThese(-1, value, to), unpack: (from) => optional.unpackThese(-1, from) };
}

/** Codec for the fields of an object that may be absent: it packs u32 flags, and then the fields that are present. */
export class OptionalFieldsCodec<T extends object> implements Codec<T> {
  readonly #names: readonly string[];
  readonly #codecs: readonly Codec<unknown>[];

  /** Bit n of the flags stands for the n-th member of `fields`. */
  constructor(fields: Fields<T>) {
    this.#names = Object.keys(fields);
    this.#codecs = Object.values<Codec<unknown>>(fields);
  }

  pack(value: T, to: ByteWriter): void {
    const flags = this.flagsOf(value);
    to.u32(flags);
    this.packThese(flags, value, to);
  }

  unpack(from: ByteReader): T {
    return this.unpackThese(from.u32(), from);
  }

  /** Returns the flags: one bit for each field, which is set if the field is present. */
  flagsOf(value: T): number {
    const members = value as Readonly<Record<string, unknown>>;
    let flags = 0;
    for (let at = 0; at < this.#names.length; at++) if (members[this.#names[at]!] !== undefined) flags |= 1 << at;
    return flags;
  }

  packThese(flags: number, value: T, to: ByteWriter): void {
    const members = value as Readonly<Record<string, unknown>>;
    for (let at = 0; at < this.#names.length; at++)
      if (flags & (1 << at)) this.#codecs[at]!.pack(members[this.#names[at]!], to);
  }

  /**
   * Unpacks the fields with these flags into `value`, because adding members by a spread takes some 3 us on Node.js 20.
   */
  unpackThese(flags: number, from: ByteReader, value: Partial<T> = {}): T {
    const members = value as Record<string, unknown>;
    for (let at = 0; at < this.#names.length; at++)
      if (flags & (1 << at)) members[this.#names[at]!] = this.#codecs[at]!.unpack(from);
    return members as T;
  }
}
