// The regular tasks of the leader: renews the lease, and reports its status to replicas (heartbeats) and to the main
// thread.
import { mergeStatusReport, type ExecutionStatus, type LiveStatus } from '../../feed/live-status.js';
import { stalenessReasons } from '../../feed/staleness.js';
import { LIMITS } from '../../limits/index.js';
import type { StoppableTask } from '../bus/chain-bus.js';
import { recordBytes } from '../messages/control-messages-json.js';
import type { ReplicationStatus } from '../replication-status.js';
import type { SendLoopDeps } from './send-loop.js';
import type { StreamWriter } from './stream-writer.js';

interface HeartbeatDeps extends Omit<SendLoopDeps, 'chain' | 'snapshots' | 'progress'> {
  readonly stream: StreamWriter;
  readonly report: (status: ReplicationStatus) => void;
}

export class LeaderHeartbeat {
  readonly #deps: HeartbeatDeps;
  readonly #timers: NodeJS.Timeout[] = [];
  #watching: StoppableTask | null = null;
  #live: LiveStatus | null = null;

  constructor(deps: HeartbeatDeps) {
    this.#deps = deps;
  }

  /** Starts renewing and reporting. When the connection is established again, both are done at once. */
  start(): void {
    const { bus, tendLease } = this.#deps;
    const { replicationRenewMs, replicationAliveMs } = LIMITS;
    this.#watching = bus.watch(
      (isConnected) => void (isConnected ? tendLease().then(() => this.#beat()) : this.#beat()),
    );
    this.#timers.push(setInterval(() => void tendLease(), replicationRenewMs));
    this.#timers.push(setInterval(() => this.#beat(), replicationAliveMs));
  }

  /** Stores the live chain's status, from which the heartbeats are made. */
  receive(status: LiveStatus | ExecutionStatus): void {
    this.#live = mergeStatusReport(this.#live, status);
  }

  stop(): void {
    this.#watching?.stop();
    for (const timer of this.#timers) clearInterval(timer);
  }

  /**
   * Sends a heartbeat and reports to the main thread. The heartbeat is sent only while the lease is certainly ours,
   * because a heartbeat of a deposed leader would make replicas load a snapshot.
   */
  #beat(): void {
    const { lease, clock, report } = this.#deps;
    const now = clock.now();
    if (lease.isOurs) this.#sayAlive(now);
    report(this.#status(now));
  }

  #sayAlive(nowMs: number): void {
    const { bus, published, backlog, stream } = this.#deps;
    const { newest: version, record } = published;
    const head = record?.heads.latest ?? 0;
    const { epoch, sequence } = stream;
    const [trouble, doubt] = [this.#trouble(nowMs), this.#live?.doubt ?? null];
    const word = { epoch, version, head, sequence, lagMs: backlog.waitedMs(nowMs), trouble, doubt };
    bus.publish(recordBytes('alive', word));
  }

  #status(nowMs: number): ReplicationStatus {
    const { bus, lease, counts, published, backlog, stream } = this.#deps;
    return {
      role: 'leader',
      counts: { ...counts },
      isConnected: bus.isConnected,
      hasLease: lease.isOurs,
      epoch: stream.epoch,
      version: published.newest,
      newest: published.newest,
      waiting: backlog.waiting,
      blocksBehind: 0,
      lagMs: backlog.waitedMs(nowMs),
      heardAtMs: null,
      trouble: null,
      doubt: null,
      phase: 'following',
      atMs: nowMs,
    };
  }

  #trouble(nowMs: number): string | null {
    const { record } = this.#deps.published;
    if (this.#live === null || record === null) return null;
    return [...stalenessReasons(this.#live, nowMs - record.publishedAtMs, nowMs)].join('; ') || null;
  }
}
