// Detects that the node has rolled back its chain: several polls in a row find its newest block below an announced one.
import { LIMITS } from '../../limits/index.js';

/**
 * What an announced or polled head means. `lower`: several polls have found the node's head below an announced block.
 * `level`: this is no longer so. `gone back`: so many polls have found it that the node must have rolled back.
 */
export type RollbackVerdict = 'nothing' | 'lower' | 'gone back' | 'level';

/** Compares the block numbers that polls find with the highest announced one. */
export class RollbackDetector {
  /** Number of the highest block that was announced or polled since the last rollback. */
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
