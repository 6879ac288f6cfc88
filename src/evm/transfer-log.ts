// Logs of ether transfers, as eth_simulateV1 shows them. The kernel writes the same logs (assembly/state/logs.ts).
import { fromHex } from '../lib/bytes/hex.js';
import { toBytes, toWord } from '../lib/bytes/big-endian.js';
import type { Log } from '../state/complete-block.js';

/** Address that go-ethereum shows as the emitter of logs of ether transfers. */
const ETHER = new Uint8Array(20).fill(0xee);
/** Topic of `Transfer(address,address,uint256)`. */
const TRANSFER = fromHex('ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef');

/** Makes the log of a transfer of `wei` between two addresses, 20 bytes each. */
export function transferLog(from: Uint8Array, to: Uint8Array, wei: bigint): Log {
  return { address: ETHER, topics: [TRANSFER, toWord(from), toWord(to)], data: toBytes(wei, 32) };
}

/** True if the log was made by `transferLog`, false if a contract has made it. */
export function isTransferLog({ address }: Log): boolean {
  return address === ETHER || address.every((byte) => byte === 0xee);
}
