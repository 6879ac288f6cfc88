// What each client has of the pool: room in the queue and worker time. Runs on main.
import { LIMITS } from '../../limits.js';

/** The requests that share one budget: those of one address, or of one name that the operator's proxy gives. */
export interface Client {
  /** `null`: our own work, or clients that cannot be told apart; their room and time are not bounded. */
  readonly name: string | null;
  /** Jobs waiting or running. */
  jobs: number;
  /** Packed bytes of these jobs. */
  bytes: number;
  /** Worker time used lately. */
  readonly used: FadingTime;
  /** The part of it that was used by jobs longer than LIMITS.longJobMs. */
  readonly usedLong: FadingTime;
  /** When an answer had long data last, by the pool's clock. */
  bulkyAtMs: number;
  /** Place among the waiting clients, in milliseconds of worker time: the least goes first. */
  passMs: number;
}

/** Milliseconds as they were at `atMs` of the pool's clock; they fade. */
interface FadingTime {
  ms: number;
  atMs: number;
}

/** Bounds of all clients together. */
export interface ClientSharesOptions {
  /** Jobs waiting or running. */
  readonly jobsMax: number;
  /** Packed bytes of these jobs. */
  readonly bytesMax: number;
}

/** Counts jobs, bytes and worker time by client. Remembers at most LIMITS.clientsKeptMax clients. */
export class ClientShares {
  readonly #options: ClientSharesOptions;
  readonly #clients = new Map<string, Client>();
  readonly #nobody = newClient(null);
  /** The client that was admitted last, and since when no other has been. */
  #last = this.#nobody;
  #lastSinceMs = 0;
  #jobs = 0;
  #bytes = 0;

  constructor(options: ClientSharesOptions) {
    this.#options = options;
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
    return this.#jobs < this.#options.jobsMax && this.#bytes + bytes <= this.#options.bytesMax;
  }

  /** Whether the client may have that room: at most half of what the other clients leave. */
  isWithin(client: Client, bytes: number): boolean {
    if (client.name === null) return true;
    const jobs = this.#options.jobsMax - (this.#jobs - client.jobs);
    const room = this.#options.bytesMax - (this.#bytes - client.bytes);
    return client.jobs < jobs / 2 && client.bytes + bytes <= room / 2;
  }

  /** Counts an admitted job. */
  admit(client: Client, bytes: number, nowMs: number): void {
    this.#add(client, 1, bytes);
    if (client === this.#last) return;
    this.#last = client;
    this.#lastSinceMs = nowMs;
  }

  /** Counts an answered job. */
  release(client: Client, bytes: number): void {
    this.#add(client, -1, -bytes);
  }

  /** Counts worker time. */
  use(client: Client, ms: number, nowMs: number): void {
    if (client.name === null) return;
    add(client.used, ms, nowMs);
    if (ms > LIMITS.longJobMs) add(client.usedLong, ms, nowMs);
  }

  /** Whether the client has used more than its time lately while other clients have jobs. */
  isOverBudget(client: Client, nowMs: number): boolean {
    if (client.name === null || client.jobs === this.#jobs) return false;
    return remaining(client.used, nowMs) > LIMITS.clientWorkerMsMax;
  }

  /** Whether all jobs of late are one client's; those who cannot be told apart are several. */
  isOneAlone(nowMs: number): boolean {
    return this.#last.name !== null && nowMs - this.#lastSinceMs > LIMITS.clientAloneMs;
  }

  /** Whether the client's long jobs have taken more than their time lately while other clients have asked. */
  isSlow(client: Client, nowMs: number): boolean {
    if (client.usedLong.ms <= LIMITS.clientLongMsMax) return false;
    const isAlone = client === this.#last && this.isOneAlone(nowMs);
    return !isAlone && remaining(client.usedLong, nowMs) > LIMITS.clientLongMsMax;
  }

  #add(client: Client, jobs: number, bytes: number): void {
    client.jobs += jobs;
    client.bytes += bytes;
    this.#jobs += jobs;
    this.#bytes += bytes;
  }

  /** Forgets the oldest client without a job; there is one, as more clients are kept than jobs admitted. */
  #forgetOne(): void {
    for (const [name, { jobs }] of this.#clients) if (jobs === 0) return void this.#clients.delete(name);
  }
}

/** What is left at `nowMs`: it fades by the factor e in each window. */
function remaining({ ms, atMs }: FadingTime, nowMs: number): number {
  return ms === 0 || atMs === nowMs ? ms : ms * Math.exp((atMs - nowMs) / LIMITS.clientWorkerWindowMs);
}

function add(time: FadingTime, ms: number, nowMs: number): void {
  time.ms = remaining(time, nowMs) + ms;
  time.atMs = nowMs;
}

function newClient(name: string | null): Client {
  return {
    name,
    jobs: 0,
    bytes: 0,
    used: { ms: 0, atMs: 0 },
    usedLong: { ms: 0, atMs: 0 },
    bulkyAtMs: -Infinity,
    passMs: 0,
  };
}
