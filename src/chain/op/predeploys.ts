// Contracts that every OP-Stack chain has from genesis, as far as its rules refer to them.
import { fromHex } from '../../lib/bytes/hex.js';

/** Predeploy with the attributes of L1; the first deposit of every block updates it. */
export const L1_BLOCK = fromHex('4200000000000000000000000000000000000015');
/** Receives the base fee. (The sequencer's vault is the block's fee recipient and receives the tips as usual.) */
export const BASE_FEE_VAULT = fromHex('4200000000000000000000000000000000000019');
/** Receives the L1 data fee. */
export const L1_FEE_VAULT = fromHex('420000000000000000000000000000000000001a');
/** Receives the operator fee (Isthmus). */
export const OPERATOR_FEE_VAULT = fromHex('420000000000000000000000000000000000001b');
/** BaseTime (Denim): the second deposit of every block sets the milliseconds of the block's timestamp. */
export const BASE_TIME = fromHex('4200000000000000000000000000000000000030');
/** The sender of the deposits by which the rollup node sets block attributes; nobody else can send from it. */
export const DEPOSITOR = fromHex('deaddeaddeaddeaddeaddeaddeaddeaddead0001');
/** L2ToL1MessagePasser: messages to L1. Its storage root is in headers from Isthmus on. */
export const MESSAGE_PASSER = fromHex('4200000000000000000000000000000000000016');
