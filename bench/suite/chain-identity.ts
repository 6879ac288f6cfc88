// Checks that all targets serve the same chain: chain id and hash of block 0. Runs in the bench.
import { resultOf } from '../load/ask.js';
import type { Target } from './target.js';

interface Identity {
  readonly name: string;
  readonly chainId: number;
  /** `null`: the target does not return block 0. */
  readonly genesis: string | null;
}

/** Throws a message with the difference. `isOwn`: the suite's genesis, whose timestamp each program sets itself. */
export async function requireOneChain(targets: readonly Target[], isOwn: boolean): Promise<void> {
  const all = await Promise.all(targets.map(identityOf));
  const says = (value: (one: Identity) => string): string =>
    all.map((one) => `${one.name} has ${value(one)}`).join(', ');
  if (new Set(all.map(({ chainId }) => chainId)).size > 1)
    throw new Error(`the targets are of different chains: ${says(({ chainId }) => `chain id ${chainId}`)}`);
  const reported = new Set(all.flatMap(({ genesis }) => genesis ?? []));
  if (reported.size > 1 && !isOwn)
    throw new Error(`the targets are of different chains: ${says(({ genesis }) => `genesis ${genesis ?? 'unknown'}`)}`);
}

async function identityOf(target: Target): Promise<Identity> {
  const chainId = Number(await resultOf(target, 'eth_chainId'));
  const block = await resultOf(target, 'eth_getBlockByNumber', '0x0', false).catch(() => null);
  return { name: target.name, chainId, genesis: (block as { readonly hash?: string } | null)?.hash ?? null };
}
