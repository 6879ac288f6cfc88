// Answers kept for slow readers of HTTP and of WebSockets, within a bound for all of them and a share for each client. Runs on main.
import type { Ledger } from '../../clients/ledger.js';
import { Shares } from '../../clients/shares.js';

/** Bounds; their reasons in limits.ts. */
export interface UnsentOptions {
  readonly unsentBytesMax: number;
  readonly unsentBytesPerClientMax: number;
  readonly unsentStallMsMax: number;
}

/** The clock, and the book on clients. */
export interface UnsentParts {
  readonly ledger: Ledger;
  /** Milliseconds that never go back, from any origin. */
  readonly nowMs: () => number;
}

/** A reader that has taken this much at once is not called slow for the time before: below it, pace says little. */
const CREDIT_BYTES = 64 * 1024;
/** Looks for stalled readers within the time that one may stall. */
const LOOKS_PER_STALL = 8;

/** Answers that wait for one connection. Written here only. */
export interface Backlog {
  readonly client: string;
  /** Closes the connection at once. */
  readonly drop: () => void;
  bytes: number;
  /** When the reader last took something, or got something while it had nothing to take. */
  progressAtMs: number;
  /** Its pace is measured since then: the bytes that it has taken, and those that waited at the time. */
  paceSinceMs: number;
  takenBytes: number;
  waitedBytes: number;
}

/**
 * All backlogs. When they pass the bound, or those of a client its share, readers are dropped until they
 * fit again: first the one that would take longest for the rest at the pace it has had. That is one that takes nothing,
 * and never one whose answer has just begun. A reader that takes nothing for `unsentStallMsMax` is dropped as well.
 */
export class Unsent {
  readonly #options: UnsentOptions;
  readonly #parts: UnsentParts;
  readonly #waiting = new Set<Backlog>();
  readonly #bytes: Shares;
  #dropped = 0;
  #looks: NodeJS.Timeout | null = null;

  constructor(options: UnsentOptions, parts: UnsentParts) {
    this.#options = options;
    this.#parts = parts;
    this.#bytes = new Shares(parts.ledger, 'unsentBytes', options.unsentBytesMax, options.unsentBytesPerClientMax);
  }

  /** Bytes that wait, all connections together. */
  get bytes(): number {
    return this.#bytes.all;
  }

  /** Readers dropped so far. */
  get dropped(): number {
    return this.#dropped;
  }

  /** An empty backlog. */
  open(client: string, drop: () => void): Backlog {
    return { client, drop, bytes: 0, progressAtMs: 0, paceSinceMs: 0, takenBytes: 0, waitedBytes: 0 };
  }

  /** Notes how many bytes wait now: fewer than before were read, more were added. May drop readers, this one too. */
  set(backlog: Backlog, bytes: number): void {
    if (bytes === backlog.bytes) return;
    const isTaken = bytes < backlog.bytes;
    // One look at the clock: no time passes between the beginning of an answer and the choice of who is dropped.
    const nowMs = this.#parts.nowMs();
    if (isTaken) this.#take(backlog, backlog.bytes - bytes, nowMs);
    else if (backlog.bytes === 0) this.#begin(backlog, bytes, nowMs);
    this.#account(backlog, bytes);
    if (!isTaken) this.#makeRoom(backlog.client, nowMs);
  }

  /** Drops the readers that have stalled. Called by a timer while something waits. */
  dropStalled(): void {
    const nowMs = this.#parts.nowMs();
    for (const backlog of this.#waiting) {
      if (nowMs - backlog.progressAtMs >= this.#options.unsentStallMsMax) this.#drop(backlog);
    }
  }

  #begin(backlog: Backlog, bytes: number, nowMs: number): void {
    backlog.progressAtMs = nowMs;
    this.#measure(backlog, bytes);
  }

  #take(backlog: Backlog, bytes: number, nowMs: number): void {
    backlog.progressAtMs = nowMs;
    backlog.takenBytes += bytes;
    if (backlog.takenBytes >= backlog.waitedBytes) this.#measure(backlog, backlog.bytes - bytes);
  }

  /** Measures the pace anew: a reader that has taken all that waited is as good as a new one. */
  #measure(backlog: Backlog, waitedBytes: number): void {
    backlog.paceSinceMs = backlog.progressAtMs;
    backlog.takenBytes = 0;
    backlog.waitedBytes = waitedBytes;
  }

  #account(backlog: Backlog, bytes: number): void {
    this.#bytes.count(backlog.client, bytes - backlog.bytes);
    backlog.bytes = bytes;
    if (bytes > 0) this.#waiting.add(backlog);
    else this.#waiting.delete(backlog);
    this.#watch();
  }

  #makeRoom(client: string, nowMs: number): void {
    const isClientOver = (): boolean => this.#bytes.isClientOver(client);
    const isOver = (): boolean => this.#bytes.isOver;
    if (isClientOver()) this.#dropSlowest((backlog) => backlog.client === client, isClientOver, nowMs);
    if (isOver()) this.#dropSlowest(() => true, isOver, nowMs);
  }

  #dropSlowest(isMeant: (backlog: Backlog) => boolean, isOver: () => boolean, nowMs: number): void {
    const ranked = [...this.#waiting].filter(isMeant).map((backlog) => ({ backlog, restMs: restMs(backlog, nowMs) }));
    ranked.sort((a, b) => b.restMs - a.restMs);
    for (const { backlog } of ranked) {
      if (!isOver()) return;
      this.#drop(backlog);
    }
  }

  #drop(backlog: Backlog): void {
    this.#account(backlog, 0);
    this.#dropped++;
    backlog.drop();
  }

  /** The timer runs only while something waits. */
  #watch(): void {
    if (this.#waiting.size > 0) {
      this.#looks ??= setInterval(() => this.dropStalled(), this.#options.unsentStallMsMax / LOOKS_PER_STALL).unref();
    } else if (this.#looks !== null) {
      clearInterval(this.#looks);
      this.#looks = null;
    }
  }
}

/** Time that a reader would take for the rest at the pace it has had; 0 for one that has just begun. */
function restMs({ bytes, paceSinceMs, takenBytes }: Backlog, nowMs: number): number {
  return (bytes * (nowMs - paceSinceMs)) / (takenBytes + CREDIT_BYTES);
}
