// The effects of an execution: its state changes, its logs and its return data.
import type { AppliedMessage } from '../../evm/evm-engine.js';
import type { JournaledState } from '../../evm/journal/journaled-state.js';
import { sameBytes } from '../../lib/bytes/byte-map.js';
import { latin1Key } from '../../lib/bytes/latin1-key.js';

/**
 * Returns a string that is equal for two executions on the same state exactly if their effects are equal. `paid` is the
 * wei that the sender has paid for gas. This is not an effect, because it depends on the gas limit.
 */
export function effectsFingerprint(
  { returnData, logs, destroyed }: AppliedMessage,
  state: JournaledState,
  from: Uint8Array,
  paid: bigint,
): string {
  const { accounts, slots } = state.differences();
  const written = [
    ...accounts.map(({ address, account }) => {
      if (account === null) return `${latin1Key(address)}-`;
      const { nonce, balance, codeHash } = account;
      const unpaid = sameBytes(address, from) ? balance + paid : balance;
      return `${latin1Key(address)}${nonce},${unpaid},${latin1Key(codeHash)}`;
    }),
    ...slots.map(({ address, slot, value }) => `${latin1Key(address)}${latin1Key(slot)}=${latin1Key(value)}`),
  ];
  const logged = logs.map(({ address, topics, data }) => [address, ...topics, data].map(latin1Key));
  return JSON.stringify([latin1Key(returnData), logged, destroyed.map(latin1Key).sort(), written.sort()]);
}
