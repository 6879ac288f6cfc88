// Who has what of the pool: room in the queue and worker time, by client. Runs on main.
import { LIMITS } from '../../limits.js';

/** One who shares a budget: all requests of one address. */
export interface Client {
  /** `null`: work of our own, or of clients that cannot be told apart. Their room and time are not bounded. */
  readonly name: string | null;
  /** Waiting or running. */
  jobs: number;
  /** Packed bytes of these. */
  bytes: number;
  /** Worker time used lately, milliseconds, as of `usedAtMs`: it fades. */
  usedMs: number;
  usedAtMs: number;
  /** Its place among those who wait, in milliseconds of worker time: least goes first. */
  passMs: number;
}

/** Bounds of all clients together. */
export interface ClientSharesOptions {
  readonly jobsMax: number;
  readonly bytesMax: number;
}

export class ClientShares {
  readonly #options: ClientSharesOptions;
  readonly #clients = new Map<string, Client>();
  readonly #nobody = newClient(null);
  #jobs = 0;
  #bytes = 0;

  constructor(options: ClientSharesOptions) {
    this.#options = options;
  }

  /** Jobs waiting or running. */
  get jobs(): number {
    return this.#jobs;
  }

  /** The client of this name. */
  of(name: string | undefined): Client {
    if (name === undefined) return this.#nobody;
    let client = this.#clients.get(name);
    if (client === undefined) {
      if (this.#clients.size >= LIMITS.clientsKeptMax) this.#forgetOne();
      this.#clients.set(name, (client = newClient(name)));
    }
    return client;
  }

  /** Whether there is room for a job at all. */
  hasRoom(bytes: number): boolean {
    return this.#jobs < this.#options.jobsMax && this.#bytes + bytes <= this.#options.bytesMax;
  }

  /** Whether the client may have it: a client gets at most half of the room that the others leave. */
  isWithin(client: Client, bytes: number): boolean {
    if (client.name === null) return true;
    const jobs = this.#options.jobsMax - (this.#jobs - client.jobs);
    const room = this.#options.bytesMax - (this.#bytes - client.bytes);
    return client.jobs < jobs / 2 && client.bytes + bytes <= room / 2;
  }

  /** A job of the client's is admitted. */
  admit(client: Client, bytes: number): void {
    this.#add(client, 1, bytes);
  }

  /** A job of the client's is answered. */
  release(client: Client, bytes: number): void {
    this.#add(client, -1, -bytes);
  }

  /** The client has used so much worker time. */
  use(client: Client, ms: number, nowMs: number): void {
    if (client.name === null) return;
    client.usedMs = usedBy(client, nowMs) + ms;
    client.usedAtMs = nowMs;
  }

  /** Whether the client has had more than its time lately, while others want some, too. */
  isOverBudget(client: Client, nowMs: number): boolean {
    if (client.name === null || client.jobs === this.#jobs) return false;
    return usedBy(client, nowMs) > LIMITS.clientWorkerMsMax;
  }

  #add(client: Client, jobs: number, bytes: number): void {
    client.jobs += jobs;
    client.bytes += bytes;
    this.#jobs += jobs;
    this.#bytes += bytes;
  }

  /** The one known longest of those that have no job; with more clients kept than jobs there is one. */
  #forgetOne(): void {
    for (const [name, { jobs }] of this.#clients) if (jobs === 0) return void this.#clients.delete(name);
  }
}

/** Fades by the factor e in every window. */
function usedBy({ usedMs, usedAtMs }: Client, nowMs: number): number {
  return usedMs === 0 ? 0 : usedMs * Math.exp((usedAtMs - nowMs) / LIMITS.clientWorkerWindowMs);
}

function newClient(name: string | null): Client {
  return { name, jobs: 0, bytes: 0, usedMs: 0, usedAtMs: 0, passMs: 0 };
}
