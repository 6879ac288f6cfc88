// An executor's way to its replicas: versions that have been published here wait their turn for the stream, in order. The feed never
// waits for any of it. Runs on the publisher.
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import type { LiveStatus } from '../feed/live/status.js';
import { troubles } from '../feed/live/troubles.js';
import type { Clock } from '../lib/clock.js';
import { LIMITS } from '../limits.js';
import { BusUnavailable, type Answering, type ChainBus, type Running } from '../replication/bus.js';
import type { Lease } from '../replication/lease.js';
import { encodeMessage, type Message, type Told } from '../replication/message.js';
import { cut } from '../replication/parts.js';
import { encodeRecord, type ChainRecord } from '../replication/record.js';
import { newReplicationCounts, type ReplicationStatus } from '../replication/status.js';
import type { CompleteBlock } from '../state/block.js';
import type { StateDiff } from '../state/diff.js';
import { StateMiss, VersionNotKept } from '../state/state-miss.js';
import { TableReader, type VersionRecord } from '../state/table/snapshot.js';
import { Before } from './before.js';
import { Snapshots } from './snapshots.js';

/** The table that is published, in whichever buffer it is. */
export interface PublishedTable {
  readonly buffer: SharedArrayBuffer;
  readonly newest: number;
}

/** What an outbox works with. */
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

/** Where a new leader goes on. */
export interface Lead {
  /** The newest epoch before, 0 where there was none, and the last sequence of the stream. */
  readonly epoch: number;
  readonly sequence: number;
  /** Whether the table here stands where the stream ends. */
  readonly continues: boolean;
}

/** A version that waits, or that came after what `latest` reads. */
interface Entry {
  readonly version: number;
  readonly diff: StateDiff;
  readonly told: Told;
  readonly atMs: number;
  /** Of its last part in the stream; `null`: it waits. */
  sequence: number | null;
}

/** The stream does not end where this executor thought: another one writes, or the server has lost it. */
class StreamMoved extends Error {}
/** What was being sent is of no use any more: a new epoch is due, or this is the end. */
class Superseded extends Error {}

/** Takes versions from its beginning, sends them from `lead` on. */
export class Outbox {
  readonly #parts: OutboxParts;
  readonly #counts = newReplicationCounts();
  readonly #snapshots: Snapshots;
  readonly #timers: NodeJS.Timeout[] = [];
  #table: PublishedTable | null = null;
  #before = new Before();
  #entries: Entry[] = [];
  #epoch = 0;
  /** The version that the epoch began with, and the sequence of the message that says so. */
  #base = { version: 0, sequence: 0 };
  /** Last one of the stream, as far as is known here. */
  #sequence = 0;
  /** A new epoch is due. `null`: none is. */
  #due: 'continuing' | 'anew' | null = null;
  #lagMs = 0;
  /** The newest one that was told. */
  #block: CompleteBlock | null = null;
  #live: LiveStatus | null = null;
  #isLeading = false;
  #isStopped = false;
  #running: Promise<void> = Promise.resolve();
  #answering: Running | null = null;
  #wake: () => void = () => {};

  constructor(parts: OutboxParts) {
    this.#parts = parts;
    this.#snapshots = new Snapshots(parts.bus, this.#counts, parts.progress);
  }

  /** Whether this executor leads. */
  get isLeading(): boolean {
    return this.#isLeading;
  }

  /** A snapshot is wanted: soon, but not sooner than LIMITS says. */
  askForSnapshot(): void {
    this.#snapshots.ask(this.#parts.clock.now());
    this.#wake();
  }

  /** From here on versions are sent; the lease is held. */
  lead({ epoch, sequence, continues }: Lead): void {
    this.#epoch = epoch;
    this.#sequence = sequence;
    this.#due = continues ? 'continuing' : 'anew';
    this.#isLeading = true;
    const { replicationRenewMs, replicationAliveMs } = LIMITS;
    this.#timers.push(setInterval(() => void this.#tendLease(), replicationRenewMs));
    this.#timers.push(setInterval(() => this.#sayAlive(), replicationAliveMs));
    this.#answering = this.#parts.bus.answer(this.#parts.answer);
    this.#running = this.#run();
  }

