// A load generator's process, from the bench's side: prepares a turn, runs it, gives its report.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { FromGenerator, Job, ToGenerator, TurnReport } from '../load/job.js';

const PROGRAM = fileURLToPath(new URL('../load/generator.js', import.meta.url));

export class GeneratorHost {
  readonly #process: ChildProcess;

  constructor() {
    // Requests of a turn have to be made without a pause for old ones: garbage is young, so room for the young is what counts.
    this.#process = fork(PROGRAM, { execArgv: ['--max-semi-space-size=64'] });
  }

  /** Opens the connections of a turn. Rejects where there are none to be had. */
  async prepare(job: Job): Promise<void> {
    await this.#ask({ kind: 'prepare', job });
  }

  /** Runs what is prepared. */
  async run(): Promise<TurnReport> {
    const answer = await this.#ask({ kind: 'go' });
    if (answer.kind !== 'done') throw new Error(`the generator said ${answer.kind}`);
    return answer.report;
  }

  async stop(): Promise<void> {
    if (this.#process.exitCode !== null) return;
    const ended = once(this.#process, 'exit');
    this.#process.kill();
    await ended;
  }

  #ask(message: ToGenerator): Promise<FromGenerator> {
    return new Promise((resolve, reject) => {
      const died = (code: number | null): void => reject(new Error(`the generator ended with ${code}`));
      this.#process.once('exit', died);
      this.#process.once('message', (answer: FromGenerator) => {
        this.#process.removeListener('exit', died);
        if (answer.kind === 'failed') reject(new Error(answer.reason));
        else resolve(answer);
      });
      this.#process.send(message);
    });
  }
}

/** Those of a run: one for the load, one for what goes on beside it. */
export class Generators {
  readonly rates = new Map<string, number>();
  generator = new GeneratorHost();
  beside = new GeneratorHost();

  /** Others in the place of those that a failure has left in the middle of something. */
  async renew(): Promise<void> {
    await this.stop();
    this.generator = new GeneratorHost();
    this.beside = new GeneratorHost();
  }

  async stop(): Promise<void> {
    await this.generator.stop();
    await this.beside.stop();
  }
}
