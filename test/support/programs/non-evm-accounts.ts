// Non-EVM accounts in random worlds: some of the worlds' contracts, some lookalikes, and an account without code.
import type { ChainDescription } from '../../../src/chain/chain-description.js';
import type { NonEvmRow } from '../../../src/chain/non-evm-accounts.js';
import { fromHex } from '../../../src/lib/bytes/hex.js';
import { chainAt } from '../jobs.js';
import type { Statement } from './code.js';
import type { World } from './world.js';

/** Address of a contract, by its index in the world. */
function contractOf(index: number): Uint8Array {
  return new Uint8Array(20).fill(0xc0).fill(index + 1, 19);
}

const TOKEN = contractOf(2);
const TOKEN_CODE: readonly Statement[] = [[{ kind: 'raw', bytes: Uint8Array.of(0xef) }]];
const ROWS: readonly NonEvmRow[] = [
  { prefix: contractOf(3), kind: 'account' },
  { prefix: TOKEN, kind: 'token' },
  // This one has ordinary code in every world.
  { prefix: contractOf(1), kind: 'token' },
  // This one has no code in any world.
  { prefix: fromHex(`${'dd'.repeat(19)}02`), kind: 'precompile' },
];

/** A chain with these non-EVM accounts, at the given fork. */
export function nonEvmChainAt(fork: string): ChainDescription {
  return { ...chainAt(fork), foreign: ROWS };
}

/** The world with a token in place of one of its contracts. */
export function withTokens(world: World): World {
  const accounts = world.accounts.map((account) =>
    Buffer.compare(account.address, TOKEN) === 0 ? { ...account, code: TOKEN_CODE } : account,
  );
  return { ...world, accounts };
}
