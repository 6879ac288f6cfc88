// Events of the chain, in order: for those who are told without asking, and for those who ask what is new. Runs on
// main.

// Decision (2026-11, two cores): Events are numbered and kept packed (`src/rpc/push`): subscriptions, filters and
// resuming are three readers of one list. Price: every version is told to main with what it changed, some 80 bytes a
// key.
import { sameBytes } from '../../lib/bytes/byte-map.js';
import { LIMITS } from '../../limits/index.js';
import type { ChangedMessage } from '../../publisher/protocol.js';
import type { AnnouncedBlock, Placed } from '../view/executed-block.js';

/**
 * Every event belongs to a version that readers can see by then. Versions go on where the state begins anew: those of the
 * n-th state (from 0) are n * 2^32 more than the table's.
 */
export type ChainEvent = { readonly version: number } & (
  | { readonly kind: 'changed'; readonly message: ChangedMessage }
  /** Transactions from `first` on are new in the block; decoding it is left to who needs it. */
  | { readonly kind: 'increment'; readonly first: number; readonly read: () => AnnouncedBlock }
  /** Pre-confirmed transactions from `first` on do not come, or stand at other places. */
  | { readonly kind: 'dropped'; readonly first: number; readonly read: () => AnnouncedBlock }
  | ({ readonly kind: 'confirmed' } & Placed)
  | ({ readonly kind: 'removed' } & Placed)
  /** The chain has gone back: it ends with a block that was told before. */
  | ({ readonly kind: 'returned' } & Placed)
  /** The state was begun anew, with this block where it is known: what happened in between is not known. */
  | { readonly kind: 'begun'; readonly placed: Placed | null }
);

/** Something may be missing before this event, or in it: the state was begun anew, or a block is not known whole. */
export function isGap(event: ChainEvent): boolean {
  return event.kind === 'begun' || (event.kind === 'confirmed' && event.isHeaderAlone === true);
}

/** An event and its place in the order. */
export interface Numbered {
  readonly serial: number;
  readonly event: ChainEvent;
}

/** The events of the last minutes, and who listens. */
export class ChainEvents {
  readonly #kept: (Numbered & { readonly weight: number })[] = [];
  readonly #confirmed: Placed[] = [];
  readonly #listeners = new Set<(event: Numbered) => void>();
  #serial = 0;
  #weight = 0;
  #epoch = 0;
  #gapSerial = 0;
  /** The version of the newest event that is not kept any more. */
  #forgotten = 0;
  #newest = 0;

  /** The number of the newest event; 0 before the first one. */
  get serial(): number {
    return this.#serial;
  }

  /** The number of the last event that something may be missing before or in; 0 where there is none. */
  get gapSerial(): number {
    return this.#gapSerial;
  }

  /** Number of those who listen now. */
  get listeners(): number {
    return this.#listeners.size;
  }

  /** Number of the block that the chain ends with; `null`: no event has told it yet. */
  get head(): number | null {
    return this.#confirmed.at(-1)?.number ?? null;
  }

