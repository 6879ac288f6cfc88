// Subscribers on separate connections: how long after the first of them does each receive the same message? Runs in the
// generator.
import { setTimeout } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { Times } from './histogram.js';
import type { SubscribersJob, TurnReport } from './job.js';
import type { Sample } from './loop.js';
import { NO_COURSE } from './timeline.js';

const OPENED_AT_ONCE = 100;
/** Number of messages whose first arrival is remembered. */
const REMEMBERED = 100;
/** Time limit for a message to reach the last subscriber. */
const GRACE_MS = 1000;

export class SubscribersTurn {
  readonly #job: SubscribersJob;
  readonly #sockets: WebSocket[] = [];
  readonly #lag = new Times();
  /** First arrival of each message. */
  readonly #first = new Map<string, number>();
  readonly #samples: Sample[] = [];
  #messages = 0;
  #bytesIn = 0;
  #isOn = false;

  private constructor(job: SubscribersJob) {
    this.#job = job;
  }

  /** Resolves once all have subscribed. */
  static async prepare(job: SubscribersJob): Promise<SubscribersTurn> {
    const turn = new SubscribersTurn(job);
    for (let opened = 0; opened < job.subscribers; opened += OPENED_AT_ONCE) {
      const count = Math.min(OPENED_AT_ONCE, job.subscribers - opened);
      await Promise.all(Array.from({ length: count }, () => turn.#subscribe()));
    }
    return turn;
  }

  async run(): Promise<TurnReport> {
    const cpu = process.cpuUsage();
    const startMs = performance.now();
    this.#isOn = true;
    await setTimeout(this.#job.seconds * 1000);
    const announced = this.#first.size;
    await setTimeout(Math.min(GRACE_MS, this.#job.seconds * 250));
    for (const socket of this.#sockets) socket.terminate();
    const durationMs = performance.now() - startMs;
    const { user, system } = process.cpuUsage(cpu);
    const lag = this.#lag.encode();
    const missed = Math.max(0, announced * this.#job.subscribers - this.#messages);
    const counts = {
      sent: 0,
      requests: this.#messages,
      calls: this.#messages,
      succeeded: this.#messages,
      unsent: 0,
      late: 0,
    };
    const bytes = { bytesIn: this.#bytesIn, bytesOut: 0 };
    const errors: Record<string, number> = missed === 0 ? {} : { missed };
    const rest = { errors, samples: this.#samples, generatorCpu: (user + system) / 1000 / durationMs };
    return {
      ...counts,
      ...bytes,
      ...rest,
      durationMs,
      latency: lag,
      service: lag,
      refusals: new Times().encode(),
      course: NO_COURSE,
    };
  }

  #subscribe(): Promise<void> {
    const { url, headers } = this.#job;
    const socket = new WebSocket(url.replace(/^http/, 'ws'), { perMessageDeflate: false, headers });
    this.#sockets.push(socket);
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params: [this.#job.topic] });
    return new Promise((resolve, reject) => {
      socket.once('open', () => socket.send(body));
      socket.once('error', reject);
      socket.once('message', (answer: Buffer) => {
        const text = answer.toString();
        if (!text.includes('"result"')) return reject(new Error(`eth_subscribe: ${text.slice(0, 200)}`));
        socket.on('message', (message: Buffer) => this.#receive(message));
        resolve();
      });
    });
  }

  /** All subscribers get a message with equal bytes, except for the subscription id, which precedes the result. */
  #receive(message: Buffer): void {
    const nowMs = performance.now();
    if (!this.#isOn) return;
    const text = message.toString('latin1');
    const key = text.slice(text.indexOf('"result"'));
    const firstMs = this.#first.get(key);
    this.#messages++;
    this.#bytesIn += message.length;
    if (firstMs === undefined) this.#remember(key, nowMs);
    else this.#lag.add(nowMs - firstMs);
  }

  #remember(key: string, nowMs: number): void {
    this.#first.set(key, nowMs);
    if (this.#first.size > REMEMBERED) this.#first.delete(this.#first.keys().next().value!);
    this.#lag.add(0);
  }
}
