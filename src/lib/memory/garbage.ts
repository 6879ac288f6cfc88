// Garbage collection on demand. V8 does not count shared memory, so a thread that has nothing to do keeps what it refers to
// for as long as it idles or leaves little garbage of other kinds. Runs on every thread.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { LIMITS } from '../../limits/index.js';

type Collect = (options?: { readonly type: 'minor' }) => void;

let collect: Collect | null = null;
/** Bytes of shared memory that this thread has left since V8 was made to look for some. */
let left = 0;

/** Frees what this thread does not refer to any more, shared memory too. Takes some 10 ms for a heap of 20 MB. */
export function collectGarbage(): void {
  collect ??= exposed();
  collect();
}

/** Frees what this thread has made lately and does not refer to any more. Takes a millisecond for each that is left. */
export function collectYoung(): void {
  collect ??= exposed();
  collect({ type: 'minor' });
}

/**
 * Notes that this thread has left so many bytes of shared memory behind. From a bound on V8 is made to begin a collection, in
 * its own small steps: it is shown memory that it does count, of which not a page is touched. Gain: a table that was outgrown
 * goes within seconds, where without it every one stayed until the heap had grown. Price: a collection of this thread's heap
 * for each that is large.
 */
export function leftShared(bytes: number): void {
  left += bytes;
  if (left < LIMITS.sharedGarbageBytesMax) return;
  left = 0;
  void new ArrayBuffer(LIMITS.garbageHintBytes);
}

/** Bytes of large foreign answers since they were collected. */
let foreign = 0;
let collection: NodeJS.Timeout | null = null;

/**
 * Notes that an answer or a message of so many bytes has come from outside. Where much has come in large ones, all is collected
 * once none has come for a while. Gain: of 350 MB that a publisher kept after 1.2 GB of a node's answers for as long as it had
 * little to do, 90 stay: blocks of the C library, and memory of main. Price: 10 to 20 ms of the thread, once behind each such burst.
 */
export function tookForeign(bytes: number): void {
  if (bytes < LIMITS.largeForeignBytesMin) return;
  foreign += bytes;
  if (foreign < LIMITS.foreignGarbageBytesMax) return;
  collection ??= setTimeout(collectForeign, LIMITS.foreignGarbageIdleMs).unref();
  collection.refresh();
}

function collectForeign(): void {
  foreign = 0;
  collection = null;
  collectGarbage();
}

/**
 * V8 gives its collector to contexts made while the flag is set. It stays so: flags are those of the process, and another thread may
 * be about to make its context.
 */
function exposed(): Collect {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as Collect;
}
