// Chooses the source of each block of a live chain, and remembers what the choice depends on.
import type { FollowMode } from '../options.js';
import { LIMITS } from '../../limits/index.js';
import { mismatchKindOf, MismatchCounter } from './mismatch-counter.js';
import {
  chooseBlockApplication,
  type BlockTraits,
  type DiffSource,
  type OfferedDiffMethods,
  type BlockApplicationOrResync,
} from './block-application.js';

/** The choices for one chain. */
export class BlockApplicationChooser {
  readonly #setting: FollowMode;
  readonly #offered: () => OfferedDiffMethods;
  readonly #mismatches = new MismatchCounter();
  #notice: string | null = null;
  /** The properties of the newest block for which a source was chosen. */
  #newest: BlockTraits = { hasAccessList: false, unknown: null, isNonEvm: false };
  /** Kinds of notices that were already logged. */
  readonly #logged = new Set<string>();

  /** `offered` returns which sources of diffs the node offers, as far as they were tried. */
  constructor(setting: FollowMode, offered: () => OfferedDiffMethods) {
    this.#setting = setting;
    this.#offered = offered;
  }

  /** Why the newest block was not applied in the configured mode; `null` if it was. */
  get notice(): string | null {
    return this.#notice;
  }

  /** The notice, if none of its kind was returned before; otherwise `null`. */
  nextNotice(): string | null {
    const kind = this.#notice === null ? null : mismatchKindOf(this.#notice);
    if (kind === null || this.#logged.has(kind) || this.#logged.size >= LIMITS.sourceKindsLoggedMax) return null;
    this.#logged.add(kind);
    return this.#notice;
  }

  /** The expected source of the next block's diff, if that block is like the newest one; `null` if it needs no diff. */
  get expected(): DiffSource | null {
    const mode = this.#modeOf(this.#newest);
    return mode.by === 'diff' ? mode.source : null;
  }

  /** How a block is applied. Called again if the node has refused a source. */
  of(block: BlockTraits): BlockApplicationOrResync {
    const mode = this.#modeOf(block);
    this.#newest = block;
    this.#notice =
      mode.by === 'diff' && mode.reason !== null ? `blocks are applied as diffs: ${mode.reason}` : mode.reason;
    return mode;
  }

  #modeOf(block: BlockTraits): BlockApplicationOrResync {
    return chooseBlockApplication(this.#setting, block, this.#offered(), this.#mismatches.repeated);
  }

  /** Records a block's mismatch, a reason of one line. If blocks are applied as diffs because of it, returns why. */
  mismatched(number: number, reason: string): string | null {
    const wasRepeated = this.#mismatches.repeated !== null;
    this.#mismatches.note(number, reason);
    return this.#setting === 'auto' && !wasRepeated ? this.#mismatches.repeated : null;
  }
}
