// The reward of a block's miner before the merge.
import type { ForkRules } from '../../evm/reference/fork-rules.js';

const ETHER = 10n ** 18n;

/** Returns the miner's reward in wei, without the extra reward for uncles (EIP-649, EIP-1234). */
export function blockReward({ common }: Pick<ForkRules, 'common'>): bigint {
  if (common.gteHardfork('constantinople')) return 2n * ETHER;
  return (common.gteHardfork('byzantium') ? 3n : 5n) * ETHER;
}
