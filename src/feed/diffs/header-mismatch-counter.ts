// Counts by kind how often executed blocks differ from their headers. If a kind recurs, our rules are not the chain's.
import { LIMITS } from '../../limits/index.js';

/**
 * How often recent blocks of one chain, once executed, differed from their headers. Blocks come in ascending order,
 * except after reorganizations.
 */
export class HeaderMismatchCounter {
  #last: { readonly number: number; readonly kind: string }[] = [];
  #repeated: string | null = null;

  /**
   * A kind of mismatch that has occurred three times within 100 blocks; `null` if there is none. Once found, it stays.
   */
  get repeated(): string | null {
    return this.#repeated;
  }

  /** Records a mismatch. `reason` is the line that is logged. A block that is retried counts once. */
  note(number: number, reason: string): void {
    const kind = withoutValues(reason);
    this.#last = [
      ...this.#last.filter((each) => isBeside(number, each.number) && !(each.number === number && each.kind === kind)),
      { number, kind },
    ];
    const isRepeated = this.#last.filter((each) => each.kind === kind).length >= LIMITS.mismatchesAlike;
    if (isRepeated)
      this.#repeated = `${LIMITS.mismatchesAlike} mismatches alike in ${LIMITS.mismatchBlocks} blocks (${reason})`;
  }
}

function isBeside(number: number, other: number): boolean {
  return Math.abs(number - other) < LIMITS.mismatchBlocks;
}

/** Returns the kind of a mismatch: its reason with all numbers and hex values replaced. */
export function withoutValues(reason: string): string {
  return reason.replaceAll(/0x[0-9a-fA-F]+|\d+/g, '#');
}
