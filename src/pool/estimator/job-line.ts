// Jobs that wait in one line, their clients in turn: whoever has used least worker time goes first, and of one client's jobs
// the first that came. Runs on main.
import type { Client } from './client-shares.js';
import type { PoolJob } from './pool-job.js';

/** One client's jobs in the line. */
interface Turn {
  readonly client: Client;
  readonly jobs: PoolJob[];
  /** The client's when it was put into the line: the order must not change while it stands there. */
  passMs: number;
}

export class JobLine {
  readonly #turns = new Map<Client, Turn>();
  /** The next one last, as the end of an array is cheap to take. */
  readonly #order: Turn[] = [];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Each client's jobs stand in the order of their admission, also those that come back. */
  add(job: PoolJob): void {
    const { jobs } = this.#turnOf(job.client);
    const last = jobs.at(-1);
    if (last === undefined || last.order < job.order) jobs.push(job);
    else {
      const place = firstIndex(jobs, ({ order }) => order > job.order);
      jobs.splice(place, 0, job);
    }
    this.#length += 1;
  }

  /** The next one. */
  get first(): PoolJob | undefined {
    return this.#order.at(-1)?.jobs[0];
  }

  /** Takes the next one out, which is there, and charges its client. */
  shift(): PoolJob {
    const turn = this.#order.pop()!;
    const job = turn.jobs.shift()!;
    this.#length -= 1;
    turn.client.passMs += job.chargedMs;
    if (turn.jobs.length > 0) this.#insert(turn);
    else this.#turns.delete(turn.client);
    return job;
  }

  /** Whether one came before `sinceMs`. */
  hasOlder(sinceMs: number): boolean {
    for (const { jobs } of this.#order) if (jobs[0]!.admittedMs < sinceMs) return true;
    return false;
  }

  /** Takes out what matches. */
  remove(matches: (job: PoolJob) => boolean): PoolJob[] {
    const removed = new Set(this.#order.flatMap(({ jobs }) => jobs.filter(matches)));
    if (removed.size === 0) return [];
    const kept = this.#order.toReversed().flatMap(({ jobs }) => jobs.filter((job) => !removed.has(job)));
    this.#turns.clear();
    this.#order.length = 0;
    this.#length = 0;
    for (const job of kept) this.add(job);
    return [...removed];
  }

  #turnOf(client: Client): Turn {
    let turn = this.#turns.get(client);
    if (turn === undefined) {
      this.#turns.set(client, (turn = { client, jobs: [], passMs: 0 }));
      this.#insert(turn);
    }
    return turn;
  }

  /** Behind those of the same pass. */
  #insert(turn: Turn): void {
    turn.passMs = turn.client.passMs;
    const next = this.#order.at(-1);
    if (next === undefined || next.passMs > turn.passMs) this.#order.push(turn);
    else {
      const place = firstIndex(this.#order, ({ passMs }) => passMs <= turn.passMs);
      this.#order.splice(place, 0, turn);
    }
  }
}

/** Where the first item stands for which it holds, as for all behind it. */
function firstIndex<T>(items: readonly T[], holds: (item: T) => boolean): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(items[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
}
