// What a block reads whatever its transactions do, known before anything is executed. Runs on the publisher.
import { BASE_FEE_VAULT, L1_BLOCK, L1_FEE_VAULT, OPERATOR_FEE_VAULT } from '../../chain/op/predeploys.js';
import {
  SYSTEM_ADDRESS,
  BEACON_ROOTS,
  beaconRootSlots,
  BLOCK_HASHES,
  blockHashSlot,
} from '../../chain/system-contracts.js';
import type { Rules } from '../../evm/ethereumjs/fork-rules.js';
import type { BlockEnv } from '../../state/diff.js';
import type { Wants } from '../../state/recording-view.js';
import { recipientOf, type BlockTransaction } from '../../transaction/library.js';

const OP_ACCOUNTS = [L1_BLOCK, BASE_FEE_VAULT, L1_FEE_VAULT, OPERATOR_FEE_VAULT];

/** Senders, receivers and the fee recipient. */
export function certainReads(transactions: readonly BlockTransaction[], coinbase: Uint8Array): Wants {
  return { accounts: [coinbase, ...transactions.flatMap(partiesOf)], slots: [] };
}

/** Sender and receiver. */
export function partiesOf(transaction: BlockTransaction): Uint8Array[] {
  const to = recipientOf(transaction);
  return to === null ? [transaction.from] : [transaction.from, to];
}

/** What the system calls at the beginning of a block read, with their slots of this block, and where an OP-Stack chain pays fees to. */
export function systemReads({ number, timestamp }: BlockEnv, rules: Rules): Wants {
  const { common, op } = rules.at(number, timestamp);
  const roots = common.isActivatedEIP(4788) ? beaconRootSlots(timestamp) : [];
  const hashes = common.isActivatedEIP(2935) && number > 0 ? [blockHashSlot(number - 1)] : [];
  const slots = [
    ...roots.map((slot) => ({ address: BEACON_ROOTS, slot })),
    ...hashes.map((slot) => ({ address: BLOCK_HASHES, slot })),
  ];
  const called = new Set(slots.map(({ address }) => address));
  return {
    accounts: [...called, ...(called.size > 0 ? [SYSTEM_ADDRESS] : []), ...(op === null ? [] : OP_ACCOUNTS)],
    slots,
  };
}
