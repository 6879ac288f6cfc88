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

/** Time that answers have after the end of the turn; in a closed loop no more can wait than there are connections. */
const PATIENCE_MS = 1000;
const CLOSED_PATIENCE_MS = 10_000;
/** Connections opened at a time: more than a listening socket's queue would be lost. */
const OPENED_AT_ONCE = 100;
/** Before a start that is nearer than this the thread naps in short pieces: a timer is only good to a millisecond. */
const TIMER_MS = 2;
/** Linux adds 50 us. Such a nap makes an answer look so late, and spares the servers the core of spinning. */
const NAP_MS = 0.05;
const REOPEN_MS = 20;
/** Answers come as events; the end of the turn is looked for as often. */
const WAIT_MS_MAX = 5;

/** Timers and messages have their turn as often while sockets are polled. */
const TURN_MS = 2;
/** Between two words about what goes on. */
const LIVE_MS = 1000;

/** `null` where they cannot be had: then an event loop drives the connections. */
const POLLED = PolledSockets.load();
const asleep = new Int32Array(new SharedArrayBuffer(4));

/** A turn that is ready to begin. */
export class LoadTurn {
  readonly #job: LoadJob;
  readonly #loop: Loop;
  readonly #sockets: PolledSockets | null;
  readonly #connections = new Set<Connection>();
  readonly #head: HeadFollower | null;
  #isOver = false;
  #live = { atMs: 0, succeeded: 0 };
  /** When timers and messages had their turn. */
  #turnMs = 0;
  #patientUntilMs = 0;

  private constructor(job: LoadJob, loop: Loop) {
    this.#job = job;
    this.#loop = loop;
    this.#sockets = isPollable(job) ? POLLED : null;
    this.#head = job.world.follows ? new HeadFollower(job, job.world.blocks) : null;
  }

  /** Opens all connections. Rejects where one cannot be had. */
  static async prepare(job: LoadJob): Promise<LoadTurn> {
    const { scenario } = (await import(job.module)) as { readonly scenario: Scenario };
    const next = scenario.requests(job.world, randomOf(job.seed), job.part);
    const options = { ...job, durationMs: job.seconds * 1000 };
    const turn = new LoadTurn(job, new Loop(options, next));
    await turn.#head?.begin();
    for (let opened = 0; opened < job.connections; opened += OPENED_AT_ONCE) {
      const count = Math.min(OPENED_AT_ONCE, job.connections - opened);
      await Promise.all(Array.from({ length: count }, () => turn.#open()));
    }
    return turn;
  }

  async run(tell: (live: Live) => void): Promise<TurnReport> {
    const cpu = process.cpuUsage();
    const startMs = performance.now();
    this.#loop.begin(startMs);
    this.#live.atMs = startMs;
    await this.#drive(startMs + this.#job.seconds * 1000, this.#job.isLive ? tell : null);
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

  /** Ends it before its time; what is in flight is waited for. */
  cut(): void {
    this.#loop.cut(performance.now());
    this.#patientUntilMs = performance.now() + PATIENCE_MS;
  }

  async #drive(endMs: number, tell: ((live: Live) => void) | null): Promise<void> {
    this.#patientUntilMs = endMs + (this.#job.pace.kind === 'closed' ? CLOSED_PATIENCE_MS : PATIENCE_MS);
    for (let nowMs = performance.now(); this.#goesOn(nowMs); nowMs = performance.now()) {
      if (tell !== null && nowMs - this.#live.atMs >= LIVE_MS) tell(this.#tellLive(nowMs));
      this.#loop.pump(nowMs);
      const waitMs = this.#loop.waitMs(nowMs);
      if (this.#sockets !== null) await this.#poll(this.#sockets, nowMs, waitMs);
      else if (waitMs > TIMER_MS) await setTimeout(Math.min(waitMs - TIMER_MS, WAIT_MS_MAX));
      else {
        if (waitMs > NAP_MS) Atomics.wait(asleep, 0, 0, NAP_MS);
        await setImmediate();
      }
    }
  }

  #goesOn(nowMs: number): boolean {
    return !this.#loop.isDone(nowMs) && nowMs < this.#patientUntilMs;
  }

  #tellLive(nowMs: number): Live {
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

  /** Takes what has come, or waits for it until a request is due. */
  async #poll(sockets: PolledSockets, nowMs: number, waitMs: number): Promise<void> {
    sockets.wait(Math.min(waitMs, TURN_MS));
    if (nowMs - this.#turnMs < TURN_MS) return;
    this.#turnMs = nowMs;
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

  /** Another connection in the place of one that was lost, tried until the turn is over. */
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
    this.#head?.end();
    for (const connection of this.#connections) connection.close();
  }
}

const yes = (): boolean => true;
const no = (): boolean => false;
