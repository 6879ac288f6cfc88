// Finds which code a message runs, to look it up in the denylist.
import { keccak256 } from '../../lib/bytes/keccak.js';
import type { EvmMessage } from '../evm-engine.js';
import type { JournaledState } from '../journal/journaled-state.js';

/**
 * Returns the hash of the recipient's code, or of the init code of a creation; `null` if the account does not exist.
 */
export function messageCodeHash(
  { to, data }: Pick<EvmMessage, 'to' | 'data'>,
  state: JournaledState,
): Uint8Array | null {
  return to === null ? keccak256(data) : (state.peekAccount(to)?.codeHash ?? null);
}
