// The interface of an EVM engine, which executes messages. Transaction rules call it; the kernel and the reference
// engine implement it.
import type { Log } from '../state/complete-block.js';
import type { BlockEnv } from '../state/state-diff.js';
import type { AccessListEntry } from '../chain/access-list-entry.js';
import { SINGLE_FRAME_FINGERPRINT } from './call-tree-fingerprint.js';
import type { ReadSet } from './read-set.js';
import type { TraceHooks } from './trace-hooks.js';

/** The top-level message of a transaction whose EIP-7702 authorizations, if any, were already applied. */
export interface EvmMessage {
  /** Sender of the transaction, 20 bytes; also the result of ORIGIN. */
  readonly caller: Uint8Array;
  /** Recipient, 20 bytes; `null` if a contract is created. */
  readonly to: Uint8Array | null;
  readonly value: bigint;
  /**
   * Wei for gas and blobs. If set, the engine deducts this amount from the sender and increments the sender's nonce
   * before the first instruction. Undefined if the caller of the engine has already done both.
   */
  readonly upfront?: bigint | undefined;
  readonly data: Uint8Array;
  /** Result of GASPRICE, in wei per gas. */
  readonly gasPrice: bigint;
  readonly blobVersionedHashes: readonly Uint8Array[];
  /** Access list (EIP-2930). Its addresses and slots are warm from the start. */
  readonly accessList: readonly AccessListEntry[];
  /** Other addresses that are warm from the start (EIP-7702 authorities). */
  readonly warm: readonly Uint8Array[];
  /** Requires `readSet` and the indices of logs (TracerLogIndices) to be exact, even if frames run out of gas. */
  readonly isTraced?: boolean;
  /**
   * Requires `readSet` to contain exactly the accounts and slots that a block access list contains (EIP-7928): those
   * that instructions accessed and paid for, delegation targets (EIP-7702), and the addresses of attempted contract
   * creations. Sender, recipient and fee recipient are left out. `isTraced` may be set as well, to get exact indices of
   * the logs.
   */
  readonly isListed?: boolean;
  /** Requires the result of `apply` to contain a log for every transfer of ether, too (transfer-log.ts). */
  readonly logsTransfers?: boolean;
  /** Gas that can only pay for state gas, in addition to the gas limit (EIP-8037); none if absent. */
  readonly reservoir?: bigint;
  /**
   * Gas refund with which the message starts (EIP-7702 authorizations). Tracers include it in the refund counter that
   * they report. Zero if absent.
   */
  readonly refund?: bigint;
  /**
   * Set if `apply` need not write its changes to the state, because nobody reads the state afterwards. For a tracer that
   * sees changes, the changes of accounts are written nevertheless.
   */
  readonly isLast?: boolean;
  /** Hooks of a tracer; only for `apply`, absent if nothing is traced. */
  readonly hooks?: TraceHooks | undefined;
  /**
   * If true, the engine can leave out the output of a successful execution, because nobody reads it. Copying the output
   * takes as long as a short call.
   */
  readonly dropsOutput?: boolean;
}

/** A precompile that state overrides have moved to another address. `to` is `null` if it was removed. */
export interface PrecompileMove {
  readonly from: Uint8Array;
  readonly to: Uint8Array | null;
}

/** What all executions of one job (one RPC request) share. */
export interface ExecutionContext {
  readonly env: BlockEnv;
  /** Result of BLOBBASEFEE, in wei per blob gas. */
  readonly blobBaseFee: bigint;
  readonly precompileMoves: readonly PrecompileMove[];
  /** Returns the hash of block `number`; null if it is not known. */
  readonly blockHash: (number: number) => Uint8Array | null;
  /** Time of `performance.now()` at which the execution is aborted. */
  readonly deadline: number;
  /**
   * Called when code has read the block environment (with NUMBER, for example), so that its result might be different
   * in another block.
   */
  readonly onBlockRead?: (() => void) | undefined;
}

/** Why a frame halted exceptionally, with go-ethereum's text. */
export interface HaltReason {
  readonly text: string;
  /** True if the frame might have succeeded with more gas. */
  readonly outOfGas: boolean;
}

