// The state versions that are queued for the stream, and all versions, sent or not, since the one that `latest` reads.
// The start of a new stream epoch sends those again.
import { LIMITS } from '../../limits/index.js';
import type { VersionMessage } from '../messages/stream-message.js';

/** A state version that is queued, or that is not older than the one that `latest` reads. */
export interface VersionBacklogEntry extends Pick<VersionMessage, 'version' | 'diff' | 'details'> {
  /** When the state version was published, in monotonic milliseconds. */
  readonly atMs: number;
  /** Sequence number of the state version's last part in the stream; `null` while it is queued. */
  sequence: number | null;
}

/** Holds state versions, oldest first. */
export class VersionBacklog {
  readonly #waitingMax: number;
  #entries: VersionBacklogEntry[] = [];

  /** `waitingMax` is the largest number of state versions that may be queued. */
  constructor(waitingMax: number) {
    this.#waitingMax = waitingMax;
  }

  /** The oldest queued state version; `null` if there is none. */
  get next(): VersionBacklogEntry | null {
    return this.#entries.find(({ sequence }) => sequence === null) ?? null;
  }

  /** Number of queued state versions. */
  get waiting(): number {
    return this.#waiting().length;
  }

  /** Milliseconds for which the oldest queued state version has waited; 0 if none is queued. */
  waitedMs(nowMs: number): number {
    const { next } = this;
    return next === null ? 0 : nowMs - next.atMs;
  }

  /** The oldest state version in the backlog, whether queued or already sent; `null` if there is none. */
  get oldest(): number | null {
    return this.#entries[0]?.version ?? null;
  }

  /** Adds a published state version to the queue. */
  add(version: Omit<VersionBacklogEntry, 'sequence'>): void {
    this.#entries.push({ ...version, sequence: null });
  }

  /**
   * Drops state versions that were sent and are older than `latest`, because no new stream epoch will need them. If too
   * much is queued, also drops queued versions older than `latest`, and returns true.
   */
  trim(latest: number): boolean {
    const isFull = this.#isFull();
    this.#entries = this.#entries.filter(
      ({ version, sequence }) => version >= latest || (sequence === null && !isFull),
    );
    return isFull;
  }

  dropUntil(last: number): void {
    this.#entries = this.#entries.filter(({ version }) => version > last);
  }

  clear(): void {
    this.#entries = [];
  }

  /** Marks all state versions as queued, so that they are sent again. */
  rewind(): void {
    for (const entry of this.#entries) entry.sequence = null;
  }

  /** Returns the sequence number of a state version in the stream; `null` if it is queued or not in the backlog. */
  sequenceOf(wanted: number): number | null {
    return this.#entries.find(({ version }) => version === wanted)?.sequence ?? null;
  }

  /** Returns true if too many state versions, or too many changed keys, are queued. */
  #isFull(): boolean {
    const waiting = this.#waiting();
    if (waiting.length > this.#waitingMax) return true;
    const changes = waiting.reduce((sum, { diff }) => sum + diff.accounts.length + diff.slots.length, 0);
    return changes > LIMITS.replicationWaitingChangesMax;
  }

  #waiting(): VersionBacklogEntry[] {
    return this.#entries.filter(({ sequence }) => sequence === null);
  }
}
