// The high halves (upper 128 bits) of balances of 2^128 wei and more. They are rare, so an account's entry contains
// only the id of the high half. Read on every thread, written by the publisher.
import { toBytes } from '../../../lib/bytes/big-endian.js';
import { BALANCE_HIGH_HALF_WORDS, TABLE_HEADER } from './table-layout.js';
import type { Table } from './table.js';

/** Returns true if a balance in wei has a high half. */
export function isLargeBalance(balance: bigint): boolean {
  return balance >= 2n ** 128n;
}

/** Returns the high half with this id, as a number below 2^128. */
export function readBalanceHighHalf({ words, regions }: Table, id: number): bigint {
  let half = 0n;
  for (let i = BALANCE_HIGH_HALF_WORDS - 1; i >= 0; i--) {
    half = (half << 32n) | BigInt(words[regions.halves + id * BALANCE_HIGH_HALF_WORDS + i]! >>> 0);
  }
  return half;
}

/** The writer's map from high halves to ids. Ids do not change when the table is copied. */
export class BalanceHighHalves {
  readonly #ids = new Map<bigint, number>();

  constructor(table: Table) {
    for (let id = 1; id <= table.words[TABLE_HEADER.halves]!; id++) this.#ids.set(readBalanceHighHalf(table, id), id);
  }

  /** Returns the id of a balance's high half, from 1 on; 0 if it has none. A new high half is added to `table`. */
  idOf(table: Table, balance: bigint): number {
    if (!isLargeBalance(balance)) return 0;
    const half = balance >> 128n;
    const known = this.#ids.get(half);
    if (known !== undefined) return known;
    const id = table.words[TABLE_HEADER.halves]! + 1;
    const bytes = toBytes(half, BALANCE_HIGH_HALF_WORDS * 4).toReversed();
    table.words.set(new Int32Array(bytes.buffer), table.regions.halves + id * BALANCE_HIGH_HALF_WORDS);
    table.words[TABLE_HEADER.halves] = id;
    this.#ids.set(half, id);
    return id;
  }
}
