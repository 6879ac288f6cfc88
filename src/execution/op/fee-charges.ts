// The fees of one transaction of an OP-Stack chain: charged before it runs, settled afterwards.
import type { JournaledState } from '../../evm/journal/journaled-state.js';
import { EMPTY_CODE_HASH } from '../../state/views/state-view.js';
import { daFootprint, l1Fee, operatorFee, readL1FeePrices } from '../../transaction/op/l1-fee.js';
import type { OpRules } from '../../chain/op/forks.js';
import {
  BASE_FEE_VAULT_ADDRESS,
  L1_BLOCK_ADDRESS,
  L1_FEE_VAULT_ADDRESS,
  OPERATOR_FEE_VAULT_ADDRESS,
} from '../../chain/op/predeploys.js';

/** The charges for a transaction besides gas and value, in wei. */
export interface OpCharges {
  /** Charged before the transaction runs; the sender must have it. */
  readonly upfront: bigint;
  readonly l1Fee: bigint;
  /** The transaction's DA footprint: a separate kind of gas, counted from Jovian on; 0 before that. */
  readonly daFootprint: bigint;
  /** The operator's fee when the gas used is known. The rest is refunded. */
  operatorFee(gasUsed: bigint): bigint;
}

/** The charges by the prices that L1Block stores now. `raw` has the EIP-2718 bytes. */
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

/** Deducts the charges before the transaction runs, so that it sees what its sender has left. */
export function deductUpfrontCharges(charges: OpCharges, from: Uint8Array, state: JournaledState): void {
  add(from, -charges.upfront, state);
}

/** Pays the vaults after the transaction has run. One of them gets the base fee, which is not burnt. */
export function creditFeeVaults(
  charges: OpCharges,
  from: Uint8Array,
  gas: { readonly used: bigint; readonly baseFee: bigint },
  state: JournaledState,
): void {
  const operator = charges.operatorFee(gas.used);
  add(from, charges.upfront - charges.l1Fee - operator, state);
  add(BASE_FEE_VAULT_ADDRESS, gas.used * gas.baseFee, state);
  add(L1_FEE_VAULT_ADDRESS, charges.l1Fee, state);
  add(OPERATOR_FEE_VAULT_ADDRESS, operator, state);
}

function add(address: Uint8Array, wei: bigint, state: JournaledState): void {
  if (wei === 0n) return;
  const old = state.accountOf(address) ?? { nonce: 0n, balance: 0n, codeHash: EMPTY_CODE_HASH };
  state.setAccount(address, { ...old, balance: old.balance + wei });
}
