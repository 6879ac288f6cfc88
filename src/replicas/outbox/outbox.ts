// An executor's way to its replicas: versions that have been published here wait their turn for the stream, in order. The feed never
// waits for any of it. Runs on the publisher.

// Decision (2026-11, two cores): A block repeats the transactions of its increments. A replica that begins between them
// needs them whole. Price: twice the bytes.
//
// Decision (2026-11, two cores): Publishing is done on the publisher's thread: handing versions to another one would
// copy them, too. Price: some 100 us a version.
import type { LiveStatus } from '../../feed/status.js';
import type { Clock } from '../../lib/time/clock.js';
import { LIMITS } from '../../limits/index.js';
import type { Answering, ChainBus, Running } from '../bus/bus.js';
import type { Lease } from '../bus/lease.js';
import type { Told } from '../messages/message.js';
import type { ChainRecord } from '../messages/record.js';
import { newReplicationCounts, type ReplicationStatus } from '../status.js';
import type { CompleteBlock } from '../../state/block.js';
import type { StateDiff } from '../../state/diff.js';
import { VersionBacklog } from './version-backlog.js';
import { Heartbeat } from './heartbeat.js';
import { Published, type PublishedTable } from './published.js';
import { SendLoop } from './send-loop.js';
import { Snapshots } from './snapshots.js';

/** Parts that an outbox works with. */
export interface OutboxParts {
  readonly bus: ChainBus;
  readonly lease: Lease;
  readonly chain: Omit<ChainRecord, 'epoch'>;
  readonly clock: Clock;
  /** Versions that may wait for the server; LIMITS.replicationWaitingVersionsMax where it is not given. */
  readonly waitingVersionsMax?: number;
  /** Answers replicas. */
  readonly answer: Answering;
  /** Another executor leads: this one must end. */
  readonly onDeposed: () => void;
  readonly report: (status: ReplicationStatus) => void;
  readonly progress: (text: string) => void;
}

/** Position from which a new leader goes on. */
export interface Lead {
  /** The newest epoch before, 0 where there was none, and the last sequence of the stream. */
  readonly epoch: number;
  readonly sequence: number;
  /** The table here stands where the stream ends. */
  readonly continues: boolean;
}

/** Takes versions from its beginning, sends them from `lead` on. */
export class Outbox {
  readonly #parts: OutboxParts;
  readonly #published = new Published();
  readonly #backlog: VersionBacklog;
  readonly #snapshots: Snapshots;
  readonly #loop: SendLoop;
  readonly #heartbeat: Heartbeat;
  #isLeading = false;
  #answering: Running | null = null;

  constructor(parts: OutboxParts) {
    this.#parts = parts;
    const counts = newReplicationCounts();
    this.#backlog = new VersionBacklog(parts.waitingVersionsMax ?? LIMITS.replicationWaitingVersionsMax);
    this.#snapshots = new Snapshots({ ...parts, counts });
    const tendLease = (): Promise<void> => this.#tendLease();
    const shared = { ...parts, counts, published: this.#published, backlog: this.#backlog, tendLease };
    this.#loop = new SendLoop({ ...shared, snapshots: this.#snapshots });
    this.#heartbeat = new Heartbeat({ ...shared, stream: this.#loop.stream });
  }

  /** True if this executor leads. */
  get isLeading(): boolean {
    return this.#isLeading;
  }

  /** A snapshot is wanted: soon, but not sooner than LIMITS says. */
  askForSnapshot(): void {
    this.#snapshots.ask(this.#parts.clock.now());
    this.#loop.wake();
  }

  /** From here on versions are sent; the lease is held. */
  lead({ epoch, sequence, continues }: Lead): void {
    this.#isLeading = true;
    this.#heartbeat.start();
    this.#answering = this.#parts.bus.answer(this.#parts.answer);
    this.#loop.stream.open(epoch, sequence);
    this.#loop.start(continues);
  }

  /** Another table is published from now on; it may have versions already. `block`: that of `latest`, where it is known. */
  begin(table: PublishedTable, block: CompleteBlock | null): void {
    this.#published.begin(table, block);
    if (!this.#isLeading) return;
    this.#backlog.clear();
    this.#loop.beginAnew();
  }

  /** A version has been published. */
  add(version: number, diff: StateDiff, told: Told): void {
    if (!this.#isLeading) return;
    if (told.kind === 'block') this.#published.confirm(told.block);
    this.#backlog.add({ version, diff, told, atMs: this.#parts.clock.now() });
    this.#loop.added();
  }

  /** Notes the state of the chain here, for those who follow. */
  hear(status: LiveStatus): void {
    this.#heartbeat.hear(status);
  }

  /** Sends nothing more once the server has answered for the part at hand, lets the lease go. */
  async stop(): Promise<void> {
    this.#isLeading = false;
    this.#heartbeat.stop();
    this.#answering?.stop();
    await this.#loop.stop();
    this.#snapshots.stop();
    await this.#parts.lease.release();
  }

  async #tendLease(): Promise<void> {
    const state = await this.#parts.lease.tend();
    if (state !== 'other' || !this.#isLeading) return;
    this.#isLeading = false;
    this.#answering?.stop();
    this.#snapshots.stop();
    void this.#loop.stop();
    this.#parts.onDeposed();
  }
}
