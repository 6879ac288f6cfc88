// The effects of an execution: its changes of the state, its logs and its return data.
import type { Applied } from '../../evm/engine.js';
import type { JournaledState } from '../../evm/journal/journaled-state.js';
import { sameBytes } from '../../lib/bytes/byte-map.js';
import { latin1 } from '../../lib/bytes/latin1.js';

/** The sender, and the wei that it has paid for gas. That is not an effect, because it depends on the gas limit. */
export interface EffectsPayer {
  readonly from: Uint8Array;
  readonly paid: bigint;
}

/**
 * The effects of an execution as a string. Its changes must be in the state. Two executions on one state have the same
 * effects if and only if the strings are equal.
 */
export function effectsOf(
  { returnData, logs, destroyed }: Applied,
  state: JournaledState,
  { from, paid }: EffectsPayer,
): string {
  const { accounts, slots } = state.differences();
  const written = [
    ...accounts.map(({ address, account }) => {
      if (account === null) return `${latin1(address)}-`;
      const { nonce, balance, codeHash } = account;
      return `${latin1(address)}${nonce},${sameBytes(address, from) ? balance + paid : balance},${latin1(codeHash)}`;
    }),
    ...slots.map(({ address, slot, value }) => `${latin1(address)}${latin1(slot)}=${latin1(value)}`),
  ];
  const logged = logs.map(({ address, topics, data }) => [address, ...topics, data].map(latin1));
  return JSON.stringify([latin1(returnData), logged, destroyed.map(latin1).sort(), written.sort()]);
}
