// Finds contracts that a transaction creates but its diff does not show. go-ethereum's prestateTracer leaves out an
// account that was created and ran SELFDESTRUCT in the same transaction. Such an account may survive, if the frame that
// ran SELFDESTRUCT was reverted, or if the account keeps its balance (EIP-8246) or receives one. Each creation raises
// its creator's nonce, which the diff does show. Pure.
import { parseDelegation } from '../../evm/delegation.js';
import { sameBytes } from '../../lib/bytes/byte-map.js';
import { parseBytes, isAbsent, asJsonArray, asJsonObject } from '../../upstream/reads/json-values.js';
import type { AccountDiff, TransactionDiff } from './transaction-diff.js';

/** Second parameter of debug_traceTransaction; the first one is the transaction's hash. */
export const CALL_TRACER_CONFIG = { tracer: 'callTracer' } as const;

/** Sender and recipient of a transaction. `to` is `null` if the transaction creates a contract. */
export interface SenderAndRecipient {
  readonly from: Uint8Array;
  readonly to: Uint8Array | null;
}

/** First byte of code that no transaction can deploy (EIP-3541). Delegations and non-EVM code start with it. */
const NO_CREATED_CODE = 0xef;

/**
 * Returns true if the transaction may have created more contracts than the diff shows. That can be a false alarm: a
 * nonce also rises without a new contract if a creation fails or leaves no code, or a delegation is renewed or removed.
 */
export function mayHideCreation(diff: TransactionDiff, { from, to }: SenderAndRecipient): boolean {
  if (diff.some(({ isGone }) => isGone)) return true;
  let rises = to === null ? 1n : 0n;
  let shown = 0n;
  for (const account of diff) {
    const raised = riseOf(account);
    // A new contract's nonce starts at 1 (EIP-161), and an authorization raises its authority's nonce by 1 (EIP-7702).
    // These two increases do not come from the creation of another contract.
    const isOwn = isBirth(account) || isDelegation(account);
    rises += isOwn ? raised - 1n : raised;
    if (isBirth(account)) shown++;
    if (raised > 0n && sameBytes(account.address, from)) rises--;
  }
  return rises !== shown;
}

/**
 * Returns the addresses of all contracts that a transaction has created, from the result of callTracer. Throws
 * UpstreamError.
 */
export function contractsCreatedInCalls(result: unknown): Uint8Array[] {
  const { type, to, calls } = asJsonObject(result, 'a call');
  const inner = isAbsent(calls) ? [] : asJsonArray(calls, 'calls').flatMap(contractsCreatedInCalls);
  // A creation that failed has no address.
  if ((type !== 'CREATE' && type !== 'CREATE2') || isAbsent(to)) return inner;
  return [parseBytes(to, 'to', 20), ...inner];
}

function riseOf({ before, after }: AccountDiff): bigint {
  if (before.nonce === null || after.nonce === null) return 0n;
  return after.nonce - before.nonce;
}

function isBirth(account: AccountDiff): boolean {
  const { before, after } = account;
  if (before.nonce !== 0n || riseOf(account) < 1n) return false;
  return after.code !== null && after.code.length > 0 && after.code[0] !== NO_CREATED_CODE;
}

function isDelegation(account: AccountDiff): boolean {
  const { before, after } = account;
  if (after.code === null || riseOf(account) < 1n) return false;
  const wasDelegated = before.code !== null && parseDelegation(before.code) !== null;
  return parseDelegation(after.code) !== null || (wasDelegated && after.code.length === 0);
}
