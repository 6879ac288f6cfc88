// Response bytes that are buffered for slow readers over HTTP and WebSockets, bounded in total and for each client.
import type { UsageLedger } from '../../fairness/usage-ledger.js';
import { TotalAndClientLimit } from '../../fairness/total-and-client-limit.js';
import type { HttpLimits } from '../../limits/http.js';

export interface WriteBacklogDeps {
  readonly ledger: UsageLedger;
  /** A monotonic clock in milliseconds from any origin. */
  readonly nowMs: () => number;
}

/**
 * Number that is added to the bytes that a reader has accepted when its pace is computed. So a reader that has had no
 * time to accept anything does not count as slow.
 */
const CREDIT_BYTES = 64 * 1024;
/** Number of checks for stalled readers within `unsentStallMsMax`. */
const CHECKS_PER_STALL = 8;

/** The response bytes that are buffered for one connection. Only this file changes its fields. */
export interface ConnectionBacklog {
  readonly client: string;
  /** Closes the connection at once. */
  readonly drop: () => void;
  bytes: number;
  /** When the reader last accepted bytes, or when bytes were first buffered after the buffer was empty. */
  progressAtMs: number;
  /**
   * The reader's pace is measured from `paceSinceMs` on. `waitedBytes` is the number of bytes that were buffered then,
   * `takenBytes` the number that the reader has accepted since.
   */
  paceSinceMs: number;
  takenBytes: number;
  waitedBytes: number;
}

/**
 * Counts the buffered bytes of all connections. If all bytes, or those of one client, exceed their limit, readers are
 * disconnected until the rest is within the limit. The reader that would take longest to read its buffered bytes, at
 * its measured pace, is disconnected first; a reader whose response has just started comes last. A reader that accepts
 * nothing for `unsentStallMsMax` is disconnected, too.
 */
export class WriteBacklogLimiter {
  readonly #options: HttpLimits;
  readonly #deps: WriteBacklogDeps;
  readonly #waiting = new Set<ConnectionBacklog>();
  readonly #bytes: TotalAndClientLimit;
  #dropped = 0;
  #looks: NodeJS.Timeout | null = null;

  constructor(options: HttpLimits, deps: WriteBacklogDeps) {
    this.#options = options;
    this.#deps = deps;
    const { unsentBytesMax, unsentBytesPerClientMax } = options;
    this.#bytes = new TotalAndClientLimit(deps.ledger, 'unsentBytes', unsentBytesMax, unsentBytesPerClientMax);
  }

  get bytes(): number {
    return this.#bytes.all;
  }

  /** Number of readers that were disconnected so far. */
  get dropped(): number {
    return this.#dropped;
  }

  open(client: string, drop: () => void): ConnectionBacklog {
    return { client, drop, bytes: 0, progressAtMs: 0, paceSinceMs: 0, takenBytes: 0, waitedBytes: 0 };
  }

  /**
   * Sets the number of bytes that are buffered for a connection. A smaller number than before means that the reader has
   * accepted some; a larger one can cause readers to be disconnected, including this one.
   */
  set(backlog: ConnectionBacklog, bytes: number): void {
    if (bytes === backlog.bytes) return;
    const isTaken = bytes < backlog.bytes;
    // The clock is read only once, so that a response that starts in this call has an age of exactly 0 when the slowest
    // reader is chosen.
    const nowMs = this.#deps.nowMs();
    if (isTaken) this.#take(backlog, backlog.bytes - bytes, nowMs);
    else if (backlog.bytes === 0) this.#begin(backlog, bytes, nowMs);
    this.#account(backlog, bytes);
    if (!isTaken) this.#makeRoom(backlog.client, nowMs);
  }

  /** Disconnects readers that have accepted nothing for too long. Called by a timer while anything is buffered. */
  dropStalled(): void {
    const nowMs = this.#deps.nowMs();
    for (const backlog of this.#waiting) {
      if (nowMs - backlog.progressAtMs >= this.#options.unsentStallMsMax) this.#drop(backlog);
    }
  }

  #begin(backlog: ConnectionBacklog, bytes: number, nowMs: number): void {
    backlog.progressAtMs = nowMs;
    this.#measure(backlog, bytes);
  }

  #take(backlog: ConnectionBacklog, bytes: number, nowMs: number): void {
    backlog.progressAtMs = nowMs;
    backlog.takenBytes += bytes;
    if (backlog.takenBytes >= backlog.waitedBytes) this.#measure(backlog, backlog.bytes - bytes);
  }

  /**
   * Restarts the measurement of a reader's pace. This happens when bytes are first buffered, and again each time the
   * reader has accepted as many bytes as were buffered at the last start.
   */
  #measure(backlog: ConnectionBacklog, waitedBytes: number): void {
    backlog.paceSinceMs = backlog.progressAtMs;
    backlog.takenBytes = 0;
    backlog.waitedBytes = waitedBytes;
  }

  #account(backlog: ConnectionBacklog, bytes: number): void {
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

  #dropSlowest(isMeant: (backlog: ConnectionBacklog) => boolean, isOver: () => boolean, nowMs: number): void {
    const ranked = [...this.#waiting].filter(isMeant).map((backlog) => ({ backlog, restMs: restMs(backlog, nowMs) }));
    ranked.sort((a, b) => b.restMs - a.restMs);
    for (const { backlog } of ranked) {
      if (!isOver()) return;
      this.#drop(backlog);
    }
  }

  #drop(backlog: ConnectionBacklog): void {
    this.#account(backlog, 0);
    this.#dropped++;
    backlog.drop();
  }

  /** Starts the timer when anything is buffered, and stops it when nothing is. */
  #watch(): void {
    if (this.#waiting.size > 0) {
      this.#looks ??= setInterval(() => this.dropStalled(), this.#options.unsentStallMsMax / CHECKS_PER_STALL).unref();
    } else if (this.#looks !== null) {
      clearInterval(this.#looks);
      this.#looks = null;
    }
  }
}

/**
 * Returns the milliseconds that a reader would need for its buffered bytes at its measured pace; 0 if its response has
 * just started.
 */
function restMs({ bytes, paceSinceMs, takenBytes }: ConnectionBacklog, nowMs: number): number {
  return (bytes * (nowMs - paceSinceMs)) / (takenBytes + CREDIT_BYTES);
}
