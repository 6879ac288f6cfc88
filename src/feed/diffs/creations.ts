// Contracts that a transaction created and that its diff does not show. go-ethereum's prestateTracer silently leaves
// out an account that was created and ran SELFDESTRUCT in one transaction, though it may survive: the call was
// reverted, or the account keeps its balance (EIP-8246) or receives another one. Each creation raises its creator's
// nonce, which the diff does show. Pure.
import { delegationOf } from '../../execution/block/authorization.js';
import { sameBytes } from '../../lib/bytes/byte-map.js';
import { bytesOf, isAbsent, listOf, membersOf } from '../../upstream/reads/json.js';
import type { AccountDiff, TransactionDiff } from './transaction-diff.js';

/** Parameter of debug_traceTransaction after the transaction's hash. */
export const CALLS = { tracer: 'callTracer' } as const;

/** Parties of a transaction. `to`: `null` where it creates a contract. */
export interface Parties {
  readonly from: Uint8Array;
  readonly to: Uint8Array | null;
}

/** First byte of code that no transaction can create (EIP-3541): delegations and non-EVM code. */
const NO_CREATED_CODE = 0xef;

/**
 * True if there may have been more creations than the diff shows. Also true if a creation failed, a contract has no
 * code, or a delegation was renewed or removed: nonces rise there without a new contract.
 */
export function mayHideCreation(diff: TransactionDiff, { from, to }: Parties): boolean {
  if (diff.some(({ isGone }) => isGone)) return true;
  let rises = to === null ? 1n : 0n;
  let shown = 0n;
  for (const account of diff) {
    const raised = riseOf(account);
    // Its own creation gives a contract a nonce of one (EIP-161); an authorization raises that of its authority
    // (EIP-7702).
    const isOwn = isBirth(account) || isDelegation(account);
    rises += isOwn ? raised - 1n : raised;
    if (isBirth(account)) shown++;
    if (raised > 0n && sameBytes(account.address, from)) rises--;
  }
  return rises !== shown;
}

/** Addresses of everything created in a transaction, by callTracer's result. Throws UpstreamError. */
export function createdByCalls(result: unknown): Uint8Array[] {
  const { type, to, calls } = membersOf(result, 'a call');
  const inner = isAbsent(calls) ? [] : listOf(calls, 'calls').flatMap(createdByCalls);
  // A failed creation has no address.
  if ((type !== 'CREATE' && type !== 'CREATE2') || isAbsent(to)) return inner;
  return [bytesOf(to, 'to', 20), ...inner];
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
  const wasDelegated = before.code !== null && delegationOf(before.code) !== null;
  return delegationOf(after.code) !== null || (wasDelegated && after.code.length === 0);
}
