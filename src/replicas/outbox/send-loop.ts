// The loop that takes versions from the backlog to the stream: begins epochs, sends what waits, has snapshots made, and goes on after
// a failure. Runs on the publisher.
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { LIMITS } from '../../limits/index.js';
import { BusUnavailable } from '../bus/bus.js';
import { StateMiss, VersionNotKept } from '../../state/views/state-miss.js';
import { latestOf, type Published, type PublishedTable } from './published.js';
import type { Snapshots } from './snapshots.js';
import { StreamMoved, StreamWriter, Superseded, type StreamWriterParts } from './stream-writer.js';
import type { BacklogEntry, VersionBacklog } from './version-backlog.js';

/** Parts that a send loop works with. */
export interface SendLoopParts extends Omit<StreamWriterParts, 'isSuperseded'> {
  readonly published: Published;
  readonly backlog: VersionBacklog;
  readonly snapshots: Snapshots;
  readonly progress: (text: string) => void;
}

/** Sends from `start` to `stop`. */
export class SendLoop {
  /** The stream that it sends to. */
  readonly stream: StreamWriter;
  readonly #parts: SendLoopParts;
  /** A new epoch is due. `null`: none is. */
  #due: 'continuing' | 'anew' | null = null;
  #isStopped = false;
  #running: Promise<void> = Promise.resolve();
  #wake: () => void = () => {};

  constructor(parts: SendLoopParts) {
    this.#parts = parts;
    this.stream = new StreamWriter({ ...parts, isSuperseded: () => this.#isStopped || this.#due === 'anew' });
  }

  /** Begins with a new epoch. `continues`: the table here stands where the stream ends. */
  start(continues: boolean): void {
    this.#due = continues ? 'continuing' : 'anew';
    this.#running = this.#run();
  }

  /** The state is told anew, in a new epoch. */
  beginAnew(): void {
    this.#due = 'anew';
    this.wake();
  }

  /** A version has come into the backlog. */
  added(): void {
    this.#trim();
    this.wake();
  }

  /** Something is new: the loop looks. */
  wake(): void {
    this.#wake();
  }

  /** Ends the loop; the part that the server is storing is waited for, what comes behind it is not sent. */
  stop(): Promise<void> {
    this.#isStopped = true;
    this.wake();
    return this.#running;
  }

  #trim(): void {
    const { backlog, published } = this.#parts;
    if (backlog.trim(published.latestVersion)) this.#overflow();
  }

  #overflow(): void {
    if (this.#due === 'anew') return;
    const { counts, progress } = this.#parts;
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
    const { table } = this.#parts.published;
    const { next } = this.#parts.backlog;
    if (table === null) return this.#woken();
    if (this.#due !== null) return this.#beginEpoch(table, this.#due === 'continuing');
    if (next !== null) return this.#send(table, next);
    this.#considerSnapshot(table);
    return this.#woken();
  }

  /** An epoch begins at the version that `latest` reads, or where the stream ends. */
  async #beginEpoch(table: PublishedTable, continues: boolean): Promise<void> {
    const { backlog, snapshots, progress } = this.#parts;
    if (!continues) backlog.dropUntil(latestOf(table).version);
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
    if (!continues) snapshots.ask(-Infinity);
    this.#considerSnapshot(table);
  }

  async #send(table: PublishedTable, entry: BacklogEntry): Promise<void> {
    await this.stream.send(table.buffer, entry);
    this.#trim();
    this.#considerSnapshot(table);
  }

  /** An error that is not known here ends the thread. */
  async #recover(failure: unknown): Promise<void> {
    if (failure instanceof Superseded) return;
    if (failure instanceof StateMiss || failure instanceof VersionNotKept) {
      this.#due = 'anew';
      return;
    }
    if (!(failure instanceof StreamMoved || failure instanceof BusUnavailable)) throw failure;
    await sleep(LIMITS.replicationRetryMs);
    if (failure instanceof StreamMoved) await this.#lookAgain().catch(() => undefined);
  }

  /** With the lease still here it is the server that has lost something: the state is told anew. */
  async #lookAgain(): Promise<void> {
    const { tendLease, progress } = this.#parts;
    await tendLease();
    if (this.#isStopped) return;
    await this.stream.relocate();
    this.#due = 'anew';
    progress('the stream does not end where this executor left it: a new epoch follows');
  }

  /** In the background, at the version that `latest` reads, once that is in the stream. Not of a state that is to be told anew. */
  #considerSnapshot(table: PublishedTable): void {
    if (this.#due !== null) return;
    const { published, backlog, snapshots, clock } = this.#parts;
    const { epoch, base } = this.stream;
    const { version, coordinates } = latestOf(table);
    const sequence = version === base.version ? base.sequence : backlog.sequenceOf(version);
    if (sequence === null) return;
    const block = published.blockAt(coordinates.block);
    snapshots.consider(table.buffer, { epoch, version, sequence }, block, clock.now());
  }

  /** Until something is new, or a snapshot may be due. */
  async #woken(): Promise<void> {
    await setImmediate();
    if (this.#isStopped || this.#due !== null || this.#parts.backlog.next !== null) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, LIMITS.replicationRenewMs);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
