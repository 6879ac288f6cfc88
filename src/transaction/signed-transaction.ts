// A signed transaction of a block: its EIP-2718 bytes and what is derived from them.
import { decodeDeposit, isRawDeposit, type DepositTransaction } from './op/deposit.js';
import type { ForkRules } from '../evm/reference/fork-rules.js';
import { decodeSignedFields, type SignedFields } from './decode-signed-fields.js';
import { intrinsicAndFloorGas, type IntrinsicAndFloorGas } from './intrinsic-gas.js';
import { ethereumjsInvalidMessage } from './ethereumjs-transaction.js';
import { recoverSender, type RecoveredSender } from './recover-sender.js';

/** A decoded transaction whose signature is valid. */
export interface SignedTransaction extends SignedFields, IntrinsicAndFloorGas {
  /** EIP-2718 bytes. */
  readonly raw: Uint8Array;
  /** keccak-256 of `raw`. */
  readonly hash: Uint8Array;
  /** Sender, 20 bytes. */
  readonly from: Uint8Array;
  /** Fork rules by which the transaction was decoded; its intrinsic gas depends on them. */
  readonly rules: ForkRules;
}

/**
 * Decodes `raw` under the rules of a fork, or returns an error message of @ethereumjs/tx. `known`: the sender, if
 * already recovered.
 */
export function decodeSignedTransaction(
  raw: Uint8Array,
  rules: ForkRules,
  known: RecoveredSender | null = null,
): SignedTransaction | string {
  const fields = decodeSignedFields(raw, rules);
  const sender = fields === null ? null : (known ?? recoverSender(raw, !rules.common.gteHardfork('homestead')));
  if (fields === null || sender === null) return ethereumjsInvalidMessage(raw, rules);
  return signedTransaction(raw, rules, fields, sender);
}

function signedTransaction(
  raw: Uint8Array,
  rules: ForkRules,
  fields: SignedFields,
  sender: RecoveredSender,
): SignedTransaction {
  const { to, value, data, accessList, authorizationList } = fields;
  const priced = { from: sender.address, to, value, data, accessList, authorizationList };
  const { intrinsicGas, floorGas } = intrinsicAndFloorGas(priced, rules.common);
  return {
    raw,
    hash: sender.hash,
    from: sender.address,
    rules,
    type: fields.type,
    nonce: fields.nonce,
    tipCap: fields.tipCap,
    feeCap: fields.feeCap,
    gasLimit: fields.gasLimit,
    to: fields.to,
    value: fields.value,
    data: fields.data,
    accessList: fields.accessList,
    blobFeeCap: fields.blobFeeCap,
    blobVersionedHashes: fields.blobVersionedHashes,
    authorizationList: fields.authorizationList,
    intrinsicGas,
    floorGas,
  };
}

/** A transaction of a block: signed, or a deposit on an OP-Stack chain. */
export type SignedOrDepositTransaction = SignedTransaction | DepositTransaction;

/** True if a transaction of a block is a deposit. */
export function isDepositTransaction(transaction: SignedOrDepositTransaction): transaction is DepositTransaction {
  return 'sourceHash' in transaction;
}

/**
 * Decodes a transaction of a block under the rules of a fork, or returns an error message. `known`: the sender, if
 * already recovered.
 */
export function decodeBlockTransaction(
  raw: Uint8Array,
  rules: ForkRules,
  known: RecoveredSender | null = null,
): SignedOrDepositTransaction | string {
  return rules.op !== null && isRawDeposit(raw) ? decodeDeposit(raw) : decodeSignedTransaction(raw, rules, known);
}

/** Returns the wei per gas that the transaction pays in a block with this base fee (EIP-1559). */
export function effectiveGasPrice({ tipCap, feeCap }: SignedFields, baseFee: bigint): bigint {
  const price = baseFee + tipCap;
  return price < feeCap ? price : feeCap;
}
