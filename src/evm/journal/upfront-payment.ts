// Payment for gas and blobs that the sender makes before its message runs.
import type { EvmMessage } from '../evm-engine.js';
import type { JournaledState } from './journaled-state.js';
import { EMPTY_ACCOUNT, NONCE_MAX } from '../../state/views/state-view.js';

/** Deducts the sender's upfront payment and raises its nonce (wraps after 64 bits), unless both are already done. */
export function payUpfrontAndRaiseNonce(
  { caller, upfront }: Pick<EvmMessage, 'caller' | 'upfront'>,
  state: JournaledState,
): void {
  if (upfront === undefined) return;
  const { codeHash, nonce, balance } = state.accountOf(caller) ?? EMPTY_ACCOUNT;
  state.setAccount(caller, { codeHash, nonce: nonce === NONCE_MAX ? 0n : nonce + 1n, balance: balance - upfront });
}
