// Long bytes that many readers share, in memory that is used again when the last of them is through. Runs on main; the
// estimators load it with their mailbox.
import { LIMITS } from '../../limits/index.js';
import { BufferPool } from './buffer-pool.js';

const POOL = new BufferPool((bytes) => new ArrayBuffer(bytes), LIMITS.lentKeptBytesMax);
/** Readers of each buffer. */
const HOLDS = new Map<ArrayBufferLike, number>();
let bytesLent = 0;

/** Bytes of the buffers that are lent now. */
export function lentBytes(): number {
  return bytesLent;
}

/**
 * A copy of `bytes` for whoever gets it in this turn of the event loop. A long one is valid until the turn is over, and as long
 * as it is held. Gain: results of 4.9 MB that came and went made V8 collect after every few. Price: who forgets to hold reads
 * what comes next.
 */
export function lend(bytes: Uint8Array): Uint8Array {
  if (bytes.length < LIMITS.lentBytesMin) return bytes.slice();
  const buffer = POOL.take(bytes.length);
  const copy = new Uint8Array(buffer, 0, bytes.length);
  copy.set(bytes);
  HOLDS.set(buffer, 1);
  bytesLent += buffer.byteLength;
  setImmediate(() => release(copy));
  return copy;
}

/** True if bytes are lent: valid only where they are held. */
export function isLent({ buffer }: Uint8Array): boolean {
  return HOLDS.has(buffer);
}

/** Holds bytes once more; nothing where they are not lent. */
export function hold({ buffer }: Uint8Array): void {
  const holds = HOLDS.get(buffer);
  if (holds !== undefined) HOLDS.set(buffer, holds + 1);
}

/** Gives up one hold. */
export function release({ buffer }: Uint8Array): void {
  const holds = HOLDS.get(buffer);
  if (holds === undefined) return;
  if (holds > 1) return void HOLDS.set(buffer, holds - 1);
  HOLDS.delete(buffer);
  bytesLent -= buffer.byteLength;
  POOL.give(buffer as ArrayBuffer);
}
