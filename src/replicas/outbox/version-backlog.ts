// The versions that are queued for the stream, and the versions from the one that `latest` reads on, which a new epoch
// sends again.
import { LIMITS } from '../../limits/index.js';
import type { VersionDetails } from '../messages/stream-message.js';
import type { StateDiff } from '../../state/state-diff.js';

/** A version that is queued, or that is not older than the one that `latest` reads. */
export interface VersionBacklogEntry {
  readonly version: number;
  readonly diff: StateDiff;
  readonly details: VersionDetails;
  /** When the version was published, in monotonic milliseconds. */
  readonly atMs: number;
  /** Sequence number of the version's last part in the stream; `null` while it is queued. */
  sequence: number | null;
}

/** Holds versions, oldest first. */
export class VersionBacklog {
  readonly #waitingMax: number;
  #entries: VersionBacklogEntry[] = [];

  /** `waitingMax` is the largest number of versions that may be queued. */
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

  /** Milliseconds for which the oldest queued version has waited; 0 if none is queued. */
  waitedMs(nowMs: number): number {
    const { next } = this;
    return next === null ? 0 : nowMs - next.atMs;
  }

  /** The oldest version that is held, queued or sent; `null` if there is none. */
  get oldest(): number | null {
    return this.#entries[0]?.version ?? null;
  }

  /** Adds a published version to the queue. */
  add(version: Omit<VersionBacklogEntry, 'sequence'>): void {
    this.#entries.push({ ...version, sequence: null });
  }

  /**
   * Drops versions that were sent and are older than `latest`, because no new epoch will need them. If too much is
   * queued, also drops queued versions older than `latest`, and returns true.
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

  /** Marks all versions as queued, so that they are sent again. */
  rewind(): void {
    for (const entry of this.#entries) entry.sequence = null;
  }

  /** Returns the sequence number of a version in the stream; `null` if it is queued or not held. */
  sequenceOf(wanted: number): number | null {
    return this.#entries.find(({ version }) => version === wanted)?.sequence ?? null;
  }

  /** Returns true if too many versions, or too many changed keys, are queued. */
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
