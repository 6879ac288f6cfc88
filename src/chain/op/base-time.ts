// The timestamp of a block in milliseconds, which the second deposit of a Base block contains from Denim on: five
// blocks share one timestamp in seconds. Runs on main.
import { BASE_TIME, DEPOSITOR } from './predeploys.js';
import { DEPOSIT_TYPE } from '../rlp-json.js';
import { sameBytes } from '../../lib/bytes/byte-map.js';
import { RlpReader } from '../../lib/bytes/rlp-reader.js';
import { readInteger } from '../../lib/bytes/words.js';
import type { PublishedTransaction } from '../../state/block.js';

/** Index of the deposit among a block's transactions. */
const PLACE = 1;
/** `setTimestampMillisPart(uint16)`, and the length of its call data. */
const SELECTOR = 0x86bdf394n;
const DATA_BYTES = 36;

/**
 * Milliseconds since 1970; `null`: the transactions do not contain it. `timestamp`: seconds, from the header.
 * `transactions`: the first ones of the block.
 */
export function timestampMsOf(
  timestamp: bigint,
  transactions: readonly Pick<PublishedTransaction, 'raw'>[],
): bigint | null {
  const raw = transactions[PLACE]?.raw;
  const part = raw === undefined || raw[0] !== DEPOSIT_TYPE ? null : millisOf(raw);
  return part === null ? null : timestamp * 1000n + part;
}

/** Items: source hash, sender, recipient, mint, value, gas, whether it is a system transaction, call data. */
function millisOf(raw: Uint8Array): bigint | null {
  const reader = new RlpReader(raw, 1);
  reader.enter();
  reader.skip();
  const [from, to] = [reader.string(), reader.string()];
  for (let item = 3; item < 7; item++) reader.skip();
  const data = reader.string();
  if (!reader.isSound || !sameBytes(from, DEPOSITOR) || !sameBytes(to, BASE_TIME)) return null;
  if (data.length !== DATA_BYTES || readInteger(data, 0, 4) !== SELECTOR) return null;
  const part = readInteger(data, 4, DATA_BYTES);
  return part < 1000n ? part : null;
}
