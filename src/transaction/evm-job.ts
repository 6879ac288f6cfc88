// Jobs for the EVM and their outcomes, as plain data. rpc/methods parses them, pool/codec encodes them, and
// execution/call runs them.
import type { AccessListEntry } from '../chain/access-list-entry.js';
import type { ErrorName } from '../errors.js';
import type { AnnouncedTransaction, Withdrawal } from '../state/complete-block.js';
import type { RecoveredSender } from './recover-sender.js';
import type { RecordedReads } from '../state/views/recorded-reads.js';
import type { MissingKeys } from '../state/views/miss-recording-view.js';
import type { JobTrace } from './trace-request.js';

/** EIP-7702 authorization tuple as received; an invalid one is paid for and skipped. */
export interface Authorization {
  readonly chainId: bigint;
  readonly address: Uint8Array;
  readonly nonce: bigint;
  readonly yParity: bigint;
  readonly r: bigint;
  readonly s: bigint;
}

/** The transaction object of a method that runs code. `null` stands for a field not passed. Fees in wei. */
export interface CallRequest {
  /** 20 bytes; the zero address if not passed. */
  readonly from: Uint8Array;
  /** 20 bytes; `null` creates a contract. */
  readonly to: Uint8Array | null;
  readonly gas: bigint | null;
  readonly gasPrice: bigint | null;
  readonly maxFeePerGas: bigint | null;
  readonly maxPriorityFeePerGas: bigint | null;
  readonly maxFeePerBlobGas: bigint | null;
  readonly value: bigint;
  readonly data: Uint8Array;
  readonly accessList: readonly AccessListEntry[] | null;
  readonly blobVersionedHashes: readonly Uint8Array[] | null;
  readonly authorizationList: readonly Authorization[] | null;
  /** Used only by eth_simulateV1 and eth_createAccessList. If absent, it is the sender's next nonce. */
  readonly nonce?: bigint;
}

/** A placeholder for jobs without a call. */
export const EMPTY_CALL_REQUEST: CallRequest = {
  from: new Uint8Array(20),
  to: new Uint8Array(20),
  gas: null,
  gasPrice: null,
  maxFeePerGas: null,
  maxPriorityFeePerGas: null,
  maxFeePerBlobGas: null,
  value: 0n,
  data: new Uint8Array(0),
  accessList: null,
  blobVersionedHashes: null,
  authorizationList: null,
};

/** Of one account (go-ethereum's `OverrideAccount`). `state` replaces all storage, `stateDiff` single slots. */
export interface AccountOverride {
  readonly address: Uint8Array;
  readonly nonce?: bigint;
  readonly balance?: bigint;
  readonly code?: Uint8Array;
  readonly state?: readonly (readonly [slot: Uint8Array, value: Uint8Array])[];
  readonly stateDiff?: readonly (readonly [slot: Uint8Array, value: Uint8Array])[];
  readonly movePrecompileToAddress?: Uint8Array;
}

/** Block override: go-ethereum's `BlockOverrides`, plus block hashes as in anvil. */
export interface BlockOverride {
  readonly number?: bigint;
  readonly difficulty?: bigint;
  readonly time?: bigint;
  readonly gasLimit?: bigint;
  readonly feeRecipient?: Uint8Array;
  readonly prevRandao?: Uint8Array;
  readonly baseFeePerGas?: bigint;
  readonly blobBaseFee?: bigint;
  /** Results of BLOCKHASH for these numbers, 32 bytes each. */
  readonly blockHash?: readonly (readonly [number: bigint, hash: Uint8Array])[];
  /** This field and the next are for eth_simulateV1 only. 32 bytes. */
  readonly beaconRoot?: Uint8Array;
  readonly withdrawals?: readonly Withdrawal[];
}

/** Calls in one block environment. Each runs on the state that the previous ones have left. */
export interface CallBlock {
  readonly stateOverride: readonly AccountOverride[];
  readonly blockOverride: BlockOverride | null;
  readonly calls: readonly CallRequest[];
}

/** Parameters of eth_simulateV1 besides its blocks. */
export interface SimulationParams {
  /** RLP of the header of the first block's parent. */
  readonly parentHeader: Uint8Array;
  /** True if the parent is pre-confirmed. It then has no hash, and its header lacks what only a complete block has. */
  readonly isPreConfirmed: boolean;
  readonly traceTransfers: boolean;
  /** True if fees, nonces and the base fee are checked as in a block. */
  readonly validation: boolean;
  readonly returnFullTransactions: boolean;
}

