// Mismatches between blocks and our execution of them, by kind: one that keeps coming says that our rules are not the
// chain's.
import { LIMITS } from '../../limits/index.js';

/** One per program. Blocks come in ascending order, but for reorganizations. */
export class Mismatches {
  #last: { readonly number: number; readonly kind: string }[] = [];
  #repeated: string | null = null;

  /** The kind that has come three times in 100 blocks, from then on; `null`: none has. */
  get repeated(): string | null {
    return this.#repeated;
  }

  /** `reason`: one line, as logged. A block that is retried counts once. */
  note(number: number, reason: string): void {
    const kind = kindOf(reason);
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

/** A reason without its values. */
export function kindOf(reason: string): string {
  return reason.replaceAll(/0x[0-9a-fA-F]+|\d+/g, '#');
}
