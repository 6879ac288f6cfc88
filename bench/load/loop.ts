// The heart of a turn: sends requests when they are due and a connection is free, and notes what comes back. It has no
// clock and no sockets of its own: whoever drives it says what time it is. Runs in the generator.
import { Times } from './histogram.js';
import { scheduleOf, type Pace, type Schedule } from './schedule.js';
import { Tally } from './tally.js';
import { Timeline } from './timeline.js';

/** Request that is sent. */
export interface Request {
  readonly body: string;
  /** JSON-RPC calls in it: more than one in a batch. */
  readonly calls: number;
}

/** A request of the turn and its answer's text, to be checked later. */
export interface Sample {
  readonly body: string;
  readonly answer: string;
}

export interface LoopOptions {
  readonly pace: Pace;
  readonly durationMs: number;
  /** Requests in flight on one connection. */
  readonly pipelined: number;
  /** One of so many answers is kept as a sample. */
  readonly sampleEvery: number;
}

/** Counts of a turn. Times in milliseconds. */
export interface Counts {
  readonly sent: number;
  readonly requests: number;
  readonly calls: number;
  readonly succeeded: number;
  /** Requests that were due in the turn and could not be sent: no connection became free. */
  readonly unsent: number;
  /** Requests that the generator itself sent late: they were due, and a connection was free. */
  readonly late: number;
  readonly bytesIn: number;
  readonly bytesOut: number;
}

/** Samples that are kept of one turn, and the characters of one answer: more is not kept. */
const SAMPLES_MAX = 200;
const SAMPLE_LENGTH_MAX = 1024 * 1024;
/** Requests that were due and not sent are looked for up to this number. */
const UNSENT_MAX = 10_000_000;
/** A start that is later than this by the generator's own fault is late. */
const LATE_MS = 10;

interface Flight {
  readonly request: Request;
  readonly intendedMs: number;
  readonly sentMs: number;
}

/** A connection with what is in flight on it, oldest first. */
export interface Lane {
  readonly send: (body: string) => void;
  readonly flights: Flight[];
}

/** Room for one request on a connection. */
interface Slot {
  readonly lane: Lane;
  readonly freeSinceMs: number;
}

export class Loop {
  /** From the intended start; what succeeded, and what was never answered for as long as it was waited for. */
  readonly latency = new Times();
  /** From the actual send; what succeeded. */
  readonly service = new Times();
  /** From the intended start; what was refused. */
  readonly refusals = new Times();
  /** Latency of what succeeded since it was last cleared. */
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

  /** Takes a connection into use. */
  join(send: (body: string) => void, nowMs: number): Lane {
    const lane: Lane = { send, flights: [] };
    this.#lanes.add(lane);
    for (let i = 0; i < this.#options.pipelined; i++) this.#free.push({ lane, freeSinceMs: nowMs });
    return lane;
  }

  /** The turn begins now. */
  begin(nowMs: number): void {
    this.#startMs = nowMs;
    this.pump(nowMs);
  }

  /** The turn ends now: nothing is due any more. */
  cut(nowMs: number): void {
    this.#durationMs = Math.min(this.#durationMs, nowMs - this.#startMs);
  }

  /** Sends whatever is due; after the turn's end, too, what was due before and found no free connection. */
  pump(nowMs: number): void {
    const elapsedMs = nowMs - this.#startMs;
    while (this.#free.length > 0) {
      const intendedMs = this.#schedule(this.#sent) ?? elapsedMs;
      if (intendedMs > elapsedMs || intendedMs >= this.#durationMs) return;
      this.#send(this.#free.shift()!, intendedMs, elapsedMs);
    }
  }

  /** The oldest request on the connection has its answer. */
  answered(lane: Lane, status: number, body: Buffer, nowMs: number): void {
    const flight = lane.flights.shift();
    if (flight === undefined) return;
    this.#answered++;
    this.#bytesIn += body.length;
    this.#note(flight, status, body, nowMs - this.#startMs);
    this.#free.push({ lane, freeSinceMs: nowMs - this.#startMs });
    this.pump(nowMs);
  }

  /** The connection is gone, and with it what was in flight. */
  lost(lane: Lane): void {
    this.#lanes.delete(lane);
    for (const { request, intendedMs } of lane.flights.splice(0)) this.#fail('lost', intendedMs, request.calls);
    for (let at = this.#free.length - 1; at >= 0; at--) if (this.#free[at]!.lane === lane) this.#free.splice(at, 1);
  }

  /** Milliseconds until a request can be sent; Infinity where an answer has to come first, or none is due. */
  waitMs(nowMs: number): number {
    const elapsedMs = nowMs - this.#startMs;
    const intendedMs = this.#schedule(this.#sent) ?? elapsedMs;
    const isOver = intendedMs >= this.#durationMs;
    return this.#free.length === 0 || isOver ? Infinity : Math.max(0, intendedMs - elapsedMs);
  }

  /** The turn has ended, everything that was due is sent, and nothing is in flight any more. */
  isDone(nowMs: number): boolean {
    const elapsedMs = nowMs - this.#startMs;
    if (elapsedMs < this.#durationMs) return false;
    if ((this.#schedule(this.#sent) ?? elapsedMs) < this.#durationMs) return false;
    for (const { flights } of this.#lanes) if (flights.length > 0) return false;
    return true;
  }

  /** Nobody waits any longer: what has no answer never gets one, and is counted with the time that was waited. */
  end(nowMs: number): Counts {
    const elapsedMs = nowMs - this.#startMs;
    for (const { flights } of this.#lanes)
      for (const { request, intendedMs } of flights.splice(0)) this.#giveUp(intendedMs, elapsedMs, request.calls);
    for (let number = this.#sent; number < UNSENT_MAX; number++) {
      const intendedMs = this.#schedule(number);
      if (intendedMs === null || intendedMs >= this.#durationMs) break;
      this.#unsent++;
      this.#giveUp(intendedMs, elapsedMs, 1);
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

  #giveUp(intendedMs: number, elapsedMs: number, calls: number): void {
    this.#fail('unanswered', intendedMs, calls);
    this.latency.add(elapsedMs - intendedMs);
  }

  #fail(code: string, intendedMs: number, calls: number): void {
    this.tally.fail(code, calls);
    this.timeline.add(intendedMs, 'failure', 0);
  }
}
