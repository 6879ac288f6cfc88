// A line of waiting jobs. The client that has used least worker time goes first, with the oldest of its jobs; its short ones
// go before longer ones that have not waited long. Runs on main.
import { LIMITS } from '../../limits.js';
import type { Client } from './client-shares.js';
import type { PoolJob } from './pool-job.js';

/** One client's jobs in the line. */
interface Turn {
  readonly client: Client;
  /** Each by age. */
  readonly short: PoolJob[];
  readonly longer: PoolJob[];
  /** The client's when the turn was inserted: the order must not change meanwhile. */
  passMs: number;
}

/** Clients without jobs whose turns may be kept, beside one for each client that has some. */
const IDLE_TURNS_MIN = 64;

/** Jobs of one class, their clients in turn. */
export class JobLine {
  readonly #isShort: (job: PoolJob) => boolean;
  /** Those of clients without jobs, too: see #turnOf. */
  #turns = new Map<Client, Turn>();
  /** The next turn is the last item, as that is cheap to remove. */
  readonly #order: Turn[] = [];
  #length = 0;

  /** `isShort`: whether a job is likely to take so little time that it goes before longer ones of its client. */
  constructor(isShort: (job: PoolJob) => boolean) {
    this.#isShort = isShort;
  }

  /** Jobs in the line. */
  get length(): number {
    return this.#length;
  }

  /** Whether a short job waits. */
  get hasShort(): boolean {
    return this.#order.some(hasShort);
  }

  /** Adds a job. A client's jobs stand in the order of admission, also those that come back. */
  add(job: PoolJob): void {
    const turn = this.#turnOf(job.client);
    if (isEmpty(turn)) this.#insert(turn);
    insertInOrder(job, this.#isShort(job) ? turn.short : turn.longer);
    this.#length += 1;
  }

  /** The next job, or the next short one. */
  next(onlyShort: boolean): PoolJob | undefined {
    const turn = this.#order[this.#placeOf(onlyShort)];
    return turn === undefined ? undefined : listOf(turn, onlyShort)[0];
  }

  /** Removes that job, which exists, and charges its client. */
  shift(onlyShort: boolean): PoolJob {
    const place = this.#placeOf(onlyShort);
    const turn = this.#order[place]!;
    this.#order.splice(place, 1);
    const job = listOf(turn, onlyShort).shift()!;
    this.#length -= 1;
    turn.client.passMs += job.chargedMs;
    if (!isEmpty(turn)) this.#insert(turn);
    return job;
  }

  /** Whether a job was admitted before `sinceMs`. */
  hasOlder(sinceMs: number): boolean {
    return this.#order.some(({ short, longer }) => isOlder(short[0], sinceMs) || isOlder(longer[0], sinceMs));
  }

  /** Removes the jobs that match; asks about each once, beginning with the client that would be last. */
  remove(matches: (job: PoolJob) => boolean): PoolJob[] {
    const removed = new Set(this.#order.flatMap((turn) => jobsOf(turn).filter(matches)));
    if (removed.size === 0) return [];
    const kept = this.#order.toReversed().flatMap((turn) => jobsOf(turn).filter((job) => !removed.has(job)));
    this.#turns = new Map();
    this.#order.length = 0;
    this.#length = 0;
    for (const job of kept) this.add(job);
    return [...removed];
  }

  /**
   * A turn stays when its last job has gone: V8 makes a Map that is emptied a new table each time, chains the two, and a dead
   * table in old space keeps all that came after it. The Map is left for a new one when most of the turns are idle.
   */
  #turnOf(client: Client): Turn {
    const known = this.#turns.get(client);
    if (known !== undefined) return known;
    if (this.#turns.size >= 2 * this.#order.length + IDLE_TURNS_MIN) {
      this.#turns = new Map(this.#order.map((turn) => [turn.client, turn]));
    }
    const turn: Turn = { client, short: [], longer: [], passMs: client.passMs };
    this.#turns.set(client, turn);
    return turn;
  }

  /** Of the turn that is next; -1 when there is none. */
  #placeOf(onlyShort: boolean): number {
    return onlyShort ? this.#order.findLastIndex(hasShort) : this.#order.length - 1;
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

function hasShort({ short }: Turn): boolean {
  return short.length > 0;
}

/** The list with the next job, or with the next short one, of a turn that has one. */
function listOf({ short, longer }: Turn, onlyShort: boolean): PoolJob[] {
  if (onlyShort) return short;
  const [first, other] = [short[0], longer[0]];
  if (first === undefined) return longer;
  return other !== undefined && isOlder(other, first.admittedMs - LIMITS.shortFirstMs) ? longer : short;
}

function isEmpty({ short, longer }: Turn): boolean {
  return short.length + longer.length === 0;
}

function jobsOf({ short, longer }: Turn): PoolJob[] {
  return [...short, ...longer];
}

function isOlder(job: PoolJob | undefined, sinceMs: number): boolean {
  return job !== undefined && job.admittedMs < sinceMs;
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
