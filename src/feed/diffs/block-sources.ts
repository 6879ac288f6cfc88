// Chooses the source of each block of a live chain, and remembers what the choice depends on.
import type { FollowBy } from '../options.js';
import { LIMITS } from '../../limits/index.js';
import { kindOf, Mismatches } from './mismatches.js';
import {
  blockSourceOf,
  type BlockNature,
  type DiffSource,
  type OfferedDiffs,
  type DiffBlockSource,
} from './block-source.js';

/** One per program. */
export class BlockSources {
  readonly #setting: FollowBy;
  readonly #offered: () => OfferedDiffs;
  readonly #mismatches = new Mismatches();
  #notice: string | null = null;
  /** The newest block for which a source was chosen. */
  #newest: BlockNature = { hasAccessList: false, unknown: null, isNonEvm: false };
  /** Kinds of notices that were logged. */
  readonly #logged = new Set<string>();

  /** `offered`: which sources of diffs the node offers, as far as they were tried. */
  constructor(setting: FollowBy, offered: () => OfferedDiffs) {
    this.#setting = setting;
    this.#offered = offered;
  }

  /** Why the newest block was not applied by the mode that the setting asks for; `null`: it was. */
  get notice(): string | null {
    return this.#notice;
  }

  /** The notice, if none of its kind was returned before; else `null`. */
  nextNotice(): string | null {
    const kind = this.#notice === null ? null : kindOf(this.#notice);
    if (kind === null || this.#logged.has(kind) || this.#logged.size >= LIMITS.sourceKindsLoggedMax) return null;
    this.#logged.add(kind);
    return this.#notice;
  }

  /** Source of the next block's diff, if it is like the newest one; `null`: it needs none. */
  get expected(): DiffSource | null {
    const mode = this.#modeOf(this.#newest);
    return mode.by === 'diff' ? mode.source : null;
  }

  /** How a block is applied. Asked again if a source was refused. */
  of(block: BlockNature): DiffBlockSource {
    const mode = this.#modeOf(block);
    this.#newest = block;
    this.#notice =
      mode.by === 'diff' && mode.reason !== null ? `blocks are applied as diffs: ${mode.reason}` : mode.reason;
    return mode;
  }

  #modeOf(block: BlockNature): DiffBlockSource {
    return blockSourceOf(this.#setting, block, this.#offered(), this.#mismatches.repeated);
  }

  /**
   * A block mismatched, for a reason of one line. Returns why blocks are applied as diffs from now on, if this has
   * decided it.
   */
  mismatched(number: number, reason: string): string | null {
    const wasRepeated = this.#mismatches.repeated !== null;
    this.#mismatches.note(number, reason);
    return this.#setting === 'auto' && !wasRepeated ? this.#mismatches.repeated : null;
  }
}