  /** Another table is published from now on; it may have versions already. `block`: that of `latest`, where it is known. */
  begin(table: PublishedTable, block: CompleteBlock | null): void {
    this.#table = table;
    this.#block = block;
    if (!this.#isLeading) return;
    this.#entries = [];
    this.#due = 'anew';
    this.#wake();
  }

  /** A version has been published. */
  add(version: number, diff: StateDiff, told: Told): void {
    if (!this.#isLeading) return;
    if (told.kind === 'block') this.#block = told.block;
    this.#entries.push({ version, diff, told, atMs: this.#parts.clock.wall(), sequence: null });
    this.#trim();
    this.#wake();
  }

  /** How the chain fares here, for those who follow. */
  hear(status: LiveStatus): void {
    this.#live = status;
  }

  /** Sends what waits where the server takes it at once, lets the lease go. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#isLeading = false;
    for (const timer of this.#timers) clearInterval(timer);
    this.#answering?.stop();
    this.#wake();
    await this.#running;
    this.#snapshots.stop();
    await this.#parts.lease.release();
  }

  /** Keeps what waits, and what is not older than the version that `latest` reads: a new epoch begins behind that. */
  #trim(): void {
    const latest = this.#latestVersion();
    const isFull = this.#isFull();
    if (isFull) this.#overflow();
    this.#entries = this.#entries.filter(
      ({ version, sequence }) => version >= latest || (sequence === null && !isFull),
    );
  }

  #isFull(): boolean {
    const waiting = this.#entries.filter(({ sequence }) => sequence === null);
    if (waiting.length > (this.#parts.waitingVersionsMax ?? LIMITS.replicationWaitingVersionsMax)) return true;
    const changes = waiting.reduce((sum, { diff }) => sum + diff.accounts.length + diff.slots.length, 0);
    return changes > LIMITS.replicationWaitingChangesMax;
  }

  #overflow(): void {
    if (this.#due === 'anew') return;
    this.#counts.overflows++;
    this.#due = 'anew';
    this.#parts.progress('the NATS server has not taken versions for too long: they are dropped, a new epoch follows');
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
    const table = this.#table;
    const next = this.#entries.find(({ sequence }) => sequence === null);
    if (table === null || table.newest === 0) return this.#woken();
    if (this.#due !== null) return this.#beginEpoch(table, this.#due === 'continuing');
    if (next !== undefined) return this.#send(table, next);
    this.#considerSnapshot(table);
    return this.#woken();
  }

  /** An epoch begins at the version that `latest` reads, or where the stream ends. */
  async #beginEpoch(table: PublishedTable, continues: boolean): Promise<void> {
    const { bus, clock, chain, progress } = this.#parts;
    const epoch = this.#epoch + 1;
    if (!continues) this.#dropOld(table);
    const version = (this.#entries[0]?.version ?? table.newest + 1) - 1;
    this.#due = null;
    for (const entry of this.#entries) entry.sequence = null;
    try {
      await bus.writeRecord('chain', encodeRecord('chain', { ...chain, epoch }));
      await this.#store({ kind: 'epoch', epoch, version, continues, atMs: clock.wall() });
    } catch (error) {
      this.#due ??= continues ? 'continuing' : 'anew';
      throw error;
    }
    this.#epoch = epoch;
    this.#base = { version, sequence: this.#sequence };
    this.#before = new Before();
    this.#counts.epochs++;
    progress(`epoch ${epoch} begins after version ${version}${continues ? ', which replicas have' : ''}`);
    if (!continues) this.#snapshots.ask(-Infinity);
    this.#considerSnapshot(table);
  }

  #dropOld(table: PublishedTable): void {
    const { version: latest } = this.#latest(table);
    this.#entries = this.#entries.filter(({ version }) => version > latest);
  }

  async #send(table: PublishedTable, entry: Entry): Promise<void> {
    const { version, diff, told, atMs } = entry;
    const { before, codes } = this.#before.of(table.buffer, version, diff);
    await this.#store({ kind: 'version', epoch: this.#epoch, version, diff: { ...diff, codes }, before, told, atMs });
    entry.sequence = this.#sequence;
    this.#lagMs = this.#parts.clock.wall() - atMs;
    this.#counts.versions++;
    this.#trim();
    this.#considerSnapshot(table);
  }

  async #store(message: Message): Promise<void> {
    const { epoch, version } = message;
    const parts = cut(message, encodeMessage(message), Math.min(LIMITS.replicationPartBytes, this.#partBytesMax()));
    for (const [index, bytes] of parts.entries()) {
      await this.#storePart({
        epoch,
        bytes,
        id: `${epoch}-${version}-${message.kind}-${index}`,
        after: this.#sequence,
      });
    }
  }

