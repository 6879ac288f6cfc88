// Logs a warning when a dependency of the program (node, feed, NATS server) is lost, and a line when it is back.

// All dependencies are checked on the main thread in the same manner, from reports that it receives anyway. See
// DECISIONS.md.
import type { LiveStatus } from '../feed/live-status.js';
import type { Readiness } from '../http/routes/monitoring-routes.js';
import { LIMITS } from '../limits/index.js';
import type { ReplicationStatus } from '../replicas/replication-status.js';
import type { ConnectionStatus } from '../upstream/transport/reconnecting-websocket.js';
import { createRedactor, redactAddress } from '../upstream/transport/redact-secrets.js';

/** The methods of a log that are used here. Logged fields: address, reason for the loss, and duration of the loss. */
export interface DependencyLogger {
  warn(fields: object, text: string): void;
  info(fields: object, text: string): void;
}

/** One dependency that can be lost, such as the connection to the node. */
export class MonitoredDependency {
  readonly #name: string;
  readonly #address: string | undefined;
  readonly #log: DependencyLogger;
  readonly #redact: (text: string) => string;
  #lostAtMs: number | null = null;

  /** `address` is a URL. Secrets are removed from it and from the reasons before they are logged. */
  constructor(name: string, log: DependencyLogger, address?: string) {
    this.#name = name;
    this.#log = log;
    this.#address = address === undefined ? undefined : redactAddress(address);
    this.#redact = address === undefined ? (text) => text : createRedactor(address);
  }

  /**
   * Reports why the dependency is lost, or `null` if it is not. A reason that is reported repeatedly is logged once.
   * `nowMs` is monotonic.
   */
  report(reason: string | null, nowMs: number): void {
    const address = this.#address === undefined ? {} : { address: this.#address };
    if (reason !== null && this.#lostAtMs === null) {
      this.#lostAtMs = nowMs;
      this.#log.warn({ ...address, reason: this.#redact(reason) }, `${this.#name} is lost`);
    }
    if (reason !== null || this.#lostAtMs === null) return;
    this.#log.info({ ...address, lostMs: Math.round(nowMs - this.#lostAtMs) }, `${this.#name} is back`);
    this.#lostAtMs = null;
  }
}

/** Addresses of the configured dependencies; `undefined` if one is not configured. */
interface DependencyUrls {
  readonly upstream: string | undefined;
  readonly upstreamWs: string | undefined;
  readonly feeds: readonly string[];
  readonly nats: string | undefined;
}

/** The latest reports of all components about their dependencies. */
export interface ComponentReports {
  readonly live: LiveStatus | null;
  readonly replication: ReplicationStatus | null;
  readonly readiness: Readiness;
}

/** Checks all dependencies of the program, and its own readiness. */
export class DependencyHealth {
  readonly #upstream: MonitoredDependency;
  readonly #heads: Link;
  readonly #feeds: readonly Link[];
  readonly #nats: MonitoredDependency;
  readonly #leader: MonitoredDependency;
  readonly #readiness: MonitoredDependency;

  constructor({ upstream, upstreamWs, feeds, nats }: DependencyUrls, log: DependencyLogger) {
    this.#upstream = new MonitoredDependency('the upstream node', log, upstream);
    this.#heads = new Link(new MonitoredDependency('the WebSocket of heads', log, upstreamWs));
    this.#feeds = feeds.map((url) => new Link(new MonitoredDependency('the feed', log, url)));
    this.#nats = new MonitoredDependency('the NATS server', log, nats);
    this.#leader = new MonitoredDependency('the leader', log);
    this.#readiness = new MonitoredDependency('readiness', log);
  }

  /** Logs the dependencies that were lost or came back since the last call. */
  check({ live, replication, readiness }: ComponentReports, nowMs: number): void {
    if (live !== null) this.#checkChain(live, nowMs);
    if (replication !== null) this.#checkExecutors(replication, nowMs);
    this.#readiness.report(readiness.ready ? null : readiness.reason, nowMs);
  }

  #checkChain({ upstream: { headLink }, upstreamSilentSinceMs, feeds }: LiveStatus, nowMs: number): void {
    const silentMs = nowMs - (upstreamSilentSinceMs ?? nowMs);
    const isSilent = silentMs >= LIMITS.upstreamSilenceMsMax;
    this.#upstream.report(isSilent ? `it has not answered for ${silentMs} ms` : null, nowMs);
    if (headLink !== null) this.#heads.report(headLink, nowMs);
    for (const [index, status] of feeds.entries()) this.#feeds[index]?.report(status, nowMs);
  }

  /**
   * Checks the NATS server and the leading executor. While the NATS server is not connected, nothing is known about a
   * leader.
   */
  #checkExecutors(replication: ReplicationStatus, nowMs: number): void {
    this.#nats.report(replication.isConnected ? null : 'it is not connected', nowMs);
    if (replication.isConnected) this.#leader.report(leaderlessReason(replication, nowMs), nowMs);
  }
}

function leaderlessReason({ role, hasLease, heardAtMs }: ReplicationStatus, nowMs: number): string | null {
  if (role === 'leader') return hasLease ? null : 'the lease is not held here any more';
  if (heardAtMs === null) return 'no executor has been heard of';
  const silentMs = nowMs - heardAtMs;
  return silentMs > LIMITS.replicationSilenceMsMax ? `no executor has been heard of for ${silentMs} ms` : null;
}

/** A connection that may be lost and established again between two checks. */
class Link {
  readonly #dependency: MonitoredDependency;
  #losses = 0;

  constructor(dependency: MonitoredDependency) {
    this.#dependency = dependency;
  }

  report({ isUp, losses, reason }: ConnectionStatus, nowMs: number): void {
    if (losses > this.#losses) this.#dependency.report(reason, nowMs);
    this.#losses = losses;
    this.#dependency.report(isUp ? null : reason, nowMs);
  }
}
