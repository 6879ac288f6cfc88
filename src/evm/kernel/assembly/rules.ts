// Access to the rules of the fork.
import { RULES } from './shared/memory-layout';

/** True if the fork has this rule, a flag of rule-flags.ts. */
@inline
export function hasRule(rule: u32): bool {
  return (load<u32>(RULES) & rule) != 0;
}
