// Detects that the node has rolled back its chain: several polls in a row find its newest block below an announced one.
import { LIMITS } from '../../limits/index.js';

/**
 * What an announcement or a poll means. `lower`: the node is below an announced block. `level`: it no longer is. `gone
 * back`: it has rolled back.
 */
export type RollbackVerdict = 'nothing' | 'lower' | 'gone back' | 'level';

/** Compares polls with the highest announced block. */
export class RollbackDetector {
  /** Number of the highest block that was announced since the last rollback. */
  #highest = -1;
  #count = 0;

  /** True if the last poll has found the node below an announced block. */
  get isLower(): boolean {
    return this.#count > 0;
  }

  announced(number: number): RollbackVerdict {
    return number < this.#highest ? 'nothing' : this.#reached(number);
  }

  found(number: number): RollbackVerdict {
    if (number >= this.#highest) return this.#reached(number);
    this.#count++;
    if (this.#count < LIMITS.lowerPollsMax) return this.#count === LIMITS.lowerPollsReported ? 'lower' : 'nothing';
    this.#count = 0;
    this.#highest = number;
    return 'gone back';
  }

  #reached(number: number): RollbackVerdict {
    const wasReported = this.#count >= LIMITS.lowerPollsReported;
    this.#highest = number;
    this.#count = 0;
    return wasReported ? 'level' : 'nothing';
  }
}
