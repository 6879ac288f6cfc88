// Contracts that every OP-Stack chain has from genesis; only those that this program's rules use.
import { fromHex } from '../../lib/bytes/hex.js';

/** L1Block: stores the L1 attributes, which the first deposit of every block updates. */
export const L1_BLOCK_ADDRESS = fromHex('4200000000000000000000000000000000000015');
/** Vault that receives the base fee. (Tips go to the fee recipient as usual, which is the sequencer's vault.) */
export const BASE_FEE_VAULT_ADDRESS = fromHex('4200000000000000000000000000000000000019');
/** Vault that receives the L1 data fee. */
export const L1_FEE_VAULT_ADDRESS = fromHex('420000000000000000000000000000000000001a');
/** Vault that receives the operator fee (Isthmus). */
export const OPERATOR_FEE_VAULT_ADDRESS = fromHex('420000000000000000000000000000000000001b');
/**
 * BaseTime (Denim): stores the millisecond part of the block's timestamp, which the second deposit of every block sets.
 */
export const BASE_TIME_ADDRESS = fromHex('4200000000000000000000000000000000000030');
/** Sender of the deposits by which the rollup node sets block attributes. Nobody else can send from this address. */
export const L1_ATTRIBUTES_DEPOSITOR_ADDRESS = fromHex('deaddeaddeaddeaddeaddeaddeaddeaddead0001');
/** L2ToL1MessagePasser: collects messages to L1. From Isthmus on, headers contain its storage root. */
export const MESSAGE_PASSER_ADDRESS = fromHex('4200000000000000000000000000000000000016');
