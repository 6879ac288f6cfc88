// Garbage collection on demand. V8 does not count shared memory, so a thread that is idle or produces little other
// garbage keeps unreferenced shared memory alive.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { LIMITS } from '../../limits/index.js';

type Collect = (options?: { readonly type: 'minor' }) => void;

let collect: Collect | null = null;
/** Bytes of shared memory that this thread has dropped since it last triggered a collection. */
let left = 0;

/** Runs a full collection, which also frees unreferenced shared memory. Takes some 10 ms for a heap of 20 MB. */
export function collectGarbage(): void {
  collect ??= exposed();
  collect();
}

/** Runs a minor collection. Takes about a millisecond for each MB that survives. */
export function collectMinor(): void {
  collect ??= exposed();
  collect({ type: 'minor' });
}

/**
 * Records that this thread has dropped so many bytes of shared memory. Beyond a bound V8 is made to start an
 * incremental collection, by allocating memory that it does count, of which no page is touched. Gain: an outgrown table
 * is freed within seconds, where otherwise every one stayed until the heap had grown. Price: a collection of this
 * thread's heap for each large one.
 */
export function droppedShared(bytes: number): void {
  left += bytes;
  if (left < LIMITS.sharedGarbageBytesMax) return;
  left = 0;
  void new ArrayBuffer(LIMITS.garbageHintBytes);
}

/** Bytes of large incoming messages since the last collection. */
let external = 0;
let collection: NodeJS.Timeout | null = null;

/**
 * Records an incoming response or message of so many bytes. After many large ones a full collection runs once none has
 * arrived for a while. Gain: of 350 MB that a publisher kept after 1.2 GB of a node's responses for as long as it had
 * little to do, 90 stay: blocks of the C library, and memory of main. Price: 10 to 20 ms of the thread, once after each
 * such burst.
 */
export function tookExternal(bytes: number): void {
  if (bytes < LIMITS.largeExternalBytesMin) return;
  external += bytes;
  if (external < LIMITS.externalGarbageBytesMax) return;
  collection ??= setTimeout(collectExternal, LIMITS.externalGarbageIdleMs).unref();
  collection.refresh();
}

function collectExternal(): void {
  external = 0;
  collection = null;
  collectGarbage();
}

/**
 * V8 exposes its collector to contexts created while the flag is set. The flag stays set: flags are process-wide, and
 * another thread may be about to create its context.
 */
function exposed(): Collect {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as Collect;
}
