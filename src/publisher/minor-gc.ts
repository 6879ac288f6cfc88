// Runs V8's young-generation garbage collection right after a publication, while nobody waits. Otherwise V8 would stop
// the thread for it during the next publication.

// A young-generation collection runs right after a publication when there are 4 MiB of garbage. Without it, V8 stopped
// the thread during 129 of 2,119 increments of 10 transactions, one in a hundred for 6.9 ms or longer, where the median
// increment takes 2.1 ms; with it, during 4 of 2,160 (`feed.bench`). See DECISIONS.md.
import { getHeapStatistics } from 'node:v8';
import { collectYoungGarbage } from '../lib/memory/garbage-collection.js';
import { LIMITS } from '../limits/index.js';

interface Heap {
  /** Bytes of the heap in use, including garbage. */
  readonly usedBytes: () => number;
  readonly collectYoung: () => void;
  /** Runs the callback after the event loop has handled the messages that have arrived. */
  readonly later: (callback: () => void) => void;
}

/** The heap of the current thread. */
const OWN: Heap = {
  usedBytes: () => getHeapStatistics().used_heap_size,
  collectYoung: collectYoungGarbage,
  later: (callback) => setImmediate(callback),
};

/**
 * Decides when to collect the young generation's garbage. Each thread needs its own instance, as it has its own heap.
 */
export class MinorGc {
  readonly #heap: Heap;
  /** Heap size after the last collection, whether this class or V8 started it. */
  #leftBytes: number;
  #isPlanned = false;

  constructor(heap: Heap = OWN) {
    this.#heap = heap;
    this.#leftBytes = heap.usedBytes();
  }

  /**
   * Must be called when all messages about a publication were sent, and nothing else is left to do in this event-loop
   * tick.
   */
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
