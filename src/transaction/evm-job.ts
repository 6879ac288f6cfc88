// Jobs for the EVM and their outcomes, as plain data. rpc/methods parses jobs, pool/codec encodes them for worker
// threads, and execution/call runs them.
import type { AccessListEntry } from '../chain/access-list-entry.js';
import type { ErrorName } from '../rpc-errors.js';
import type { AnnouncedTransaction, Withdrawal } from '../state/complete-block.js';
import type { RecoveredSender } from './recover-sender.js';
import type { RecordedReadKeys } from '../state/views/recorded-read-keys.js';
import type { MissingKeys } from '../state/views/miss-recording-view.js';
import type { JobTrace } from './trace-request-types.js';

/** EIP-7702 authorization as received. An invalid one is paid for, but skipped. */
export interface Authorization {
  readonly chainId: bigint;
  readonly address: Uint8Array;
  readonly nonce: bigint;
  readonly yParity: bigint;
  readonly r: bigint;
  readonly s: bigint;
}

/**
 * The transaction object of a method that executes code. `null` stands for a field that was not passed. Fees are in wei
 * per gas.
 */
export interface CallRequest {
  /** Sender, 20 bytes; the zero address if not passed. */
  readonly from: Uint8Array;
  /** Recipient, 20 bytes; `null` creates a contract. */
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
  /** Used only by eth_simulateV1 and eth_createAccessList. If absent, the sender's next nonce is used. */
  readonly nonce?: bigint;
}

/** A placeholder for jobs without a call. */
export const PLACEHOLDER_CALL_REQUEST: CallRequest = {
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

/**
 * State override of one account (go-ethereum's `OverrideAccount`). `state` replaces the whole storage, `stateDiff` only
 * the given slots.
 */
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
  /** Results of BLOCKHASH for these block numbers, 32 bytes each. */
  readonly blockHash?: readonly (readonly [number: bigint, hash: Uint8Array])[];
  /** Beacon root, 32 bytes. This field and the next one are only for eth_simulateV1. */
  readonly beaconRoot?: Uint8Array;
  readonly withdrawals?: readonly Withdrawal[];
}

/** Calls that share one block environment. Each call runs on the state that the previous calls have left. */
export interface CallsInBlock {
  readonly stateOverride: readonly AccountOverride[];
  readonly blockOverride: BlockOverride | null;
  readonly calls: readonly CallRequest[];
}

/** Parameters of eth_simulateV1, without its blocks. */
export interface SimulationParams {
  /** RLP header of the first block's parent. */
  readonly parentHeader: Uint8Array;
  /**
   * True if the parent is pre-confirmed. It then has no hash, and its header lacks the fields that only a complete
   * block has.
   */
  readonly isPreConfirmed: boolean;
  readonly traceTransfers: boolean;
  /** True if fees, nonces and the base fee are checked as in a block. */
  readonly validation: boolean;
  readonly returnFullTransactions: boolean;
}

/**
 * The first transactions of a block, to be executed again on the state of its parent: before calls that are made in the
 * middle of the block, or for a trace.
 */
export interface BlockReplay {
  /** RLP header of the block; for a pre-confirmed block, the header as far as it is known. */
  readonly header: Uint8Array;
  /**
   * Gas used by these transactions, from the last one's receipt; 0 if there are none. The header's `gasUsed` cannot be
   * used from Amsterdam on, because it is the larger of execution gas and state gas (EIP-8037).
   */
  readonly cumulativeGasUsed: bigint;
  readonly transactions: readonly AnnouncedTransaction[];
}

/**
 * Signed transactions that run consecutively in a block of their own. `blockOverride` sets that block's environment.
 */
