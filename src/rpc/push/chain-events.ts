// The chain's events in order, for subscriptions and for filters that clients poll.

// Events are numbered, and their messages are encoded once. Subscriptions, filters and resumed subscriptions read the
// same list. See DECISIONS.md.
import { sameBytes } from '../../lib/bytes/byte-map.js';
import { LIMITS } from '../../limits/index.js';
import type { VersionChangesMessage } from '../../publisher/publisher-protocol.js';
import type { PreConfirmedBlock, CompleteBlockHandle } from '../view/executed-block-types.js';

/**
 * One event of the chain. It belongs to a state version that readers can already see. Version numbers continue after a
 * reset of the state: those after the n-th reset are n * 2^32 above the numbers in the state table.
 */
export type ChainEvent = { readonly version: number } & (
  | { readonly kind: 'changed'; readonly message: VersionChangesMessage }
  /**
   * An increment of the pre-confirmed block. Transactions from index `first` on are new. `read` decodes them when they
   * are needed.
   */
  | { readonly kind: 'increment'; readonly first: number; readonly read: () => PreConfirmedBlock }
  /** Pre-confirmed transactions from index `first` on were dropped, or their order has changed. */
  | { readonly kind: 'dropped'; readonly first: number; readonly read: () => PreConfirmedBlock }
  | ({ readonly kind: 'confirmed' } & CompleteBlockHandle)
  | ({ readonly kind: 'removed' } & CompleteBlockHandle)
  /** The chain was rolled back to a block that had already been announced. */
  | ({ readonly kind: 'returned' } & CompleteBlockHandle)
  /**
   * The state was reset. `located` is the block after which the new state starts, if that block is known. What happened
   * on the chain before that block is unknown.
   */
  | { readonly kind: 'reset'; readonly located: CompleteBlockHandle | null }
);

/**
 * True if events may be missing before this one (the state was reset), or the event lacks data (only the block's header
 * is known).
 */
export function isEventGap(event: ChainEvent): boolean {
  return event.kind === 'reset' || (event.kind === 'confirmed' && event.isHeaderAlone === true);
}

/** An event and its sequence number. */
export interface NumberedEvent {
  readonly serial: number;
  readonly event: ChainEvent;
}

/** The events of the last minutes, and the listeners that are notified of new ones. */
export class ChainEvents {
  readonly #kept: (NumberedEvent & { readonly weight: number })[] = [];
  readonly #confirmed: CompleteBlockHandle[] = [];
  readonly #listeners = new Set<(event: NumberedEvent) => void>();
  #serial = 0;
  #weight = 0;
  #epoch = 0;
  #gapSerial = 0;
  /** State version of the newest event that was dropped from the list. */
  #forgotten = 0;
  #newest = 0;

  /** The sequence number of the newest event; 0 before the first one. */
  get serial(): number {
    return this.#serial;
  }

  /** The sequence number of the last gap in the events; 0 if there is none. */
  get gapSerial(): number {
    return this.#gapSerial;
  }

  get listeners(): number {
    return this.#listeners.size;
  }

  /** Number of the newest block; `null` if no event has announced one yet. */
  get head(): number | null {
    return this.#confirmed.at(-1)?.number ?? null;
  }

