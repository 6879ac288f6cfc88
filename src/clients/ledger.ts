// What each client has of the estimators: room for its jobs, and worker time. Runs on main.

// Decision (2026-11, two cores): Clients share the pool. A client gets at most half of the room that the others leave,
// and is refused at once where its jobs would take all workers for longer than a job may wait. Price: behind one proxy
// address all are one client.
import { LIMITS } from '../limits/index.js';

/** The requests that share one budget: those of one address, or of one name that the operator's proxy gives. */
export interface Client {
  /** `null`: our own work, or clients that cannot be told apart; their room is not bounded. */
  readonly name: string | null;
  /** Jobs waiting or running. */
  jobs: number;
  /** Packed bytes of these jobs. */
  bytes: number;
  /** Worker time that these jobs are expected to take, milliseconds. */
  owedMs: number;
  /** Worker time used lately, as it was at `usedAtMs` of the pool's clock; it fades. */
  usedMs: number;
  usedAtMs: number;
  /** Worker time that its next job of an unknown kind is expected to take. */
  triedMs: number;
  /** Whether its last answer had long data. */
  isBulky: boolean;
}

/** Bounds of all clients together. */
export interface LedgerBounds {
  /** Jobs waiting or running. */
  readonly jobsMax: number;
  /** Packed bytes of these jobs. */
  readonly bytesMax: number;
}

/** What a job takes of the ledger until it is answered. */
export interface Charge {
  readonly bytes: number;
  readonly ms: number;
}

/** A client's expectation falls by a quarter with each new kind of job that takes less. */
const TRIED_FADES = 3 / 4;

/** Counts jobs, bytes and worker time by client. Remembers at most LIMITS.clientsKeptMax clients. */
export class Ledger {
  readonly #bounds: LedgerBounds;
  readonly #clients = new Map<string, Client>();
  readonly #nobody = newClient(null);
  /** The client that was admitted last, and since when no other has been. */
  #last = this.#nobody;
  #lastSinceMs = 0;
  #jobs = 0;
  #bytes = 0;

  constructor(bounds: LedgerBounds) {
    this.#bounds = bounds;
  }

  /** Jobs waiting or running. */
  get jobs(): number {
    return this.#jobs;
  }

  /** The client of this name; without a name, the client that is not bounded. */
  of(name: string | undefined): Client {
    if (name === undefined) return this.#nobody;
    let client = this.#clients.get(name);
    if (client === undefined) {
      if (this.#clients.size >= LIMITS.clientsKeptMax) this.#forgetOne();
      this.#clients.set(name, (client = newClient(name)));
    }
    return client;
  }

  /** Whether there is room for a job of `bytes` packed bytes. */
  hasRoom(bytes: number): boolean {
    return this.#jobs < this.#bounds.jobsMax && this.#bytes + bytes <= this.#bounds.bytesMax;
  }

  /** Whether the client may have that room: at most half of what the other clients leave. */
  isWithin(client: Client, bytes: number): boolean {
    if (client.name === null) return true;
    const jobs = this.#bounds.jobsMax - (this.#jobs - client.jobs);
    const room = this.#bounds.bytesMax - (this.#bytes - client.bytes);
    return client.jobs < jobs / 2 && client.bytes + bytes <= room / 2;
  }

  /** Counts an admitted job. */
  admit(client: Client, charge: Charge, nowMs: number): void {
    this.#add(client, 1, charge);
    if (client === this.#last) return;
    this.#last = client;
    this.#lastSinceMs = nowMs;
  }

  /** Counts an answered job. */
  release(client: Client, { bytes, ms }: Charge): void {
    this.#add(client, -1, { bytes: -bytes, ms: -ms });
  }

  /** Counts worker time. */
  use(client: Client, ms: number, nowMs: number): void {
    client.usedMs = remainingMs(client, nowMs) + ms;
    client.usedAtMs = nowMs;
  }

  /** Notes what a job of a new kind took. The next one is never expected to be long: it is to have its trial. */
  tried(client: Client, tookMs: number): void {
    client.triedMs = Math.min(Math.max(tookMs, client.triedMs * TRIED_FADES), LIMITS.longerJobMs);
  }

  /** Milliseconds that the client's next job is put off: what its others are expected to take, and what it has used lately. */
  aheadMs(client: Client, nowMs: number): number {
    return client.owedMs + remainingMs(client, nowMs);
  }

  /** Whether all jobs of late are one client's; those who cannot be told apart are several. */
  isOneAlone(nowMs: number): boolean {
    return this.#last.name !== null && nowMs - this.#lastSinceMs > LIMITS.clientAloneMs;
  }

  #add(client: Client, jobs: number, { bytes, ms }: Charge): void {
    client.jobs += jobs;
    client.bytes += bytes;
    // What is left when there is no job is an error of rounding.
    client.owedMs = client.jobs === 0 ? 0 : client.owedMs + ms;
    this.#jobs += jobs;
    this.#bytes += bytes;
  }

  /** Forgets the oldest client without a job; there is one, as more clients are kept than jobs admitted. */
  #forgetOne(): void {
    for (const [name, { jobs }] of this.#clients) if (jobs === 0) return void this.#clients.delete(name);
  }
}

/** What is left of the time used: it fades by the factor e in each window. */
function remainingMs({ usedMs, usedAtMs }: Client, nowMs: number): number {
  return usedMs === 0 || usedAtMs === nowMs
    ? usedMs
    : usedMs * Math.exp((usedAtMs - nowMs) / LIMITS.clientWorkerWindowMs);
}

function newClient(name: string | null): Client {
  return { name, jobs: 0, bytes: 0, owedMs: 0, usedMs: 0, usedAtMs: 0, triedMs: LIMITS.shortJobMs, isBulky: false };
}
