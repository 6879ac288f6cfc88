// Signed transactions as objects of @ethereumjs/tx: to sign and execute them, and for its error messages.
import type { Common } from '@ethereumjs/common';
import { createFeeMarket1559Tx, createTxFromRLP, paramsTx, type TypedTransaction } from '@ethereumjs/tx';
import { Address } from '@ethereumjs/util';
import type { ForkRules } from '../evm/reference/fork-rules.js';
import type { SignedFields } from './decode-signed-fields.js';

/** go-ethereum's error message for an invalid signature. */
export const GETH_INVALID_SIGNATURE_MESSAGE = 'invalid transaction v, r, s values';

/** Transaction of any type in @ethereumjs/tx. */
export type { TypedTransaction } from '@ethereumjs/tx';

/**
 * Builds an @ethereumjs/tx object from EIP-2718 bytes under the rules of one fork. Throws the error of @ethereumjs if
 * the transaction is invalid. `from` is the sender, so that it need not be recovered.
 */
export function buildEthereumjsTransaction(raw: Uint8Array, rules: ForkRules, from: Uint8Array): TypedTransaction {
  const tx = createTxFromRLP(raw, { common: commonOf(rules), freeze: false });
  tx.getSenderAddress = () => new Address(from);
  return tx;
}

/** Returns the message of @ethereumjs why EIP-2718 bytes are not a signed transaction under the rules of one fork. */
export function ethereumjsInvalidMessage(raw: Uint8Array, rules: ForkRules): string {
  try {
    const tx = createTxFromRLP(raw, { common: commonOf(rules) });
    // Reached if @ethereumjs has accepted the bytes. It also accepts some encodings that are not canonical.
    return tx.verifySignature() ? 'invalid transaction encoding' : GETH_INVALID_SIGNATURE_MESSAGE;
  } catch (error) {
    return error instanceof Error ? textOf(error, rules) : 'invalid transaction';
  }
}

/** Matches a message in which @ethereumjs prints a line of its own source code in place of the chain id. */
const OTHER_CHAIN = /not matching the derived chain ID (\d+)/;

/** Returns the error message of @ethereumjs; for a transaction of another chain, go-ethereum's message. */
function textOf({ message }: Error, { common }: ForkRules): string {
  const other = OTHER_CHAIN.exec(message)?.[1];
  return other === undefined ? message : `invalid chain id for signer: have ${other} want ${common.chainId()}`;
}

/**
 * Returns the one `Common` that all transactions of a fork share. Otherwise @ethereumjs would copy it for each
 * transaction and rebuild its tables, which takes three quarters of the decoding time. The disadvantage: nobody may
 * change the `common` of a transaction.
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

/** An unsigned EIP-1559 transaction that calls an account, and so creates no contract. */
export interface UnsignedFeeMarketTransaction extends Pick<
  SignedFields,
  'nonce' | 'tipCap' | 'feeCap' | 'gasLimit' | 'value' | 'data'
> {
  readonly to: Uint8Array;
}

/** Signs transactions with one key, deterministically (RFC 6979). */
export class PrivateKeySigner {
  readonly #key: Uint8Array;

  /** `key` is the private key, 32 bytes. */
  constructor(key: Uint8Array) {
    this.#key = key;
  }

  /** Returns the signed transaction as an @ethereumjs/tx object. */
  sign(unsigned: UnsignedFeeMarketTransaction, rules: ForkRules): TypedTransaction {
    const { nonce, tipCap, feeCap, gasLimit, to, value, data } = unsigned;
    const fields = { nonce, gasLimit, value, data, to: new Address(to) };
    const fees = { maxPriorityFeePerGas: tipCap, maxFeePerGas: feeCap, chainId: rules.common.chainId() };
    return createFeeMarket1559Tx({ ...fields, ...fees }, { common: commonOf(rules) }).sign(this.#key, false);
  }
}