export interface Bundle {
  /** RLP header of the block on whose state the bundle is executed. */
  readonly parentHeader: Uint8Array;
  /** True if the parent block is pre-confirmed, so that its gas used is not final. */
  readonly isPreConfirmed: boolean;
  /** Transactions as EIP-2718 bytes, as in a block. */
  readonly transactions: readonly Uint8Array[];
  /** Senders of the transactions, if already recovered. `null` marks an invalid signature. */
  readonly senders?: readonly (RecoveredSender | null)[];
  /** True if the result shows the state changes of each transaction. */
  readonly withStateDiff: boolean;
  /** True if the result has the form of base_meterBundle, with execution times. */
  readonly isMetered: boolean;
}

/**
 * Where a job reads its state and block environment: from a version in the shared state table, or from the archive at a
 * block.
 */
export type JobReadPosition =
  | { readonly kind: 'version'; readonly version: number }
  | { readonly kind: 'archive'; readonly block: number };

/**
 * One job for an estimator worker. `accessList` lists what the call accesses. `simulate` and `callMany` run the calls
 * in `blocks`; `trace` and `bundle` use the fields of those names.
 */
export interface Job {
  readonly kind: 'estimate' | 'call' | 'accessList' | 'simulate' | 'callMany' | 'trace' | 'bundle';
  readonly position: JobReadPosition;
  /** The call. If there are several, this is the first one; the job's cost is predicted from it. */
  readonly call: CallRequest;
  readonly stateOverride: readonly AccountOverride[];
  readonly blockOverride: BlockOverride | null;
  /** Calls of `simulate` and `callMany`; empty for other kinds. */
  readonly blocks?: readonly CallsInBlock[];
  /** Only for `simulate`. */
  readonly simulation?: SimulationParams;
  /** Only for `trace`. */
  readonly trace?: JobTrace;
  /** Only for `callMany` and `trace` within a block. `position` is then that of the block's parent. */
  readonly replay?: BlockReplay;
  /** Only for `bundle`. */
  readonly bundle?: Bundle;
  /**
   * True for a watched call, which is run again when state changes; its outcome is `watched`. It has the lowest
   * priority, because no client waits for it.
   */
  readonly isWatched?: true;
  /** Only for `accessList`: tip in wei per gas for a call that has none; 0 if absent. */
  readonly tip?: bigint;
  /** Largest amount of gas that the job may use (`--gas-cap`). */
  readonly gasCap: bigint;
  /** Milliseconds that the execution may take, counted from its start. */
  readonly timeoutMs: number;
}

/**
 * Outcome of a job.
 * `revert`: the raw revert data. `json`: the whole result; a long one is UTF-8 bytes if a worker made it.
 * `failure`: the complete error message. `foreign`: the account with non-EVM code.
 * `missing`: state that must be fetched from the upstream node before the job is run again.
 * `watched`: another outcome, and the state keys that it depends on.
 */
export type JobOutcome =
  | { readonly kind: 'gas'; readonly gas: bigint }
  | { readonly kind: 'return'; readonly data: Uint8Array }
  | { readonly kind: 'revert'; readonly data: Uint8Array }
  | { readonly kind: 'json'; readonly text: string | Uint8Array }
  | { readonly kind: 'failure'; readonly error: ErrorName; readonly message: string }
  | { readonly kind: 'foreign'; readonly address: Uint8Array }
  | { readonly kind: 'missing'; readonly missingKeys: MissingKeys }
  | { readonly kind: 'watched'; readonly outcome: JobOutcome; readonly reads: RecordedReadKeys };

/** The outcome of a job that has failed otherwise than by a revert. */
export type FailureOutcome = Extract<JobOutcome, { kind: 'failure' }>;

/** Makes the outcome of a job that fails with this message. */
export function failureOutcome(message: string, error: ErrorName = 'execution'): FailureOutcome {
  return { kind: 'failure', error, message };
}

/** Makes the outcome of a job that timed out, with go-ethereum's message. */
export function timeoutOutcome(timeoutMs: number): FailureOutcome {
  return failureOutcome(`execution aborted (timeout = ${duration(timeoutMs)})`, 'timeout');
}

/** Formats milliseconds as Go prints a duration: `5s`, `1.5s`, `250ms`, `1m30s`. */
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
