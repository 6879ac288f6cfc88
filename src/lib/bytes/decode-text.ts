// Decodes parts of a buffer as strings. `Buffer.toString` looks these functions up by the encoding's name at each call,
// which takes a third of its time for short strings.

interface BufferSlices {
  readonly latin1Slice: (this: Uint8Array, start: number, end: number) => string;
  readonly utf8Slice: (this: Uint8Array, start: number, end: number) => string;
}

const slices = Buffer.prototype as unknown as BufferSlices;

/** Decodes these bytes as Latin-1: one character for each byte. */
export function latin1Slice(bytes: Uint8Array, start: number, end: number): string {
  return slices.latin1Slice.call(bytes, start, end);
}

/** Decodes these bytes as UTF-8. */
export function utf8Slice(bytes: Uint8Array, start: number, end: number): string {
  return slices.utf8Slice.call(bytes, start, end);
}
