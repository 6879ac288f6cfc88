// An engine executes messages: the interface between the rules of a transaction and an EVM.
import type { Log } from '../state/block.js';
import type { BlockEnv } from '../state/diff.js';
import type { AccessListEntry } from '../chain/access-list-entry.js';
import { SINGLE_FRAME } from './call-tree.js';
import type { ReadSet } from './read-set.js';
import type { TraceHooks } from './trace-hooks.js';

/** A message that a transaction has become, its authorisations applied. */
export interface EvmMessage {
  /** 20 bytes; also the origin. */
  readonly caller: Uint8Array;
  /** `null` creates a contract. */
  readonly to: Uint8Array | null;
  readonly value: bigint;
  /**
   * Wei that the sender pays for gas and blobs before the first instruction; its nonce is raised then. Undefined where
   * the state has both already.
   */
  readonly upfront?: bigint | undefined;
  readonly data: Uint8Array;
  /** Wei per gas that GASPRICE answers. */
  readonly gasPrice: bigint;
  readonly blobVersionedHashes: readonly Uint8Array[];
  /** EIP-2930 entries, warm from the start. */
  readonly accessList: readonly AccessListEntry[];
  /** Further addresses that are warm from the start (EIP-7702 authorities). */
  readonly warm: readonly Uint8Array[];
  /** `readSet` and `numbering` are exact, also where frames run out of gas. */
  readonly isTraced?: boolean;
  /**
   * `readSet` has what a block access list names (EIP-7928), exactly: accounts and slots whose access was paid for,
   * delegates, contracts that instructions were to make; without sender, receiver and fee recipient. With `isTraced`
   * the logs are numbered, too.
   */
  readonly isListed?: boolean;
  /** The result of `apply` has a log of every move of ether, too (transfer-log.ts). */
  readonly logsTransfers?: boolean;
  /** Gas that pays for state alone, beside the limit (EIP-8037); absent: none. */
  readonly reservoir?: bigint;
  /** Refund that is due before it runs (EIP-7702), which traced steps show; absent: none. */
  readonly refund?: bigint;
  /** What `apply` changes need not come into the state: nobody looks at it afterwards. */
  readonly isLast?: boolean;
  /** Hooks of the tracer that listens to it, of `apply` alone; absent: nobody listens. */
  readonly hooks?: TraceHooks;
  /** A success may come without its output: nobody looks at it, and to copy it takes as long as a short call. */
  readonly dropsOutput?: boolean;
}

/** A precompile that state overrides have taken from its address; `to: null` when it is gone altogether. */
export interface PrecompileMove {
  readonly from: Uint8Array;
  readonly to: Uint8Array | null;
}

/** All that executions of one job share. */
export interface ExecutionContext {
  readonly env: BlockEnv;
  /** Wei per blob gas that BLOBBASEFEE answers. */
  readonly blobBaseFee: bigint;
  readonly precompileMoves: readonly PrecompileMove[];
  /** Hash of block `number`, or null when it is not known. */
  readonly blockHash: (number: number) => Uint8Array | null;
  /** `performance.now()` at which execution is broken off. */
  readonly deadline: number;
  /** Called when code has asked about its block: what it does may be another thing in another one. */
  readonly onBlockRead?: (() => void) | undefined;
}

/** Reason for which a frame halted, in go-ethereum's words. */
export interface HaltReason {
  readonly text: string;
  /** More gas might have helped. */
  readonly outOfGas: boolean;
}

