// A FeedSink that records everything, over a state in maps, and a clock that runs as fast as needed.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../../src/lib/clock.js';
import type { StateContents } from '../../src/chain/state-root.js';
import type { VersionAnnouncement, Feed, FeedSink, SubmissionResult } from '../../src/feed/feed.js';
import type { CompleteBlock, ExecutedTransaction } from '../../src/state/complete-block.js';
import type { AccountChange, SlotChange, StateDiff } from '../../src/state/state-diff.js';
import { EMPTY_CODE_HASH, type StateView } from '../../src/state/views/state-view.js';
import { toHex } from '../../src/lib/bytes/hex.js';

/** One report of the feed; `block` is set if it completed a block. */
export interface Report {
  readonly atMs: number;
  readonly diff: StateDiff;
  readonly transactions: readonly ExecutedTransaction[];
  readonly block: CompleteBlock | null;
}

interface Maps {
  readonly accounts: Map<string, AccountChange>;
  readonly slots: Map<string, SlotChange>;
  readonly codes: Map<string, Uint8Array>;
  readonly hashes: Map<number, Uint8Array>;
}

export class RecordingSink implements FeedSink {
  readonly reports: Report[] = [];
  readonly #clock: Clock;
  /** Replaced at every report and never modified, so that views which were submitted out stay as they were. */
  #maps: Maps = { accounts: new Map(), slots: new Map(), codes: new Map(), hashes: new Map() };

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get blocks(): CompleteBlock[] {
    return this.reports.flatMap(({ block }) => (block === null ? [] : [block]));
  }

  publish(diff: StateDiff, { transactions }: VersionAnnouncement): void {
    this.#take(diff, transactions, null);
  }

  async complete(diff: StateDiff, block: CompleteBlock): Promise<void> {
    await Promise.resolve();
    this.#take(diff, [], block);
  }

  async goBack(): Promise<never> {
    throw new Error('nothing is taken back here');
  }

  progress(): void {}

  view(): StateView {
    const { accounts, slots, codes, hashes } = this.#maps;
    return {
      account: (address) => accounts.get(toHex(address))?.account ?? null,
      code: (hash) => codes.get(toHex(hash)) ?? emptyCode(hash),
      storage: (address, slot) => slots.get(toHex(address) + toHex(slot))?.value ?? new Uint8Array(32),
      blockHash: (number) => hashes.get(number) ?? null,
    };
  }

  contents(): StateContents {
    const { accounts, slots } = this.#maps;
    return { accounts: () => accounts.values(), slots: () => slots.values() };
  }

  #take(diff: StateDiff, transactions: readonly ExecutedTransaction[], block: CompleteBlock | null): void {
    this.reports.push({ atMs: this.#clock.now(), diff, transactions, block });
    const accounts = new Map(this.#maps.accounts);
    const slots = new Map(this.#maps.slots);
    const codes = new Map(this.#maps.codes);
    const hashes = new Map(this.#maps.hashes);
    for (const change of diff.accounts) accounts.set(toHex(change.address), change);
    for (const change of diff.slots) slots.set(toHex(change.address) + toHex(change.slot), change);
    for (const { hash, bytes } of diff.codes) codes.set(toHex(hash), bytes);
    if (block !== null) hashes.set(block.number, block.hash);
    this.#maps = { accounts, slots, codes, hashes };
  }
}

function emptyCode(hash: Uint8Array): Uint8Array {
  if (Buffer.compare(hash, EMPTY_CODE_HASH) !== 0) throw new Error(`code ${toHex(hash)} was never reported`);
  return new Uint8Array(0);
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
