// A client, and everything that is accounted to it.
import { LIMITS } from '../limits/index.js';

/** Amounts that a client holds now, by kind; zero of each if it holds nothing. */
export interface ClientUsage {
  /** Jobs waiting or running. */
  jobs: number;
  /** Packed bytes of these jobs. */
  jobBytes: number;
  /** Bodies being received. */
  bodies: number;
  /** Memory of these bodies. */
  bodyBytes: number;
  /** WebSockets, large ones included. */
  sockets: number;
  /** WebSockets that may send messages as large as a body. */
  largeSockets: number;
  /** Bytes of responses that have not been read yet. */
  unsentBytes: number;
  /** Bytes of log searches that are queued. */
  logBytes: number;
  /** Bytes of transactions that it has submitted and that are still being processed. */
  sendBytes: number;
  /** Estimates and calls that were forwarded to the upstream node. */
  nodeExecutions: number;
  /** Large responses being written. */
  largeAnswers: number;
}

/** The kinds of resources that are accounted. */
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

/** The requests that share one budget: those of one address, or of one name that the operator's proxy sets. */
export interface Client extends ClientUsage {
  /** `null`: our own work, or clients that cannot be identified; their jobs are not bounded. */
  readonly name: string | null;
  /** Expected worker time of its unanswered jobs, milliseconds. */
  owedMs: number;
  /** Recently used worker time, as of `usedAtMs` of the pool's clock; it decays. */
  usedMs: number;
  usedAtMs: number;
  /** Expected worker time of its next job of an unknown kind. */
  triedMs: number;
  /** Until when its next large response is delayed, by the clock of main. */
  restsUntilMs: number;
}

/** Zero of each kind. */
export function noUsage(): ClientUsage {
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
  return { name, ...noUsage(), owedMs: 0, usedMs: 0, usedAtMs: 0, triedMs: LIMITS.shortJobMs, restsUntilMs: 0 };
}

/** True if the client holds any resource. */
export function usesAnything(client: Client): boolean {
  return USAGE_KINDS.some((kind) => client[kind] !== 0);
}

/** Used worker time, decayed to `nowMs`: by the factor e in each window. */
export function remainingMs({ usedMs, usedAtMs }: Client, nowMs: number): number {
  return usedMs === 0 || usedAtMs === nowMs
    ? usedMs
    : usedMs * Math.exp((usedAtMs - nowMs) / LIMITS.clientWorkerWindowMs);
}
