// Ways of all blocks of a live chain: what decides them is remembered here.
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
  /** The newest block that has a way, as far as that depends on it. */
  #newest: BlockNature = { hasAccessList: false, unknown: null, isNonEvm: false };
  /** Kinds of notices that were told. */
  readonly #logged = new Set<string>();

  /** `offered`: sources of diffs as far as the node was asked for them. */
  constructor(setting: FollowBy, offered: () => OfferedDiffs) {
    this.#setting = setting;
    this.#offered = offered;
  }

  /** Reason for which the newest block went another way than the setting asks for; `null`: it did not. */
  get notice(): string | null {
    return this.#notice;
  }

  /** The notice, where none of its kind was asked for yet; else `null`. */
  nextNotice(): string | null {
    const kind = this.#notice === null ? null : kindOf(this.#notice);
    if (kind === null || this.#logged.has(kind) || this.#logged.size >= LIMITS.sourceKindsLoggedMax) return null;
    this.#logged.add(kind);
    return this.#notice;
  }

  /** Source of the next block's diff, if it is as the newest one; `null`: it needs none. */
  get expected(): DiffSource | null {
    const way = this.#wayOf(this.#newest);
    return way.by === 'diff' ? way.source : null;
  }

  /** Way of a block. Asked again where a source was refused. */
  of(block: BlockNature): DiffBlockSource {
    const way = this.#wayOf(block);
    this.#newest = block;
    this.#notice = way.by === 'diff' && way.reason !== null ? `blocks are taken as diffs: ${way.reason}` : way.reason;
    return way;
  }

  #wayOf(block: BlockNature): DiffBlockSource {
    return blockSourceOf(this.#setting, block, this.#offered(), this.#mismatches.repeated);
  }

  /**
   * A block did not fit, for a reason of one line. Answers why blocks come as diffs from now on, where this has decided
   * it.
   */
  mismatched(number: number, reason: string): string | null {
    const wasRepeated = this.#mismatches.repeated !== null;
    this.#mismatches.note(number, reason);
    return this.#setting === 'auto' && !wasRepeated ? this.#mismatches.repeated : null;
  }
}
