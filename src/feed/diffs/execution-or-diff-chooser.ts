// Chooses, for each block of a live chain, whether it is executed or applied as a diff, and from which source the diff
// is read. Remembers the mismatches on which later choices depend.
import type { BlockApplicationMode } from '../chain-source-options.js';
import { LIMITS } from '../../limits/index.js';
import {
  chooseExecutionOrDiff,
  type BlockTraits,
  type DiffSource,
  type OfferedDiffMethods,
  type BlockApplicationOrResync,
} from './choose-execution-or-diff.js';

/** Chooses how the blocks of one chain are applied. */
export class ExecutionOrDiffChooser {
  readonly #setting: BlockApplicationMode;
  readonly #offered: () => OfferedDiffMethods;
  /** Recent executed blocks that differed from their headers. */
  #mismatches: { readonly number: number; readonly kind: string }[] = [];
  /** A kind of mismatch that has occurred three times within 100 blocks; `null` if none. Once found, it stays. */
  #repeated: string | null = null;
  #notice: string | null = null;
  /** The properties of the newest block for which the choice was made. */
  #newest: BlockTraits = { hasAccessList: false, unknown: null, isNonEvm: false };
  /** Kinds of notices that were already logged. */
  readonly #logged = new Set<string>();

  /** `offered` returns which sources of diffs the node is known to offer or to refuse. */
  constructor(setting: BlockApplicationMode, offered: () => OfferedDiffMethods) {
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

  /** Chooses how a block is applied. To be called again if the node then refuses the chosen source of diffs. */
  of(block: BlockTraits): BlockApplicationOrResync {
    const mode = this.#modeOf(block);
    this.#newest = block;
    this.#notice =
      mode.by === 'diff' && mode.reason !== null ? `blocks are applied as diffs: ${mode.reason}` : mode.reason;
    return mode;
  }

  #modeOf(block: BlockTraits): BlockApplicationOrResync {
    return chooseExecutionOrDiff(this.#setting, block, this.#offered(), this.#repeated);
  }

  /**
   * Records that a block did not match its header; `reason` is the line that is logged. A block that fails again when
   * retried counts once. Blocks come in ascending order, except after reorganizations. If this block is the one after
   * which blocks are applied as diffs, returns the reason for that; otherwise `null`.
   */
  mismatched(number: number, reason: string): string | null {
    const kind = withoutValues(reason);
    const isSame = (other: { readonly number: number; readonly kind: string }): boolean =>
      other.number === number && other.kind === kind;
    const before = this.#mismatches.filter((other) => isBeside(number, other.number) && !isSame(other));
    this.#mismatches = [...before, { number, kind }];
    const alike = this.#mismatches.filter((each) => each.kind === kind).length;
    if (alike < LIMITS.mismatchesAlike) return null;
    const wasRepeated = this.#repeated !== null;
    this.#repeated = `${LIMITS.mismatchesAlike} mismatches alike in ${LIMITS.mismatchBlocks} blocks (${reason})`;
    return this.#setting === 'auto' && !wasRepeated ? this.#repeated : null;
  }
}

function isBeside(number: number, other: number): boolean {
  return Math.abs(number - other) < LIMITS.mismatchBlocks;
}

/** Returns the kind of a mismatch: its reason with all numbers and hex values replaced. */
function withoutValues(reason: string): string {
  return reason.replaceAll(/0x[0-9a-fA-F]+|\d+/g, '#');
}
