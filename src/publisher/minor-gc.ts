// Collects the publisher's young garbage right after a publication, while nobody waits, so that V8 does not stop for it
// during the next one.

// Young garbage is collected between increments (`src/publisher/minor-gc.ts`): a minor collection runs right after a
// publication, once there are 4 MiB. Without that V8 stops 129 of 2,119 increments of 10 transactions by itself, one in
// a hundred for 6.9 ms or longer, where the median increment takes 2.1; with it 4 of 2,160, so that it no longer shows
// in the 99th percentile (`feed.bench`, pauses as reported by V8). See DECISIONS.md.
import { getHeapStatistics } from 'node:v8';
import { collectMinor } from '../lib/memory/garbage.js';
import { LIMITS } from '../limits/index.js';

/** The heap of a thread. */
interface Heap {
  /** Bytes in use, garbage included. */
  readonly usedBytes: () => number;
  readonly collectYoung: () => void;
  /** Runs the callback once the event loop has received what has arrived. */
  readonly later: (callback: () => void) => void;
}

/** Heap of this thread. */
const OWN: Heap = {
  usedBytes: () => getHeapStatistics().used_heap_size,
  collectYoung: collectMinor,
  later: (callback) => setImmediate(callback),
};

/** One per thread. */
export class MinorGc {
  readonly #heap: Heap;
  /** Heap size after the last collection, ours or V8's. */
  #leftBytes: number;
  #isPlanned = false;

  constructor(heap: Heap = OWN) {
    this.#heap = heap;
    this.#leftBytes = heap.usedBytes();
  }

  /** To be called when a publication has been announced to everybody: this event-loop tick is as good as over. */
  published(): void {
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    this.#heap.later(() => this.#collect());
  }

  #collect(): void {
    const { usedBytes, collectYoung: collect } = this.#heap;
    this.#isPlanned = false;
    this.#leftBytes = Math.min(this.#leftBytes, usedBytes());
    if (usedBytes() - this.#leftBytes < LIMITS.youngGarbageBytesMax) return;
    collect();
    this.#leftBytes = usedBytes();
  }
}
