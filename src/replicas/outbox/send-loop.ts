// The loop that sends queued state versions to the stream. It also starts stream epochs and snapshots, and recovers
// from failures.
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { abortableSleep } from '../../lib/clock.js';
import { LIMITS } from '../../limits/index.js';
import { BusUnavailableError } from '../bus/chain-bus.js';
import { StateMiss, VersionNotKept } from '../../state/views/state-miss.js';
import { versionRecordOfLatest, type PublishedState, type PublishedTableRef } from './published-table.js';
import type { SnapshotPublisher } from './snapshot-publisher.js';
import { StreamMovedError, StreamWriter, ObsoleteMessageError, type StreamWriterDeps } from './stream-writer.js';
import type { VersionBacklogEntry, VersionBacklog } from './version-backlog.js';

/** What the sending side of an executor needs to send its state versions. */
export interface SendLoopDeps extends Omit<StreamWriterDeps, 'isSuperseded'> {
  readonly published: PublishedState;
  readonly backlog: VersionBacklog;
  readonly snapshots: SnapshotPublisher;
  readonly progress: (text: string) => void;
}

/** Sends state versions from `start` until `stop`. */
export class SendLoop {
  /** Writes to the stream of the chain. */
  readonly stream: StreamWriter;
  readonly #deps: SendLoopDeps;
  /** How the next stream epoch must start; `null` if no new epoch is due. `anew`: replicas load a snapshot. */
  #due: 'continuing' | 'anew' | null = null;
  #isStopped = false;
  #running: Promise<void> = Promise.resolve();
  /** Aborted to end the wait for work. */
  #waking = new AbortController();

  constructor(deps: SendLoopDeps) {
    this.#deps = deps;
    this.stream = new StreamWriter({ ...deps, isSuperseded: () => this.#isStopped || this.#due === 'anew' });
  }

  /**
   * Starts the loop with a new stream epoch. `continues` is true if the local table has the state of the last message
   * in the stream.
   */
  start(continues: boolean): void {
    this.#due = continues ? 'continuing' : 'anew';
    this.#running = this.#run();
  }

  /** Starts a new stream epoch in which the whole state is sent again. */
  restart(): void {
    this.#due = 'anew';
    this.wake();
  }

  /** Called when a state version was added to the backlog. */
  added(): void {
    this.#trim();
    this.wake();
  }

  /** Wakes the loop, so that it checks for work. */
  wake(): void {
    this.#waking.abort();
  }

  /** Ends the loop. The part that the server is storing is awaited; nothing is sent after it. */
  stop(): Promise<void> {
    this.#isStopped = true;
    this.wake();
    return this.#running;
  }

  #trim(): void {
    const { backlog, published, counts, progress } = this.#deps;
    if (!backlog.trim(published.latestVersion) || this.#due === 'anew') return;
    counts.overflows++;
    this.#due = 'anew';
    progress('the NATS server has not accepted versions for too long: they are dropped, a new epoch follows');
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      try {
        await this.#step();
      } catch (error) {
        await this.#recover(error);
      }
    }
  }

  async #step(): Promise<void> {
    const { table } = this.#deps.published;
    const { next } = this.#deps.backlog;
    if (table === null) return this.#woken();
    if (this.#due !== null) return this.#beginEpoch(table, this.#due === 'continuing');
    if (next !== null) return this.#send(table, next);
    this.#considerSnapshot(table);
    return this.#woken();
  }

  /**
   * Starts a stream epoch. With `continues`, it follows the last message of the stream; otherwise it starts at the
   * state version that `latest` reads.
   */
  async #beginEpoch(table: PublishedTableRef, continues: boolean): Promise<void> {
    const { backlog, snapshots, progress } = this.#deps;
    if (!continues) backlog.dropUntil(versionRecordOfLatest(table).version);
    const version = (backlog.oldest ?? table.newest + 1) - 1;
    this.#due = null;
    backlog.rewind();
    try {
      await this.stream.beginEpoch(version, continues);
    } catch (error) {
      this.#due ??= continues ? 'continuing' : 'anew';
      throw error;
    }
    const { epoch } = this.stream;
    progress(`epoch ${epoch} starts after version ${version}${continues ? ', which replicas have' : ''}`);
    if (!continues) snapshots.request(-Infinity);
    this.#considerSnapshot(table);
  }

  async #send(table: PublishedTableRef, entry: VersionBacklogEntry): Promise<void> {
    await this.stream.send(table.buffer, entry);
    this.#trim();
    this.#considerSnapshot(table);
  }

  /** Recovers from an expected error. Any other error is thrown again, which ends the thread. */
  async #recover(failure: unknown): Promise<void> {
    if (failure instanceof ObsoleteMessageError) return;
    if (failure instanceof StateMiss || failure instanceof VersionNotKept) {
      this.#due = 'anew';
      return;
    }
    if (!(failure instanceof StreamMovedError || failure instanceof BusUnavailableError)) throw failure;
    await sleep(LIMITS.replicationRetryMs);
    if (failure instanceof StreamMovedError) await this.#recheck().catch(() => undefined);
  }

  /**
   * Called when the last message in the stream is not the one that this executor has sent last. If we still hold the
   * lease, the server has lost messages, and the state is sent again.
   */
  async #recheck(): Promise<void> {
    const { tendLease, progress } = this.#deps;
    await tendLease();
    if (this.#isStopped) return;
    await this.stream.relocate();
    this.#due = 'anew';
    progress('the stream does not end where this executor left it: a new epoch follows');
  }

  /**
   * Starts a snapshot in the background, if one is due. It is made at the state version that `latest` reads, once that
   * version is in the stream.
   */
  #considerSnapshot(table: PublishedTableRef): void {
    if (this.#due !== null) return;
    const { published, backlog, snapshots, clock } = this.#deps;
    const { epoch, base } = this.stream;
    const { version, coordinates } = versionRecordOfLatest(table);
    const sequence = version === base.version ? base.sequence : backlog.sequenceOf(version);
    if (sequence === null) return;
    const block = published.blockAt(coordinates.block);
    snapshots.consider(table.buffer, { epoch, version, sequence }, block, clock.now());
  }

  /** Waits until there is work to do, or a snapshot may be due. */
  async #woken(): Promise<void> {
    await setImmediate();
    if (this.#isStopped || this.#due !== null || this.#deps.backlog.next !== null) return;
    this.#waking = new AbortController();
    await abortableSleep(LIMITS.replicationRenewMs, this.#waking.signal);
  }
}
