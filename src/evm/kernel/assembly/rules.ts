// Rules of the fork.
import { RULES } from './shared/layout';

@inline
export function has(rule: u32): bool {
  return (load<u32>(RULES) & rule) != 0;
}
