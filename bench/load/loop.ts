// The core of a turn: sends requests when they are due and a connection is free, and records the responses. It has
// neither clock nor sockets: the caller passes the time. Runs in the generator.
import { Times } from './histogram.js';
import { scheduleOf, type Pace, type Schedule } from './schedule.js';
import { Tally } from './tally.js';
import { Timeline } from './timeline.js';

/** A request. */
export interface Request {
  readonly body: string;
  /** Number of JSON-RPC calls in it; more than one in a batch. */
  readonly calls: number;
}

/** A request of the turn and its response, to be verified later. */
export interface Sample {
  readonly body: string;
  readonly answer: string;
}

export interface LoopOptions {
  readonly pace: Pace;
  readonly durationMs: number;
  /** Requests in flight on one connection. */
  readonly pipelined: number;
  /** One response out of this many is kept as a sample. */
  readonly sampleEvery: number;
}

/** Counts of a turn. Times in milliseconds. */
export interface Counts {
  readonly sent: number;
  readonly requests: number;
  readonly calls: number;
  readonly succeeded: number;
  /** Requests that were due in the turn and were not sent, as no connection became free. */
  readonly unsent: number;
  /** Requests that the generator itself sent late: they were due, and a connection was free. */
  readonly late: number;
  readonly bytesIn: number;
  readonly bytesOut: number;
}

/** Maximum number of samples per turn, and of characters per response. */
const SAMPLES_MAX = 200;
const SAMPLE_LENGTH_MAX = 1024 * 1024;
/** Unsent requests are counted up to this request number. */
const UNSENT_MAX = 10_000_000;
/** A start that the generator delays by more than this counts as late. */
const LATE_MS = 10;

interface Flight {
  readonly request: Request;
  readonly intendedMs: number;
  readonly sentMs: number;
}

/** A connection and its requests in flight, oldest first. */
export interface Lane {
  readonly send: (body: string) => void;
  readonly flights: Flight[];
}

/** A free slot for one request on a connection. */
interface Slot {
  readonly lane: Lane;
  readonly freeSinceMs: number;
}

export class Loop {
  /** From the intended start: successful requests, and unanswered ones with the time waited. */
  readonly latency = new Times();
  /** From the actual send: successful requests. */
  readonly service = new Times();
  /** From the intended start: rejected requests. */
  readonly refusals = new Times();
  /** Latency of successful requests since the last `clear`. */
  readonly recent = new Times();
  readonly timeline: Timeline;
  readonly tally = new Tally();
  readonly samples: Sample[] = [];

  readonly #options: LoopOptions;
  #durationMs: number;
  readonly #next: () => Request;
  readonly #schedule: Schedule;
  readonly #free: Slot[] = [];
  readonly #lanes = new Set<Lane>();
  #startMs = 0;
  #sent = 0;
  #answered = 0;
  #calls = 0;
  #late = 0;
  #unsent = 0;
  #bytesIn = 0;
  #bytesOut = 0;

  constructor(options: LoopOptions, next: () => Request) {
    this.#options = options;
    this.#durationMs = options.durationMs;
    this.timeline = new Timeline(options.durationMs);
    this.#next = next;
    this.#schedule = scheduleOf(options.pace);
  }

