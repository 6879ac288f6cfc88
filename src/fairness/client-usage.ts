// A client, and all resources that it holds or has used.
import { LIMITS } from '../limits/index.js';

/** How much of each limited resource a client holds at the moment. */
export interface ClientResourcesInUse {
  /** Estimates and calls that are waiting for a worker thread or running on one. */
  jobs: number;
  jobBytes: number;
  /** HTTP request bodies being received. */
  bodies: number;
  /** Memory of the request bodies being received. */
  bodyBytes: number;
  /** Open WebSockets, including those counted in `largeSockets`. */
  sockets: number;
  /** WebSockets that may send messages as large as an HTTP body. */
  largeSockets: number;
  /** Bytes of responses that have not been read yet. */
  unsentBytes: number;
  /** Bytes of memory of the client's log searches, which wait for the main thread's time. */
  logBytes: number;
  /** Bytes of transactions that the client has submitted and that are still being processed. */
  sendBytes: number;
  /** Estimates and calls that are being executed by the upstream node. */
  nodeExecutions: number;
  /** Large responses being written. */
  largeAnswers: number;
}

export type UsageKind = keyof ClientResourcesInUse;

/** Names of all resources that are counted for a client. */
export const USAGE_KINDS = [
  'jobs',
  'jobBytes',
  'bodies',
  'bodyBytes',
  'sockets',
  'largeSockets',
  'unsentBytes',
  'logBytes',
  'sendBytes',
  'nodeExecutions',
  'largeAnswers',
] as const satisfies readonly UsageKind[];

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

export function zeroUsage(): ClientResourcesInUse {
  return {
    jobs: 0,
    jobBytes: 0,
    bodies: 0,
    bodyBytes: 0,
    sockets: 0,
    largeSockets: 0,
    unsentBytes: 0,
    logBytes: 0,
    sendBytes: 0,
    nodeExecutions: 0,
    largeAnswers: 0,
  };
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
