// The chain's events in order, for subscribers and for clients that poll.

// Events are numbered and encoded; subscriptions, filters, resumption read one list. See DECISIONS.md.
import { sameBytes } from '../../lib/bytes/byte-map.js';
import { LIMITS } from '../../limits/index.js';
import type { VersionChangedMessage } from '../../publisher/publisher-protocol.js';
import type { PreConfirmedBlock, CompleteBlockHandle } from '../view/executed-block.js';

/**
 * An event. It belongs to a version that readers can already see. Version numbers continue after a reset of the state:
 * those of the n-th state (from 0) are n * 2^32 above the table's.
 */
export type ChainEvent = { readonly version: number } & (
  | { readonly kind: 'changed'; readonly message: VersionChangedMessage }
  /** The transactions from index `first` on are new in the block. They are decoded when they are needed. */
  | { readonly kind: 'increment'; readonly first: number; readonly read: () => PreConfirmedBlock }
  /** The pre-confirmed transactions from index `first` on are dropped or in another order. */
  | { readonly kind: 'dropped'; readonly first: number; readonly read: () => PreConfirmedBlock }
  | ({ readonly kind: 'confirmed' } & CompleteBlockHandle)
  | ({ readonly kind: 'removed' } & CompleteBlockHandle)
  /** The chain was rolled back to a block that had already been announced. */
  | ({ readonly kind: 'returned' } & CompleteBlockHandle)
  /** The state was reset, with this block if it is known. What happened in between is unknown. */
  | { readonly kind: 'reset'; readonly located: CompleteBlockHandle | null }
);

/** True if something may be missing before or in it: the state was reset, or only a block's header is known. */
export function isEventGap(event: ChainEvent): boolean {
  return event.kind === 'reset' || (event.kind === 'confirmed' && event.isHeaderAlone === true);
}

/** An event and its sequence number. */
export interface NumberedEvent {
  readonly serial: number;
  readonly event: ChainEvent;
}

/** The events of the last minutes, and their listeners. */
export class ChainEvents {
  readonly #kept: (NumberedEvent & { readonly weight: number })[] = [];
  readonly #confirmed: CompleteBlockHandle[] = [];
  readonly #listeners = new Set<(event: NumberedEvent) => void>();
  #serial = 0;
  #weight = 0;
  #epoch = 0;
  #gapSerial = 0;
  /** The version of the newest event that was dropped. */
  #forgotten = 0;
  #newest = 0;

  /** The sequence number of the newest event; 0 before the first one. */
  get serial(): number {
    return this.#serial;
  }

  /** The sequence number of the last gap; 0 if there is none. */
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

  /** Calls `listener` with every future event; returns a function that stops it. */
  listen(listener: (event: NumberedEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Converts a version of the table to the numbers of events. */
  versionOf(version: number): number {
    return this.#epoch * 2 ** 32 + version;
  }

  /** Adds an event. `weight` is how many bytes of memory it keeps. */
  add(event: ChainEvent, weight = 0): void {
    // There were no listeners before the first event.
    if (this.#serial === 0) this.#forgotten = event.version - 1;
    this.#newest = event.version;
    const numbered = { serial: ++this.#serial, event };
    this.#kept.push({ ...numbered, weight });
    this.#weight += weight;
    while (this.#kept.length > LIMITS.eventsKeptMax || this.#weight > LIMITS.eventBytesMax) this.#forget();
    for (const listener of this.#listeners) listener(numbered);
  }

  /** Adds a complete block, after events that remove the blocks that it replaces, newest first. */
  confirm(version: number, located: CompleteBlockHandle): void {
    while (this.#confirmed.length > 0 && this.#confirmed.at(-1)!.number >= located.number) {
      this.add({ kind: 'removed', version, ...this.#confirmed.pop()! });
    }
    this.#confirmed.push(located);
    if (this.#confirmed.length > LIMITS.blocksKeptMax) this.#confirmed.shift();
    if (located.isHeaderAlone === true) this.#gapSerial = this.#serial + 1;
    this.add({ kind: 'confirmed', version, ...located });
  }

  /** Records a block from before the first event, without making an event. */
  know(located: CompleteBlockHandle): void {
    this.#confirmed.push(located);
  }

  /** Adds the rollback of the chain to a known block. Does nothing if that is already the newest. */
  goBack(version: number, hash: Uint8Array): void {
    const at = this.#confirmed.findIndex((located) => sameBytes(located.hash, hash));
    if (at < 0 || at === this.#confirmed.length - 1) return;
    for (const located of this.#confirmed.splice(at + 1).toReversed())
      this.add({ kind: 'removed', version, ...located });
    this.add({ kind: 'returned', version, ...this.#confirmed[at]! });
  }

  /** Adds a reset of the state, with its block if that is known. */
  begin(located: CompleteBlockHandle | null): void {
    this.#epoch++;
    this.#confirmed.splice(0, Infinity, ...(located === null ? [] : [located]));
    this.#gapSerial = this.#serial + 1;
    this.add({ kind: 'reset', version: this.versionOf(1), located });
  }

  /** The events after `serial`; `null` if some of them are no longer kept. */
  since(serial: number): readonly NumberedEvent[] | null {
    const oldest = this.#kept[0]?.serial ?? this.#serial + 1;
    return serial + 1 < oldest ? null : this.#kept.slice(serial + 1 - oldest);
  }

  /** The event after `serial`; `null` if there is none yet, `gone` if it is no longer kept. */
  after(serial: number): NumberedEvent | 'gone' | null {
    if (serial >= this.#serial) return null;
    return this.#kept[serial - this.#serial + this.#kept.length] ?? 'gone';
  }

  /** The events of later versions; `null` if some of them are no longer kept. */
  behind(version: number): readonly NumberedEvent[] | null {
    if (version >= this.#newest) return [];
    const serial = this.serialAt(version);
    return serial === null ? null : this.since(serial);
  }

  /** The last event at or before `version`; `null` if later ones are not kept, or it is in the future. */
  serialAt(version: number): number | null {
    if (version < this.#forgotten || version > this.#newest) return null;
    const at = this.#kept.findLastIndex(({ event }) => event.version <= version);
    return at < 0 ? (this.#kept[0]?.serial ?? this.#serial + 1) - 1 : this.#kept[at]!.serial;
  }

  /**
   * The sequence number of the last event at a position in the chain. If there was none exactly there, it is that of
   * the last event before the chain first passed the position. `gone`: that event is no longer kept. `ahead`: the chain
   * has not reached the position.
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

/** The event of a version, which has a position in the chain. */
type PositionedEvent = NumberedEvent & { readonly event: Extract<ChainEvent, { kind: 'changed' }> };

function positionedIn(events: readonly NumberedEvent[]): readonly PositionedEvent[] {
  return events.filter((each): each is PositionedEvent => each.event.kind === 'changed');
}

/** A number that is negative, zero or positive if the event is before, at or after a position. */
function comparePosition({ message: { coordinates } }: PositionedEvent['event'], block: number, index: number): number {
  return coordinates.block - block || coordinates.index - index;
}
