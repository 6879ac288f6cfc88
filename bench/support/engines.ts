// The measured engines, by name. Runs in benches.
import type { EvmEngine } from '../../src/evm/evm-engine.js';
import { KernelEngine } from '../../src/evm/kernel/kernel-engine.js';
import { ReferenceEngine } from '../../src/evm/reference/reference-engine.js';
import type { ForkRules } from '../../src/evm/reference/fork-rules.js';
import type { JournaledState } from '../../src/evm/journal/journaled-state.js';

export type CreateEngine = (rules: ForkRules, state: JournaledState) => EvmEngine;

/** The others are compared with the first one. */
export const ENGINES: readonly (readonly [name: string, create: CreateEngine])[] = [
  ['reference', (rules, state) => new ReferenceEngine({ rules, state })],
  ['kernel', (rules, state) => new KernelEngine({ rules, state })],
];

/** Throws for an unknown name. */
export function engineNamed(name: string): CreateEngine {
  const found = ENGINES.find(([known]) => known === name);
  if (found === undefined) throw new Error(`no engine ${name}`);
  return found[1];
}
