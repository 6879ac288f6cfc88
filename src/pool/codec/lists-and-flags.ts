// Jobs and outcomes are packed into bytes: a message between threads is one buffer, and no objects are cloned. This
// file encodes lists and the flags of optional fields.
//
// u8, u32: little endian. number: IEEE 754 double. integer: u8 count of 64-bit limbs, limbs, low limb first. bytes: u32
// length, bytes. list of X: u32 count, X times count. Fields with a flag are present when its bit is set.
import type { ByteReader, ByteWriter } from '../../lib/bytes/byte-reader-writer.js';

export function packList<Item>(
  items: readonly Item[],
  to: ByteWriter,
  pack: (item: Item, to: ByteWriter) => void,
): void {
  to.u32(items.length);
  for (const item of items) pack(item, to);
}

export function unpackList<Item>(from: ByteReader, unpack: (from: ByteReader) => Item): Item[] {
  const count = from.u32();
  const items: Item[] = [];
  for (let index = 0; index < count; index++) items.push(unpack(from));
  return items;
}

export function packBytes(bytes: Uint8Array, to: ByteWriter): void {
  to.bytes(bytes);
}

/** The next bytes, as a view of the reader's source. */
export function unpackBytes(from: ByteReader): Uint8Array {
  return from.bytes();
}

/** A copy of the next bytes. */
export function unpackBytesCopy(from: ByteReader): Uint8Array {
  return from.bytes().slice();
}

/** The flags of the fields that are present. */
export function presenceFlags<Field extends string>(
  fields: { readonly [name in NoInfer<Field>]?: unknown },
  bits: Readonly<Record<Field, number>>,
): number {
  let flags = 0;
  for (const name in bits) if (fields[name] !== undefined) flags |= bits[name];
  return flags;
}
