// Measures the times of requests by method and by stage.

// Latencies are measured on main, and sampled under load. They are histograms with power-of-two buckets in typed
// arrays, which are read when metrics are scraped. See DECISIONS.md.
import { preciseMs } from '../../lib/clock.js';
import { Histogram } from '../../lib/histogram.js';
import { LIMITS } from '../../limits/index.js';

/**
 * A stage of main's work for a body. `decode`: from its bytes to decoded calls; plain reads have this as a part of
 * `read`. `read`: until main has answered what it can answer itself and has dispatched the rest. `answer`: from the
 * last result until the transport has the bytes.
 */
type RequestStage = 'decode' | 'read' | 'answer';

/** Name under which batches are counted. */
export const BATCH_LABEL = 'batch';
/** Name under which requests refused for overload are counted. */
export const REFUSED_LABEL = 'refused';
/** Name under which any other request without a method is counted. */
export const OTHER_LABEL = 'other';

/** The clock, and a source of random numbers from 0 to 1. */
interface RequestLatencyDeps {
  readonly nowMs: () => number;
  readonly random: () => number;
}

/**
 * Times of all requests: every one is timed up to LIMITS.timedRequestsMax a second; beyond that, a sample represents
 * the requests since the last sample. Gain: timing takes 2 us or more in addition to the 9 of a read; sampled, 1 % of
 * that at most. Price: under load a single slow request may be missed; all are counted. The samples are chosen at
 * random, because clients repeat themselves.
 */
export class RequestLatency {
  /** Times from the complete request to the whole response, by method or by one of the names above. */
  readonly requests = new Map<string, Histogram>();
  readonly stages: Readonly<Record<RequestStage, Histogram>> = {
    decode: new Histogram(),
    read: new Histogram(),
    answer: new Histogram(),
  };
  readonly #deps: RequestLatencyDeps;
  /** Number of requests from one sample to the next, and how many of them are still to come. */
  #step = 1;
  #left = 1;
  #timedMs = 0;

  constructor(deps: RequestLatencyDeps = { nowMs: preciseMs, random: Math.random }) {
    this.#deps = deps;
  }

  /** Called for each request; `null` if it is not timed. */
  begin(): RequestTiming | null {
    return --this.#left > 0 ? null : this.#time();
  }

  of(name: string): Histogram {
    const known = this.requests.get(name);
    if (known !== undefined) return known;
    const histogram = new Histogram();
    this.requests.set(name, histogram);
    return histogram;
  }

  #time(): RequestTiming {
    const { nowMs, random } = this.#deps;
    const weight = this.#step;
    const now = nowMs();
    const betweenMs = (now - this.#timedMs) / weight;
    this.#timedMs = now;
    this.#step = drawn(stepAt(betweenMs), random);
    this.#left = this.#step;
    return new RequestTiming(this, weight, { now, nowMs });
  }
}

/** Number of requests between samples at this rate. */
function stepAt(betweenMs: number): number {
  const step = 1000 / LIMITS.timedRequestsMax / betweenMs;
  return Math.min(Math.max(Math.round(step), 1), LIMITS.timingStepMax);
}

/** A random number of at least 1 with the mean `step`. */
function drawn(step: number, random: () => number): number {
  return 1 + Math.floor(random() * (2 * step - 1));
}

export class RequestTiming {
  /** Name under which the request is counted. */
  name = OTHER_LABEL;
  readonly #latency: RequestLatency;
  readonly #weight: number;
  readonly #nowMs: () => number;
  readonly #startedMs: number;
  #sinceMs: number;

  constructor(
    latency: RequestLatency,
    weight: number,
    { now, nowMs }: { readonly now: number; readonly nowMs: () => number },
  ) {
    this.#latency = latency;
    this.#weight = weight;
    this.#nowMs = nowMs;
    this.#startedMs = now;
    this.#sinceMs = now;
  }

  /** Ends a stage, and starts the next one. */
  end(stage: RequestStage): void {
    const now = this.#nowMs();
    this.#latency.stages[stage].record(now - this.#sinceMs, this.#weight);
    this.#sinceMs = now;
  }

  /** Ends a wait, which belongs to none of main's stages. */
  waited(): void {
    this.#sinceMs = this.#nowMs();
  }

  /** Must be called when the transport has the response. */
  finish(): void {
    this.end('answer');
    this.#latency.of(this.name).record(this.#sinceMs - this.#startedMs, this.#weight);
  }
}
