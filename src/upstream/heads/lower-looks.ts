// Looks that show that the node has gone back: several in a row at its newest block that find it below what was announced. Runs on the
// publisher.
import { LIMITS } from '../../limits/index.js';

/** The verdict of a look, or of an announcement. `level`: it was told to be lower, and is not any more. */
export type LookVerdict = 'nothing' | 'lower' | 'gone back' | 'level';

/** Counts from the first announcement on. */
export class LowerLooks {
  /** Number of the highest block that was announced since the node last went back. */
  #highest = -1;
  #count = 0;

  /** The last look found the node below what was announced. */
  get isLower(): boolean {
    return this.#count > 0;
  }

  /** The node has announced a block by itself. */
  announced(number: number): LookVerdict {
    return number < this.#highest ? 'nothing' : this.#reached(number);
  }

  /** A look has found this block to be the newest one. */
  found(number: number): LookVerdict {
    if (number >= this.#highest) return this.#reached(number);
    this.#count++;
    if (this.#count < LIMITS.lowerLooksMax) return this.#count === LIMITS.lowerLooksTold ? 'lower' : 'nothing';
    this.#count = 0;
    this.#highest = number;
    return 'gone back';
  }

  #reached(number: number): LookVerdict {
    const wasTold = this.#count >= LIMITS.lowerLooksTold;
    this.#highest = number;
    this.#count = 0;
    return wasTold ? 'level' : 'nothing';
  }
}
