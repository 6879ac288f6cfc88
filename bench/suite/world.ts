// The state that requests are about: its accounts, slots and calls. Plain data, as it is sent to the generator.
import { hex32, randomOf } from '../load/random.js';

/** A call to estimate. `%f`: a sender, `%r`: a recipient, 40 hex digits; `%d`: eight digits of a number. */
export interface CallTemplate {
  readonly name: string;
  readonly from: string;
  readonly to: string;
  readonly value?: string;
  readonly data?: string;
}

export interface World {
  readonly name: string;
  /** Block parameters of requests; repetition is weight. */
  readonly blocks: readonly string[];
  /** The state moves with the targets' chain, and so do the numbers among the blocks. */
  readonly follows: boolean;
  /** The state is static: equal requests have equal results at every target. */
  readonly isStill: boolean;
  /** Hot addresses, `0x` hex. */
  readonly hot: readonly string[];
  /** Hot storage slots. */
  readonly slots: readonly (readonly [address: string, slot: string])[];
  /** Number of accounts of `accountAt` in the state; 0 if the state is not the suite's own. */
  readonly accounts: number;
  /** Senders of every call: they own ether and tokens, and have approved the router. */
  readonly senders: readonly string[];
  readonly calls: readonly CallTemplate[];
  /** Name of the most expensive calls. */
  readonly expensive: string;
}

/** Block tags on a moving chain; repetition is weight. The other blocks are the newest numbers. */
export const TAGS = ['latest', 'latest', 'latest', 'latest', 'latest', 'pending', 'pending', 'pending'];

/** The block numbers that clients use at this head. */
export function newestNumbers(head: number): string[] {
  return [head, Math.max(0, head - 2)].map((number) => `0x${number.toString(16)}`);
}

/** The address of a filler account. */
export function accountAt(index: number): string {
  const random = randomOf(index + 1);
  let address = '0x';
  for (let word = 0; word < 5; word++) address += hex32(random() * 2 ** 32);
  return address;
}

/** The nonce of a filler account, derived from its address, so that every result can be verified. */
export function accountNonce(address: string): number {
  return Number.parseInt(address.slice(-3), 16) + 1;
}