  /** Calls `listener` with every future event. Returns a function that removes the listener. */
  listen(listener: (event: NumberedEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Waits until block `number` has arrived, at most LIMITS.headWaitMs. Returns true if it has arrived, or if our newest
   * block is unknown.
   */
  waitForBlock(number: number): boolean | Promise<boolean> {
    return this.waitUntil(() => this.head === null || this.head >= number);
  }

  /** Waits until an event after which `isHere` returns true, at most LIMITS.headWaitMs. Returns what it returns. */
  waitUntil(isHere: () => boolean): boolean | Promise<boolean> {
    if (isHere() || this.listeners >= LIMITS.receiptWaitersMax) return isHere();
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        unlisten();
        resolve(isHere());
      };
      const timer = setTimeout(end, LIMITS.headWaitMs);
      const unlisten = this.listen(() => {
        if (isHere()) end();
      });
    });
  }

  /** Converts a version number of the state table to the version number of events, which never falls. */
  versionOf(version: number): number {
    return this.#epoch * 2 ** 32 + version;
  }

  /** Adds an event. `weight`: bytes of memory that it retains. */
  add(event: ChainEvent, weight = 0): void {
    // Nothing was dropped before the first event, so the list is complete from the version before it.
    if (this.#serial === 0) this.#forgotten = event.version - 1;
    this.#newest = event.version;
    const numbered = { serial: ++this.#serial, event };
    this.#kept.push({ ...numbered, weight });
    this.#weight += weight;
    while (this.#kept.length > LIMITS.eventsKeptMax || this.#weight > LIMITS.eventBytesMax) this.#forget();
    for (const listener of this.#listeners) listener(numbered);
  }

  /** Adds a complete block. Before that, adds events that remove the blocks which it replaces, newest first. */
  confirm(version: number, located: CompleteBlockHandle): void {
    while (this.#confirmed.length > 0 && this.#confirmed.at(-1)!.number >= located.number) {
      this.add({ kind: 'removed', version, ...this.#confirmed.pop()! });
    }
    this.#confirmed.push(located);
    if (this.#confirmed.length > LIMITS.blocksKeptMax) this.#confirmed.shift();
    if (located.isHeaderAlone === true) this.#gapSerial = this.#serial + 1;
    this.add({ kind: 'confirmed', version, ...located });
  }

  /** Records a block that is older than the first event, without adding an event. */
  know(located: CompleteBlockHandle): void {
    this.#confirmed.push(located);
  }

  /** Adds an event for the rollback of the chain to a known block. Does nothing if that block is already the newest. */
  goBack(version: number, hash: Uint8Array): void {
    const at = this.#confirmed.findIndex((located) => sameBytes(located.hash, hash));
    if (at < 0 || at === this.#confirmed.length - 1) return;
    for (const located of this.#confirmed.splice(at + 1).toReversed())
      this.add({ kind: 'removed', version, ...located });
    this.add({ kind: 'returned', version, ...this.#confirmed[at]! });
  }

  /**
   * Adds the event that the state was reset. `located` is the block after which the new state starts, if it is known.
   */
  begin(located: CompleteBlockHandle | null): void {
    this.#epoch++;
    this.#confirmed.splice(0, Infinity, ...(located === null ? [] : [located]));
    this.#gapSerial = this.#serial + 1;
    this.add({ kind: 'reset', version: this.versionOf(1), located });
  }

  /** Returns the events after sequence number `serial`; `null` if some of them are no longer retained. */
  since(serial: number): readonly NumberedEvent[] | null {
    const oldest = this.#kept[0]?.serial ?? this.#serial + 1;
    return serial + 1 < oldest ? null : this.#kept.slice(serial + 1 - oldest);
  }

  /**
   * Returns the event after sequence number `serial`; `null` if there is none yet, `gone` if it is no longer retained.
   */
  after(serial: number): NumberedEvent | 'gone' | null {
    if (serial >= this.#serial) return null;
    return this.#kept[serial - this.#serial + this.#kept.length] ?? 'gone';
  }

  /** Returns the events of versions after `version`; `null` if some of them are no longer retained. */
  behind(version: number): readonly NumberedEvent[] | null {
    if (version >= this.#newest) return [];
    const serial = this.serialAt(version);
    return serial === null ? null : this.since(serial);
  }

  /**
   * Returns the sequence number of the last event at or before `version`; `null` if later events are no longer
   * retained, or `version` is in the future.
   */
  serialAt(version: number): number | null {
    if (version < this.#forgotten || version > this.#newest) return null;
    const at = this.#kept.findLastIndex(({ event }) => event.version <= version);
    return at < 0 ? (this.#kept[0]?.serial ?? this.#serial + 1) - 1 : this.#kept[at]!.serial;
  }

  /**
   * Returns the sequence number of the last event at a position in the chain. If no event was exactly there, returns
   * that of the last event before the chain first passed the position. `gone`: that event is no longer retained.
   * `ahead`: the chain has not reached the position.
   */
  serialAtPosition(block: number, index: number): number | 'gone' | 'ahead' {
    const positioned = positionedIn(this.#kept);
    const last = positioned.findLast(({ event }) => comparePosition(event, block, index) === 0);
    if (last !== undefined) return this.serialAt(last.event.version) ?? 'gone';
    const beyond = positioned.findIndex(({ event }) => comparePosition(event, block, index) > 0);
    if (beyond < 0 && positioned.length > 0) return 'ahead';
    return beyond <= 0 ? 'gone' : positioned[beyond]!.serial - 1;
  }

  #forget(): void {
    const { weight, event } = this.#kept.shift()!;
    this.#weight -= weight;
    this.#forgotten = event.version;
  }
}

/** An event of kind `changed`, which has a position in the chain. */
type PositionedEvent = NumberedEvent & { readonly event: Extract<ChainEvent, { kind: 'changed' }> };

function positionedIn(events: readonly NumberedEvent[]): readonly PositionedEvent[] {
  return events.filter((each): each is PositionedEvent => each.event.kind === 'changed');
}

/** Returns a negative number, zero or a positive number if the event is before, at or after a position. */
function comparePosition({ message: { coordinates } }: PositionedEvent['event'], block: number, index: number): number {
  return coordinates.block - block || coordinates.index - index;
}
