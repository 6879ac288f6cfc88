// The loop that sends queued versions to the stream. It starts epochs, has snapshots made, and recovers from failures.
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { LIMITS } from '../../limits/index.js';
import { BusUnavailableError } from '../bus/chain-bus.js';
import { StateMiss, VersionNotKept } from '../../state/views/state-miss.js';
import { latestVersionRecord, type PublishedState, type PublishedTable } from './published-state.js';
import type { SnapshotPublisher } from './snapshot-publisher.js';
import { StreamMovedError, StreamWriter, SupersededError, type StreamWriterDeps } from './stream-writer.js';
import type { VersionBacklogEntry, VersionBacklog } from './version-backlog.js';

interface SendLoopDeps extends Omit<StreamWriterDeps, 'isSuperseded'> {
  readonly published: PublishedState;
  readonly backlog: VersionBacklog;
  readonly snapshots: SnapshotPublisher;
  readonly progress: (text: string) => void;
}

/** Sends from `start` until `stop`. */
export class SendLoop {
  /** The stream that it sends to. */
  readonly stream: StreamWriter;
  readonly #deps: SendLoopDeps;
  /** The kind of epoch that must be started next; `null` if none is due. */
  #due: 'continuing' | 'anew' | null = null;
  #isStopped = false;
  #running: Promise<void> = Promise.resolve();
  #wake: () => void = () => {};

  constructor(deps: SendLoopDeps) {
    this.#deps = deps;
    this.stream = new StreamWriter({ ...deps, isSuperseded: () => this.#isStopped || this.#due === 'anew' });
  }

  /** Starts with a new epoch. `continues` is true if the local table is at the end of the stream. */
  start(continues: boolean): void {
    this.#due = continues ? 'continuing' : 'anew';
    this.#running = this.#run();
  }

  /** Sends the whole state again, in a new epoch. */
  restart(): void {
    this.#due = 'anew';
    this.wake();
  }

  /** Called when a version was added to the backlog. */
  added(): void {
    this.#trim();
    this.wake();
  }

  /** Wakes the loop to check for work. */
  wake(): void {
    this.#wake();
  }

  /** Ends the loop. The part that the server is storing is awaited, and nothing is sent after it. */
  stop(): Promise<void> {
    this.#isStopped = true;
    this.wake();
    return this.#running;
  }

  #trim(): void {
    const { backlog, published } = this.#deps;
    if (backlog.trim(published.latestVersion)) this.#overflow();
  }

  #overflow(): void {
    if (this.#due === 'anew') return;
    const { counts, progress } = this.#deps;
    counts.overflows++;
    this.#due = 'anew';
    progress('the NATS server has not taken versions for too long: they are dropped, a new epoch follows');
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

  /** Starts an epoch at the version that `latest` reads, or where the stream ends. */
  async #beginEpoch(table: PublishedTable, continues: boolean): Promise<void> {
    const { backlog, snapshots, progress } = this.#deps;
    if (!continues) backlog.dropUntil(latestVersionRecord(table).version);
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
    progress(`epoch ${epoch} begins after version ${version}${continues ? ', which replicas have' : ''}`);
    if (!continues) snapshots.request(-Infinity);
    this.#considerSnapshot(table);
  }

  async #send(table: PublishedTable, entry: VersionBacklogEntry): Promise<void> {
    await this.stream.send(table.buffer, entry);
    this.#trim();
    this.#considerSnapshot(table);
  }

  /** Throws unexpected errors again, which ends the thread. */
  async #recover(failure: unknown): Promise<void> {
    if (failure instanceof SupersededError) return;
    if (failure instanceof StateMiss || failure instanceof VersionNotKept) {
      this.#due = 'anew';
      return;
    }
    if (!(failure instanceof StreamMovedError || failure instanceof BusUnavailableError)) throw failure;
    await sleep(LIMITS.replicationRetryMs);
    if (failure instanceof StreamMovedError) await this.#recheck().catch(() => undefined);
  }

  /** If we still hold the lease, the server has lost messages, and the state is sent again. */
  async #recheck(): Promise<void> {
    const { tendLease, progress } = this.#deps;
    await tendLease();
    if (this.#isStopped) return;
    await this.stream.relocate();
    this.#due = 'anew';
    progress('the stream does not end where this executor left it: a new epoch follows');
  }

  /** Starts a snapshot of `latest`'s version in the background, once it is in the stream and no epoch is due. */
  #considerSnapshot(table: PublishedTable): void {
    if (this.#due !== null) return;
    const { published, backlog, snapshots, clock } = this.#deps;
    const { epoch, base } = this.stream;
    const { version, coordinates } = latestVersionRecord(table);
    const sequence = version === base.version ? base.sequence : backlog.sequenceOf(version);
    if (sequence === null) return;
    const block = published.blockAt(coordinates.block);
    snapshots.consider(table.buffer, { epoch, version, sequence }, block, clock.now());
  }

  /** Waits until there is work, or a snapshot may be due. */
  async #woken(): Promise<void> {
    await setImmediate();
    if (this.#isStopped || this.#due !== null || this.#deps.backlog.next !== null) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, LIMITS.replicationRenewMs);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
