// The upfront payment of a message, on the state itself.
import type { EvmMessage } from '../engine.js';
import type { JournaledState } from './journaled-state.js';
import { EMPTY_ACCOUNT, NONCE_MAX } from '../../state/views/view.js';

/**
 * Takes what the message's sender pays upfront and raises its nonce, which begins anew after 64 bits; nothing where
 * that has been done.
 */
export function payUpfront({ caller, upfront }: Pick<EvmMessage, 'caller' | 'upfront'>, state: JournaledState): void {
  if (upfront === undefined) return;
  const { codeHash, nonce, balance } = state.accountOf(caller) ?? EMPTY_ACCOUNT;
  state.setAccount(caller, { codeHash, nonce: nonce === NONCE_MAX ? 0n : nonce + 1n, balance: balance - upfront });
}
