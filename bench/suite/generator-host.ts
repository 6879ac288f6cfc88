// The bench's handle of a generator process: prepares a turn, runs it, returns its report.
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
    // Avoids garbage collection pauses during a turn: garbage is short-lived, so a large young generation helps.
    this.#process = fork(PROGRAM, { execArgv: ['--max-semi-space-size=64'] });
    this.#process.on('message', (message: FromGenerator) => this.#receive(message));
    this.#process.on('exit', (code) => this.#fail(new Error(`the generator ended with ${code}`)));
  }

  /** Opens the connections of a turn. Rejects if they cannot be opened. */
  async prepare(job: Job): Promise<void> {
    await this.#send({ kind: 'prepare', job });
  }

  /** Runs the prepared turn. `onLive` receives live figures if the job requests them. */
  async run(onLive: (live: Live) => void = () => undefined): Promise<TurnReport> {
    this.#onLive = onLive;
    const answer = await this.#send({ kind: 'go' });
    if (answer.kind !== 'done') throw new Error(`unexpected message of the generator: ${answer.kind}`);
    return answer.report;
  }

  /** Ends the turn early. */
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

  #receive(message: FromGenerator): void {
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

/** The generators of a run: one for the load, one for background load. */
export class Generators {
  /** The first target's capacity in requests a second, by scenario: steps of a scenario are shares of the same rate. */
  readonly rates = new Map<string, number>();
  generator = new GeneratorHost();
  /** For background load. */
  beside = new GeneratorHost();

  /** Replaces the generators after a failure, which leaves them in an undefined state. */
  async renew(): Promise<void> {
    await this.stop();
    this.generator = new GeneratorHost();
    this.beside = new GeneratorHost();
  }

  /** Ends running turns early. */
  cut(): void {
    this.generator.cut();
    this.beside.cut();
  }

  async stop(): Promise<void> {
    await this.generator.stop();
    await this.beside.stop();
  }
}
