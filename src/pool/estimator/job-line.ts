// A line of waiting jobs. The client that has used least worker time goes first, with the oldest of its jobs. Runs on main.
import type { Client } from './client-shares.js';
import type { PoolJob } from './pool-job.js';

/** One client's jobs in the line. */
interface Turn {
  readonly client: Client;
  readonly jobs: PoolJob[];
  /** The client's when the turn was inserted: the order must not change meanwhile. */
  passMs: number;
}

/** Jobs of one class, their clients in turn. */
export class JobLine {
  readonly #turns = new Map<Client, Turn>();
  /** The next turn is the last item, as that is cheap to remove. */
  readonly #order: Turn[] = [];
  #length = 0;

  /** Jobs in the line. */
  get length(): number {
    return this.#length;
  }

  /** Adds a job. A client's jobs stand in the order of admission, also those that come back. */
  add(job: PoolJob): void {
    const turn = this.#turns.get(job.client);
    if (turn === undefined) this.#addTurn(job);
    else insertInOrder(job, turn.jobs);
    this.#length += 1;
  }

  /** The next job. */
  get first(): PoolJob | undefined {
    return this.#order.at(-1)?.jobs[0];
  }

  /** Removes the next job, which exists, and charges its client. */
  shift(): PoolJob {
    const turn = this.#order.pop()!;
    const job = turn.jobs.shift()!;
    this.#length -= 1;
    turn.client.passMs += job.chargedMs;
    if (turn.jobs.length > 0) this.#insert(turn);
    else this.#turns.delete(turn.client);
    return job;
  }

  /** Whether a job was admitted before `sinceMs`. */
  hasOlder(sinceMs: number): boolean {
    for (const { jobs } of this.#order) if (jobs[0]!.admittedMs < sinceMs) return true;
    return false;
  }

  /** Removes the jobs that match; asks about each once, beginning with the client that would be last. */
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

  #addTurn(job: PoolJob): void {
    const { client } = job;
    const turn = { client, jobs: [job], passMs: client.passMs };
    this.#turns.set(client, turn);
    this.#insert(turn);
  }

  /** Inserts behind turns of the same pass. */
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

function insertInOrder(job: PoolJob, jobs: PoolJob[]): void {
  const last = jobs.at(-1);
  if (last === undefined || last.order < job.order) jobs.push(job);
  else {
    const place = firstIndex(jobs, ({ order }) => order > job.order);
    jobs.splice(place, 0, job);
  }
}

/** Index of the first item that holds, where all items behind it hold, too. */
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
