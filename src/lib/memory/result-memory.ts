// Memory for long results of estimator threads, which is reused once the only response that needs it is written. See
// DECISIONS.md.
import { LIMITS } from '../../limits/index.js';
import { BufferPool } from './buffer-pool.js';

const POOL = new BufferPool((bytes) => new ArrayBuffer(bytes), LIMITS.longResultsKeptBytesMax);
/** Buffers in use that `recycleResult` may return to the pool. Those that nobody returns are left to V8. */
const RECYCLABLE = new WeakSet<ArrayBufferLike>();

/** Copies a long result. The copy is valid until `recycleResult`, and for good if that is never called. */
export function copyResult(result: Uint8Array): Uint8Array {
  const buffer = POOL.take(result.length);
  RECYCLABLE.add(buffer);
  const copy = new Uint8Array(buffer, 0, result.length);
  copy.set(result);
  return copy;
}

/** Leaves the memory of a result to V8, because more than one caller has the result. */
export function keepResult(result: Uint8Array): void {
  RECYCLABLE.delete(result.buffer);
}

/**
 * Returns the memory of a result that nobody needs any more. Does nothing if `copyResult` did not provide this memory,
 * or if it was left to V8.
 */
export function recycleResult(result: Uint8Array): void {
  if (RECYCLABLE.delete(result.buffer)) POOL.give(result.buffer as ArrayBuffer);
}
