// Methods that submit a transaction.

// eth_sendRawTransactionSync follows EIP-7966 with three exceptions. A timeout above the limit is reduced to the limit,
// as in go-ethereum and Erigon. A nonce gap (code 6) is reported at once only with `--count-own-sends`, because only
// then it is known that no pending transaction submitted here fills the gap. Otherwise it is reported when the time is
// up, because the missing transactions may arrive in the meantime. A refused transaction gets the error of
// eth_sendRawTransaction, as in go-ethereum, and never code 5. See DECISIONS.md.
import type { MethodFunctionByName } from '../call/method-types.js';
import { ERRORS, rpcError, type RpcError } from '../../rpc-errors.js';
import { toHex, toQuantity } from '../../lib/bytes/hex.js';
import { keccak256 } from '../../lib/bytes/keccak-wasm.js';
import { LIMITS } from '../../limits/index.js';
import type { ChainEvent } from '../push/chain-events.js';
import { isAlreadyKnown, type NonceGap, type TransactionSubmitter } from '../call/submit-transaction.js';
import { withoutSidecar } from '../../transaction/split-blob-sidecar.js';
import { BLOB_TRANSACTION_TYPE } from '../../transaction/fields.table.js';
import { rawTransactionType } from '../../transaction/raw-transaction-fields.js';
import type { RpcArguments } from '../params/arguments.js';
import { renderReceipt } from '../render/blocks-and-transactions.js';
import { mayReportInclusion, type TransactionDeps } from './transaction-reads.js';
import { type RpcCallOutcome, isError } from '../answer/call-result.js';
import type { ExecutedBlockLookup } from '../view/executed-block-lookup.js';
import type { Inclusion } from '../view/executed-block-types.js';

export const sendRawTransactionMethods = {
  /**
   * `[raw transaction]`: returns the transaction hash once the chain has accepted it; on a live chain the node's
   * result.
   */
  eth_sendRawTransaction: (args, _readView, deps, { client }) => {
    const raw = readRaw(args);
    if (args.failure) return args.failure;
    return deps.sending === null ? notAccepted('eth_sendRawTransaction', deps) : deps.sending.submit(raw, client);
  },

  /**
   * `[raw transaction, milliseconds?]` (EIP-7966): returns the transaction's receipt as soon as it is available. If
   * that takes too long, the error has code 4 with the hash, or code 6 with the expected nonce if the transaction's
   * nonce is higher. Code 6 comes at once if pending transactions are tracked. In both cases the transaction may still
   * be included. A transaction that the chain already has is awaited like a new one.
   */
  eth_sendRawTransactionSync: (args, readView, deps, { client }) => {
    const raw = readRaw(args);
    const waitMs = readWait(args, deps.receipts);
    if (args.failure) return args.failure;
    const hash = keccak256(withoutSidecar(raw));
    const found = deps.executed.find(readView, hash);
    if (found !== null && mayReportInclusion(found, deps.receipts)) return receiptText(found);
    const { sending } = deps;
    if (sending === null) return notAccepted('eth_sendRawTransactionSync', deps);
    if (deps.events.listeners >= LIMITS.receiptWaitersMax) return rpcError('overload');
    const wanted = { raw, hash, waitMs, client };
    return found === null ? sentAndSeen(wanted, sending, deps) : seen(wanted, sending, deps);
  },
} satisfies MethodFunctionByName<TransactionDeps>;

/**
 * Returns the error of a chain that accepts no transactions. On a chain that follows a node, the error says which flag
 * makes the chain accept them.
 */
function notAccepted(method: string, { backing }: TransactionDeps): RpcError {
  const how =
    'prestate passes it on with --passthrough, unless --passthrough-methods leaves eth_sendRawTransaction out';
  const why = backing === null ? 'this chain takes no transactions' : how;
  return rpcError('methodNotFound', `the method ${method} does not exist/is not available: ${why}`);
}

/**
 * Default time to wait for a receipt. A confirmed block may take longer than an increment, so for it the default is the
 * maximum.
 */
const DEFAULT_WAIT_MS = { preconfirmed: LIMITS.receiptWaitMs, confirmed: LIMITS.receiptWaitMsMax };

