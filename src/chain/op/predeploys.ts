// Contracts that every OP-Stack chain has from the beginning, as far as its rules name them. Runs on every thread.
import { fromHex } from '../../lib/bytes/hex.js';

/** Predeploy that holds what is known of L1; the first deposit of every block writes it. */
export const L1_BLOCK = fromHex('4200000000000000000000000000000000000015');
/** Gets the base fee. (The sequencer's vault is the block's fee recipient and gets the tips as any other.) */
export const BASE_FEE_VAULT = fromHex('4200000000000000000000000000000000000019');
/** Gets the L1 data fee. */
export const L1_FEE_VAULT = fromHex('420000000000000000000000000000000000001a');
/** Gets the operator fee (Isthmus). */
export const OPERATOR_FEE_VAULT = fromHex('420000000000000000000000000000000000001b');
/** BaseTime (Denim): the second deposit of every block tells it the milliseconds of the block's time. */
export const BASE_TIME = fromHex('4200000000000000000000000000000000000030');
/** The sender of what a block is told by its rollup node; nobody else can send as it. */
export const DEPOSITOR = fromHex('deaddeaddeaddeaddeaddeaddeaddeaddead0001');
/** L2ToL1MessagePasser: messages to L1. The root of its storage stands in headers from Isthmus on. */
export const MESSAGE_PASSER = fromHex('4200000000000000000000000000000000000016');
