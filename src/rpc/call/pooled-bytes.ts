// Memory for long parameters, which is taken from a pool of buffers and returned when the call is answered. Allocating
// and freeing such memory for each call makes V8 mark its whole heap, at every seventh call with 2.4 MB of data.
import { POOLED_BUFFER_BYTES_MIN, BufferPool } from '../../lib/memory/buffer-pool.js';
import { LIMITS } from '../../limits/index.js';
import { allocateBytes } from '../params/arguments.js';
import type { MethodFunction } from './method-types.js';

const POOL = new BufferPool((bytes) => new ArrayBuffer(bytes), LIMITS.pooledBytesKeptMax);

/**
 * Wraps a method that no longer uses the bytes of its parameters once its result is settled. Until then, long byte
 * strings are in memory of the pool.
 */
export function withPooledParams<Deps>(run: MethodFunction<Deps>): MethodFunction<Deps> {
  return (args, readView, deps, caller) => {
    if (!args.hasLong) return run(args, readView, deps, caller);
    const buffers: ArrayBuffer[] = [];
    args.allocate = (length) => {
      // A buffer of the pool would be many times as large as these bytes.
      if (length < POOLED_BUFFER_BYTES_MIN) return allocateBytes(length);
      const buffer = POOL.take(length);
      buffers.push(buffer);
      return new Uint8Array(buffer, 0, length);
    };
    const result = run(args, readView, deps, caller);
    args.allocate = allocateBytes;
    if (result instanceof Promise) return result.finally(() => giveAll(buffers));
    giveAll(buffers);
    return result;
  };
}

function giveAll(buffers: readonly ArrayBuffer[]): void {
  for (const buffer of buffers) POOL.give(buffer);
}
