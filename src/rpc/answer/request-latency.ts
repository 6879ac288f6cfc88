// Measures how long requests take, by method and by stage.

// Latencies are measured on the main thread, and sampled under load. They are histograms with power-of-two buckets in
// typed arrays, which are read when metrics are scraped. See DECISIONS.md.
import { preciseMonotonicMs } from '../../lib/clock.js';
import { Histogram } from '../../lib/histogram.js';
import { LIMITS } from '../../limits/index.js';

/**
 * A stage of the main thread's work for a body. `decode`: from the bytes of the body to decoded calls; for plain reads
 * this is a part of `read`. `read`: until the main thread has answered the calls that it can answer itself and has sent
 * the others elsewhere. `answer`: from the last result until the transport has the bytes.
 */
type RequestStage = 'decode' | 'read' | 'answer';

/** Label under which batches are counted. */
export const BATCH_LABEL = 'batch';
/** Label under which requests that were refused for overload are counted. */
export const REFUSED_LABEL = 'refused';
/** Label under which requests without a known method are counted that are neither batches nor refused. */
export const OTHER_LABEL = 'other';

/** The monotonic clock, and a source of random numbers from 0 to 1. */
interface RequestLatencyDeps {
  readonly nowMs: () => number;
  readonly random: () => number;
}

/**
 * Measures the durations of requests. Every request is timed up to LIMITS.timedRequestsMax a second; beyond that, a
 * timed request represents all requests since the last timed one. The gain: timing adds 2 us or more to the 9 us of a
 * read; by sampling, this is 1 % at most. The disadvantage: under load, a single slow request may not be timed,
 * although it is counted. Requests are sampled at random, because clients repeat themselves.
 */
export class RequestLatency {
  /** Durations from the complete request to the whole response, by method or by one of the labels above. */
  readonly requests = new Map<string, Histogram>();
  readonly stages: Readonly<Record<RequestStage, Histogram>> = {
    decode: new Histogram(),
    read: new Histogram(),
    answer: new Histogram(),
  };
  readonly #deps: RequestLatencyDeps;
  /** One of every `#step` requests is timed. `#left` counts down to the next timed request. */
  #step = 1;
  #left = 1;
  #timedMs = 0;

  constructor(deps: RequestLatencyDeps = { nowMs: preciseMonotonicMs, random: Math.random }) {
    this.#deps = deps;
  }

  /** Must be called for each request. Returns the timing to fill in; `null` if the request is not timed. */
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
    return new RequestTiming(this, weight, nowMs, now);
  }
}

/** Returns the number of requests from one timed request to the next, if a request arrives every `betweenMs`. */
function stepAt(betweenMs: number): number {
  const step = 1000 / LIMITS.timedRequestsMax / betweenMs;
  return Math.min(Math.max(Math.round(step), 1), LIMITS.timingStepMax);
}

/** Returns a random number of at least 1 whose mean is `step`. */
function drawn(step: number, random: () => number): number {
  return 1 + Math.floor(random() * (2 * step - 1));
}

export class RequestTiming {
  /** Label under which the request is counted. */
  name = OTHER_LABEL;
  readonly #latency: RequestLatency;
  readonly #weight: number;
  readonly #nowMs: () => number;
  readonly #startedMs: number;
  #sinceMs: number;

  constructor(latency: RequestLatency, weight: number, nowMs: () => number, now: number) {
    this.#latency = latency;
    this.#weight = weight;
    this.#nowMs = nowMs;
    this.#startedMs = now;
    this.#sinceMs = now;
  }

  /** Records the end of a stage, at which the next stage starts. */
  end(stage: RequestStage): void {
    const now = this.#nowMs();
    this.#latency.stages[stage].record(now - this.#sinceMs, this.#weight);
    this.#sinceMs = now;
  }

  /** Must be called after a wait, so that the waiting time is counted in no stage of the main thread's work. */
  waited(): void {
    this.#sinceMs = this.#nowMs();
  }

  /** Must be called when the transport has the response. */
  finish(): void {
    this.end('answer');
    this.#latency.of(this.name).record(this.#sinceMs - this.#startedMs, this.#weight);
  }
}
