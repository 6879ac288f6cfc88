// Non-EVM accounts in random worlds: some of their contracts, some lookalikes, and an account without code.
import type { ChainDescription } from '../../../src/chain/chain-description.js';
import type { NonEvmRow } from '../../../src/chain/non-evm-accounts.js';
import { fromHex } from '../../../src/lib/bytes/hex.js';
import { chainAt } from '../jobs.js';
import type { Statement } from './code.js';
import type { World } from './world.js';

/** A contract, by its place in the world. */
function contractOf(index: number): Uint8Array {
  return new Uint8Array(20).fill(0xc0).fill(index + 1, 19);
}

const TOKEN = contractOf(2);
const TOKEN_CODE: readonly Statement[] = [[{ kind: 'raw', bytes: Uint8Array.of(0xef) }]];
const ROWS: readonly NonEvmRow[] = [
  { prefix: contractOf(3), kind: 'account' },
  { prefix: TOKEN, kind: 'token' },
  // It has ordinary code in every world.
  { prefix: contractOf(1), kind: 'token' },
  // It has no code in any.
  { prefix: fromHex(`${'dd'.repeat(19)}02`), kind: 'precompile' },
];

/** A chain of this fork on which these accounts are foreign. */
export function foreignChainAt(fork: string): ChainDescription {
  return { ...chainAt(fork), foreign: ROWS };
}

/** The world with a token in the place of one contract. */
export function withTokens(world: World): World {
  const accounts = world.accounts.map((account) =>
    Buffer.compare(account.address, TOKEN) === 0 ? { ...account, code: TOKEN_CODE } : account,
  );
  return { ...world, accounts };
}
