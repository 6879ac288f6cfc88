// The dependencies of all generators of random code.
import type { CodeWriter } from './code.js';
import { isKnown, OPCODES, type Fork } from './opcodes.js';
import type { Random } from './random.js';

/** Random code under construction. */
export interface Writing {
  readonly random: Random;
  readonly code: CodeWriter;
  readonly fork: Fork;
  /** Addresses of the world as numbers; those to be called most occur several times. */
  readonly addresses: readonly bigint[];
  /** Addresses of the first contracts that some of the world's contracts create. */
  readonly firstMade: readonly bigint[];
  /** Nesting level of the statement; statements that contain others get rarer with it. */
  readonly depth: number;
  /** Nesting level of the code: init code in code, and code in that. */
  readonly nesting: number;
}

/** The instructions in `names` that the fork has; rarely also one that it lacks. */
export function known({ fork, random }: Writing, names: readonly string[]): readonly string[] {
  return random.chance(0.004) ? names : names.filter((name) => isKnown(OPCODES.get(name)!, fork));
}
