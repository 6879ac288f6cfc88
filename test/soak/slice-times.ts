// Times for which slices of growth and clean-up keep the thread, told apart from what the collector and other processes
// add to them. A slice has taken no longer than the wall says, and no longer than the thread's CPU time, which Linux
// counts in steps of up to 4 ms: the shorter of both counts. What slices within a collection took is told beside it.
// Runs on the main thread of the soak.
import { PerformanceObserver } from 'node:perf_hooks';
import { setImmediate } from 'node:timers/promises';
import { threadCpuClock } from '../support/thread-cpu.js';

/** A slice; places were copied, or looked at by a hand. */
export interface Slice {
  readonly ms: number;
  readonly places: number;
}

/** The longest ones, and how many took longer than LONG_MS. */
export interface SliceReport {
  readonly slices: number;
  /** Of those in which the collector did not run. */
  readonly longest: Slice;
  readonly long: number;
  /** Of those in which it ran. */
  readonly longestCollected: Slice;
  readonly collected: number;
}

/** A slice keeps the publisher no longer. */
export const LONG_MS = 2;
/** Shorter ones are counted, and forgotten. */
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

/** Of one table writer, which is given `now` and `onSlice`. */
export class SliceTimes {
  readonly #cpuMs = threadCpuClock();
  readonly #noted: Noted[] = [];
  readonly #collections: { readonly fromMs: number; readonly toMs: number }[] = [];
  readonly #observer = new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries())
      this.#collections.push({ fromMs: startTime, toMs: startTime + duration });
  });
  #slices = 0;
  /** The last two times that the clock was read: between them lies the slice that is told of next. */
  #before: Mark = { wallMs: 0, cpuMs: 0 };
  #last = this.#before;

  constructor() {
    this.#observer.observe({ entryTypes: ['gc'] });
  }

  /** The clock of the table's writer. */
  readonly now = (): number => {
    this.#before = this.#last;
    this.#last = { wallMs: performance.now(), cpuMs: this.#cpuMs() };
    return this.#last.wallMs;
  };

  /** A slice is over. */
  readonly onSlice = (places: number): void => {
    this.#slices++;
    const [fromMs, toMs] = [this.#before.wallMs, this.#last.wallMs];
    const ms = Math.min(toMs - fromMs, this.#last.cpuMs - this.#before.cpuMs);
    if (ms >= NOTED_MS) this.#noted.push({ ms, places, fromMs, toMs });
  };

  /** Once the collector has told of everything. */
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

  /** Slices and collections both come one after the other. */
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
