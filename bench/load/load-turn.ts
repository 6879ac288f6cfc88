// A turn of requests: connections, the loop, and the clock that drives it. Runs in the generator.
import { setImmediate, setTimeout } from 'node:timers/promises';
import type { Scenario } from '../scenarios/scenario.js';
import { type Connection, type ConnectionEvents, isPollable, open, openPolled } from './connection.js';
import { HeadFollower } from './head-follower.js';
import type { Live, LoadJob, TurnReport } from './job.js';
import { type Lane, Loop } from './loop.js';
import { PolledSockets } from './polled-sockets.js';
import { randomOf } from './random.js';
import { countErrors } from './tally.js';

/** Wait for responses after the turn's end; in a closed loop at most as many as connections are outstanding. */
const GRACE_MS = 1000;
const CLOSED_GRACE_MS = 10_000;
/** Connections opened concurrently: more than the listen backlog would be lost. */
const OPENED_AT_ONCE = 100;
/**
 * If the next start is nearer than this, the thread sleeps in short steps: timers are only accurate to a millisecond.
 */
const TIMER_MS = 2;
/**
 * Linux adds 50 us. Such a sleep adds that much to a latency, but leaves the core to the servers instead of spinning.
 */
const SLEEP_MS = 0.05;
const REOPEN_MS = 20;
/** Responses arrive as events; the end of the turn is checked this often. */
const WAIT_MS_MAX = 5;

/** Timers and messages are handled this often while sockets are polled. */
const EVENT_LOOP_MS = 2;
/** Interval of live figures. */
const LIVE_MS = 1000;

/** `null` if they are unavailable: then the event loop drives the connections. */
const POLLED = PolledSockets.load();
const sleepCell = new Int32Array(new SharedArrayBuffer(4));

/** A turn that is ready to start. */
export class LoadTurn {
  readonly #job: LoadJob;
  readonly #loop: Loop;
  readonly #sockets: PolledSockets | null;
  readonly #connections = new Set<Connection>();
  readonly #head: HeadFollower | null;
  #isOver = false;
  #live = { atMs: 0, succeeded: 0 };
  /** When timers and messages were last handled. */
  #eventLoopMs = 0;
  #graceUntilMs = 0;

  private constructor(job: LoadJob, loop: Loop) {
    this.#job = job;
    this.#loop = loop;
    this.#sockets = isPollable(job) ? POLLED : null;
    this.#head = job.world.follows ? new HeadFollower(job, job.world.blocks) : null;
  }

  /** Opens all connections. Rejects if one cannot be opened. */
  static async prepare(job: LoadJob): Promise<LoadTurn> {
    const { scenario } = (await import(job.module)) as { readonly scenario: Scenario };
    const next = scenario.requests(job.world, randomOf(job.seed), job.part);
    const options = { ...job, durationMs: job.seconds * 1000 };
    const turn = new LoadTurn(job, new Loop(options, next));
    await turn.#head?.start();
    for (let opened = 0; opened < job.connections; opened += OPENED_AT_ONCE) {
      const count = Math.min(OPENED_AT_ONCE, job.connections - opened);
      await Promise.all(Array.from({ length: count }, () => turn.#open()));
    }
    return turn;
  }

  async run(onLive: (live: Live) => void): Promise<TurnReport> {
    const cpu = process.cpuUsage();
    const startMs = performance.now();
    this.#loop.begin(startMs);
    this.#live.atMs = startMs;
    await this.#drive(startMs + this.#job.seconds * 1000, this.#job.isLive ? onLive : null);
    const nowMs = performance.now();
    const counts = this.#loop.end(nowMs);
    this.#close();
    const { user, system } = process.cpuUsage(cpu);
    const durationMs = nowMs - startMs;
    const { latency, service, refusals, timeline, tally, samples } = this.#loop;
    const times = { latency: latency.encode(), service: service.encode(), refusals: refusals.encode() };
    const generatorCpu = (user + system) / 1000 / durationMs;
    const { course } = timeline;
    return { ...counts, ...times, course, durationMs, errors: tally.errors, samples, generatorCpu };
  }

  /** Ends the turn early; requests in flight are awaited. */
  cut(): void {
    this.#loop.cut(performance.now());
    this.#graceUntilMs = performance.now() + GRACE_MS;
  }

  async #drive(endMs: number, onLive: ((live: Live) => void) | null): Promise<void> {
    this.#graceUntilMs = endMs + (this.#job.pace.kind === 'closed' ? CLOSED_GRACE_MS : GRACE_MS);
    for (let nowMs = performance.now(); this.#goesOn(nowMs); nowMs = performance.now()) {
      if (onLive !== null && nowMs - this.#live.atMs >= LIVE_MS) onLive(this.#liveFigures(nowMs));
      this.#loop.pump(nowMs);
      const waitMs = this.#loop.waitMs(nowMs);
      if (this.#sockets !== null) await this.#poll(this.#sockets, nowMs, waitMs);
      else if (waitMs > TIMER_MS) await setTimeout(Math.min(waitMs - TIMER_MS, WAIT_MS_MAX));
      else {
        if (waitMs > SLEEP_MS) Atomics.wait(sleepCell, 0, 0, SLEEP_MS);
        await setImmediate();
      }
    }
  }

  #goesOn(nowMs: number): boolean {
    return !this.#loop.isDone(nowMs) && nowMs < this.#graceUntilMs;
  }

  #liveFigures(nowMs: number): Live {
    const { recent, tally } = this.#loop;
    const perSecond = ((tally.succeeded - this.#live.succeeded) * 1000) / (nowMs - this.#live.atMs);
    const live = {
      perSecond,
      errors: countErrors(tally.errors),
      p50: recent.percentile(50),
      p99: recent.percentile(99),
    };
    recent.clear();
    this.#live = { atMs: nowMs, succeeded: tally.succeeded };
    return live;
  }

  /** Handles incoming bytes, or waits for them until a request is due. */
  async #poll(sockets: PolledSockets, nowMs: number, waitMs: number): Promise<void> {
    sockets.wait(Math.min(waitMs, EVENT_LOOP_MS));
    if (nowMs - this.#eventLoopMs < EVENT_LOOP_MS) return;
    this.#eventLoopMs = nowMs;
    await setImmediate();
  }

  async #open(): Promise<void> {
    const own: { lane?: Lane; connection?: Connection } = {};
    const events = {
      answered: (status: number, body: Buffer): void => this.#loop.answered(own.lane!, status, body, performance.now()),
      lost: (): void => {
        if (own.lane !== undefined) this.#replace(own.lane, own.connection!);
      },
    };
    const connection = (own.connection = await this.#connect(events));
    if (this.#isOver) return connection.close();
    this.#connections.add(connection);
    own.lane = this.#loop.join((body) => connection.send(body), performance.now());
  }

  async #connect(events: ConnectionEvents): Promise<Connection> {
    return this.#sockets === null ? open(this.#job, events) : openPolled(this.#sockets, this.#job, events);
  }

  /** Replaces a lost connection, retrying until the turn is over. */
  #replace(lane: Lane, connection: Connection): void {
    this.#loop.lost(lane);
    this.#connections.delete(connection);
    const again = async (): Promise<void> => {
      while (!this.#isOver) {
        await setTimeout(REOPEN_MS);
        if (await this.#open().then(yes, no)) return;
      }
    };
    if (!this.#isOver) void again();
  }

  #close(): void {
    this.#isOver = true;
    this.#head?.stop();
    for (const connection of this.#connections) connection.close();
  }
}

const yes = (): boolean => true;
const no = (): boolean => false;
