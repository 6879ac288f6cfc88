// The one book on clients: what each holds of every kind, and worker time. Runs on main.

// Decision (2026-11, two cores): Clients share the pool. A client gets at most half of the room that the others leave,
// and is refused at once where its jobs would take all workers for longer than a job may wait. Price: behind one proxy
// address all are one client.

// Decision (2026-11): Bodies are heard while large answers are about, jobs always, pushes never. The name of a client costs 0.8 us a
// request, a quarter of a plain read; a job and a large answer need it anyway. News take no worker and wait behind no answer, so
// a client that only hears them is in nobody's way, and none in its.
import { LIMITS } from '../limits/index.js';
import { type Client, holdsSomething, type Kind, newClient, noHoldings, remainingMs } from './client.js';

/** Bounds of the jobs of all clients together. */
export interface JobBounds {
  /** Jobs waiting or running. */
  readonly queuedJobsMax: number;
  /** Packed bytes of these. */
  readonly queuedJobBytesMax: number;
}

/** The part of the ledger that a job takes until it is answered. */
export interface Charge {
  readonly bytes: number;
  readonly ms: number;
}

/** A client's expectation falls by a quarter with each new kind of job that takes less. */
const TRIED_FADES = 3 / 4;
/** Clients looked at when one more comes than are kept: those that hold nothing are forgotten. */
const LOOKS_PER_CLIENT = 4;

/**
 * Counts what clients hold, and their worker time. Remembers LIMITS.clientsKeptMax clients, and beyond these as many as hold
 * something, which the bounds of each kind limit.
 */
export class Ledger {
  /** The oldest first. */
  readonly #clients = new Map<string, Client>();
  readonly #nobody = newClient(null);
  /** Held by all together. */
  readonly #all = noHoldings();
  /** The client that was heard last, and since when no other has been. */
  #last = this.#nobody;
  #lastSinceMs = 0;

  /** Jobs waiting or running. */
  get jobs(): number {
    return this.#all.jobs;
  }

  /** The client of this name; without a name, the client whose jobs are not bounded. */
  of(name: string | undefined): Client {
    return name === undefined ? this.#nobody : (this.#clients.get(name) ?? this.#add(name));
  }

  /** Amount that all clients hold of a kind. */
  held(kind: Kind): number {
    return this.#all[kind];
  }

  /** Counts what a client takes; less than 0: what it gives back. */
  count(client: Client, kind: Kind, amount: number): void {
    client[kind] += amount;
    this.#all[kind] += amount;
  }

  /** True if there is room for a job of `bytes` packed bytes. */
  hasRoom(bytes: number, { queuedJobsMax, queuedJobBytesMax }: JobBounds): boolean {
    return this.#all.jobs < queuedJobsMax && this.#all.jobBytes + bytes <= queuedJobBytesMax;
  }

  /** True if the client may have that room: at most half of what the other clients leave. */
  isWithin(client: Client, bytes: number, { queuedJobsMax, queuedJobBytesMax }: JobBounds): boolean {
    if (client.name === null) return true;
    const jobs = queuedJobsMax - (this.#all.jobs - client.jobs);
    const room = queuedJobBytesMax - (this.#all.jobBytes - client.jobBytes);
    return client.jobs < jobs / 2 && client.jobBytes + bytes <= room / 2;
  }

  /** Counts an admitted job. */
  admit(client: Client, charge: Charge, nowMs: number): void {
    this.#addJobs(client, 1, charge);
    this.heard(client, nowMs);
  }

  /** Notes that the client asks for something: a job, of a watched call too, or whatever else while large answers are about. */
  heard(client: Client, nowMs: number): void {
    if (client === this.#last) return;
    this.#last = client;
    this.#lastSinceMs = nowMs;
  }

  /** Counts an answered job. */
  release(client: Client, { bytes, ms }: Charge): void {
    this.#addJobs(client, -1, { bytes: -bytes, ms: -ms });
  }

  /** Counts worker time. */
  use(client: Client, ms: number, nowMs: number): void {
    client.usedMs = remainingMs(client, nowMs) + ms;
    client.usedAtMs = nowMs;
  }

  /**
   * Notes what a job of a new kind took. After one that is long the next has its trial on the worker for short ones;
   * after two in a row it has none, until the client has sent some that are short.
   */
  tried(client: Client, tookMs: number): void {
    const isInRow = client.name !== null && client.triedMs >= LIMITS.longerJobMs;
    const mostMs = isInRow ? LIMITS.trialMs : LIMITS.longerJobMs;
    client.triedMs = Math.min(Math.max(tookMs, client.triedMs * TRIED_FADES), mostMs);
  }

  /** Milliseconds that the client's next job is put off: what its others are expected to take, and what it has used lately. */
  aheadMs(client: Client, nowMs: number): number {
    return client.owedMs + remainingMs(client, nowMs);
  }

  /** True if all questions heard of late are one client's; those who cannot be told apart are several. */
  isOneAlone(nowMs: number): boolean {
    return this.#last.name !== null && nowMs - this.#lastSinceMs > LIMITS.clientAloneMs;
  }

  #addJobs(client: Client, jobs: number, { bytes, ms }: Charge): void {
    client.jobs += jobs;
    client.jobBytes += bytes;
    // Milliseconds left when there is no job are an error of rounding.
    client.owedMs = client.jobs === 0 ? 0 : client.owedMs + ms;
    this.#all.jobs += jobs;
    this.#all.jobBytes += bytes;
  }

  #add(name: string): Client {
    if (this.#clients.size >= LIMITS.clientsKeptMax) this.#forgetSome();
    const client = newClient(name);
    this.#clients.set(name, client);
    return client;
  }

  /**
   * Forgets the oldest clients, but for those that hold something, which are the youngest then. Looks at few: a new client may not
   * cost a look at all of them, and a surplus goes with the next ones.
   */
  #forgetSome(): void {
    let looks = 0;
    for (const [name, client] of this.#clients) {
      this.#clients.delete(name);
      if (holdsSomething(client)) this.#clients.set(name, client);
      if (++looks === LOOKS_PER_CLIENT || this.#clients.size < LIMITS.clientsKeptMax) return;
    }
  }
}
