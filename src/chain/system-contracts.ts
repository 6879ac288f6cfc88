// The contracts that a block calls by itself at its beginning (EIP-4788, EIP-2935). Runs on publisher and estimators.
import { fromHex } from '../lib/hex.js';

/** EIP-4788: a ring of times and of the beacon roots that came with them. */
export const BEACON_ROOTS = fromHex('000F3df6D732807Ef1319fB7B8bB8522d0Beac02');
/** EIP-2935: a ring of the hashes of the last blocks. */
export const BLOCK_HASHES = fromHex('0000F90827F1C53a10cb7A02335B175320002935');
/** Who calls both, and the other system contracts. */
export const SYSTEM_ADDRESS = fromHex('fffffffffffffffffffffffffffffffffffffffe');