  /** Tries until the server has it. Rejects with StreamMoved and Superseded. */
  async #storePart(part: Parameters<ChainBus['store']>[0]): Promise<void> {
    const { bus, lease } = this.#parts;
    for (;;) {
      if (this.#isStopped || this.#due === 'anew') throw new Superseded();
      const stored = lease.isHeld ? await bus.store(part) : null;
      if (stored?.kind === 'outOfOrder') throw new StreamMoved();
      if (stored?.kind === 'stored') {
        this.#sequence = stored.sequence;
        this.#counts.bytes += part.bytes.length;
        return;
      }
      await sleep(LIMITS.replicationRetryMs);
      await bus.prepare().catch(() => undefined);
    }
  }

  #partBytesMax(): number {
    return Math.max(1024, this.#parts.bus.messageBytesMax - 1024);
  }

  /** What is not known here ends the thread. */
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
    const { bus, progress } = this.#parts;
    await this.#tendLease();
    if (!this.#isLeading) return;
    this.#sequence = (await bus.ends())?.last ?? 0;
    this.#due = 'anew';
    progress('the stream does not end where this executor left it: a new epoch follows');
  }

  async #tendLease(): Promise<void> {
    const state = await this.#parts.lease.tend();
    if (state !== 'other' || !this.#isLeading) return;
    this.#isLeading = false;
    this.#isStopped = true;
    this.#wake();
    this.#parts.onDeposed();
  }

  /** In the background, at the version that `latest` reads, once that is in the stream. */
  #considerSnapshot(table: PublishedTable): void {
    const latest = this.#latest(table);
    const sequence =
      latest.version === this.#base.version
        ? this.#base.sequence
        : (this.#entries.find(({ version }) => version === latest.version)?.sequence ?? null);
    if (sequence === null) return;
    const block = this.#block?.number === latest.coordinates.block ? this.#block : null;
    const base = { epoch: this.#epoch, version: latest.version, sequence };
    this.#snapshots.consider(table.buffer, base, block, this.#parts.clock.now());
  }

  /** The version that `latest` reads; before the first block the newest one. */
  #latest({ buffer, newest }: PublishedTable): VersionRecord {
    const reader = new TableReader(buffer);
    const { latestVersion } = reader.record(newest);
    return reader.record(latestVersion === 0 ? newest : latestVersion);
  }

  #latestVersion(): number {
    return this.#table === null || this.#table.newest === 0 ? 0 : this.#latest(this.#table).version;
  }

  #sayAlive(): void {
    const { bus, clock, report, lease } = this.#parts;
    const version = this.#table?.newest ?? 0;
    const now = clock.now();
    const trouble = this.#trouble(now);
    bus.tell(Buffer.from(encodeRecord('alive', { epoch: this.#epoch, version, sequence: this.#sequence, trouble })));
    report({
      role: 'leader',
      counts: { ...this.#counts },
      isConnected: bus.isConnected,
      holdsLease: lease.isHeld,
      epoch: this.#epoch,
      version,
      newest: version,
      waiting: this.#entries.filter(({ sequence }) => sequence === null).length,
      lagMs: this.#lagMs,
      heardAtMs: null,
      trouble: null,
      phase: 'following',
      atMs: now,
    });
  }

  #trouble(nowMs: number): string | null {
    if (this.#live === null || this.#table === null || this.#table.newest === 0) return null;
    const { publishedAtMs } = new TableReader(this.#table.buffer).record(this.#table.newest);
    return [...troubles(this.#live, nowMs - publishedAtMs, nowMs)].join('; ') || null;
  }

  /** Until something is new, or a snapshot may be due. */
  async #woken(): Promise<void> {
    await setImmediate();
    if (this.#isStopped || this.#due !== null || this.#entries.some(({ sequence }) => sequence === null)) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, LIMITS.replicationRenewMs);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
