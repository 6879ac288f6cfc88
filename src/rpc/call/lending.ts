// Bytes of long parameters, in memory that is used again once their call is answered. Memory that comes and goes makes V8
// mark its whole heap: at every seventh call with 2.4 MB of data.
import { BufferPool } from '../../lib/memory/buffer-pool.js';
import { LIMITS } from '../../limits/index.js';
import { newBytes } from '../params/arguments.js';
import type { Run } from './method.js';

const LENT = new BufferPool((bytes) => new ArrayBuffer(bytes), LIMITS.lentBytesKeptMax);

/** A method that keeps none of the bytes it reads: those of long texts are only lent to it until it is answered. */
export function lending<Deps>(run: Run<Deps>): Run<Deps> {
  return (args, readView, deps, caller) => {
    if (!args.hasLong) return run(args, readView, deps, caller);
    const lent: ArrayBuffer[] = [];
    args.allocate = (length) => {
      const memory = LENT.take(length);
      lent.push(memory);
      return new Uint8Array(memory, 0, length);
    };
    const result = run(args, readView, deps, caller);
    args.allocate = newBytes;
    if (result instanceof Promise) return result.finally(() => giveBack(lent));
    giveBack(lent);
    return result;
  };
}

function giveBack(lent: readonly ArrayBuffer[]): void {
  for (const memory of lent) LENT.give(memory);
}
