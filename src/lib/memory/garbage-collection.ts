// Garbage collection on demand. V8 does not count shared memory when it decides whether to collect garbage. So a thread
// that is idle, or makes little other garbage, holds shared memory that nobody uses.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { LIMITS } from '../../limits/index.js';

type Collect = (options?: { readonly type: 'minor' }) => void;

let collect: Collect | null = null;
/** Bytes of shared memory that this thread has dropped since it last made V8 collect garbage. */
let left = 0;

/** Runs a full garbage collection, which also frees unused shared memory. It takes some 10 ms for a heap of 20 MB. */
export function collectGarbage(): void {
  collect ??= exposed();
  collect();
}

/** Runs a minor garbage collection. It takes about a millisecond for each MB that survives. */
export function collectYoungGarbage(): void {
  collect ??= exposed();
  collect({ type: 'minor' });
}

/**
 * Records that this thread has dropped this many bytes of shared memory, which V8 does not count as garbage. Above a
 * bound, this allocates memory that V8 counts, without touching its pages, so that V8 starts an incremental collection.
 * An outgrown state table is then freed within seconds, where it would otherwise stay until the heap has grown. The
 * price is one collection of this thread's heap per large table.
 */
export function recordDroppedSharedMemory(bytes: number): void {
  left += bytes;
  if (left < LIMITS.sharedGarbageBytesMax) return;
  left = 0;
  void new ArrayBuffer(LIMITS.garbageHintBytes);
}

/** Bytes of large incoming messages since the last garbage collection. */
let external = 0;
let collection: NodeJS.Timeout | null = null;

/**
 * Records an incoming response or message of this many bytes. After many large ones, a full garbage collection runs
 * when none has arrived for a while. It takes 10 to 20 ms of the thread, once after each such burst. Without it, a
 * publisher thread with little to do held 350 MB after 1.2 GB of responses; with it, 90 MB.
 */
export function recordReceivedMemory(bytes: number): void {
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
 * Returns V8's garbage collector function, which V8 exposes to contexts that are created while the flag is set. The
 * flag stays set, because flags apply to the whole process and another thread may be about to create its context.
 */
function exposed(): Collect {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as Collect;
}
