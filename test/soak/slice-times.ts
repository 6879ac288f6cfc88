// Times for which slices of growth and eviction block the thread, without what garbage collection and other processes
// add. A slice took no longer than wall time says, and no longer than the thread's CPU time, which Linux counts in
// steps of up to 4 ms: the shorter one counts. Slices during a collection are reported separately. Runs on the main
// thread of the soak test.
import { PerformanceObserver } from 'node:perf_hooks';
import { setImmediate } from 'node:timers/promises';
import { threadCpuClock } from '../support/thread-cpu.js';

/** A slice; buckets were copied, or passed by a clock hand. */
export interface Slice {
  readonly ms: number;
  readonly places: number;
}

/** The longest slices, and how many took longer than LONG_MS. */
export interface SliceReport {
  readonly slices: number;
  /** Of the slices without a garbage collection. */
  readonly longest: Slice;
  readonly long: number;
  /** Of the slices with one. */
  readonly longestCollected: Slice;
  readonly collected: number;
}

/** A slice must not block the publisher for longer. */
export const LONG_MS = 2;
/** Shorter slices are only counted. */
const NOTED_MS = 0.3;
const NONE: Slice = { ms: 0, places: 0 };

interface Noted extends Slice {
  readonly fromMs: number;
  readonly toMs: number;
}

interface Mark {
  readonly wallMs: number;
  readonly cpuMs: number;
}

/** Measures one table writer, which must be created with `now` and `onSlice`. */
export class SliceTimes {
  readonly #cpuMs = threadCpuClock();
  readonly #noted: Noted[] = [];
  readonly #collections: { readonly fromMs: number; readonly toMs: number }[] = [];
  readonly #observer = new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries())
      this.#collections.push({ fromMs: startTime, toMs: startTime + duration });
  });
  #slices = 0;
  /** The last two readings of the clock, between which is the slice that will be reported next. */
  #before: Mark = { wallMs: 0, cpuMs: 0 };
  #last = this.#before;

  constructor() {
    this.#observer.observe({ entryTypes: ['gc'] });
  }

  /** The clock for the table's writer. */
  readonly now = (): number => {
    this.#before = this.#last;
    this.#last = { wallMs: performance.now(), cpuMs: this.#cpuMs() };
    return this.#last.wallMs;
  };

  /** A slice has ended. */
  readonly onSlice = (places: number): void => {
    this.#slices++;
    const [fromMs, toMs] = [this.#before.wallMs, this.#last.wallMs];
    const ms = Math.min(toMs - fromMs, this.#last.cpuMs - this.#before.cpuMs);
    if (ms >= NOTED_MS) this.#noted.push({ ms, places, fromMs, toMs });
  };

  /** Resolves once all collections have been reported. */
  async end(): Promise<SliceReport> {
    await setImmediate();
    this.#observer.disconnect();
    const { collected, others } = this.#parted();
    return {
      slices: this.#slices,
      longest: longestOf(others),
      long: others.filter(({ ms }) => ms > LONG_MS).length,
      longestCollected: longestOf(collected),
      collected: collected.length,
    };
  }

  /** Separates slices with a collection from the others; both are in order of time. */
  #parted(): { readonly collected: readonly Slice[]; readonly others: readonly Slice[] } {
    const [collected, others]: [Slice[], Slice[]] = [[], []];
    let at = 0;
    for (const slice of this.#noted) {
      while (at < this.#collections.length && this.#collections[at]!.toMs <= slice.fromMs) at++;
      const isCollected = at < this.#collections.length && this.#collections[at]!.fromMs < slice.toMs;
      (isCollected ? collected : others).push(slice);
    }
    return { collected, others };
  }
}

function longestOf(slices: readonly Slice[]): Slice {
  return slices.reduce((longest, slice) => (slice.ms > longest.ms ? slice : longest), NONE);
}
