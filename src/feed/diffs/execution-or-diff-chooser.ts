// Chooses, for each block of a live chain, whether it is executed or applied as a diff and from which source. Remembers
// what that choice depends on.
import type { FollowMode } from '../chain-source-options.js';
import { LIMITS } from '../../limits/index.js';
import { withoutValues, HeaderMismatchCounter } from './header-mismatch-counter.js';
import {
  chooseExecutionOrDiff,
  type BlockTraits,
  type DiffSource,
  type OfferedDiffMethods,
  type BlockApplicationOrResync,
} from './choose-execution-or-diff.js';

/** Chooses how the blocks of one chain are applied. */
export class ExecutionOrDiffChooser {
  readonly #setting: FollowMode;
  readonly #offered: () => OfferedDiffMethods;
  readonly #mismatches = new HeaderMismatchCounter();
  #notice: string | null = null;
  /** The properties of the newest block for which the choice was made. */
  #newest: BlockTraits = { hasAccessList: false, unknown: null, isNonEvm: false };
  /** Kinds of notices that were already logged. */
  readonly #logged = new Set<string>();

  /** `offered` returns which sources of diffs the node is known to offer or to refuse. */
  constructor(setting: FollowMode, offered: () => OfferedDiffMethods) {
    this.#setting = setting;
    this.#offered = offered;
  }

  /** Why the newest block was not applied in the configured mode; `null` if it was. */
  get notice(): string | null {
    return this.#notice;
  }

  /** Returns the notice if no notice of its kind was returned before; otherwise `null`. */
  nextNotice(): string | null {
    const kind = this.#notice === null ? null : withoutValues(this.#notice);
    if (kind === null || this.#logged.has(kind) || this.#logged.size >= LIMITS.sourceKindsLoggedMax) return null;
    this.#logged.add(kind);
    return this.#notice;
  }

  /**
   * The source from which the next block's diff will be read, assuming that it has the same properties as the newest
   * block. `null` if that block will be executed.
   */
  get expected(): DiffSource | null {
    const mode = this.#modeOf(this.#newest);
    return mode.by === 'diff' ? mode.source : null;
  }

  /** Chooses how a block is applied. Called again if the node has refused the chosen source. */
  of(block: BlockTraits): BlockApplicationOrResync {
    const mode = this.#modeOf(block);
    this.#newest = block;
    this.#notice =
      mode.by === 'diff' && mode.reason !== null ? `blocks are applied as diffs: ${mode.reason}` : mode.reason;
    return mode;
  }

  #modeOf(block: BlockTraits): BlockApplicationOrResync {
    return chooseExecutionOrDiff(this.#setting, block, this.#offered(), this.#mismatches.repeated);
  }

  /**
   * Records that a block did not match its header; `reason` is one line. Returns the reason why blocks are applied as
   * diffs from now on, or `null` if this changes nothing.
   */
  mismatched(number: number, reason: string): string | null {
    const wasRepeated = this.#mismatches.repeated !== null;
    this.#mismatches.note(number, reason);
    return this.#setting === 'auto' && !wasRepeated ? this.#mismatches.repeated : null;
  }
}