  /** Adds a connection. */
  join(send: (body: string) => void, nowMs: number): Lane {
    const lane: Lane = { send, flights: [] };
    this.#lanes.add(lane);
    for (let i = 0; i < this.#options.pipelined; i++) this.#free.push({ lane, freeSinceMs: nowMs });
    return lane;
  }

  /** Starts the turn. */
  begin(nowMs: number): void {
    this.#startMs = nowMs;
    this.pump(nowMs);
  }

  /** Ends the turn: no further requests are due. */
  cut(nowMs: number): void {
    this.#durationMs = Math.min(this.#durationMs, nowMs - this.#startMs);
  }

  /** Sends all due requests; after the turn's end also those that were due before and found no free connection. */
  pump(nowMs: number): void {
    const elapsedMs = nowMs - this.#startMs;
    while (this.#free.length > 0) {
      const intendedMs = this.#schedule(this.#sent) ?? elapsedMs;
      if (intendedMs > elapsedMs || intendedMs >= this.#durationMs) return;
      this.#send(this.#free.shift()!, intendedMs, elapsedMs);
    }
  }

  /** Handles the response to the connection's oldest request. */
  answered(lane: Lane, status: number, body: Buffer, nowMs: number): void {
    const flight = lane.flights.shift();
    if (flight === undefined) return;
    this.#answered++;
    this.#bytesIn += body.length;
    this.#note(flight, status, body, nowMs - this.#startMs);
    this.#free.push({ lane, freeSinceMs: nowMs - this.#startMs });
    this.pump(nowMs);
  }

  /** Removes a lost connection and fails its requests in flight. */
  lost(lane: Lane): void {
    this.#lanes.delete(lane);
    for (const { request, intendedMs } of lane.flights.splice(0)) this.#fail('lost', intendedMs, request.calls);
    for (let at = this.#free.length - 1; at >= 0; at--) if (this.#free[at]!.lane === lane) this.#free.splice(at, 1);
  }

  /** Milliseconds until a request can be sent; Infinity if a response has to arrive first, or none is due. */
  waitMs(nowMs: number): number {
    const elapsedMs = nowMs - this.#startMs;
    const intendedMs = this.#schedule(this.#sent) ?? elapsedMs;
    const isOver = intendedMs >= this.#durationMs;
    return this.#free.length === 0 || isOver ? Infinity : Math.max(0, intendedMs - elapsedMs);
  }

  /** True if the turn has ended, every due request was sent, and none is in flight. */
  isDone(nowMs: number): boolean {
    const elapsedMs = nowMs - this.#startMs;
    if (elapsedMs < this.#durationMs) return false;
    if ((this.#schedule(this.#sent) ?? elapsedMs) < this.#durationMs) return false;
    for (const { flights } of this.#lanes) if (flights.length > 0) return false;
    return true;
  }

  /** Stops waiting: requests without a response count as unanswered, with the time waited. */
  end(nowMs: number): Counts {
    const elapsedMs = nowMs - this.#startMs;
    for (const { flights } of this.#lanes)
      for (const { request, intendedMs } of flights.splice(0)) this.#expire(intendedMs, elapsedMs, request.calls);
    for (let number = this.#sent; number < UNSENT_MAX; number++) {
      const intendedMs = this.#schedule(number);
      if (intendedMs === null || intendedMs >= this.#durationMs) break;
      this.#unsent++;
      this.#expire(intendedMs, elapsedMs, 1);
    }
    const [sent, requests, calls] = [this.#sent, this.#answered, this.#calls];
    const bytes = { bytesIn: this.#bytesIn, bytesOut: this.#bytesOut };
    return { sent, requests, calls, succeeded: this.tally.succeeded, unsent: this.#unsent, late: this.#late, ...bytes };
  }

  #send({ lane, freeSinceMs }: Slot, intendedMs: number, sentMs: number): void {
    const request = this.#next();
    if (sentMs - Math.max(intendedMs, freeSinceMs) > LATE_MS) this.#late++;
    this.#sent++;
    this.#calls += request.calls;
    this.#bytesOut += request.body.length;
    lane.flights.push({ request, intendedMs, sentMs });
    lane.send(request.body);
  }

  #note({ request, intendedMs, sentMs }: Flight, status: number, body: Buffer, elapsedMs: number): void {
    const verdict = this.tally.add(status, body, request.calls);
    const tookMs = elapsedMs - intendedMs;
    this.timeline.add(intendedMs, verdict, tookMs);
    if (verdict === 'refusal') this.refusals.add(tookMs);
    if (verdict === 'result') {
      this.latency.add(tookMs);
      this.recent.add(tookMs);
      this.service.add(elapsedMs - sentMs);
    }
    const isDue = this.#answered % this.#options.sampleEvery === 0 && this.samples.length < SAMPLES_MAX;
    if (isDue && body.length <= SAMPLE_LENGTH_MAX) this.samples.push({ body: request.body, answer: body.toString() });
  }

  #expire(intendedMs: number, elapsedMs: number, calls: number): void {
    this.#fail('unanswered', intendedMs, calls);
    this.latency.add(elapsedMs - intendedMs);
  }

  #fail(code: string, intendedMs: number, calls: number): void {
    this.tally.fail(code, calls);
    this.timeline.add(intendedMs, 'failure', 0);
  }
}