/** A block's first transactions, executed again on its parent's state before calls, or for a trace. */
export interface BlockReplay {
  /** The block's RLP header; for a pre-confirmed block, its header so far. */
  readonly header: Uint8Array;
  /**
   * Taken from the last transaction's receipt; 0 if there is none. From Amsterdam on the header's `gasUsed` cannot be
   * used for this, because it is the larger of two dimensions (EIP-8037).
   */
  readonly cumulativeGasUsed: bigint;
  readonly transactions: readonly AnnouncedTransaction[];
}

/** Consecutive signed transactions in a block of their own, whose environment is `blockOverride`. */
export interface Bundle {
  /** RLP header of the block on whose state they are executed. */
  readonly parentHeader: Uint8Array;
  /** True if that block is pre-confirmed, so that its gas is not final. */
  readonly isPreConfirmed: boolean;
  /** EIP-2718 bytes as in a block. */
  readonly transactions: readonly Uint8Array[];
  /** Their senders, if already recovered. `null` marks an invalid signature. */
  readonly senders?: readonly (RecoveredSender | null)[];
  /** True if the result contains what each transaction changes. */
  readonly withStateDiff: boolean;
  /** True if the result is that of base_meterBundle, with times. */
  readonly isMetered: boolean;
}

/** Where a job reads state and block environment: in a version of the table, or in the archive at a block. */
export type JobPosition =
  | { readonly kind: 'version'; readonly version: number }
  | { readonly kind: 'archive'; readonly block: number };

/**
 * One job for an estimator. `accessList` lists what the call accesses. `simulate` and `runCallMany` run the calls in
 * `blocks`; `trace` and `bundle` use the fields of those names.
 */
export interface Job {
  readonly kind: 'estimate' | 'call' | 'accessList' | 'simulate' | 'callMany' | 'trace' | 'bundle';
  readonly position: JobPosition;
  /** The call. If there are several, this is the first one, by which the job's cost is predicted. */
  readonly call: CallRequest;
  readonly stateOverride: readonly AccountOverride[];
  readonly blockOverride: BlockOverride | null;
  /** Calls of `simulate` and `runCallMany`; empty for other kinds. */
  readonly blocks?: readonly CallBlock[];
  /** Only for `simulate`. */
  readonly simulation?: SimulationParams;
  /** Only for `trace`. */
  readonly trace?: JobTrace;
  /** Only for `runCallMany` and `trace` within a block. The job's position is then that of the block's parent. */
  readonly replay?: BlockReplay;
  /** Only for `bundle`. */
  readonly bundle?: Bundle;
  /** The job is a watched call: its outcome is `watched`. It has the lowest priority, since no client waits for it. */
  readonly isWatched?: true;
  /** Only for `accessList`: the tip in wei per gas for a call without one; 0 if absent. */
  readonly tip?: bigint;
  /** Gas limit for calls and estimates (`--gas-cap`). */
  readonly gasCap: bigint;
  /** Time allowed for execution in milliseconds, counted from its start. */
  readonly timeoutMs: number;
}

/**
 * The outcome of a job. `revert` has the raw revert data. `json` has the whole result; it is UTF-8 if an estimator
 * returned a long one. `failure` has the complete error message. `foreign` has the account with non-EVM code. `missing`
 * lists the state that must be fetched from the upstream node before the job is run again. `watched` has another
 * outcome and the keys that it depends on.
 */
export type JobOutcome =
  | { readonly kind: 'gas'; readonly gas: bigint }
  | { readonly kind: 'return'; readonly data: Uint8Array }
  | { readonly kind: 'revert'; readonly data: Uint8Array }
  | { readonly kind: 'json'; readonly text: string | Uint8Array }
  | { readonly kind: 'failure'; readonly error: ErrorName; readonly message: string }
  | { readonly kind: 'foreign'; readonly address: Uint8Array }
  | { readonly kind: 'missing'; readonly missingKeys: MissingKeys }
  | { readonly kind: 'watched'; readonly outcome: JobOutcome; readonly reads: RecordedReads };

/** The outcome of a job that timed out, with go-ethereum's message. */
export function timeoutOutcome(timeoutMs: number): Extract<JobOutcome, { kind: 'failure' }> {
  return { kind: 'failure', error: 'timeout', message: `execution aborted (timeout = ${duration(timeoutMs)})` };
}

/** Milliseconds as Go prints a duration: `5s`, `1.5s`, `250ms`, `1m30s`. */
function duration(ms: number): string {
  if (ms < 1000) return `${ms}ms`;
  const minutes = Math.floor(ms / 60_000);
  const seconds = `${(ms % 60_000) / 1000}s`;
  return minutes === 0 ? seconds : `${minutes}m${seconds}`;
}

export function isTimeoutOutcome(outcome: JobOutcome): boolean {
  if (outcome.kind === 'watched') return isTimeoutOutcome(outcome.outcome);
  return outcome.kind === 'failure' && outcome.error === 'timeout';
}
