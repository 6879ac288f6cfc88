// Jobs that are likely to have long data, before they join the others: of each client one at a time, and none while one of its
// large answers waits to be written. So what waits takes no memory, and equal jobs become one. Runs on main.
import type { Client } from '../../clients/client.js';
import type { PoolJob } from '../pool-job.js';

/** One client's jobs, and the one of them that has joined the others last. */
interface Line {
  readonly jobs: PoolJob[];
  out: PoolJob | null;
}

/** The jobs by client; admission bounds their number. */
export class BulkyJobs {
  readonly #mayHaveData: (client: Client) => boolean;
  readonly #lines = new Map<Client, Line>();
  #length = 0;

  /** `mayHaveData`: whether there is room for long data of the client. */
  constructor(mayHaveData: (client: Client) => boolean) {
    this.#mayHaveData = mayHaveData;
  }

  /** Jobs that wait. */
  get length(): number {
    return this.#length;
  }

  /** Adds a job behind those of its client. */
  add(job: PoolJob): void {
    const line = this.#lines.get(job.client);
    if (line === undefined) this.#lines.set(job.client, { jobs: [job], out: null });
    else line.jobs.push(job);
    this.#length += 1;
  }

  /** Removes the jobs that may join the others now. */
  ready(): PoolJob[] {
    const ready: PoolJob[] = [];
    for (const [client, line] of this.#lines) {
      if (line.out?.isAnswered === false || !this.#mayHaveData(client)) continue;
      line.out = line.jobs.shift() ?? null;
      if (line.out === null) this.#lines.delete(client);
      else ready.push(line.out);
    }
    this.#length -= ready.length;
    return ready;
  }

  /** Removes the jobs that match; asks about each once. */
  remove(matches: (job: PoolJob) => boolean): PoolJob[] {
    const removed: PoolJob[] = [];
    for (const line of this.#lines.values()) {
      const all = line.jobs.splice(0);
      for (const job of all) (matches(job) ? removed : line.jobs).push(job);
    }
    this.#length -= removed.length;
    return removed;
  }
}
