// A client, and everything that is accounted to it.
import { LIMITS } from '../limits/index.js';

/** Amounts of each kind that a client holds now, or zero. */
export interface ClientUsage {
  /** Jobs waiting or running. */
  jobs: number;
  jobBytes: number;
  /** Bodies being received. */
  bodies: number;
  /** Memory of these bodies. */
  bodyBytes: number;
  /** WebSockets, including large ones. */
  sockets: number;
  /** WebSockets that may send messages as large as an HTTP body. */
  largeSockets: number;
  /** Bytes of responses that have not been read yet. */
  unsentBytes: number;
  /** Bytes of queued log searches. */
  logBytes: number;
  /** Bytes of transactions that it has submitted and that are still being processed. */
  sendBytes: number;
  /** Estimates and calls that are being executed by the upstream node. */
  nodeExecutions: number;
  /** Large responses being written. */
  largeAnswers: number;
}

export type UsageKind = keyof ClientUsage;

/** All kinds. */
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
export interface Client extends ClientUsage {
  /** The client's name; `null` for our own work and clients that cannot be identified, whose jobs are unbounded. */
  readonly name: string | null;
  /** Expected worker time of its jobs that are not answered yet, in milliseconds. */
  owedMs: number;
  /** Recently used worker time as of `usedAtMs` on the pool's clock. It decays over time. */
  usedMs: number;
  usedAtMs: number;
  /** Expected worker time of its next job of a kind that is not known yet. */
  triedMs: number;
  /** Time until which its next large response is delayed, on main's clock. */
  restsUntilMs: number;
}

export function zeroUsage(): ClientUsage {
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

/** A client that holds nothing and has used nothing. */
export function newClient(name: string | null): Client {
  return { name, ...zeroUsage(), owedMs: 0, usedMs: 0, usedAtMs: 0, triedMs: LIMITS.shortJobMs, restsUntilMs: 0 };
}

export function holdsAnyResource(client: Client): boolean {
  return USAGE_KINDS.some((kind) => client[kind] !== 0);
}

/** Used worker time, decayed to `nowMs`. In each window it falls by the factor e. */
export function decayedUsedMs({ usedMs, usedAtMs }: Client, nowMs: number): number {
  return usedMs === 0 || usedAtMs === nowMs
    ? usedMs
    : usedMs * Math.exp((usedAtMs - nowMs) / LIMITS.clientWorkerWindowMs);
}
