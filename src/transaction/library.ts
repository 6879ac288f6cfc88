// A signed transaction as it goes into a block: its EIP-2718 bytes and what follows from them. Runs on the publisher.
import { keccak256 } from '../lib/keccak.js';
import { decodeDeposit, isDeposit, type Deposit } from './op/deposit.js';
import type { ForkRules } from '../evm/ethereumjs/fork-rules.js';
import type { Sender } from './sender.js';
import { buildTransaction, recoverSender, type TypedTransaction } from './signed.js';

/** A decoded transaction whose signature is valid. */
export interface SignedTransaction {
  /** EIP-2718 bytes. */
  readonly raw: Uint8Array;
  /** keccak-256 of `raw`. */
  readonly hash: Uint8Array;
  /** Sender, 20 bytes. */
  readonly from: Uint8Array;
  /** Built by the rules of one fork; knows its sender. */
  readonly tx: TypedTransaction;
}

/**
 * Decodes `raw` by one fork's rules. A text says what is wrong with it. `known`: its sender, where it was recovered
 * before.
 */
export function decodeTransaction(
  raw: Uint8Array,
  rules: ForkRules,
  known: Sender | null = null,
): SignedTransaction | string {
  const tx = buildTransaction(raw, rules);
  if (typeof tx === 'string') return tx;
  // Before EIP-155 and EIP-2 other signatures were valid.
  if (known !== null && rules.common.gteHardfork('spuriousDragon')) return withSender(raw, tx, known);
  const from = recoverSender(tx);
  return from === null ? 'invalid transaction v, r, s values' : { raw, hash: keccak256(raw), from, tx };
}

function withSender(raw: Uint8Array, tx: TypedTransaction, { hash, publicKey, address }: Sender): SignedTransaction {
  tx.cache.senderPubKey = publicKey;
  return { raw, hash, from: address, tx };
}

/** What need not be recovered again when the same transaction comes another time. */
export function senderOfTransaction({ hash, from, tx }: SignedTransaction): Sender {
  return { hash, publicKey: tx.getSenderPublicKey(), address: from };
}

/** What a block may hold: transactions that somebody signed, and on an OP-Stack chain deposits. */
export type BlockTransaction = SignedTransaction | Deposit;

/** Decodes what stands in a block by one fork's rules. A text says what is wrong with it. `known`: as above. */
export function decodeBlockTransaction(
  raw: Uint8Array,
  rules: ForkRules,
  known: Sender | null = null,
): BlockTransaction | string {
  return rules.op !== null && isDeposit(raw) ? decodeDeposit(raw) : decodeTransaction(raw, rules, known);
}

/** Receiver of a transaction of a block, 20 bytes; `null` creates a contract. */
export function recipientOf(transaction: BlockTransaction): Uint8Array | null {
  return 'tx' in transaction ? (transaction.tx.to?.bytes ?? null) : transaction.to;
}

/** Wei per gas that the transaction pays in a block with this base fee (EIP-1559). */
export function effectiveGasPrice(tx: TypedTransaction, baseFee: bigint): bigint {
  if ('gasPrice' in tx) return tx.gasPrice;
  const price = baseFee + tx.maxPriorityFeePerGas;
  return price < tx.maxFeePerGas ? price : tx.maxFeePerGas;
}
