// Sources of one stream that tell the same beside each other: the first that tells something is heard. Gaps of one are
// closed by what the others tell, which the tree of blocks sees to; here is kept apart what is late from what begins
// anew.
import { LIMITS } from '../../limits/index.js';
import type { Opening, SourceEvent, StreamEvent, ReportedIncrement } from '../stream.js';
import { isSameOpening } from './tree/decide.js';

/** Position of a source. */
interface Source {
  isUp: boolean;
  /** The newest block that it has opened since it came up; `null`: none. */
  newest: number | null;
  /** By block: which of its openings the source has told last. */
  readonly positions: Map<number, number>;
}

/** One per stream. Sources are numbered from 0 on. */
export class Sources {
  readonly #sources: Source[];
  /** By block: its different openings, in the order in which they were heard first. */
  readonly #openings = new Map<number, Opening[]>();

  /** `count`: of the sources. None of them is up. */
  constructor(count: number) {
    this.#sources = Array.from({ length: count }, () => ({ isUp: false, newest: null, positions: new Map() }));
  }

  /** A source can tell something from now on. It may begin with what it has told before. */
  up(source: number): void {
    const at = this.#sources[source]!;
    at.isUp = true;
    at.newest = null;
  }

  /** News of the stream when a source tells this; `null`: none, as it is late. */
  take(source: number, event: SourceEvent): StreamEvent | null {
    switch (event.kind) {
      case 'open':
        return this.#isNewestOpening(source, event) ? event : null;
      case 'append':
        return this.#isLate(source, event) ? null : event;
      case 'down':
        this.#sources[source]!.isUp = false;
        return this.#lack(source, event);
      case 'gap':
        return this.#lack(source, event);
    }
  }

  /** Other sources that are up may tell what this one does not. */
  #lack(source: number, event: Extract<SourceEvent, { readonly reason: string }>): StreamEvent {
    const isAlone = this.#sources.every(({ isUp }, other) => other === source || !isUp);
    return isAlone ? event : { kind: 'lapse', reason: event.reason };
  }

  /**
   * An opening that another source has told before is late where that one has begun the block anew since; then what
   * follows it is, too. A source that goes back to an opening of its own begins the block anew.
   */
  #isNewestOpening(source: number, reported: ReportedIncrement & { readonly kind: 'open' }): boolean {
    const at = this.#sources[source]!;
    at.newest = reported.block;
    const openings = this.#openingsOf(reported.block);
    const before = at.positions.get(reported.block) ?? 0;
    const known = openings.findIndex((opening, place) => place >= before && isSameOpening(opening, reported));
    const place = known < 0 ? openings.push(reported) - 1 : known;
    at.positions.set(reported.block, place);
    return place === openings.length - 1;
  }

  /** Late: of a block before the one that the source is at, or of an opening that is not the newest one. */
  #isLate(source: number, { block }: ReportedIncrement): boolean {
    const { newest, positions } = this.#sources[source]!;
    if (newest !== null && block < newest) return true;
    const position = positions.get(block);
    return position !== undefined && position < this.#openings.get(block)!.length - 1;
  }

  /**
   * The blocks remembered are as many as can wait for their parent, and the openings of a block as many as LIMITS says.
   */
  #openingsOf(block: number): Opening[] {
    const known = this.#openings.get(block);
    if (known !== undefined && known.length < LIMITS.feedOpeningsMax) return known;
    const openings: Opening[] = [];
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
