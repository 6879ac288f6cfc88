// A poller and a reader of the target's feed: how long after an increment arrives here do responses reflect it, or a
// later one? Runs in the generator.
import { setTimeout } from 'node:timers/promises';
import { brotliDecompressSync } from 'node:zlib';
import { WebSocket } from 'ws';
import { type Connection, open } from './connection.js';
import { Times } from './histogram.js';
import type { FreshnessJob, TurnReport } from './job.js';
import type { Sample } from './loop.js';
import { Tally } from './tally.js';
import { NO_COURSE } from './timeline.js';

const GRACE_MS = 1000;
/** Pause between requests, so that the poller leaves the cores to the target. */
const POLL_MS = 1;
const SAMPLE_EVERY = 100;
const SAMPLES_MAX = 20;
const BRACE = '{'.charCodeAt(0);

/** A chain position as a number: blocks weigh more than increments. */
type Position = number;
const INCREMENTS_MAX = 10_000;

const positionOf = (block: number, index: number): Position => block * INCREMENTS_MAX + index;

/** The fields of a Flashblocks message that determine its position. */
interface Increment {
  readonly index: number;
  readonly metadata: { readonly block_number: number };
}

export class FreshnessTurn {
  readonly #job: FreshnessJob;
  readonly #feed: WebSocket;
  readonly #staleness = new Times();
  readonly #tally = new Tally();
  readonly #samples: Sample[] = [];
  /** Arrival times of increments that are not visible yet. */
  readonly #waiting = new Map<Position, number>();
  #connection: Connection | null = null;
  #isOn = false;
  #answers = 0;
  #bytesIn = 0;

  private constructor(job: FreshnessJob, feed: WebSocket) {
    this.#job = job;
    this.#feed = feed;
  }

  static async prepare(job: FreshnessJob): Promise<FreshnessTurn> {
    const feed = new WebSocket(job.feed, { perMessageDeflate: false });
    const turn = new FreshnessTurn(job, feed);
    feed.on('message', (message: Buffer) => turn.#arrived(message));
    await new Promise((resolve, reject) => feed.once('open', resolve).once('error', reject));
    const events = { answered: turn.#answered.bind(turn), lost: (): void => turn.#tally.fail('lost') };
    turn.#connection = await open({ ...job, transport: 'http' }, events);
    return turn;
  }

  async run(): Promise<TurnReport> {
    const cpu = process.cpuUsage();
    const startMs = performance.now();
    this.#isOn = true;
    this.#connection!.send(this.#job.body);
    await setTimeout(this.#job.seconds * 1000);
    this.#feed.terminate();
    const endMs = performance.now();
    while (this.#waiting.size > 0 && performance.now() < endMs + GRACE_MS) await setTimeout(POLL_MS);
    this.#isOn = false;
    this.#connection!.close();
    const durationMs = performance.now() - startMs;
    for (const arrivedMs of this.#waiting.values()) this.#expire(performance.now() - arrivedMs);
    const { user, system } = process.cpuUsage(cpu);
    const staleness = this.#staleness.encode();
    const times = { latency: staleness, service: staleness, refusals: new Times().encode(), course: NO_COURSE };
    const [requests, { succeeded, errors }] = [this.#answers, this.#tally];
    const counts = { sent: requests, requests, calls: requests, succeeded, unsent: 0, late: 0 };
    const bytes = { bytesIn: this.#bytesIn, bytesOut: requests * this.#job.body.length };
    const generatorCpu = (user + system) / 1000 / durationMs;
    return { ...counts, ...bytes, ...times, durationMs, errors, samples: this.#samples, generatorCpu };
  }

  #arrived(message: Buffer): void {
    if (!this.#isOn) return;
    const { index, metadata } = JSON.parse(textOf(message)) as Increment;
    this.#waiting.set(positionOf(metadata.block_number, index), performance.now());
  }

  #answered(status: number, body: Buffer, head: string): void {
    if (!this.#isOn) return;
    const nowMs = performance.now();
    this.#answers++;
    this.#bytesIn += body.length;
    this.#tally.add(status, body, 1);
    if (this.#answers % SAMPLE_EVERY === 0 && this.#samples.length < SAMPLES_MAX)
      this.#samples.push({ body: this.#job.body, answer: body.toString() });
    this.#seen(positionIn(head), nowMs);
    void setTimeout(POLL_MS).then(() => this.#isOn && this.#connection!.send(this.#job.body));
  }

  #seen(position: Position, nowMs: number): void {
    for (const [waiting, arrivedMs] of this.#waiting) {
      if (waiting > position) continue;
      this.#staleness.add(nowMs - arrivedMs);
      this.#waiting.delete(waiting);
    }
  }

  #expire(waitedMs: number): void {
    this.#tally.fail('never visible');
    this.#staleness.add(waitedMs);
  }
}

/** Messages are text or brotli. */
function textOf(message: Buffer): string {
  return (message[0] === BRACE ? message : brotliDecompressSync(message)).toString();
}

/** Position of a response; -1 if it has none. */
function positionIn(head: string): Position {
  const block = /\r\nx-block-number: *(\d+)/i.exec(head)?.[1];
  const index = /\r\nx-preconf-index: *(\d+)/i.exec(head)?.[1];
  return block === undefined ? -1 : positionOf(Number(block), Number(index ?? 0));
}
