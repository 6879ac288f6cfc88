// Combines redundant sources of one pre-confirmation feed. Drops messages of a source that lags behind the others. The
// difficulty is to distinguish a late first increment from one with which the builder starts the same block again.
// Repeated increments and gaps are handled by the tree of blocks.
import { LIMITS } from '../../limits/index.js';
import type {
  OpeningIncrement,
  SourceEvent,
  StreamEvent,
  ReportedIncrement,
} from '../pre-confirmation-stream-events.js';
import { isSamePayloadOpening } from './tree/decide-tree-actions.js';

interface Source {
  isUp: boolean;
  /** The block whose first increment this source has sent last since it connected; `null` if there is none. */
  newest: number | null;
  /**
   * For each block number, which first increment this source has sent last, as an index in the list in `#openings`. A
   * block that the builder starts again has several first increments.
   */
  readonly positions: Map<number, number>;
}

export class RedundantFeedMerger {
  readonly #sources: Source[];
  /** For each block number, the different first increments in the order in which they first arrived. */
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

  /** Returns the event to pass on when a source has sent `event`; `null` if it is late, compared with other sources. */
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
   * Returns the event itself if this is the only connected source. Otherwise returns `lapse`, because another source
   * may deliver what this one has missed.
   */
  #lapseOf(source: number, event: Extract<SourceEvent, { readonly reason: string }>): StreamEvent {
    const isAlone = this.#sources.every(({ isUp }, other) => other === source || !isUp);
    return isAlone ? event : { kind: 'lapse', reason: event.reason };
  }

  /**
   * Returns false if an opening (a block's first increment) is late: another source has already sent the same opening,
   * and after it a newer opening with which the builder started the block again. All increments after a late opening
   * are late as well. An opening that the same source has sent before is not late: the builder starts the block again.
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
   * Returns true if an increment is late: its source has already sent the first increment of a later block, or another
   * source has reported meanwhile that the builder has started the block again.
   */
  #isLate(source: number, { block }: ReportedIncrement): boolean {
    const { newest, positions } = this.#sources[source]!;
    if (newest !== null && block < newest) return true;
    const position = positions.get(block);
    return position !== undefined && position < this.#openings.get(block)!.length - 1;
  }

  /**
   * Returns the different first increments of a block, one for each time that the builder has started it. LIMITS bounds
   * the number of blocks, and the number of first increments for each block.
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
