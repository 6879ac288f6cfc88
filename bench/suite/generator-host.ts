// A load generator's process, from the bench's side: prepares a turn, runs it, gives its report.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { FromGenerator, Job, Live, ToGenerator, TurnReport } from '../load/job.js';

const PROGRAM = fileURLToPath(new URL('../load/generator.js', import.meta.url));

export class GeneratorHost {
  readonly #process: ChildProcess;
  #waiting: { readonly resolve: (answer: FromGenerator) => void; readonly reject: (error: Error) => void } | null =
    null;
  #onLive: (live: Live) => void = () => undefined;

  constructor() {
    // Requests of a turn have to be made without a pause for old ones: garbage is young, so room for the young is what
    // counts.
    this.#process = fork(PROGRAM, { execArgv: ['--max-semi-space-size=64'] });
    this.#process.on('message', (message: FromGenerator) => this.#take(message));
    this.#process.on('exit', (code) => this.#fail(new Error(`the generator ended with ${code}`)));
  }

  /** Opens the connections of a turn. Rejects where there are none to be had. */
  async prepare(job: Job): Promise<void> {
    await this.#send({ kind: 'prepare', job });
  }

  /** Runs what is prepared. `onLive` takes what goes on, where the job asks for it. */
  async run(onLive: (live: Live) => void = () => undefined): Promise<TurnReport> {
    this.#onLive = onLive;
    const answer = await this.#send({ kind: 'go' });
    if (answer.kind !== 'done') throw new Error(`the generator said ${answer.kind}`);
    return answer.report;
  }

  /** Ends the turn before its time. */
  cut(): void {
    if (this.#process.connected) this.#process.send({ kind: 'cut' } satisfies ToGenerator);
  }

  async stop(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const ended = once(this.#process, 'exit');
    this.#process.kill();
    await ended;
  }

  #send(message: ToGenerator): Promise<FromGenerator> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      if (!this.#process.connected) return this.#fail(new Error('the generator has ended'));
      this.#process.send(message, (error) => error !== null && this.#fail(error));
    });
  }

  #take(message: FromGenerator): void {
    if (message.kind === 'live') return this.#onLive(message);
    const waiting = this.#waiting;
    this.#waiting = null;
    if (message.kind === 'failed') waiting?.reject(new Error(message.reason));
    else waiting?.resolve(message);
  }

  #fail(error: Error): void {
    this.#waiting?.reject(error);
    this.#waiting = null;
  }
}

/** Those of a run: one for the load, one for what goes on beside it. */
export class Generators {
  /** Requests a second that the first target can do, by scenario: steps of one scenario are shares of the same rate. */
  readonly rates = new Map<string, number>();
  generator = new GeneratorHost();
  /** For what a target has to do meanwhile. */
  beside = new GeneratorHost();

  /** Others in the place of those that a failure has left in the middle of something. */
  async renew(): Promise<void> {
    await this.stop();
    this.generator = new GeneratorHost();
    this.beside = new GeneratorHost();
  }

  /** Ends what runs before its time. */
  cut(): void {
    this.generator.cut();
    this.beside.cut();
  }

  async stop(): Promise<void> {
    await this.generator.stop();
    await this.beside.stop();
  }
}
