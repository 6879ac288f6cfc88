// A signed transaction as the EVM library takes it, and what follows from its bytes alone. Runs on the publisher.
import type { Common } from '@ethereumjs/common';
import { createFeeMarket1559Tx, createTxFromRLP, paramsTx, type TypedTransaction } from '@ethereumjs/tx';
import { Address } from '@ethereumjs/util';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import type { AccessListEntry } from '../chain/access-list.js';
import { floorGas, intrinsicGas, type Priced } from './intrinsic-gas.js';
import type { ForkRules } from '../evm/ethereumjs/fork-rules.js';

/** The library's transaction, of any type. */
export type { TypedTransaction } from '@ethereumjs/tx';

/**
 * Builds the transaction of EIP-2718 bytes by one fork's rules; the library's refusal as a text where it is not valid.
 */
export function buildTransaction(raw: Uint8Array, rules: ForkRules): TypedTransaction | string {
  try {
    return createTxFromRLP(raw, { common: commonOf(rules) });
  } catch (error) {
    return error instanceof Error ? error.message : 'invalid transaction';
  }
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

/**
 * The sender, 20 bytes, `null` when the signature is not valid (EIP-2: also when s is high). Kept in `tx`: recovering
 * it costs a millisecond.
 */
export function recoverSender(tx: TypedTransaction): Uint8Array | null {
  try {
    return tx.getSenderAddress().bytes;
  } catch {
    return null;
  }
}

/**
 * Gas that the transaction needs before any code runs, and the least that its data costs (EIP-7623; 0 before Prague).
 */
export function gasOfBytes(tx: TypedTransaction): { readonly intrinsic: bigint; readonly floor: bigint } {
  const accessList = accessListOf(tx);
  const authorizationList = 'authorizationList' in tx ? tx.authorizationList : null;
  const priced: Priced = { to: tx.to?.bytes ?? null, data: tx.data, accessList, authorizationList };
  return { intrinsic: intrinsicGas(priced, tx.common), floor: floorGas(tx.data, tx.common) };
}

/** EIP-2930; empty for types that have none. */
export function accessListOf(tx: TypedTransaction): AccessListEntry[] {
  return 'accessList' in tx ? tx.accessList.map(([address, slots]) => ({ address, slots })) : [];
}

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
  readonly #publicKey: Uint8Array;

  /** `key`: 32 bytes. */
  constructor(key: Uint8Array) {
    this.#key = key;
    this.#publicKey = secp256k1.getPublicKey(key, false).subarray(1);
  }

  /** The result knows its sender: the library keeps the public key there, and need not recover it for a millisecond. */
  sign(unsigned: UnsignedTransaction, rules: ForkRules): TypedTransaction {
    const { nonce, tipCap, feeCap, gasLimit, to, value, data } = unsigned;
    const fields = { nonce, gasLimit, value, data, to: new Address(to) };
    const fees = { maxPriorityFeePerGas: tipCap, maxFeePerGas: feeCap, chainId: rules.common.chainId() };
    const tx = createFeeMarket1559Tx({ ...fields, ...fees }, { common: commonOf(rules) }).sign(this.#key, false);
    tx.cache.senderPubKey = this.#publicKey;
    return tx;
  }
}
