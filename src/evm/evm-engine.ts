// The interface of an engine, which executes messages: it is between the rules of a transaction and an EVM.
import type { Log } from '../state/complete-block.js';
import type { BlockEnv } from '../state/state-diff.js';
import type { AccessListEntry } from '../chain/access-list-entry.js';
import { SINGLE_FRAME_FINGERPRINT } from './call-tree-fingerprint.js';
import type { ReadSet } from './read-set.js';
import type { TraceHooks } from './trace-hooks.js';

/** The message of a transaction, after its authorizations were applied. */
export interface EvmMessage {
  /** The sender, 20 bytes, which is also the origin. */
  readonly caller: Uint8Array;
  /** The recipient; `null` if a contract is created. */
  readonly to: Uint8Array | null;
  readonly value: bigint;
  /** Wei paid for gas and blobs before the first instruction, as the nonce is raised; undefined if both are done. */
  readonly upfront?: bigint | undefined;
  readonly data: Uint8Array;
  /** Result of GASPRICE in wei per gas. */
  readonly gasPrice: bigint;
  readonly blobVersionedHashes: readonly Uint8Array[];
  /** EIP-2930 entries, which are warm from the start. */
  readonly accessList: readonly AccessListEntry[];
  /** Further addresses that are warm from the start (EIP-7702 authorities). */
  readonly warm: readonly Uint8Array[];
  /** `readSet` and `numbering` must be exact, even if frames run out of gas. */
  readonly isTraced?: boolean;
  /**
   * `readSet` must have exactly what a block access list contains (EIP-7928): accounts and slots whose access was paid
   * for, delegates, and contracts that instructions would have created, without sender, recipient and fee recipient.
   * With `isTraced` the logs are numbered as well.
   */
  readonly isListed?: boolean;
  /** The result of `apply` must also have a log of every transfer of ether (transfer-log.ts). */
  readonly logsTransfers?: boolean;
  /** Gas that can only pay for state, in addition to the limit (EIP-8037); none if absent. */
  readonly reservoir?: bigint;
  /** Refund that is due before the message runs (EIP-7702), which traced steps show; none if absent. */
  readonly refund?: bigint;
  /** The changes of `apply` need not be written to the state, because nobody reads it afterwards. */
  readonly isLast?: boolean;
  /** Hooks of a tracer, for `apply` only; absent if there is no tracer. */
  readonly hooks?: TraceHooks | undefined;
  /** A success may be returned without its output, which nobody needs: copying it takes as long as a short call. */
  readonly dropsOutput?: boolean;
}

/** A precompile that state overrides have moved to another address; `to` is `null` if it is removed. */
export interface PrecompileMove {
  readonly from: Uint8Array;
  readonly to: Uint8Array | null;
}

/** What all executions of one job share. */
export interface ExecutionContext {
  readonly env: BlockEnv;
  /** Result of BLOBBASEFEE in wei per blob gas. */
  readonly blobBaseFee: bigint;
  readonly precompileMoves: readonly PrecompileMove[];
  /** Returns the hash of block `number`, or null if it is not known. */
  readonly blockHash: (number: number) => Uint8Array | null;
  /** Time of `performance.now()` at which execution is aborted. */
  readonly deadline: number;
  /** Called when code has read something about its block, so that it might behave differently in another one. */
  readonly onBlockRead?: (() => void) | undefined;
}

/** Why a frame halted, in go-ethereum's words. */
export interface HaltReason {
  readonly text: string;
  /** True if more gas might have helped. */
  readonly outOfGas: boolean;
}