/** Result of an execution. Gas does not include what the transaction costs before it starts. */
export interface Execution {
  /**
   * `aborted`: the deadline passed; `nonEvmAddress`: it has come to `nonEvmAddress`. Nothing else in here means
   * anything then.
   */
  readonly status: 'success' | 'revert' | 'halt' | 'aborted' | 'foreign';
  /** Of the limit and of the reservoir. */
  readonly gasUsed: bigint;
  /** State gas of that (EIP-8037). */
  readonly stateGas: bigint;
  readonly refund: bigint;
  /**
   * The least gas with which the same execution takes place; meaningful after a success without a reservoir, and exact
   * unless
   * `gasSensitive`.
   */
  readonly need: bigint;
  /** Gas lacked for what a message pays before its first frame: nothing of its transaction has begun (EIP-2780). */
  readonly isEntryUnpaid?: true;
  /** The code looked at its gas, or a call that was given all gas used it up: `need` has to be checked. */
  readonly gasSensitive: boolean;
  /** A frame that code has called has halted. */
  readonly hasHalts: boolean;
  /**
   * Number of the call tree: equal for two executions whose frames, each at its depth, have ended the same way
   * (call-tree.ts).
   */
  readonly tree: number;
  /** Returned, or given with a revert. */
  readonly returnData: Uint8Array;
  /** Set when `halt`. */
  readonly error: HaltReason | null;
  /** Account whose code is not the EVM's (chain/non-evm.ts), of `nonEvmAddress` alone. */
  readonly nonEvmAddress?: Uint8Array;
}

/** Numbers of a message's logs as go-ethereum's tracers give them: those of frames that have failed count too. */
export interface LogNumbering {
  /** The number of each log that is left, from 0. */
  readonly places: readonly number[];
  /** Logs that were made. */
  readonly made: number;
}

/** A message whose changes stay, and what is left to be done about them at the end of its transaction. */
export interface Applied extends Execution {
  /** In order; none but after a success. */
  readonly logs: readonly Log[];
  /** Numbers of the logs of a message with `isTraced`. */
  readonly numbering?: LogNumbering;
  /** Contracts to be removed: those destroyed, from Cancun on only if the transaction created them (EIP-6780). */
  readonly destroyed: readonly Uint8Array[];
  /** Accounts to be removed if they are empty then (EIP-161). May name others besides, and one twice. */
  readonly touched: readonly Uint8Array[];
}

/** Executes messages on the state that it was made with. A failure may leave change sets of its own open. */
export interface EvmEngine {
  /** Executes a message; the caller undoes what it changes. Throws or rejects only with what the state throws. */
  execute(message: EvmMessage, context: ExecutionContext, gasLimit: bigint): Execution | Promise<Execution>;
  /**
   * Executes a message whose changes stay in the state, if it succeeds. Nothing is removed: the caller does that at the
   * end of the transaction, for what the answer names.
   */
  apply(message: EvmMessage, context: ExecutionContext, gasLimit: bigint): Applied | Promise<Applied>;
  /**
   * State that the last execution has named; means nothing when that was aborted or foreign. Without `isTraced` of its
   * message some may be missing that frames which ran out of gas have named.
   */
  readSet(): ReadSet;
  /**
   * Memory outside of the JavaScript heap that the engine keeps from one execution to the next, bytes, about; absent:
   * none.
   */
  readonly keptBytes?: number;
  /** Absent or false: a message that only moves ether need not come here. */
  readonly runsAll?: boolean;
  /** True if a precompile is at this address after the moves. */
  isPrecompile(address: Uint8Array, moves: readonly PrecompileMove[]): boolean;
}

/** The execution of a message that finds no code. */
export const NOTHING_RUN: Execution = {
  status: 'success',
  gasUsed: 0n,
  stateGas: 0n,
  refund: 0n,
  need: 0n,
  gasSensitive: false,
  hasHalts: false,
  tree: SINGLE_FRAME,
  returnData: new Uint8Array(0),
  error: null,
};

/** The message for which gas has lacked before it began. */
export const OUT_OF_GAS_RUN: Applied = {
  ...NOTHING_RUN,
  status: 'halt',
  error: { text: 'out of gas', outOfGas: true },
  isEntryUnpaid: true,
  logs: [],
  destroyed: [],
  touched: [],
};

/** The execution whose deadline has passed. */
export const ABORTED: Execution = { ...NOTHING_RUN, status: 'aborted' };

/** The execution that has come to a foreign account. */
export function nonEvmExecution(address: Uint8Array): Execution {
  return { ...NOTHING_RUN, status: 'foreign', nonEvmAddress: address };
}
