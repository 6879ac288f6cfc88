// The dependencies of everything that writes random code.
import type { CodeWriter } from './code.js';
import { isKnown, OPCODES, type Fork } from './opcodes.js';
import type { Random } from './random.js';

/** Random code in the making. */
export interface Writing {
  readonly random: Random;
  readonly code: CodeWriter;
  readonly fork: Fork;
  /** Addresses of the world, as numbers; those called most come several times. */
  readonly addresses: readonly bigint[];
  /** Addresses at which some contracts of the world make their first. */
  readonly firstMade: readonly bigint[];
  /** Number of statements that this one lies in: those that hold others get rarer. */
  readonly depth: number;
  /** Number of codes that this one lies in: init code in code, and code in that. */
  readonly nesting: number;
}

/** The instructions of `names` that the fork has; seldom also one that it lacks. */
export function known({ fork, random }: Writing, names: readonly string[]): readonly string[] {
  return random.chance(0.004) ? names : names.filter((name) => isKnown(OPCODES.get(name)!, fork));
}
