// A client, and all that is kept of it. Runs on main.
import { LIMITS } from '../limits/index.js';

/** Amounts that a client holds now, by kind; zero of each where it holds nothing. */
export interface Holdings {
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
  /** Bytes of answers that wait to be read. */
  unsentBytes: number;
  /** Bytes of searches for logs that wait for their turn. */
  logBytes: number;
  /** Bytes of transactions that it has sent and that are on their way. */
  sendBytes: number;
  /** Estimates and calls that the upstream node is asked for. */
  nodeExecutions: number;
  /** Large answers being written. */
  largeAnswers: number;
}

/** A kind of what is held. */
export type Kind = keyof Holdings;

/** All kinds. */
export const KINDS = [
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
] as const satisfies readonly Kind[];

/** The requests that share one budget: those of one address, or of one name that the operator's proxy gives. */
export interface Client extends Holdings {
  /** `null`: our own work, or clients that cannot be told apart; their jobs are not bounded. */
  readonly name: string | null;
  /** Worker time that its jobs are expected to take, milliseconds. */
  owedMs: number;
  /** Worker time used lately, as it was at `usedAtMs` of the pool's clock; it fades. */
  usedMs: number;
  usedAtMs: number;
  /** Worker time that its next job of an unknown kind is expected to take. */
  triedMs: number;
  /** Until when its next large answer waits, by the clock of main. */
  restsUntilMs: number;
}

/** Nothing of each kind. */
export function noHoldings(): Holdings {
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
  return { name, ...noHoldings(), owedMs: 0, usedMs: 0, usedAtMs: 0, triedMs: LIMITS.shortJobMs, restsUntilMs: 0 };
}

/** True if the client holds something, of whatever kind. */
export function holdsSomething(client: Client): boolean {
  return KINDS.some((kind) => client[kind] !== 0);
}

/** Milliseconds left of the worker time used: it fades by the factor e in each window. */
export function remainingMs({ usedMs, usedAtMs }: Client, nowMs: number): number {
  return usedMs === 0 || usedAtMs === nowMs
    ? usedMs
    : usedMs * Math.exp((usedAtMs - nowMs) / LIMITS.clientWorkerWindowMs);
}
