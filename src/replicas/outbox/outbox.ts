// The sending side of an executor. Published state versions are queued and then sent to the stream; the feed never
// waits for that.

// The message of a complete block repeats the transactions of its increments. See DECISIONS.md.
//
// The outbox runs on the publisher's thread, because passing versions to another thread would copy them as well. See
// DECISIONS.md.
import type { VersionDetails } from '../../feed/feed.js';
import type { ExecutionStatus, LiveStatus } from '../../feed/live-status.js';
import { LIMITS } from '../../limits/index.js';
import type { BusRequestHandler, StoppableTask } from '../bus/chain-bus.js';
import { newReplicationCounts, type ReplicationStatus } from '../replication-status.js';
import type { CompleteBlock } from '../../state/complete-block.js';
import type { StateDiff } from '../../state/state-diff.js';
import { VersionBacklog } from './version-backlog.js';
import { LeaderHeartbeat } from './lease-and-heartbeat.js';
import { PublishedState, type PublishedTableRef } from './published-table.js';
import { SendLoop, type SendLoopDeps } from './send-loop.js';
import { SnapshotPublisher } from './snapshot-publisher.js';

interface OutboxDeps extends Pick<SendLoopDeps, 'bus' | 'lease' | 'chain' | 'clock' | 'progress'> {
  /** Largest number of state versions that may be queued; `LIMITS.replicationWaitingVersionsMax` by default. */
  readonly waitingVersionsMax?: number;
  /** Answers requests of replicas. */
  readonly answer: BusRequestHandler;
  /** Called when another executor has become the leader, so that this one must end. */
  readonly onDeposed: () => void;
  readonly report: (status: ReplicationStatus) => void;
}

/** Where a new leader continues the stream. */
export interface LeadershipStart {
  /** The newest stream epoch so far (0 if there was none), and the last sequence number in the stream. */
  readonly epoch: number;
  readonly sequence: number;
  /** True if the local table has the state at the end of the stream. */
  readonly continues: boolean;
}

/** Accepts state versions at any time, but sends only versions that are added after `lead`. */
export class Outbox {
  readonly #deps: OutboxDeps;
  readonly #published = new PublishedState();
  readonly #backlog: VersionBacklog;
  readonly #snapshots: SnapshotPublisher;
  readonly #loop: SendLoop;
  readonly #heartbeat: LeaderHeartbeat;
  #isLeading = false;
  #answering: StoppableTask | null = null;

  constructor(deps: OutboxDeps) {
    this.#deps = deps;
    const counts = newReplicationCounts();
    this.#backlog = new VersionBacklog(deps.waitingVersionsMax ?? LIMITS.replicationWaitingVersionsMax);
    this.#snapshots = new SnapshotPublisher({ ...deps, counts });
    const tendLease = (): Promise<void> => this.#tendLease();
    const shared = { ...deps, counts, published: this.#published, backlog: this.#backlog, tendLease };
    this.#loop = new SendLoop({ ...shared, snapshots: this.#snapshots });
    this.#heartbeat = new LeaderHeartbeat({ ...shared, stream: this.#loop.stream });
  }

  /** Requests a new snapshot. Snapshots are made at most at the rate in LIMITS. */
  requestSnapshot(): void {
    this.#snapshots.request(this.#deps.clock.now());
    this.#loop.wake();
  }

  /** Starts to send state versions. The caller must hold the lease. */
  lead({ epoch, sequence, continues }: LeadershipStart): void {
    this.#isLeading = true;
    this.#heartbeat.start();
    this.#answering = this.#deps.bus.answer(this.#deps.answer);
    this.#loop.stream.open(epoch, sequence);
    this.#loop.start(continues);
  }

  /**
   * Called when another table is used, which may already have state versions. `block` is the one that `latest` refers
   * to, if known.
   */
  begin(table: PublishedTableRef, block: CompleteBlock | null): void {
    this.#published.begin(table, block);
    if (!this.#isLeading) return;
    this.#backlog.clear();
    this.#loop.restart();
  }

  /** Adds a state version that was published to the main thread. */
  add(version: number, diff: StateDiff, details: VersionDetails): void {
    if (!this.#isLeading) return;
    if (details.kind === 'block') this.#published.confirm(details.block);
    this.#backlog.add({ version, diff, details, atMs: this.#deps.clock.now() });
    this.#loop.added();
  }

  /** Stores the live chain's status, from which the heartbeats are made. */
  receive(status: LiveStatus | ExecutionStatus): void {
    this.#heartbeat.receive(status);
  }

  /** Stops when the server has acknowledged the part that is being sent, then releases the lease. */
  async stop(): Promise<void> {
    this.#isLeading = false;
    this.#heartbeat.stop();
    this.#answering?.stop();
    await this.#loop.stop();
    this.#snapshots.stop();
    await this.#deps.lease.release();
  }

  async #tendLease(): Promise<void> {
    const state = await this.#deps.lease.tend();
    if (state !== 'other' || !this.#isLeading) return;
    this.#isLeading = false;
    this.#answering?.stop();
    this.#snapshots.stop();
    void this.#loop.stop();
    this.#deps.onDeposed();
  }
}