/** Result of an execution. Gas figures do not include the transaction's intrinsic gas. */
export interface Execution {
  /**
   * `aborted`: the deadline has passed. `foreign`: the execution called `nonEvmAddress`. In both cases, the other
   * fields have no meaning.
   */
  readonly status: 'success' | 'revert' | 'halt' | 'aborted' | 'foreign';
  /** Gas used, from the gas limit and from the state-gas reservoir. */
  readonly gasUsed: bigint;
  /** Part of the gas used that was state gas (EIP-8037). */
  readonly stateGas: bigint;
  readonly refund: bigint;
  /**
   * Minimum gas limit with which the execution would have done the same. Exact if the execution succeeded, had no
   * state-gas reservoir and is not `gasSensitive`.
   */
  readonly need: bigint;
  /** Set if nothing has run, because the gas was too low for the charges before the first frame (EIP-2780). */
  readonly isEntryUnpaid?: true;
  /**
   * True if `need` must be confirmed by another run: code has read its remaining gas, or a call that was given all
   * available gas has used it up.
   */
  readonly gasSensitive: boolean;
  /** True if a call made by code has halted exceptionally. */
  readonly hasHalts: boolean;
  /**
   * Fingerprint of the tree of calls: equal for two runs if their calls end in the same order, at the same depths and
   * with the same statuses (call-tree-fingerprint.ts).
   */
  readonly tree: number;
  /** Output of RETURN or REVERT. */
  readonly returnData: Uint8Array;
  /** Reason of the exceptional halt; only set if the status is `halt`. */
  readonly error: HaltReason | null;
  /** Account with non-EVM code that the execution has called (chain/non-evm-accounts.ts). */
  readonly nonEvmAddress?: Uint8Array;
}

/** Indices of a message's logs as go-ethereum's tracers assign them. Logs of failed frames are counted as well. */
export interface TracerLogIndices {
  /** Index of each log that was not reverted; the first log made has index 0. */
  readonly places: readonly number[];
  /** Number of all logs made, including reverted ones. */
  readonly made: number;
}

/** Result of `apply`, whose changes stay in the state, with what its caller must do at the end of the transaction. */
export interface AppliedMessage extends Execution {
  /** Logs in order; empty unless the message has succeeded. */
  readonly logs: readonly Log[];
  /** Indices of the logs; only for a message with `isTraced`. */
  readonly numbering?: TracerLogIndices;
  /**
   * Contracts to be removed at the end of the transaction because of SELFDESTRUCT. From Cancun on, only contracts that
   * this transaction created (EIP-6780).
   */
  readonly destroyed: readonly Uint8Array[];
  /**
   * Accounts to be removed at the end of the transaction if they are empty (EIP-161). The list may contain other
   * accounts, and duplicates.
   */
  readonly touched: readonly Uint8Array[];
}

/**
 * Executes messages on the state with which the engine was created. If an execution fails, it may leave open
 * checkpoints in the state.
 */
export interface EvmEngine {
  /**
   * Executes a message whose changes the caller will revert. Throws or rejects only with errors that the state throws.
   */
  execute(message: EvmMessage, context: ExecutionContext, gasLimit: bigint): Execution | Promise<Execution>;
  /**
   * Executes a message; its changes stay in the state if it succeeds. Destroyed and empty accounts are not removed: the
   * caller does that at the end of the transaction, with the lists in the result.
   */
  apply(message: EvmMessage, context: ExecutionContext, gasLimit: bigint): AppliedMessage | Promise<AppliedMessage>;
  /**
   * Returns the accounts and slots that the last execution has accessed. Meaningless if it was aborted or called
   * non-EVM code. If its message did not have `isTraced`, accesses by frames that ran out of gas may be missing.
   */
  readSet(): ReadSet;
  /** Approximate bytes outside the JavaScript heap that the engine retains between executions; 0 if absent. */
  readonly keptBytes?: number;
  /** If true, this engine must also execute messages that only transfer ether, which otherwise need no engine. */
  readonly runsAll?: boolean;
  /** True if there is a precompile at this address, after state overrides have moved some. */
  isPrecompile(address: Uint8Array, moves: readonly PrecompileMove[]): boolean;
}

/** Result of a message to an account without code. */
export const EMPTY_EXECUTION: Execution = {
  status: 'success',
  gasUsed: 0n,
  stateGas: 0n,
  refund: 0n,
  need: 0n,
  gasSensitive: false,
  hasHalts: false,
  tree: SINGLE_FRAME_FINGERPRINT,
  returnData: new Uint8Array(0),
  error: null,
};

/** Effects of a message that has changed nothing. */
export const NO_EFFECTS: Pick<AppliedMessage, 'logs' | 'destroyed' | 'touched'> = {
  logs: [],
  destroyed: [],
  touched: [],
};

/** Result of a message that did not start because there was not enough gas. */
export const OUT_OF_GAS_AT_ENTRY: AppliedMessage = {
  ...EMPTY_EXECUTION,
  status: 'halt',
  error: { text: 'out of gas', outOfGas: true },
  isEntryUnpaid: true,
  ...NO_EFFECTS,
};

/** Result of an execution whose deadline has passed. */
export const ABORTED_EXECUTION: Execution = { ...EMPTY_EXECUTION, status: 'aborted' };

/** Makes the result of an execution that has called a non-EVM account. */
export function nonEvmExecution(address: Uint8Array): Execution {
  return { ...EMPTY_EXECUTION, status: 'foreign', nonEvmAddress: address };
}
