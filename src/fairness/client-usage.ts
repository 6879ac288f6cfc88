// A client, and all resources that it holds or has used.
import { LIMITS } from '../limits/index.js';

/** Returns how much of each limited resource a new client holds: nothing. */
export function zeroUsage() {
  return {
    /** Estimates and calls that are waiting for a worker thread or running on one. */
    jobs: 0,
    jobBytes: 0,
    /** HTTP request bodies being received. */
    bodies: 0,
    /** Memory of the request bodies being received. */
    bodyBytes: 0,
    /** Open WebSockets, including those counted in `largeSockets`. */
    sockets: 0,
    /** WebSockets that may send messages as large as an HTTP body. */
    largeSockets: 0,
    /** Bytes of responses that have not been read yet. */
    unsentBytes: 0,
    /** Bytes of memory of the client's log searches, which wait for the main thread's time. */
    logBytes: 0,
    /** Bytes of transactions that the client has submitted and that are still being processed. */
    sendBytes: 0,
    /** Estimates and calls that are being executed by the upstream node. */
    nodeExecutions: 0,
    /** Large responses being written. */
    largeAnswers: 0,
  };
}

type ClientResourcesInUse = ReturnType<typeof zeroUsage>;
export type UsageKind = keyof ClientResourcesInUse;

const USAGE_KINDS = Object.keys(zeroUsage()) as readonly UsageKind[];

/** Requests that share one budget: those from one address, or with one client name set by the operator's proxy. */
export interface Client extends ClientResourcesInUse {
  /**
   * The client's name. `null` for the program's own work and for clients that cannot be identified; the number of their
   * jobs is not limited.
   */
  readonly name: string | null;
  /** Expected worker time of the client's jobs that are not answered yet, in milliseconds. */
  owedMs: number;
  /**
   * Worker time in milliseconds that the client used recently, as of `usedAtMs` on the pool's clock. It decays over
   * time.
   */
  usedMs: number;
  usedAtMs: number;
  /** Expected worker time, in milliseconds, of the client's next job whose cost is not known from earlier jobs. */
  triedMs: number;
  /** Time on the main thread's clock until which the client's next large response is delayed. */
  restsUntilMs: number;
}

/** Creates a client that holds nothing and has used nothing. */
export function newClient(name: string | null): Client {
  return { name, ...zeroUsage(), owedMs: 0, usedMs: 0, usedAtMs: 0, triedMs: LIMITS.shortJobMs, restsUntilMs: 0 };
}

export function holdsAnyResource(client: Client): boolean {
  return USAGE_KINDS.some((kind) => client[kind] !== 0);
}

/** Returns the used worker time, decayed to `nowMs`: it falls by the factor e in each `clientWorkerWindowMs`. */
export function decayedUsedMs({ usedMs, usedAtMs }: Client, nowMs: number): number {
  return usedMs === 0 || usedAtMs === nowMs
    ? usedMs
    : usedMs * Math.exp((usedAtMs - nowMs) / LIMITS.clientWorkerWindowMs);
}
