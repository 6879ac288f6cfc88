// Bytes whose memory can be given back to the system at once. Runs on main.

/** From this size on memory is given back at once; smaller buffers can wait for the collector. */
const RELEASED_BYTES_MIN = 64 * 1024;

/** Bytes, kept until they are released. */
export interface KeptBytes {
  readonly bytes: Uint8Array;
  /** The bytes must not be used any more. */
  readonly release: () => void;
}

/**
 * Room for `length` bytes, zeros. An ordinary buffer is given back when V8 collects it, and an idle process collects
 * nothing: after a few hundred clients that left in the middle of large answers, 0.2 GB stayed. A resizable buffer has
 * pages of its own and gives them back when it is shrunk. Price: filling it takes a fifth longer.
 */
export function allocateBytes(length: number): KeptBytes {
  if (length < RELEASED_BYTES_MIN) return { bytes: new Uint8Array(length), release: () => undefined };
  const buffer = new ArrayBuffer(length, { maxByteLength: length });
  return { bytes: new Uint8Array(buffer), release: () => buffer.resize(0) };
}

/** A copy of `bytes`. */
export function keepBytes(bytes: Uint8Array): KeptBytes {
  const kept = allocateBytes(bytes.length);
  kept.bytes.set(bytes);
  return kept;
}