/** Result of an execution. Gas does not include what the transaction costs before it starts. */
export interface Execution {
  /** `aborted`: the deadline has passed. `foreign`: `nonEvmAddress` was called. The other fields then mean nothing. */
  readonly status: 'success' | 'revert' | 'halt' | 'aborted' | 'foreign';
  /** Gas used of the limit and of the reservoir. */
  readonly gasUsed: bigint;
  /** The part of it that is state gas (EIP-8037). */
  readonly stateGas: bigint;
  readonly refund: bigint;
  /** The minimum gas with which the same happens: after a success without a reservoir, exact unless `gasSensitive`. */
  readonly need: bigint;
  /** Set if the gas was not enough for what a message pays before its first frame, so nothing has run (EIP-2780). */
  readonly isEntryUnpaid?: true;
  /** True if the code has read its gas, or a call given all gas has used it up. `need` must then be confirmed. */
  readonly gasSensitive: boolean;
  /** True if a frame that code has called has halted. */
  readonly hasHalts: boolean;
  /** Number of the tree of calls: equal if all frames at their depths have ended alike (call-tree-fingerprint.ts). */
  readonly tree: number;
  /** The output of a return or of a revert. */
  readonly returnData: Uint8Array;
  /** Set if the status is `halt`. */
  readonly error: HaltReason | null;
  /** The account with non-EVM code (chain/non-evm-accounts.ts), if the execution has called one. */
  readonly nonEvmAddress?: Uint8Array;
}

/** Numbers of a message's logs as go-ethereum's tracers assign them, where logs of failed frames count as well. */
export interface LogNumbering {
  /** The number of each remaining log, from 0 on. */
  readonly places: readonly number[];
  /** Number of logs that were made. */
  readonly made: number;
}

/** The result of a message whose changes stay, and what remains to be done at the end of its transaction. */
export interface AppliedMessage extends Execution {
  /** Logs in order; none unless the message has succeeded. */
  readonly logs: readonly Log[];
  /** Numbers of the logs of a message with `isTraced`. */
  readonly numbering?: LogNumbering;
  /** Contracts to be removed as destroyed: from Cancun on, only those that the transaction created (EIP-6780). */
  readonly destroyed: readonly Uint8Array[];
  /** Accounts to be removed if they are empty then (EIP-161). The list may contain others, and one twice. */
  readonly touched: readonly Uint8Array[];
}

/** Executes messages on the state with which it was created. After a failure, it may leave checkpoints open. */
export interface EvmEngine {
  /** Executes a message; the caller reverts its changes. Throws or rejects only with what the state throws. */
  execute(message: EvmMessage, context: ExecutionContext, gasLimit: bigint): Execution | Promise<Execution>;
  /**
   * Executes a message whose changes stay in the state if it succeeds. Nothing is removed: the caller does that at the
   * end of the transaction, for the accounts in the result.
   */
  apply(message: EvmMessage, context: ExecutionContext, gasLimit: bigint): AppliedMessage | Promise<AppliedMessage>;
  /**
   * State that the last execution has accessed. It means nothing if that was aborted or called non-EVM code. If its
   * message did not have `isTraced`, state that was accessed by frames which ran out of gas may be missing.
   */
  readSet(): ReadSet;
  /** Approximate bytes outside of the JavaScript heap that the engine retains between executions; 0 if absent. */
  readonly keptBytes?: number;
  /** If absent or false, a message that only transfers ether need not be executed by this engine. */
  readonly runsAll?: boolean;
  /** True if there is a precompile at this address after the moves. */
  isPrecompile(address: Uint8Array, moves: readonly PrecompileMove[]): boolean;
}

/** The result of a message that finds no code. */
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

/** The result of a message for which there was not enough gas to start. */
export const OUT_OF_GAS_EXECUTION: AppliedMessage = {
  ...EMPTY_EXECUTION,
  status: 'halt',
  error: { text: 'out of gas', outOfGas: true },
  isEntryUnpaid: true,
  logs: [],
  destroyed: [],
  touched: [],
};

/** The result of an execution whose deadline has passed. */
export const ABORTED_EXECUTION: Execution = { ...EMPTY_EXECUTION, status: 'aborted' };

/** The result of an execution that has called a non-EVM account. */
export function nonEvmExecution(address: Uint8Array): Execution {
  return { ...EMPTY_EXECUTION, status: 'foreign', nonEvmAddress: address };
}
