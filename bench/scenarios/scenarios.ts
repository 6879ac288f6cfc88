// All scenarios, in execution order. Runs in the bench.
import type { Scenario } from './scenario.js';

const NAMES = [
  'nonces',
  'reads-hot',
  'reads-many',
  'estimates',
  'traces',
  'batches',
  'bursts',
  'cheap-beside-dear',
  'saturation',
  'overload',
  'renewing',
  'trader',
  'subscriptions',
  'freshness',
];

/** A scenario, and the URL of its module for the generator. */
export interface Listed {
  readonly scenario: Scenario;
  readonly module: string;
}

/** Scenarios whose name contains one of the parts; all without parts. Throws if a part matches no name. */
export async function scenariosNamed(parts: readonly string[]): Promise<Listed[]> {
  const unknown = parts.find((part) => !NAMES.some((name) => name.includes(part)));
  if (unknown !== undefined) throw new Error(`no scenario ${unknown}; there are ${NAMES.join(', ')}`);
  const wanted = NAMES.filter((name) => parts.length === 0 || parts.some((part) => name.includes(part)));
  return Promise.all(wanted.map((name) => scenarioAt(new URL(`${name}.js`, import.meta.url).href)));
}

/** The scenario that a module exports. */
export async function scenarioAt(module: string): Promise<Listed> {
  const { scenario } = (await import(module)) as { readonly scenario: Scenario };
  return { scenario, module };
}
