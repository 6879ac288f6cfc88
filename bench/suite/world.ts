// The state that targets are asked about: whom to ask about, and what can be called. Plain data, as it goes to the
// generator.
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
  /** Blocks that requests name, each as often as it stands here. */
  readonly blocks: readonly string[];
  /** The state moves on with a chain of the targets', and the numbers among the blocks with it. */
  readonly follows: boolean;
  /** The state stays as it is: the same question has the same answer, at every target. */
  readonly isStill: boolean;
  /** Addresses that are asked for again and again, `0x` hex. */
  readonly hot: readonly string[];
  /** Storage that is asked for again and again. */
  readonly slots: readonly (readonly [address: string, slot: string])[];
  /** Accounts of `accountAt` that are in the state; 0 where the state is not the suite's own. */
  readonly accounts: number;
  /** Senders of every call: they hold ether and tokens, and have approved the router. */
  readonly senders: readonly string[];
  readonly calls: readonly CallTemplate[];
  /** Name of those that cost the most. */
  readonly dear: string;
}

/** Tags as clients name blocks of a moving chain, as often as they stand here; else newest numbers. */
export const TAGS = ['latest', 'latest', 'latest', 'latest', 'latest', 'pending', 'pending', 'pending'];

/** The numbers that clients name at this head. */
export function newestNumbers(head: number): string[] {
  return [head, Math.max(0, head - 2)].map((number) => `0x${number.toString(16)}`);
}

/** The address of one of the accounts that fill the state. */
export function accountAt(index: number): string {
  const random = randomOf(index + 1);
  let address = '0x';
  for (let word = 0; word < 5; word++) address += hex32(random() * 2 ** 32);
  return address;
}

/** The nonce of such an account: it can be told from the address, so that every answer can be checked. */
export function accountNonce(address: string): number {
  return Number.parseInt(address.slice(-3), 16) + 1;
}
