// Versions that wait for the stream, and those sent since the version that `latest` reads: a new epoch sends them again.
// Runs on the publisher.
import { LIMITS } from '../../limits/index.js';
import type { Told } from '../messages/message.js';
import type { StateDiff } from '../../state/diff.js';

/** A version that waits, or that came after what `latest` reads. */
export interface BacklogEntry {
  readonly version: number;
  readonly diff: StateDiff;
  readonly told: Told;
  /** When it was published, in milliseconds of the monotonic clock. */
  readonly atMs: number;
  /** Sequence of its last part in the stream; `null`: it waits. */
  sequence: number | null;
}

/** Oldest first. */
export class VersionBacklog {
  readonly #waitingMax: number;
  #entries: BacklogEntry[] = [];

  /** `waitingMax`: versions that may wait. */
  constructor(waitingMax: number) {
    this.#waitingMax = waitingMax;
  }

  /** The oldest version that waits; `null`: none does. */
  get next(): BacklogEntry | null {
    return this.#entries.find(({ sequence }) => sequence === null) ?? null;
  }

  /** Versions that wait. */
  get waiting(): number {
    return this.#waiting().length;
  }

  /** Milliseconds for which the oldest of them has waited; 0: none does. */
  waitedMs(nowMs: number): number {
    const { next } = this;
    return next === null ? 0 : nowMs - next.atMs;
  }

  /** The oldest version here, waiting or sent; `null`: there is none. */
  get oldest(): number | null {
    return this.#entries[0]?.version ?? null;
  }

  /** A version has been published; it waits. */
  add(version: Omit<BacklogEntry, 'sequence'>): void {
    this.#entries.push({ ...version, sequence: null });
  }

  /**
   * Keeps what waits, and what is not older than `latest`: a new epoch begins behind that. Answers whether too much waited: then it
   * is dropped.
   */
  trim(latest: number): boolean {
    const isFull = this.#isFull();
    this.#entries = this.#entries.filter(
      ({ version, sequence }) => version >= latest || (sequence === null && !isFull),
    );
    return isFull;
  }

  /** Drops the versions up to this one. */
  dropUntil(last: number): void {
    this.#entries = this.#entries.filter(({ version }) => version > last);
  }

  /** Nothing is left. */
  clear(): void {
    this.#entries = [];
  }

  /** All of them wait again. */
  rewind(): void {
    for (const entry of this.#entries) entry.sequence = null;
  }

  /** Place of a version in the stream; `null`: it waits, or it is not here. */
  sequenceOf(wanted: number): number | null {
    return this.#entries.find(({ version }) => version === wanted)?.sequence ?? null;
  }

  /** True if it is full by versions or by changed keys. */
  #isFull(): boolean {
    const waiting = this.#waiting();
    if (waiting.length > this.#waitingMax) return true;
    const changes = waiting.reduce((sum, { diff }) => sum + diff.accounts.length + diff.slots.length, 0);
    return changes > LIMITS.replicationWaitingChangesMax;
  }

  #waiting(): BacklogEntry[] {
    return this.#entries.filter(({ sequence }) => sequence === null);
  }
}
