// The code that a message runs, as the denylist names it. Runs on publisher and estimators.
import { keccak256 } from '../../lib/bytes/keccak.js';
import type { Message } from '../engine.js';
import type { JournaledState } from '../journal/journaled-state.js';

/**
 * Hash of the code at the message's receiver, or of the init code that it makes a contract with; `null`: there is no
 * account.
 */
export function messageCode({ to, data }: Pick<Message, 'to' | 'data'>, state: JournaledState): Uint8Array | null {
  return to === null ? keccak256(data) : (state.peekAccount(to)?.codeHash ?? null);
}
