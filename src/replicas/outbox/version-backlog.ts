// Versions queued for the stream, and those since `latest`'s, which a new epoch sends again.
import { LIMITS } from '../../limits/index.js';
import type { VersionDetails } from '../messages/stream-message.js';
import type { StateDiff } from '../../state/state-diff.js';

/** A version that is queued, or newer than what `latest` reads. */
export interface VersionBacklogEntry {
  readonly version: number;
  readonly diff: StateDiff;
  readonly details: VersionDetails;
  /** When it was published, in monotonic milliseconds. */
  readonly atMs: number;
  /** Sequence number of its last part in the stream; `null` while it is queued. */
  sequence: number | null;
}

/** The versions, oldest first. */
export class VersionBacklog {
  readonly #waitingMax: number;
  #entries: VersionBacklogEntry[] = [];

  /** `waitingMax` is how many versions may be queued. */
  constructor(waitingMax: number) {
    this.#waitingMax = waitingMax;
  }

  /** The oldest queued version; `null` if there is none. */
  get next(): VersionBacklogEntry | null {
    return this.#entries.find(({ sequence }) => sequence === null) ?? null;
  }

  /** Number of queued versions. */
  get waiting(): number {
    return this.#waiting().length;
  }

  /** Milliseconds for which the oldest of them has been queued; 0 if there is none. */
  waitedMs(nowMs: number): number {
    const { next } = this;
    return next === null ? 0 : nowMs - next.atMs;
  }

  /** The oldest version here, queued or sent; `null` if there is none. */
  get oldest(): number | null {
    return this.#entries[0]?.version ?? null;
  }

  /** Adds a published version to the queue. */
  add(version: Omit<VersionBacklogEntry, 'sequence'>): void {
    this.#entries.push({ ...version, sequence: null });
  }

  /**
   * Drops versions that are sent and older than `latest`, after which a new epoch would start. If too much was queued,
   * returns true, and queued versions older than `latest` are dropped as well.
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

  /** Queues all versions again. */
  rewind(): void {
    for (const entry of this.#entries) entry.sequence = null;
  }

  /** Sequence number of a version in the stream; `null` if it is queued or not here. */
  sequenceOf(wanted: number): number | null {
    return this.#entries.find(({ version }) => version === wanted)?.sequence ?? null;
  }

  /** True if there are too many versions or too many changed keys. */
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