function readRaw(args: RpcArguments): Uint8Array {
  const raw = args.bytes(0);
  const max =
    rawTransactionType(raw) < BLOB_TRANSACTION_TYPE ? LIMITS.transactionBytesMax : LIMITS.blobTransactionBytesMax;
  if (raw.length > max) {
    const text = `oversized data: transaction size ${raw.length}, limit ${max}`;
    args.failure ??= rpcError('transactionRejected', text);
  }
  return raw;
}

/** Reads the time to wait: a decimal number or a quantity, reduced to the limit. Missing or 0 means the default. */
function readWait(args: RpcArguments, receipts: TransactionDeps['receipts']): number {
  const waitMs = args.has(1) ? args.count(args.required(1), { index: 1, field: 'timeoutMs' }) : 0;
  return waitMs > 0 ? Math.min(waitMs, LIMITS.receiptWaitMsMax) : DEFAULT_WAIT_MS[receipts];
}

interface Sent {
  readonly raw: Uint8Array;
  readonly hash: Uint8Array;
  readonly waitMs: number;
  readonly client: string | undefined;
}

/** Waits for the receipt of a transaction that the chain has already accepted. */
async function seen(wanted: Sent, sending: TransactionSubmitter, deps: TransactionDeps): Promise<RpcCallOutcome> {
  return (await receiptOf(wanted, null, deps)) ?? missed(wanted, sending, deps);
}

/**
 * Submits a transaction and waits for its receipt. Listening for the receipt starts first, so that no block is missed
 * in between.
 */
async function sentAndSeen(
  wanted: Sent,
  sending: TransactionSubmitter,
  deps: TransactionDeps,
): Promise<RpcCallOutcome> {
  const ended = new AbortController();
  const receipt = receiptOf(wanted, ended.signal, deps);
  const answer = await sending.submit(wanted.raw, wanted.client);
  const isAccepted = !isError(answer) || isAlreadyKnown(answer);
  const gap = isAccepted && sending.knowsGaps ? await sending.gap(wanted.raw) : null;
  if (isAccepted && gap === null) return (await receipt) ?? missed(wanted, sending, deps);
  ended.abort();
  return gap === null ? answer : gapError(gap, ERRORS.nonceGap.message);
}

/** Returns the error for a transaction that was not included in time, with the reason as far as that is known. */
async function missed(
  { raw, hash, waitMs }: Sent,
  sending: TransactionSubmitter,
  { receipts }: TransactionDeps,
): Promise<RpcError> {
  const awaited = receipts === 'confirmed' ? 'confirmed' : 'pre-confirmed';
  const late = `the transaction was not ${awaited} within ${waitMs} ms`;
  const gap = await sending.gap(raw);
  if (gap === null) return rpcError('notIncluded', late, hash);
  return gapError(gap, late);
}

function gapError({ from, nonce, expected }: NonceGap, text: string): RpcError {
  const message = `${text}: it has nonce ${nonce}, the next nonce of ${toHex(from)} is ${expected}`;
  return { error: 'nonceGap', message, data: toQuantity(expected) };
}

/**
 * Waits for the increment or block that includes the transaction, and resolves with its receipt; `null` if none comes
 * in time, or after a disconnect.
 */
function receiptOf(
  { hash, waitMs }: Sent,
  isOver: AbortSignal | null,
  { events, executed, receipts }: TransactionDeps,
): Promise<string | null> {
  return new Promise((resolve) => {
    const end = (result: string | null): void => {
      clearTimeout(timer);
      unlisten();
      resolve(result);
    };
    const timer = setTimeout(() => end(null), waitMs);
    const unlisten = events.listen(({ event }) => {
      const found = inclusionIn(event, hash, executed);
      if (found !== null && mayReportInclusion(found, receipts)) end(receiptText(found));
    });
    isOver?.addEventListener('abort', () => end(null), { once: true });
  });
}

function inclusionIn(event: ChainEvent, hash: Uint8Array, executed: ExecutedBlockLookup): Inclusion | null {
  if (event.kind !== 'increment' && event.kind !== 'confirmed') return null;
  const block = event.kind === 'increment' ? event.read().block : executed.located(event);
  const index = block?.transactions.findIndex((each) => Buffer.compare(each.hash, hash) === 0) ?? -1;
  return block === null || index < 0 ? null : { block, index };
}

function receiptText(inclusion: Inclusion): string {
  return JSON.stringify(renderReceipt(inclusion));
}
