// Accounts for the resources that each client holds and the worker time that it has used.

// A client counts as active while it has a job. A request makes it active only while large responses are being written,
// a pushed message never does. See DECISIONS.md.
import { LIMITS } from '../limits/index.js';
import { type Client, holdsAnyResource, type UsageKind, newClient, zeroUsage, decayedUsedMs } from './client-usage.js';

/** Limits for the jobs of all clients together. */
export interface JobQueueLimits {
  /** Jobs that are waiting for a worker thread or running. */
  readonly queuedJobsMax: number;
  /** Encoded bytes of these jobs. */
  readonly queuedJobBytesMax: number;
}

/** What an unanswered job adds to its client's account: its encoded bytes and its expected worker time. */
export interface JobCharge {
  readonly bytes: number;
  readonly ms: number;
}

/** Factor by which a client's expected time for a job of unknown cost falls after a job that took less time. */
const TRIED_FADES = 3 / 4;
/**
 * When there are too many clients, each new one causes this many of the oldest to be checked. Those that hold no
 * resource, such as jobs or memory, are dropped.
 */
const CHECKS_PER_CLIENT = 4;

/**
 * The accounts of all clients. At most LIMITS.clientsKeptMax clients are retained, apart from clients that hold a
 * resource. How many those can be is bounded by the limits of each resource.
 */
export class UsageLedger {
  /** All clients by name. The first is the one that was added or checked longest ago. */
  readonly #clients = new Map<string, Client>();
  readonly #nobody = newClient(null);
  /** Totals over all clients. */
  readonly #all = zeroUsage();
  /** The client that was active last. `#lastSinceMs`: since when no other client has been active. */
  #last = this.#nobody;
  #lastSinceMs = 0;

  /** Jobs of all clients, waiting or running. */
  get jobs(): number {
    return this.#all.jobs;
  }

  /** Returns the client with this name. All requests without a name share one client, whose jobs are not limited. */
  of(name: string | undefined): Client {
    return name === undefined ? this.#nobody : (this.#clients.get(name) ?? this.#add(name));
  }

  total(kind: UsageKind): number {
    return this.#all[kind];
  }

  /** Adds an amount that a client acquires, or a negative amount that it releases. */
  count(client: Client, kind: UsageKind, amount: number): void {
    client[kind] += amount;
    this.#all[kind] += amount;
  }

  /** True if a job of `bytes` encoded bytes fits the limits for all clients together. */
  hasCapacity(bytes: number, { queuedJobsMax, queuedJobBytesMax }: JobQueueLimits): boolean {
    return this.#all.jobs < queuedJobsMax && this.#all.jobBytes + bytes <= queuedJobBytesMax;
  }

  /**
   * True if the client may add a job of `bytes`: a client may use at most half of what the other clients leave free.
   */
  isWithin(client: Client, bytes: number, { queuedJobsMax, queuedJobBytesMax }: JobQueueLimits): boolean {
    if (client.name === null) return true;
    const jobs = queuedJobsMax - (this.#all.jobs - client.jobs);
    const free = queuedJobBytesMax - (this.#all.jobBytes - client.jobBytes);
    return client.jobs < jobs / 2 && client.jobBytes + bytes <= free / 2;
  }

  admit(client: Client, charge: JobCharge, nowMs: number): void {
    this.#addJobs(client, 1, charge);
    this.heard(client, nowMs);
  }

  /**
   * Records that the client is active. Called for every job, and for other requests while large responses are being
   * written.
   */
  heard(client: Client, nowMs: number): void {
    if (client === this.#last) return;
    this.#last = client;
    this.#lastSinceMs = nowMs;
  }

  release(client: Client, { bytes, ms }: JobCharge): void {
    this.#addJobs(client, -1, { bytes: -bytes, ms: -ms });
  }

  /** Adds worker time that a client has used. */
  use(client: Client, ms: number, nowMs: number): void {
    client.usedMs = decayedUsedMs(client, nowMs) + ms;
    client.usedAtMs = nowMs;
  }

  /**
   * Records how long a job took if its cost was unknown before. After one long job, the client's next job of unknown
   * cost still gets a trial run on the worker for short jobs. After two in a row there are no more trial runs, until
   * the client has sent some short jobs.
   */
  tried(client: Client, tookMs: number): void {
    const isInRow = client.name !== null && client.triedMs >= LIMITS.longerJobMs;
    const mostMs = isInRow ? LIMITS.trialMs : LIMITS.longerJobMs;
    client.triedMs = Math.min(Math.max(tookMs, client.triedMs * TRIED_FADES), mostMs);
  }

  /**
   * Returns the worker time that counts against the client's next job: its unanswered jobs' expected time, and what it
   * used recently.
   */
  aheadMs(client: Client, nowMs: number): number {
    return client.owedMs + decayedUsedMs(client, nowMs);
  }

  /** True if only one client has been active recently. Requests without a client name count as several clients. */
  isOneAlone(nowMs: number): boolean {
    return this.#last.name !== null && nowMs - this.#lastSinceMs > LIMITS.clientAloneMs;
  }

  #addJobs(client: Client, jobs: number, { bytes, ms }: JobCharge): void {
    client.jobs += jobs;
    client.jobBytes += bytes;
    // A client without jobs owes no worker time: any remainder is a rounding error.
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
   * Drops the oldest clients that hold no resource, such as jobs or memory; those that hold one become the youngest
   * instead. Only a few are checked, because a new client must not cost a scan of all. Any surplus is dropped when
   * further clients arrive.
   */
  #forgetSome(): void {
    let checks = 0;
    for (const [name, client] of this.#clients) {
      this.#clients.delete(name);
      if (holdsAnyResource(client)) this.#clients.set(name, client);
      if (++checks === CHECKS_PER_CLIENT || this.#clients.size < LIMITS.clientsKeptMax) return;
    }
  }
}
