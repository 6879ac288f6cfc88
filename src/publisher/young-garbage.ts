// When the publisher's young garbage is collected: right after a publication, while nobody waits, so that V8 does not stop in
// the midst of the next one for it. Gain: a scavenge takes 2 to 20 ms, an increment of 10 transactions 2. Price: objects that
// live a little longer than a publication are copied more often. Runs on the publisher.

// Decision (2026-11, two cores): Young garbage goes between increments (`src/publisher/young-garbage.ts`): V8 is asked
// to collect it right after a publication, once there are 4 MiB. While 200 increments of 10 transactions were on their
// way V8 stopped the publisher for 16 ms by itself, now for 3. Price: three times as many collections, together as
// long. A larger young generation beside that made nothing better.
import { getHeapStatistics } from 'node:v8';
import { collectYoung } from '../lib/memory/garbage.js';
import { LIMITS } from '../limits/index.js';

/** The heap of a thread. */
interface Heap {
  /** Bytes in use, garbage included. */
  readonly usedBytes: () => number;
  readonly collectYoung: () => void;
  /** Calls back when the event loop has taken in what has arrived. */
  readonly later: (callback: () => void) => void;
}

/** Of this thread. */
const OWN: Heap = {
  usedBytes: () => getHeapStatistics().used_heap_size,
  collectYoung,
  later: (callback) => setImmediate(callback),
};

/** One per thread. */
export class YoungGarbage {
  readonly #heap: Heap;
  /** After the last collection, ours or V8's. */
  #leftBytes: number;
  #isPlanned = false;

  constructor(heap: Heap = OWN) {
    this.#heap = heap;
    this.#leftBytes = heap.usedBytes();
  }

  /** Something was published, of which everybody has been told: this turn of the event loop is as good as over. */
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