  /** Calls with every event to come, until what is answered is called. */
  listen(listener: (event: Numbered) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** A version of the table as events have it. */
  versionOf(version: number): number {
    return this.#epoch * 2 ** 32 + version;
  }

  /** Notes what happened. `weight`: bytes that it keeps in memory. */
  add(event: ChainEvent, weight = 0): void {
    // Nobody has heard of what was before the first event.
    if (this.#serial === 0) this.#forgotten = event.version - 1;
    this.#newest = event.version;
    const numbered = { serial: ++this.#serial, event };
    this.#kept.push({ ...numbered, weight });
    this.#weight += weight;
    while (this.#kept.length > LIMITS.eventsKeptMax || this.#weight > LIMITS.eventBytesMax) this.#forget();
    for (const listener of this.#listeners) listener(numbered);
  }

  /** Notes a complete block, and before it those that it takes the place of, the newest first. */
  confirm(version: number, placed: Placed): void {
    while (this.#confirmed.length > 0 && this.#confirmed.at(-1)!.number >= placed.number) {
      this.add({ kind: 'removed', version, ...this.#confirmed.pop()! });
    }
    this.#confirmed.push(placed);
    if (this.#confirmed.length > LIMITS.blocksKeptMax) this.#confirmed.shift();
    if (placed.isHeaderAlone === true) this.#gapSerial = this.#serial + 1;
    this.add({ kind: 'confirmed', version, ...placed });
  }

  /** A block that was there before the first event. */
  know(placed: Placed): void {
    this.#confirmed.push(placed);
  }

  /** Notes that the chain ends with a block that is known; nothing where it has ended with it already. */
  goBack(version: number, hash: Uint8Array): void {
    const at = this.#confirmed.findIndex((placed) => sameBytes(placed.hash, hash));
    if (at < 0 || at === this.#confirmed.length - 1) return;
    for (const placed of this.#confirmed.splice(at + 1).toReversed()) this.add({ kind: 'removed', version, ...placed });
    this.add({ kind: 'returned', version, ...this.#confirmed[at]! });
  }

  /** Notes that the state was begun anew, with this block where it is known. */
  begin(placed: Placed | null): void {
    this.#epoch++;
    this.#confirmed.splice(0, Infinity, ...(placed === null ? [] : [placed]));
    this.#gapSerial = this.#serial + 1;
    this.add({ kind: 'begun', version: this.versionOf(1), placed });
  }

  /** The events behind `serial`; `null` where some of them are not kept any more. */
  since(serial: number): readonly Numbered[] | null {
    const oldest = this.#kept[0]?.serial ?? this.#serial + 1;
    return serial + 1 < oldest ? null : this.#kept.slice(serial + 1 - oldest);
  }

  /** The event behind `serial`; `null` where that is the newest one, `gone` where it is not kept any more. */
  after(serial: number): Numbered | 'gone' | null {
    if (serial >= this.#serial) return null;
    return this.#kept[serial - this.#serial + this.#kept.length] ?? 'gone';
  }

  /** The events of later versions; `null` where some of them are not kept any more. */
  behind(version: number): readonly Numbered[] | null {
    if (version >= this.#newest) return [];
    const serial = this.serialAt(version);
    return serial === null ? null : this.since(serial);
  }

  /** The number of the last event at or below `version`; `null` where later ones are not kept, or it is yet to come. */
  serialAt(version: number): number | null {
    if (version < this.#forgotten || version > this.#newest) return null;
    const at = this.#kept.findLastIndex(({ event }) => event.version <= version);
    return at < 0 ? (this.#kept[0]?.serial ?? this.#serial + 1) - 1 : this.#kept[at]!.serial;
  }

  /**
   * The number of the last event of a place in the chain; where it was never quite there, of the last one before it first went
   * beyond. `gone`: what came then is not kept; `ahead`: the chain has not come so far.
   */
  serialAtPlace(block: number, index: number): number | 'gone' | 'ahead' {
    const places = placesIn(this.#kept);
    const last = places.findLast(({ event }) => comparePlace(event, block, index) === 0);
    if (last !== undefined) return this.serialAt(last.event.version) ?? 'gone';
    const beyond = places.findIndex(({ event }) => comparePlace(event, block, index) > 0);
    if (beyond < 0 && places.length > 0) return 'ahead';
    return beyond <= 0 ? 'gone' : places[beyond]!.serial - 1;
  }

  #forget(): void {
    const { weight, event } = this.#kept.shift()!;
    this.#weight -= weight;
    this.#forgotten = event.version;
  }
}

/** The event of a version: where the chain was. */
type Place = Numbered & { readonly event: Extract<ChainEvent, { kind: 'changed' }> };

function placesIn(events: readonly Numbered[]): readonly Place[] {
  return events.filter((each): each is Place => each.event.kind === 'changed');
}

/** Below, at or beyond a place: negative, zero or positive. */
function comparePlace({ message: { coordinates } }: Place['event'], block: number, index: number): number {
  return coordinates.block - block || coordinates.index - index;
}
