// Signed transactions as the EVM library's objects: to sign, to execute, for its error messages.
import type { Common } from '@ethereumjs/common';
import { createFeeMarket1559Tx, createTxFromRLP, paramsTx, type TypedTransaction } from '@ethereumjs/tx';
import { Address } from '@ethereumjs/util';
import type { ForkRules } from '../evm/reference/fork-rules.js';

/** go-ethereum's error message for an invalid signature. */
export const INVALID_SIGNATURE_MESSAGE = 'invalid transaction v, r, s values';

/** The library's transaction, of any type. */
export type { TypedTransaction } from '@ethereumjs/tx';

/**
 * Builds the library's transaction from EIP-2718 bytes under one fork's rules. Throws the library's error if it is
 * invalid. With `from`, the library need not recover the sender.
 */
export function buildEthereumjsTransaction(raw: Uint8Array, rules: ForkRules, from: Uint8Array): TypedTransaction {
  const tx = createTxFromRLP(raw, { common: commonOf(rules), freeze: false });
  tx.getSenderAddress = () => new Address(from);
  return tx;
}

/** The library's message that says why EIP-2718 bytes are not a signed transaction under one fork's rules. */
export function invalidTransactionMessage(raw: Uint8Array, rules: ForkRules): string {
  try {
    const tx = createTxFromRLP(raw, { common: commonOf(rules) });
    // The library also accepts some encodings that are not canonical.
    return tx.verifySignature() ? 'invalid transaction encoding' : INVALID_SIGNATURE_MESSAGE;
  } catch (error) {
    return error instanceof Error ? textOf(error, rules) : 'invalid transaction';
  }
}

/** In this message, the library has a line of its own source code in place of the chain id. */
const OTHER_CHAIN = /not matching the derived chain ID (\d+)/;

/** The library's message; for a transaction of another chain, go-ethereum's. */
function textOf({ message }: Error, { common }: ForkRules): string {
  const other = OTHER_CHAIN.exec(message)?.[1];
  return other === undefined ? message : `invalid chain id for signer: have ${other} want ${common.chainId()}`;
}

/**
 * One `Common` that all transactions of a fork share. Otherwise the library copies it for each transaction and rebuilds
 * its tables, which takes three quarters of the decoding time. The price: the `common` of a transaction must not be
 * changed.
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

/** An unsigned EIP-1559 transaction. Fees in wei per gas. */
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

/** Signs transactions with one key, deterministically (RFC 6979). */
export class TransactionSigner {
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
