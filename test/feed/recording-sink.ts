// A FeedSink that records everything, over a state in maps, and a clock that runs as fast as needed.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../../src/lib/clock.js';
import type { VersionAnnouncement, Feed, SubmissionResult } from '../../src/feed/feed.js';
import type { CompleteBlock, ExecutedTransaction } from '../../src/state/complete-block.js';
import type { StateDiff } from '../../src/state/state-diff.js';
import { MemorySink } from '../support/memory-sink.js';
import { MemoryView } from '../support/memory-view.js';

/** One report of the feed; `block` is set if it completed a block. */
export interface Report {
  readonly atMs: number;
  readonly diff: StateDiff;
  readonly transactions: readonly ExecutedTransaction[];
  readonly block: CompleteBlock | null;
}

/** Records each report with its time. */
export class RecordingSink extends MemorySink {
  readonly reports: Report[] = [];
  readonly #clock: Clock;
  /** Replaced at every report and never modified, so that views which were handed out stay as they were. */
  #view = new MemoryView();

  constructor(clock: Clock) {
    super();
    this.#clock = clock;
  }

  override publish(diff: StateDiff, announcement: VersionAnnouncement): void {
    super.publish(diff, announcement);
    this.#record(diff, announcement.transactions, null);
  }

  override async complete(diff: StateDiff, block: CompleteBlock): Promise<void> {
    await Promise.resolve();
    await super.complete(diff, block);
    this.#record(diff, [], block);
  }

  override view(): MemoryView {
    return this.#view;
  }

  #record(diff: StateDiff, transactions: readonly ExecutedTransaction[], block: CompleteBlock | null): void {
    this.reports.push({ atMs: this.#clock.now(), diff, transactions, block });
    this.#view = new MemoryView(this.state);
  }
}

/**
 * Submits transactions and resolves once all have been validated, one per event-loop tick. Their results arrive after
 * an increment, for which the clock has to advance.
 */
export async function submitAll(
  feed: Feed,
  raws: readonly Uint8Array[],
): Promise<{ answers: Promise<SubmissionResult[]> }> {
  const answers = Promise.all(raws.map(async (raw) => feed.submit!(raw)));
  await passTurns(raws.length);
  return { answers };
}

/** Waits until this many transactions have been validated. */
export async function passTurns(transactions: number): Promise<void> {
  for (let turns = 0; turns <= transactions; turns++) await nextTurn();
}

/** A clock that sleeping advances. An action planned for a moment runs before a sleeper wakes at that moment. */
export class FakeClock implements Clock {
  /** Time that passes with every reading. */
  costMs = 0;
  /** Offset of the wall clock. */
  wallOffsetMs = 0;
  #nowMs: number;
  readonly #plans: { readonly atMs: number; readonly action: () => Promise<void> | void }[] = [];

  constructor(nowMs: number) {
    this.#nowMs = nowMs;
  }

  now(): number {
    this.#nowMs += this.costMs;
    return this.#nowMs;
  }

  wall(): number {
    return this.now() + this.wallOffsetMs;
  }

  /** Calls `action` at the first wakeup at or after `atMs`. */
  plan(atMs: number, action: () => Promise<void> | void): void {
    this.#plans.push({ atMs, action });
    this.#plans.sort((a, b) => a.atMs - b.atMs);
  }

  /** Advances the time, as if something had taken that long. */
  spend(ms: number): void {
    this.#nowMs += ms;
  }

  async sleepUntil(timeMs: number, signal: AbortSignal): Promise<void> {
    await Promise.resolve();
    if (signal.aborted) return;
    for (let plan = this.#plans[0]; plan !== undefined && plan.atMs <= timeMs; plan = this.#plans[0]) {
      this.#plans.shift();
      this.#nowMs = Math.max(this.#nowMs, plan.atMs);
      // One at a time.
      await plan.action();
      if (signal.aborted) return;
    }
    this.#nowMs = Math.max(this.#nowMs, timeMs);
  }
}
