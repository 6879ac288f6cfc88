// Lists the state that a block reads whatever its transactions do, so that it can be fetched before the execution.
import {
  BASE_FEE_VAULT_ADDRESS,
  L1_BLOCK_ADDRESS,
  L1_FEE_VAULT_ADDRESS,
  OPERATOR_FEE_VAULT_ADDRESS,
} from '../../../chain/op/predeploys.js';
import {
  SYSTEM_ADDRESS,
  BEACON_ROOTS_ADDRESS,
  beaconRootSlots,
  HISTORY_STORAGE_ADDRESS,
  blockHashSlot,
} from '../../../chain/block-start-system-contracts.js';
import { CONSOLIDATION_QUEUE_ADDRESS, WITHDRAWAL_QUEUE_ADDRESS } from '../../../chain/block/execution-requests.js';
import type { ChainRules } from '../../../evm/reference/fork-rules.js';
import { toBytes } from '../../../lib/bytes/big-endian.js';
import type { BlockEnv } from '../../../state/state-diff.js';
import type { MissingKeys } from '../../../state/views/miss-recording-view.js';
import type { SignedOrDepositTransaction } from '../../../transaction/signed-transaction.js';

const OP_ACCOUNTS = [L1_BLOCK_ADDRESS, BASE_FEE_VAULT_ADDRESS, L1_FEE_VAULT_ADDRESS, OPERATOR_FEE_VAULT_ADDRESS];
/**
 * System contracts called at the end of a block, and their slots: excess, count, head and tail of a request queue
 * (EIP-7002, EIP-7251).
 */
const REQUEST_QUEUES = [WITHDRAWAL_QUEUE_ADDRESS, CONSOLIDATION_QUEUE_ADDRESS];
const QUEUE_SLOTS = [0n, 1n, 2n, 3n].map((slot) => toBytes(slot, 32));

/** Returns the accounts of all senders and recipients, and that of the fee recipient `coinbase`. */
export function keysToPrefetch(transactions: readonly SignedOrDepositTransaction[], coinbase: Uint8Array): MissingKeys {
  return { accounts: [coinbase, ...transactions.flatMap(senderAndRecipientOf)], slots: [] };
}

/** Returns a transaction's sender and, unless it creates a contract, its recipient. */
export function senderAndRecipientOf({ from, to }: SignedOrDepositTransaction): Uint8Array[] {
  return to === null ? [from] : [from, to];
}

/**
 * Returns the keys that a block's system calls read, including the slots that depend on the block's number and time,
 * and the fee vaults of an OP-Stack chain.
 */
export function systemCallKeys({ number, timestamp }: BlockEnv, rules: ChainRules): MissingKeys {
  const { common, op } = rules.at(number, timestamp);
  const slots = [
    ...(common.isActivatedEIP(4788) ? at(BEACON_ROOTS_ADDRESS, beaconRootSlots(timestamp)) : []),
    ...(common.isActivatedEIP(2935) && number > 0 ? at(HISTORY_STORAGE_ADDRESS, [blockHashSlot(number - 1)]) : []),
    ...(common.isActivatedEIP(7685) && op === null ? REQUEST_QUEUES.flatMap((queue) => at(queue, QUEUE_SLOTS)) : []),
  ];
  const called = new Set(slots.map(({ address }) => address));
  const callers = called.size > 0 ? [SYSTEM_ADDRESS] : [];
  return { accounts: [...called, ...callers, ...(op === null ? [] : OP_ACCOUNTS)], slots };
}

function at(address: Uint8Array, slots: readonly Uint8Array[]): MissingKeys['slots'] {
  return slots.map((slot) => ({ address, slot }));
}
