// OP-Stack fees of one transaction: charged before it is executed, settled afterwards.
import type { JournaledState } from '../../evm/journal/journaled-state.js';
import { daFootprint, l1Fee, operatorFee, readL1FeePrices } from '../../transaction/op/l1-and-operator-fees.js';
import { creditBalance } from '../block/transaction-settlement.js';
import type { OpRules } from '../../chain/op/forks.js';
import {
  BASE_FEE_VAULT_ADDRESS,
  L1_BLOCK_ADDRESS,
  L1_FEE_VAULT_ADDRESS,
  OPERATOR_FEE_VAULT_ADDRESS,
} from '../../chain/op/predeploys.js';

/** OP-Stack charges for one transaction besides gas and value, in wei. */
export interface OpCharges {
  /** Charged before the transaction runs. The sender's balance must cover it. */
  readonly upfront: bigint;
  readonly l1Fee: bigint;
  /** DA footprint of the transaction: a separate kind of block gas, counted from Jovian on; 0 before. */
  readonly daFootprint: bigint;
  /** Returns the operator fee for the gas used. The rest of what was charged upfront is refunded. */
  operatorFee(gasUsed: bigint): bigint;
}

/**
 * Computes the charges by the prices that L1Block stores at this moment. `raw` is the transaction as EIP-2718 bytes.
 */
export function opCharges(raw: Uint8Array, gasLimit: bigint, state: JournaledState, rules: OpRules): OpCharges {
  const prices = readL1FeePrices((slot) => state.storageOf(L1_BLOCK_ADDRESS, slot), rules);
  const data = l1Fee(raw, prices, rules);
  return {
    upfront: data + operatorFee(gasLimit, prices, rules),
    l1Fee: data,
    daFootprint: rules.has('jovian') ? daFootprint(raw, prices) : 0n,
    operatorFee: (gasUsed) => operatorFee(gasUsed, prices, rules),
  };
}

/** Credits the fee vaults after the transaction. One vault receives the base fee, which the OP Stack does not burn. */
export function creditFeeVaults(
  charges: OpCharges,
  from: Uint8Array,
  gas: { readonly used: bigint; readonly baseFee: bigint },
  state: JournaledState,
): void {
  const operator = charges.operatorFee(gas.used);
  creditBalance(from, charges.upfront - charges.l1Fee - operator, state);
  creditBalance(BASE_FEE_VAULT_ADDRESS, gas.used * gas.baseFee, state);
  creditBalance(L1_FEE_VAULT_ADDRESS, charges.l1Fee, state);
  creditBalance(OPERATOR_FEE_VAULT_ADDRESS, operator, state);
}
