// Combines redundant sources of one pre-confirmation feed: whichever message arrives first is passed on. The tree of
// blocks fills a gap in one source with messages of the other sources. This file distinguishes late messages from
// messages with which the builder starts a block again.
import { LIMITS } from '../../limits/index.js';
import type { OpeningIncrement, SourceEvent, StreamEvent, ReportedIncrement } from '../stream-events.js';
import { isSamePayloadOpening } from './tree/decide-tree-actions.js';

interface Source {
  isUp: boolean;
  /** The newest block that the source has opened since it connected; `null` if there is none. */
  newest: number | null;
  /**
   * For each block number, the index in `#openings` of the first increment that this source has sent last. A block that
   * the builder starts again has several first increments.
   */
  readonly positions: Map<number, number>;
}

export class RedundantFeedMerger {
  readonly #sources: Source[];
  /** For each block number, its different openings (first increments) in the order in which they first arrived. */
  readonly #openings = new Map<number, OpeningIncrement[]>();

  /** `count` is the number of sources. None of them is connected at first. */
  constructor(count: number) {
    this.#sources = Array.from({ length: count }, () => ({ isUp: false, newest: null, positions: new Map() }));
  }

  /** Called when a source has connected. It may repeat messages that it has sent before. */
  up(source: number): void {
    const at = this.#sources[source]!;
    at.isUp = true;
    at.newest = null;
  }

  /** Returns the event to pass on when a source has sent `event`; `null` if another source was earlier. */
  take(source: number, event: SourceEvent): StreamEvent | null {
    switch (event.kind) {
      case 'open':
        return this.#isNewestOpening(source, event) ? event : null;
      case 'append':
        return this.#isLate(source, event) ? null : event;
      case 'down':
        this.#sources[source]!.isUp = false;
        return this.#lapseOf(source, event);
      case 'gap':
        return this.#lapseOf(source, event);
    }
  }

  /**
   * Returns `lapse` while other sources are connected, because they may deliver what this one has missed. Otherwise
   * returns the event itself.
   */
  #lapseOf(source: number, event: Extract<SourceEvent, { readonly reason: string }>): StreamEvent {
    const isAlone = this.#sources.every(({ isUp }, other) => other === source || !isUp);
    return isAlone ? event : { kind: 'lapse', reason: event.reason };
  }

  /**
   * Returns false if an opening (a block's first increment) is late: another source has sent the same one before, and
   * then an opening that rebuilt the block. The increments that follow a late opening are late as well. If a source
   * repeats an opening of its own, it rebuilds the block.
   */
  #isNewestOpening(source: number, reported: ReportedIncrement & { readonly kind: 'open' }): boolean {
    const at = this.#sources[source]!;
    at.newest = reported.block;
    const openings = this.#openingsOf(reported.block);
    const before = at.positions.get(reported.block) ?? 0;
    const known = openings.findIndex((opening, index) => index >= before && isSamePayloadOpening(opening, reported));
    const index = known < 0 ? openings.push(reported) - 1 : known;
    at.positions.set(reported.block, index);
    return index === openings.length - 1;
  }

  /**
   * Returns true if an increment is late: its source has already opened a later block, or another source has reported
   * since that the builder has started the block again.
   */
  #isLate(source: number, { block }: ReportedIncrement): boolean {
    const { newest, positions } = this.#sources[source]!;
    if (newest !== null && block < newest) return true;
    const position = positions.get(block);
    return position !== undefined && position < this.#openings.get(block)!.length - 1;
  }

  /**
   * Returns the different first increments of a block, of which each attempt to build it has its own. The number of
   * blocks and the number of first increments for each are bounded by LIMITS.
   */
  #openingsOf(block: number): OpeningIncrement[] {
    const known = this.#openings.get(block);
    if (known !== undefined && known.length < LIMITS.feedOpeningsMax) return known;
    const openings: OpeningIncrement[] = [];
    this.#forget(block);
    this.#openings.set(block, openings);
    const [oldest] = this.#openings.keys();
    if (this.#openings.size > LIMITS.feedAheadBlocksMax) this.#forget(oldest!);
    return openings;
  }

  #forget(block: number): void {
    this.#openings.delete(block);
    for (const { positions } of this.#sources) positions.delete(block);
  }
}
