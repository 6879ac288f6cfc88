// The accounts of all clients: what each holds of every kind, and its worker time.

// Clients share the pool. See DECISIONS.md.
// Requests count as activity of their client only while large responses are being written, jobs always, pushed messages
// never. See DECISIONS.md.
import { LIMITS } from '../limits/index.js';
import { type Client, usesAnything, type UsageKind, newClient, noUsage, remainingMs } from './client.js';

/** Bounds of the jobs of all clients together. */
export interface JobBounds {
  /** Jobs waiting or running. */
  readonly queuedJobsMax: number;
  /** Packed bytes of these. */
  readonly queuedJobBytesMax: number;
}

/** What a job adds to the accounts until it is answered. */
export interface Charge {
  readonly bytes: number;
  readonly ms: number;
}

/** A client's expectation falls by a quarter with each new kind of job that takes less. */
const TRIED_FADES = 3 / 4;
/** Clients checked when a new one exceeds the number retained: those that hold nothing are dropped. */
const CHECKS_PER_CLIENT = 4;

/**
 * Accounts what clients hold, and their worker time. Retains LIMITS.clientsKeptMax clients, and beyond these as many as
 * hold something, which the bounds of each kind limit.
 */
export class Usage {
  /** The oldest first. */
  readonly #clients = new Map<string, Client>();
  readonly #nobody = newClient(null);
  /** Totals of all clients. */
  readonly #all = noUsage();
  /** The most recently active client, and since when no other has been active. */
  #last = this.#nobody;
  #lastSinceMs = 0;

  /** Jobs waiting or running. */
  get jobs(): number {
    return this.#all.jobs;
  }

  /** The client with this name; without a name, the client whose jobs are not bounded. */
  of(name: string | undefined): Client {
    return name === undefined ? this.#nobody : (this.#clients.get(name) ?? this.#add(name));
  }

  /** Total of a kind over all clients. */
  total(kind: UsageKind): number {
    return this.#all[kind];
  }

  /** Adds what a client acquires; less than 0: what it releases. */
  count(client: Client, kind: UsageKind, amount: number): void {
    client[kind] += amount;
    this.#all[kind] += amount;
  }

  /** True if there is space for a job of `bytes` packed bytes. */
  hasCapacity(bytes: number, { queuedJobsMax, queuedJobBytesMax }: JobBounds): boolean {
    return this.#all.jobs < queuedJobsMax && this.#all.jobBytes + bytes <= queuedJobBytesMax;
  }

  /** True if the client may use that space: at most half of what the other clients leave. */
  isWithin(client: Client, bytes: number, { queuedJobsMax, queuedJobBytesMax }: JobBounds): boolean {
    if (client.name === null) return true;
    const jobs = queuedJobsMax - (this.#all.jobs - client.jobs);
    const free = queuedJobBytesMax - (this.#all.jobBytes - client.jobBytes);
    return client.jobs < jobs / 2 && client.jobBytes + bytes <= free / 2;
  }

  /** Counts an admitted job. */
  admit(client: Client, charge: Charge, nowMs: number): void {
    this.#addJobs(client, 1, charge);
    this.heard(client, nowMs);
  }

  /**
   * Records activity of the client: a job, of a watched call too, or any other request while large responses are being
   * written.
   */
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
   * Records how long a job of a new kind took. After a long one the next such job gets a trial run on the worker for
   * short jobs; after two in a row it gets none, until the client has sent some short ones.
   */
  tried(client: Client, tookMs: number): void {
    const isInRow = client.name !== null && client.triedMs >= LIMITS.longerJobMs;
    const mostMs = isInRow ? LIMITS.trialMs : LIMITS.longerJobMs;
    client.triedMs = Math.min(Math.max(tookMs, client.triedMs * TRIED_FADES), mostMs);
  }

  /**
   * Milliseconds by which the client's next job is delayed: the expected time of its other jobs, and what it has used
   * recently.
   */
  aheadMs(client: Client, nowMs: number): number {
    return client.owedMs + remainingMs(client, nowMs);
  }

  /** True if only one client has been active recently; clients without a name count as several. */
  isOneAlone(nowMs: number): boolean {
    return this.#last.name !== null && nowMs - this.#lastSinceMs > LIMITS.clientAloneMs;
  }

  #addJobs(client: Client, jobs: number, { bytes, ms }: Charge): void {
    client.jobs += jobs;
    client.jobBytes += bytes;
    // Any remainder without a job is a rounding error.
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
   * Drops the oldest clients except those that hold something, which then become the youngest. Checks only a few: a new
   * client must not cost a scan of all of them, and a surplus goes with the next ones.
   */
  #forgetSome(): void {
    let checks = 0;
    for (const [name, client] of this.#clients) {
      this.#clients.delete(name);
      if (usesAnything(client)) this.#clients.set(name, client);
      if (++checks === CHECKS_PER_CLIENT || this.#clients.size < LIMITS.clientsKeptMax) return;
    }
  }
}
