// Contracts that every OP-Stack chain has from genesis, as far as its rules use them.
import { fromHex } from '../../lib/bytes/hex.js';

/** L1Block: holds the attributes of L1, which the first deposit of every block updates. */
export const L1_BLOCK_ADDRESS = fromHex('4200000000000000000000000000000000000015');
/** The vault that receives the base fee. (The sequencer's, the fee recipient, receives the tips as usual.) */
export const BASE_FEE_VAULT_ADDRESS = fromHex('4200000000000000000000000000000000000019');
/** The vault that receives the L1 data fee. */
export const L1_FEE_VAULT_ADDRESS = fromHex('420000000000000000000000000000000000001a');
/** The vault that receives the operator fee (Isthmus). */
export const OPERATOR_FEE_VAULT_ADDRESS = fromHex('420000000000000000000000000000000000001b');
/** BaseTime (Denim): the second deposit of every block sets the millisecond part of the block's timestamp here. */
export const BASE_TIME_ADDRESS = fromHex('4200000000000000000000000000000000000030');
/** The sender of the rollup node's deposits that set block attributes. Nobody else can send from this address. */
export const L1_ATTRIBUTES_DEPOSITOR_ADDRESS = fromHex('deaddeaddeaddeaddeaddeaddeaddeaddead0001');
/** L2ToL1MessagePasser: collects messages to L1. From Isthmus on, headers contain the root of its storage. */
export const MESSAGE_PASSER_ADDRESS = fromHex('4200000000000000000000000000000000000016');
