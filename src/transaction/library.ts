// Signed transactions as the EVM library takes them: to sign, to execute by the library, and for the words of a refusal. Runs
// on publisher and estimators.
import type { Common } from '@ethereumjs/common';
import { createFeeMarket1559Tx, createTxFromRLP, paramsTx, type TypedTransaction } from '@ethereumjs/tx';
import { Address } from '@ethereumjs/util';
import type { ForkRules } from '../evm/reference/fork-rules.js';

/** Text for a signature that nobody has made, as go-ethereum says it. */
export const NO_SIGNER = 'invalid transaction v, r, s values';

/** The library's transaction, of any type. */
export type { TypedTransaction } from '@ethereumjs/tx';

/**
 * Builds the transaction of EIP-2718 bytes by one fork's rules. Throws the library's refusal where it is not valid. `from`:
 * its sender, which the library need not recover then.
 */
export function buildTransaction(raw: Uint8Array, rules: ForkRules, from: Uint8Array): TypedTransaction {
  const tx = createTxFromRLP(raw, { common: commonOf(rules), freeze: false });
  tx.getSenderAddress = () => new Address(from);
  return tx;
}

/** Reason for which EIP-2718 bytes are not a signed transaction by one fork's rules, in the library's words. */
export function refusalOf(raw: Uint8Array, rules: ForkRules): string {
  try {
    const tx = createTxFromRLP(raw, { common: commonOf(rules) });
    // The library lets some encodings pass that are not canonical.
    return tx.verifySignature() ? 'invalid transaction encoding' : NO_SIGNER;
  } catch (error) {
    return error instanceof Error ? textOf(error, rules) : 'invalid transaction';
  }
}

/** The library has a line of its own source in the place of the chain's id. */
const OTHER_CHAIN = /not matching the derived chain ID (\d+)/;

/** The library's text; go-ethereum's for a transaction of another chain. */
function textOf({ message }: Error, { common }: ForkRules): string {
  const other = OTHER_CHAIN.exec(message)?.[1];
  return other === undefined ? message : `invalid chain id for signer: have ${other} want ${common.chainId()}`;
}

/**
 * The rules that all transactions of a fork share. The library makes a copy for each, merges its parameters into it by
 * way of JSON, and the copy builds its tables anew: three quarters of what decoding takes. Price: the `common` of a
 * transaction is not its own, and must not be changed.
 */
function commonOf(rules: ForkRules): Common {
  let common = commons.get(rules);
  if (common !== undefined) return common;
  const shared = (common = rules.common.copy());
  shared.updateParams(paramsTx);
  shared.copy = () => shared;
  shared.updateParams = () => undefined;
  commons.set(rules, shared);
  return shared;
}

const commons = new WeakMap<ForkRules, Common>();

/** An EIP-1559 transaction before it is signed. Fees in wei per gas. */
export interface UnsignedTransaction {
  readonly nonce: bigint;
  readonly tipCap: bigint;
  readonly feeCap: bigint;
  readonly gasLimit: bigint;
  /** 20 bytes. */
  readonly to: Uint8Array;
  readonly value: bigint;
  readonly data: Uint8Array;
}

/** Signs with one key, always the same way for the same input (RFC 6979). */
export class Signer {
  readonly #key: Uint8Array;

  /** `key`: 32 bytes. */
  constructor(key: Uint8Array) {
    this.#key = key;
  }

  /** The library's transaction, signed. */
  sign(unsigned: UnsignedTransaction, rules: ForkRules): TypedTransaction {
    const { nonce, tipCap, feeCap, gasLimit, to, value, data } = unsigned;
    const fields = { nonce, gasLimit, value, data, to: new Address(to) };
    const fees = { maxPriorityFeePerGas: tipCap, maxFeePerGas: feeCap, chainId: rules.common.chainId() };
    return createFeeMarket1559Tx({ ...fields, ...fees }, { common: commonOf(rules) }).sign(this.#key, false);
  }
}
