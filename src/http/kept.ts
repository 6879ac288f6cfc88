// A copy of bytes that can be given back to the system at once. Runs on main.

/** From this size on a copy is given back at once; smaller ones come to little before they are collected. */
const RELEASED_BYTES_MIN = 64 * 1024;

/** Copied bytes, kept until they are released. */
export interface KeptBytes {
  readonly bytes: Uint8Array;
  /** The bytes must not be used any more. */
  readonly release: () => void;
}

/**
 * Copies `bytes`. An ordinary buffer is given back when V8 collects it, and an idle process collects nothing: after a
 * few hundred clients that left in the middle of large answers, 0.2 GB stayed. A resizable buffer has pages of its own
 * and gives them back when it is shrunk. Price: a copy takes a fifth longer.
 */
export function keepBytes(bytes: Uint8Array): KeptBytes {
  const { length } = bytes;
  if (length < RELEASED_BYTES_MIN) return { bytes: new Uint8Array(bytes), release: () => undefined };
  const buffer = new ArrayBuffer(length, { maxByteLength: length });
  const copy = new Uint8Array(buffer);
  copy.set(bytes);
  return { bytes: copy, release: () => buffer.resize(0) };
}
