// A question to the EVM and its answer, as plain data: what rpc/methods parses, pool/estimator/codec carries and
// execution/call runs. Runs on main and on the estimators.
import type { AccessListEntry } from '../chain/block/access-list.js';
import type { ErrorName } from '../errors.js';
import type { PublishedTransaction, Withdrawal } from '../state/block.js';
import type { Sender } from './sender.js';
import type { Reads } from '../state/views/reads.js';
import type { Wants } from '../state/views/recording-view.js';
import type { Trace } from './trace-request.js';

/** EIP-7702 authorisation tuple as received; an invalid one is paid for and skipped. */
export interface Authorization {
  readonly chainId: bigint;
  readonly address: Uint8Array;
  readonly nonce: bigint;
  readonly yParity: bigint;
  readonly r: bigint;
  readonly s: bigint;
}

/** The transaction object of methods that run code, after validation. `null`: not given. Fees in wei. */
export interface CallRequest {
  /** 20 bytes; the zero address when not given. */
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
  /** Read by eth_simulateV1 and eth_createAccessList alone; absent: the sender's. */
  readonly nonce?: bigint;
}

/** Nothing to nobody by nobody: stands for the call of a job that has none. */
export const EMPTY_CALL: CallRequest = {
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

/** State override of one account (go-ethereum's `OverrideAccount`). `state` replaces all storage, `stateDiff` some. */
export interface AccountOverride {
  readonly address: Uint8Array;
  readonly nonce?: bigint;
  readonly balance?: bigint;
  readonly code?: Uint8Array;
  readonly state?: readonly (readonly [slot: Uint8Array, value: Uint8Array])[];
  readonly stateDiff?: readonly (readonly [slot: Uint8Array, value: Uint8Array])[];
  readonly movePrecompileToAddress?: Uint8Array;
}

/** Block override (go-ethereum's `BlockOverrides`, and hashes as anvil takes them). */
export interface BlockOverride {
  readonly number?: bigint;
  readonly difficulty?: bigint;
  readonly time?: bigint;
  readonly gasLimit?: bigint;
  readonly feeRecipient?: Uint8Array;
  readonly prevRandao?: Uint8Array;
  readonly baseFeePerGas?: bigint;
  readonly blobBaseFee?: bigint;
  /** Answers of BLOCKHASH for these numbers, 32 bytes each. */
  readonly blockHash?: readonly (readonly [number: bigint, hash: Uint8Array])[];
  /** These two by eth_simulateV1 alone. 32 bytes. */
  readonly beaconRoot?: Uint8Array;
  readonly withdrawals?: readonly Withdrawal[];
}

/** Calls that run one after another on what the former have left, in one block environment. */
export interface CallBlock {
  readonly stateOverride: readonly AccountOverride[];
  readonly blockOverride: BlockOverride | null;
  readonly calls: readonly CallRequest[];
}

/** Parameters of eth_simulateV1 besides its blocks. */
export interface Simulation {
  /** RLP header of the block that the first one follows. */
  readonly parentHeader: Uint8Array;
  /** That block is pre-confirmed: its header lacks what only a complete one has, and it has no hash. */
  readonly isPreConfirmed: boolean;
  readonly traceTransfers: boolean;
  /** Fees, nonces and base fee count as in a block. */
  readonly validation: boolean;
  readonly returnFullTransactions: boolean;
}

/** The first transactions of a block, executed again on the state of its parent, before the calls of `callMany` or for a trace. */
export interface Replay {
  /** RLP; of a pre-confirmed block what is known of it. */
  readonly header: Uint8Array;
  /**
   * Of the last transaction's receipt; 0 without one. From Amsterdam on the header's `gasUsed` is another number, the
   * greater of two dimensions (EIP-8037).
   */
  readonly cumulativeGasUsed: bigint;
  readonly transactions: readonly PublishedTransaction[];
}

/** Signed transactions that follow one another in a block of their own. Its environment: see `blockOverride` of the job. */
export interface Bundle {
  /** RLP header of the block whose state they begin with. */
  readonly parentHeader: Uint8Array;
  /** That block is pre-confirmed: its gas is not final. */
  readonly isPreConfirmed: boolean;
  /** EIP-2718 bytes as a block holds them. */
  readonly transactions: readonly Uint8Array[];
  /** Their senders, where they have been recovered; `null`: there is none. */
  readonly senders?: readonly (Sender | null)[];
  /** The answer has what each transaction changes, too. */
  readonly withStateDiff: boolean;
  /** The answer is that of base_meterBundle, with times. */
  readonly isMetered: boolean;
}

/** Source of a job's state and block environment: a table version, or the archive as of a block. */
export type JobPosition =
  | { readonly kind: 'version'; readonly version: number }
  | { readonly kind: 'archive'; readonly block: number };

/**
 * One question to an estimator. `accessList`: what the call reads; `simulate` and `callMany`: see `blocks`; `trace` and
 * `bundle`: see the fields of those names.
 */
export interface Job {
  readonly kind: 'estimate' | 'call' | 'accessList' | 'simulate' | 'callMany' | 'trace' | 'bundle';
  readonly position: JobPosition;
  /** Of several calls the first: by it costs are known. */
  readonly call: CallRequest;
  readonly stateOverride: readonly AccountOverride[];
  readonly blockOverride: BlockOverride | null;
  /** Calls of `simulate` and `callMany`; empty for others. */
  readonly blocks?: readonly CallBlock[];
  /** Of `simulate` alone. */
  readonly simulation?: Simulation;
  /** Of `trace` alone. */
  readonly trace?: Trace;
  /** Of `callMany` and `trace`, inside of a block: the position is its parent's. */
  readonly replay?: Replay;
  /** Of `bundle` alone. */
  readonly bundle?: Bundle;
  /** The outcome is `watched`; the job waits behind all others, as nobody has asked for it now. */
  readonly isWatched?: true;
  /** Of `accessList` alone: the tip for a call that names none, wei per gas; absent: 0. */
  readonly tip?: bigint;
  /** Upper bound on gas for calls and estimates (`--gas-cap`). */
  readonly gasCap: bigint;
  /** Time allowed for execution, milliseconds, counted from the start of execution. */
  readonly timeoutMs: number;
}

/**
 * The answer to a job. `revert` carries the raw revert bytes, `json` the whole result, as UTF-8 where a long one
 * has come from an estimator, `failure` the complete message text; `foreign` the account whose code is not the EVM's;
 * `missing` what has to be read from the upstream node before the job is run again; `watched` another outcome and what that
 * hangs on.
 */
export type Outcome =
  | { readonly kind: 'gas'; readonly gas: bigint }
  | { readonly kind: 'return'; readonly data: Uint8Array }
  | { readonly kind: 'revert'; readonly data: Uint8Array }
  | { readonly kind: 'json'; readonly text: string | Uint8Array }
  | { readonly kind: 'failure'; readonly error: ErrorName; readonly message: string }
  | { readonly kind: 'foreign'; readonly address: Uint8Array }
  | { readonly kind: 'missing'; readonly wants: Wants }
  | { readonly kind: 'watched'; readonly outcome: Outcome; readonly reads: Reads };

/** The answer to a job whose time has run out, in go-ethereum's words. */
export function timedOut(timeoutMs: number): Extract<Outcome, { kind: 'failure' }> {
  return { kind: 'failure', error: 'timeout', message: `execution aborted (timeout = ${duration(timeoutMs)})` };
}

/** Milliseconds as Go prints a duration: `5s`, `1.5s`, `250ms`, `1m30s`. */
function duration(ms: number): string {
  if (ms < 1000) return `${ms}ms`;
  const minutes = Math.floor(ms / 60_000);
  const seconds = `${(ms % 60_000) / 1000}s`;
  return minutes === 0 ? seconds : `${minutes}m${seconds}`;
}

/** True if the job was broken off because its time had run out. */
export function isTimeout(outcome: Outcome): boolean {
  if (outcome.kind === 'watched') return isTimeout(outcome.outcome);
  return outcome.kind === 'failure' && outcome.error === 'timeout';
}
