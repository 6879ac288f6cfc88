// Reads the timestamp of a block in milliseconds. From Denim on, the second deposit of a Base block contains the
// milliseconds, because five blocks have the same timestamp in seconds.
import { BASE_TIME_ADDRESS, L1_ATTRIBUTES_DEPOSITOR_ADDRESS } from '../../chain/op/predeploys.js';
import { sameBytes } from '../../lib/bytes/byte-map.js';
import { readInteger } from '../../lib/bytes/big-endian.js';
import type { AnnouncedTransaction } from '../../state/complete-block.js';
import { parseRawDeposit } from './deposit.js';

/** Index of the deposit with the milliseconds among the block's transactions. */
const DEPOSIT_INDEX = 1;
/** Selector of `setTimestampMillisPart(uint16)`, and length of its call data in bytes. */
const SELECTOR = 0x86bdf394n;
const DATA_BYTES = 36;

/**
 * Returns milliseconds since 1970; `null` if the transactions do not contain the timestamp. `timestamp` is the
 * header's, in seconds. `transactions` are the first transactions of the block.
 */
export function blockTimestampMs(
  timestamp: bigint,
  transactions: readonly Pick<AnnouncedTransaction, 'raw'>[],
): bigint | null {
  const part = millisOf(transactions[DEPOSIT_INDEX]?.raw);
  return part === null ? null : timestamp * 1000n + part;
}

function millisOf(raw: Uint8Array | undefined): bigint | null {
  const deposit = parseRawDeposit(raw);
  if (deposit === null) return null;
  const { at } = deposit;
  if (
    !sameBytes(deposit.bytes(at.from), L1_ATTRIBUTES_DEPOSITOR_ADDRESS) ||
    !sameBytes(deposit.bytes(at.to), BASE_TIME_ADDRESS)
  )
    return null;
  const data = deposit.bytes(at.input);
  if (data.length !== DATA_BYTES || readInteger(data, 0, 4) !== SELECTOR) return null;
  const part = readInteger(data, 4, DATA_BYTES);
  return part < 1000n ? part : null;
}
