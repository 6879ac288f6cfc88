// The engine that executes messages on the kernel. The reference engine executes what the kernel does not support.
import { EVMError } from '@ethereumjs/evm';
import {
  ABORTED_EXECUTION,
  NO_EFFECTS,
  nonEvmExecution,
  type AppliedMessage,
  type EvmEngine,
  type Execution,
  type ExecutionContext,
  type EvmMessage,
  type PrecompileMove,
  type HaltReason,
  type TracerLogIndices,
} from '../evm-engine.js';
import { ReferenceEngine, type ReferenceEngineDeps } from '../reference/reference-engine.js';
import { codeLimits } from '../../chain/code-limits.js';
import type { ReadSet } from '../read-set.js';
import type { TraceHooks } from '../trace-hooks.js';
import type { ForkRules } from '../reference/fork-rules.js';
import type { JournaledState } from '../journal/journaled-state.js';
import { payUpfrontAndRaiseNonce } from '../journal/upfront-payment.js';
import {
  ETHEREUMJS_CODE_STORE_OUT_OF_GAS,
  codeTooLongReason,
  frameHaltReason,
  haltReasonOfEthereumjsError,
} from '../geth-vm-error-text.js';
import * as ACCOUNT from './assembly/shared/account-fields.js';
import * as CODE from './assembly/shared/code-fields.js';
import * as LAYOUT from './assembly/shared/memory-layout.js';
import * as LOG from './assembly/shared/log-fields.js';
import * as SLOT from './assembly/shared/slot-fields.js';
import * as STATUS from './assembly/shared/status.js';
import { whenReady } from '../../lib/threads/sync-or-async.js';
import { JIT_BOUNDS, JitCompiler, type JitBounds } from './compiler/jit-compiler.js';
import { HooksHost } from './tracer-hooks-host.js';
import type { Kernel } from './kernel.js';
import { isKernelFork, writeKernelRules } from './write-fork-rules.js';
import { StateHost } from './state-host.js';
import { ADDRESS_BYTES, WORD_BYTES, EMPTY_BYTES } from '../../lib/bytes/big-endian.js';
import { keccak256 } from '../../lib/bytes/keccak-wasm.js';

/**
 * Why the reference engine executed a message: a fork before London; numbers or input beyond the kernel's limits;
 * precompiles moved by overrides; code on the denylist, for which the kernel has given a wrong result; a full table or
 * memory region; a trap in WebAssembly; or no memory for a kernel.
 */
export type FallbackReason = 'fork' | 'bounds' | 'moved-precompile' | 'denylisted' | 'full' | 'trap' | 'memory';

export interface KernelEngineDeps extends ReferenceEngineDeps {
  readonly onFallback?: (reason: FallbackReason) => void;
  /** Returns true if code with this hash must not run on the kernel. Undefined while the denylist is empty. */
  readonly isDenylisted?: ((codeHash: Uint8Array) => boolean) | undefined;
  /** When to compile basic blocks; by default as in LIMITS. `null` for never. */
  readonly compile?: JitBounds | null;
  /** Called after compiling, with the number of compiled traces. */
  readonly onCompiled?: (traces: number) => void;
}

type Ran = number | FallbackReason;

const { errorMessages: LIBRARY } = EVMError;
const TWO_63 = 1n << 63n;
const TWO_64 = 1n << 64n;

/** Names of errors that WebAssembly throws only if the kernel or compiled code has a bug. */
const BUGS: ReadonlySet<string> = new Set(['RuntimeError', 'CompileError', 'LinkError']);

/** One kernel for one fork on one thread. All executions on its state use it, one after another. */
export class KernelEngine implements EvmEngine {
  readonly #deps: KernelEngineDeps;
  readonly #rules: ForkRules;
  readonly #isOfFork: boolean;
  readonly #warmsCoinbase: boolean;
  readonly #hasStateGas: boolean;
  readonly #state: JournaledState;
  readonly #reference: ReferenceEngine;
  /**
   * Reference engine for code on the denylist, for which the kernel has given a wrong result. It uses the JavaScript
   * precompiles, because a native precompile may be the cause.
   */
  #denylistEngine: ReferenceEngine | null = null;
  #host: StateHost;
  readonly #hooksHost: HooksHost;
  #kernel: Kernel;
  #compiler: JitCompiler | null = null;
  /** Block environment that was last written to the kernel's memory. */
  #written: Pick<ExecutionContext, 'env' | 'blobBaseFee'> | null = null;
  #precompileError: string = LIBRARY.OUT_OF_GAS;
  /**
   * True if the last message had `isListed` set: `readSet` must then return exactly what a block access list contains
   * (EIP-7928).
   */
  #isListed = false;
  /** The reference engine, if it executed the last message; `null` if the kernel did. */
  #lastReference: ReferenceEngine | null = null;

  constructor(deps: KernelEngineDeps) {
    this.#deps = deps;
    this.#rules = deps.rules;
    this.#isOfFork = isKernelFork(deps.rules);
    this.#warmsCoinbase = deps.rules.common.isActivatedEIP(3651);
    this.#hasStateGas = deps.rules.common.isActivatedEIP(8037);
    this.#state = deps.state;
    // `#run` already calls `onMessage` for the messages that the reference engine executes.
    this.#reference = new ReferenceEngine({ ...deps, onMessage: () => undefined });
    this.#hooksHost = new HooksHost({
      haltText: (reason) => this.#haltReason(reason).text,
      abort: (error) => this.#host.abort(error),
    });
    this.#host = this.#start();
    this.#kernel = this.#host.kernel;
  }

  /** Executes a message; synchronously, unless a precompile or the reference engine has to be awaited. */
  execute(message: EvmMessage, context: ExecutionContext, gasLimit: bigint): Execution | Promise<Execution> {
    const status = this.#run(message, context, gasLimit, false);
    const { dropsOutput } = message;
    if (typeof status === 'number') return this.#execution(status, message, gasLimit, dropsOutput);
    if (typeof status === 'string') return this.#fallBack(status).execute(message, context, gasLimit);
    return status.then((later) => {
      if (typeof later === 'number') return this.#execution(later, message, gasLimit, dropsOutput);
      return this.#fallBack(later).execute(message, context, gasLimit);
    });
  }

  apply(message: EvmMessage, context: ExecutionContext, gasLimit: bigint): AppliedMessage | Promise<AppliedMessage> {
    return whenReady(this.#run(message, context, gasLimit, true), (status) => {
      if (typeof status === 'number') return this.#applied(message, status, gasLimit);
      message.hooks?.restarted();
      return this.#fallBack(status).apply(message, context, gasLimit);
    });
  }

  #applied(message: EvmMessage, status: number, gasLimit: bigint): AppliedMessage {
    const execution = this.#execution(status, message, gasLimit);
    if (message.hooks?.seesState === true) this.#reportAccesses(message.hooks);
    const numbering = message.isTraced === true ? { numbering: this.#numbering(status) } : null;
    const { logs, destroyed, touched } = this.#left(message, status);
    // The spread comes last, because on Node.js 20 it takes some 3 us to add a member after a spread.
    return { logs, destroyed, touched, ...numbering, ...execution };
  }

  /**
   * Returns the message's logs, and the accounts to remove at the end of its transaction. Writes the message's changes
   * to the state.
   */
  #left(message: EvmMessage, status: number): Pick<AppliedMessage, 'logs' | 'destroyed' | 'touched'> {
    const isLast = message.isLast === true;
    if (isLast && message.hooks?.seesChanges !== true) return NO_EFFECTS;
    if (status !== STATUS.SUCCESS) {
      payUpfrontAndRaiseNonce(message, this.#state);
      return NO_EFFECTS;
    }
    if (isLast) return { logs: [], ...this.#keepAccounts() };
    return { logs: this.#logEntries().map((at) => this.#kernel.logAt(at)), ...this.#keep() };
  }

  readSet(): ReadSet {
    if (this.#lastReference !== null) return this.#lastReference.readSet();
    const flags = ACCOUNT.REACHED | (this.#isListed ? ACCOUNT.IN_BLOCK_ACCESS_LIST : 0);
    return { accounts: this.#accounts(flags), slots: this.#reachedSlots() };
  }

  isPrecompile(address: Uint8Array, moves: readonly PrecompileMove[]): boolean {
    return this.#reference.isPrecompile(address, moves);
  }

  /** Implements `EvmEngine`: memory that the kernel has written to, and compiled code. */
  get keptBytes(): number {
    return this.#kernel.run.writtenMemoryBytes() + (this.#compiler?.keptBytes ?? 0);
  }

  /** Creates and prepares a kernel. */
  #start(): StateHost {
    const host = new StateHost(this.#state, this.#rules.nonEvm, this.#hooksHost);
    const { kernel } = host;
    writeKernelRules(kernel, this.#rules, (number) => this.#reference.isPrecompile(addressOf(number), []));
    this.#hooksHost.connect(kernel);
    const { compile = JIT_BOUNDS } = this.#deps;
    kernel.run.setJitThreshold(compile?.runs ?? 0);
    this.#compiler = compile === null ? null : new JitCompiler(kernel, compile);
    this.#written = null;
    return host;
  }

  #fallBack(reason: FallbackReason): ReferenceEngine {
    this.#deps.onFallback?.(reason);
    if (reason !== 'denylisted') return (this.#lastReference = this.#reference);
    return (this.#lastReference = this.#denylistEngine ??=
      new ReferenceEngine({ rules: this.#rules, state: this.#state }));
  }

  /**
   * Runs the kernel. Returns how the message ended (status.ts), or why the reference engine must execute it. Rethrows
   * errors of the state.
   */
  #run(message: EvmMessage, context: ExecutionContext, gasLimit: bigint, withLogs: boolean): Ran | Promise<Ran> {
    this.#deps.onMessage?.();
    this.#lastReference = null;
    const unfit = this.#unfit(message, context, gasLimit);
    if (unfit !== null) return unfit;
    try {
      const status = this.#begin(message, context, gasLimit, withLogs);
      return status === STATUS.PRECOMPILE ? this.#goOn(context) : this.#settled(status, context);
    } catch (error) {
      return this.#trapped(error);
    }
  }

  /** Runs each precompile that the kernel requests, until the message ends. */
  async #goOn(context: ExecutionContext): Promise<Ran> {
    try {
      let status: number = STATUS.PRECOMPILE;
      while (status === STATUS.PRECOMPILE) status = await this.#precompile(context);
      return this.#settled(status, context);
    } catch (error) {
      return this.#trapped(error);
    }
  }

  #settled(status: number, { onBlockRead }: ExecutionContext): Ran {
    const kernel = this.#kernel;
    if (kernel.u32At(LAYOUT.RESULT + LAYOUT.RESULT_READS_BLOCK_ENV) !== 0) onBlockRead?.();
    if (status === STATUS.STATE_MISS) throw this.#host.takeThrown();
    return status === STATUS.TABLE_FULL ? 'full' : status;
  }

  /** Handles an error. A WebAssembly trap is a bug: the kernel instance is replaced. Any other error is rethrown. */
  #trapped(error: unknown): Ran {
    if (!(error instanceof Error && BUGS.has(error.name))) throw error;
    this.#host = this.#start();
    this.#kernel = this.#host.kernel;
    return 'trap';
  }

  #unfit(message: EvmMessage, context: ExecutionContext, gasLimit: bigint): FallbackReason | null {
    const { data, blobVersionedHashes } = message;
    const { INPUT_MAX, BLOBS_MAX } = this.#kernel.limits;
    if (!this.#isOfFork) return 'fork';
    if (context.precompileMoves.length > 0) return 'moved-precompile';
    if (gasLimit >= TWO_63 || context.env.gasLimit >= TWO_64) return 'bounds';
    if (data.length > INPUT_MAX || blobVersionedHashes.length > BLOBS_MAX) return 'bounds';
    const { isDenylisted } = this.#deps;
    if (isDenylisted === undefined) return null;
    const codeHash = messageCodeHash(message, this.#state);
    return codeHash !== null && isDenylisted(codeHash) ? 'denylisted' : null;
  }

  #begin(message: EvmMessage, context: ExecutionContext, gasLimit: bigint, withLogs: boolean): number {
    const { run } = this.#kernel;
    if (!this.#host.begin(context)) return STATUS.TABLE_FULL;
    this.#isListed = message.isListed === true;
    this.#hooksHost.begin(message.hooks ?? null);
    this.#writeEnvironment(context);
    this.#writeMessage(message, context, gasLimit, withLogs);
    if (this.#warm(message)) return this.#compiling(run.runMessage());
    return this.#host.thrown === null ? STATUS.TABLE_FULL : STATUS.STATE_MISS;
  }

  /** Compiles the basic block that has become hot, and resumes the kernel. */
  #compiling(ranStatus: number): number {
    let status = ranStatus;
    while (status === STATUS.HOT_BLOCK_REACHED) {
      const traces = this.#compiler!.compile();
      this.#deps.onCompiled?.(traces);
      status = this.#kernel.run.resumeAfterHotBlock();
    }
    return status;
  }

  #writeEnvironment({ env, blobBaseFee }: ExecutionContext): void {
    if (env === this.#written?.env && blobBaseFee === this.#written.blobBaseFee) return;
    const kernel = this.#kernel;
    const { u64 } = kernel;
    const at = LAYOUT.ENV;
    kernel.setAddress(at + LAYOUT.ENV_COINBASE, env.coinbase);
    u64[(at + LAYOUT.ENV_NUMBER) >>> 3] = BigInt(env.number);
    u64[(at + LAYOUT.ENV_TIMESTAMP) >>> 3] = env.timestamp;
    u64[(at + LAYOUT.ENV_GAS_LIMIT) >>> 3] = env.gasLimit;
    u64[(at + LAYOUT.ENV_SLOT_NUMBER) >>> 3] = env.slotNumber ?? 0n;
    if (this.#rules.common.isActivatedEIP(4399)) kernel.setWordBytes(at + LAYOUT.ENV_RANDAO, env.prevRandao);
    else kernel.setWord(at + LAYOUT.ENV_RANDAO, env.difficulty);
    kernel.setWord(at + LAYOUT.ENV_BASE_FEE, env.baseFeePerGas);
    kernel.setWord(at + LAYOUT.ENV_BLOB_BASE_FEE, blobBaseFee);
    this.#written = { env, blobBaseFee };
  }

  #writeMessage(message: EvmMessage, context: ExecutionContext, gasLimit: bigint, withLogs: boolean): void {
    const kernel = this.#kernel;
    const { bytes, u32 } = kernel;
    const { to, data, upfront, blobVersionedHashes } = message;
    const at = LAYOUT.MESSAGE;
    kernel.setAddress(at + LAYOUT.MESSAGE_CALLER, message.caller);
    if (to !== null) kernel.setAddress(at + LAYOUT.MESSAGE_TO, to);
    kernel.setWord(at + LAYOUT.MESSAGE_VALUE, message.value);
    kernel.setWord(at + LAYOUT.MESSAGE_GAS_PRICE, message.gasPrice);
    kernel.i64[(at + LAYOUT.MESSAGE_GAS) >>> 3] = gasLimit;
    if (this.#hasStateGas) kernel.i64[(at + LAYOUT.MESSAGE_RESERVOIR) >>> 3] = message.reservoir ?? 0n;
    if (upfront !== undefined) kernel.setWord(at + LAYOUT.MESSAGE_UPFRONT, upfront);
    u32[(at + LAYOUT.MESSAGE_FLAGS) >>> 2] = this.#flagsOf(message, withLogs);
    u32[(at + LAYOUT.MESSAGE_DATA_LENGTH) >>> 2] = data.length;
    u32[(at + LAYOUT.MESSAGE_BLOB_COUNT) >>> 2] = blobVersionedHashes.length;
    kernel.f64[(at + LAYOUT.MESSAGE_DEADLINE) >>> 3] = context.deadline;
    if (data.length > 0) bytes.set(data, LAYOUT.INPUT);
    for (let i = 0; i < blobVersionedHashes.length; i++)
      bytes.set(blobVersionedHashes[i]!, LAYOUT.BLOBS + i * WORD_BYTES);
  }

  #flagsOf(message: EvmMessage, withLogs: boolean): number {
    const { to, isTraced, isListed, logsTransfers, upfront, hooks } = message;
    const transfers = withLogs && logsTransfers === true ? LAYOUT.FLAG_TRANSFERS : 0;
    return (
      (to === null ? LAYOUT.FLAG_CREATE : 0) |
      (withLogs ? LAYOUT.FLAG_LOGS | transfers : 0) |
      (isTraced === true ? LAYOUT.FLAG_EXACT_LISTS_AND_LOGS : 0) |
      (isListed === true ? LAYOUT.FLAG_EXACT_ACCESS_LISTS : 0) |
      (hooks !== undefined && withLogs ? LAYOUT.FLAG_HOOKED : 0) |
      (upfront === undefined ? 0 : LAYOUT.FLAG_PAYS) |
      (this.#warmsCoinbase ? LAYOUT.FLAG_WARM_COINBASE : 0)
    );
  }

  /**
   * Makes the addresses and slots warm that are warm when the message starts (EIP-2930, EIP-7702). Returns false if
   * their state is unknown, or if there are too many.
   */
  #warm({ accessList, warm }: EvmMessage): boolean {
    if (accessList.length === 0 && warm.length === 0) return true;
    const kernel = this.#kernel;
    const { run } = kernel;
    const address = LAYOUT.STAGE + LAYOUT.STAGE_ADDRESS;
    const warmAccount = (bytes: Uint8Array): boolean => {
      kernel.setAddress(address, bytes);
      return run.warmAccount() !== 0;
    };
    for (const authority of warm) if (!warmAccount(authority)) return false;
    for (const { address: account, slots } of accessList) {
      if (!warmAccount(account)) return false;
      for (const slot of slots) {
        kernel.setWordBytes(LAYOUT.STAGE + LAYOUT.STAGE_KEY, slot);
        if (run.warmStorage() === 0) return false;
      }
    }
    return true;
  }

  /** Runs the precompile that the kernel requests, and resumes the kernel. */
  async #precompile({ deadline }: ExecutionContext): Promise<number> {
    const kernel = this.#kernel;
    const at = LAYOUT.RESULT;
    const address = addressOf(kernel.u32At(at + LAYOUT.RESULT_PRECOMPILE_ADDRESS));
    const gasLimit = kernel.i64At(at + LAYOUT.RESULT_PRECOMPILE_CALL_GAS);
    const inputLength = kernel.u32At(at + LAYOUT.RESULT_INPUT_LENGTH);
    const data = kernel.slice(kernel.u32At(at + LAYOUT.RESULT_PRECOMPILE_INPUT), inputLength);
    const result = await this.#reference.runPrecompile(address, data, gasLimit, deadline);
    if (result === null) return STATUS.DEADLINE;
    if (result.exceptionError !== undefined) {
      this.#precompileError = result.exceptionError.error;
      return this.#compiling(kernel.run.resumeAfterPrecompile(0, 0n, 0));
    }
    if (result.returnValue.length > kernel.limits.RETURN_DATA_MAX) return STATUS.TABLE_FULL;
    kernel.bytes.set(result.returnValue, LAYOUT.RETURN_DATA);
    return this.#compiling(kernel.run.resumeAfterPrecompile(1, result.executionGasUsed, result.returnValue.length));
  }

  #execution(status: number, message: EvmMessage, gasLimit: bigint, dropsOutput?: boolean): Execution {
    const execution = this.#executed(status, gasLimit, dropsOutput);
    return this.#hasStateGas ? this.#withStateGas(execution, message) : execution;
  }

  #withStateGas(execution: Execution, { reservoir = 0n }: EvmMessage): Execution {
    if (execution.nonEvmAddress !== undefined || execution.status === 'aborted') return execution;
    const kernel = this.#kernel;
    const at = LAYOUT.RESULT;
    return {
      ...execution,
      gasUsed: execution.gasUsed + reservoir - kernel.i64At(at + LAYOUT.RESULT_RESERVOIR),
      stateGas: kernel.i64At(at + LAYOUT.RESULT_STATE_GAS),
      ...(kernel.u32At(at + LAYOUT.RESULT_ENTRY_OUT_OF_GAS) === 0 ? {} : { isEntryUnpaid: true }),
    };
  }

  #executed(status: number, gasLimit: bigint, dropsOutput?: boolean): Execution {
    if (status === STATUS.DEADLINE) return ABORTED_EXECUTION;
    const kernel = this.#kernel;
    const at = LAYOUT.RESULT;
    if (status === STATUS.NON_EVM_ACCOUNT)
      return nonEvmExecution(kernel.slice(kernel.u32At(at + LAYOUT.RESULT_NON_EVM_ACCOUNT), ADDRESS_BYTES));
    return {
      status: status === STATUS.SUCCESS ? 'success' : status === STATUS.REVERT ? 'revert' : 'halt',
      gasUsed: gasLimit - kernel.i64At(at + LAYOUT.RESULT_GAS_LEFT),
      stateGas: 0n,
      refund: kernel.i64At(at + LAYOUT.RESULT_REFUND),
      need: kernel.i64At(at + LAYOUT.RESULT_MINIMUM_GAS),
      gasSensitive: kernel.u32At(at + LAYOUT.RESULT_GAS_SENSITIVE) !== 0,
      hasHalts: kernel.u32At(at + LAYOUT.RESULT_HAS_HALTS) !== 0,
      tree: kernel.f64At(at + LAYOUT.RESULT_CALL_TREE),
      returnData: dropsOutput === true && status === STATUS.SUCCESS ? EMPTY_BYTES : this.#returnData(),
      error: status === STATUS.HALT ? this.#haltReason(kernel.u32At(at + LAYOUT.RESULT_ERROR)) : null,
    };
  }

  #returnData(): Uint8Array {
    const kernel = this.#kernel;
    const length = kernel.u32At(LAYOUT.RESULT + LAYOUT.RESULT_LENGTH);
    return length === 0
      ? EMPTY_BYTES
      : kernel.slice(kernel.u32At(LAYOUT.RESULT + LAYOUT.RESULT_OUTPUT_ADDRESS), length);
  }

  /** Returns go-ethereum's reason why the outermost frame halted. The frame is still in the kernel's memory. */
  #haltReason(halt: number): HaltReason {
    const kernel = this.#kernel;
    const at = LAYOUT.RESULT;
    if (halt === STATUS.PRECOMPILE_FAILED) return haltReasonOfEthereumjsError(this.#precompileError);
    if (halt === STATUS.CODE_SIZE)
      return codeTooLongReason(kernel.u32At(at + LAYOUT.RESULT_RETURN_DATA_BYTES), codeLimits(this.#rules.common));
    const top = kernel.u32At(at + LAYOUT.RESULT_STACK_TOP_ADDRESS);
    return frameHaltReason(MESSAGES[halt]!, {
      opCode: kernel.u32At(at + LAYOUT.RESULT_FAILED_OPCODE),
      stackLength: kernel.u32At(at + LAYOUT.RESULT_STACK_ITEM_COUNT),
      item: (depth) => kernel.word(top - depth * WORD_BYTES),
      returnDataLength: kernel.u32At(at + LAYOUT.RESULT_RETURN_DATA_BYTES),
    });
  }

  // ---- results of a message ----

  #numbering(status: number): TracerLogIndices {
    const kernel = this.#kernel;
    const left = status === STATUS.SUCCESS ? this.#logEntries() : [];
    return {
      places: left.map((at) => kernel.u32At(at + LOG.LOG_INDEX)),
      made: kernel.u32At(LAYOUT.RESULT + LAYOUT.RESULT_LOGS_MADE),
    };
  }

  #logEntries(): number[] {
    const kernel = this.#kernel;
    const entries: number[] = [];
    const count = kernel.u32At(LAYOUT.RESULT + LAYOUT.RESULT_LOG_COUNT);
    for (let i = 0, at = LAYOUT.LOGS; i < count; i++) {
      entries.push(at);
      const length = kernel.u32At(at + LOG.LENGTH);
      at += LOG.HEAD_BYTES + kernel.u32At(at + LOG.TOPIC_COUNT) * WORD_BYTES + ((length + 15) & ~15);
    }
    return entries;
  }

  /**
   * Reports to the tracer the accounts and slots that instructions have accessed. Not reported are accounts of which
   * the tracer is already notified when a call frame starts (calls, creations, SELFDESTRUCT).
   */
  #reportAccesses(hooks: TraceHooks): void {
    const kernel = this.#kernel;
    for (const address of this.#accounts(ACCOUNT.NAMED)) hooks.named(address);
    for (const entry of this.#slots(ACCOUNT.NAMED)) {
      const before = kernel.wordBytes(entry + SLOT.SLOT_BASE);
      const after = hooks.seesChanges ? this.#slotAfter(entry, before) : before;
      hooks.namedSlot(this.#accountOf(entry), kernel.wordBytes(entry), before, after);
    }
  }

  /** Returns the value of a slot after the message; `before` itself if it has not changed. */
  #slotAfter(entry: number, before: Uint8Array): Uint8Array {
    const isSame = this.#same(entry + SLOT.SLOT_VALUE, entry + SLOT.SLOT_BASE);
    return isSame ? before : this.#kernel.wordBytes(entry + SLOT.SLOT_VALUE);
  }

  /** Returns the addresses of the accounts that have one of these flags. */
  #accounts(flags: number): Uint8Array[] {
    const kernel = this.#kernel;
    const { run } = kernel;
    const read = [...kernel.entries(LAYOUT.READ_ACCOUNTS, run.accountsRead())];
    return read
      .filter((entry) => kernel.u32At(entry + ACCOUNT.FLAGS) & flags)
      .map((entry) => kernel.slice(entry, ADDRESS_BYTES));
  }

  /** Returns the table entries of the slots that have one of these flags. */
  #slots(flags: number): number[] {
    const kernel = this.#kernel;
    const { run } = kernel;
    const read = [...kernel.entries(LAYOUT.READ_SLOT_LIST, run.slotsRead())];
    return read.filter((entry) => kernel.u32At(entry + SLOT.SLOT_FLAGS) & flags);
  }

  /** Returns the address of the account that a slot belongs to. `slot` is the slot's table entry. */
  #accountOf(slot: number): Uint8Array {
    const kernel = this.#kernel;
    return kernel.slice(kernel.u32At(slot + SLOT.SLOT_ACCOUNT), ADDRESS_BYTES);
  }

  #reachedSlots(): { address: Uint8Array; slot: Uint8Array }[] {
    const kernel = this.#kernel;
    const accountOf = (entry: number): number => kernel.u32At(entry + SLOT.SLOT_ACCOUNT);
    // One slot may have several entries, if its account was destroyed and created again.
    const once = new Map(
      this.#slots(ACCOUNT.REACHED).map((entry) => [`${accountOf(entry)} ${kernel.word(entry)}`, entry]),
    );
    return [...once.values()].map((entry) => ({ address: this.#accountOf(entry), slot: kernel.wordBytes(entry) }));
  }

  /** Writes the kernel's changes to the state. Afterwards kernel and state have the same values. */
  #keep(): Pick<AppliedMessage, 'destroyed' | 'touched'> {
    try {
      const left = this.#keepAccounts();
      this.#keepSlots();
      this.#kernel.run.commitMessage();
      this.#host.kept();
      return left;
    } catch (error) {
      this.#host.markUnsure();
      throw error;
    }
  }

  #keepAccounts(): Pick<AppliedMessage, 'destroyed' | 'touched'> {
    const kernel = this.#kernel;
    const destroyed: Uint8Array[] = [];
    const touched: Uint8Array[] = [];
    const count = kernel.u32At(LAYOUT.RESULT + LAYOUT.RESULT_DIRTY_ACCOUNT_COUNT);
    for (const entry of kernel.entries(LAYOUT.DIRTY_ACCOUNTS, count)) {
      const address = kernel.slice(entry, ADDRESS_BYTES);
      const isChanged = this.#keepAccount(entry, address);
      const flags = kernel.u32At(entry + ACCOUNT.FLAGS);
      if (flags & ACCOUNT.DESTROYED) destroyed.push(address);
      // An account is touched by its flag TOUCHED or by a change; both are reverted if the frame fails. Only an account
      // with nonce 0 can be empty.
      if (flags & ACCOUNT.TOUCHED_EMPTY || (isChanged && kernel.u64At(entry + ACCOUNT.NONCE) === 0n))
        touched.push(address);
    }
    return { destroyed, touched };
  }

  /** Writes an account to the state; returns false if it has not changed. */
  #keepAccount(entry: number, address: Uint8Array): boolean {
    const kernel = this.#kernel;
    const state = this.#state;
    const isErased = kernel.u32At(entry + ACCOUNT.INCARNATION) !== kernel.u32At(entry + ACCOUNT.BASE_INCARNATION);
    if (isErased && kernel.u32At(entry + ACCOUNT.BASE_FLAGS) & ACCOUNT.EXISTS) state.eraseStorage(address);
    const hasCode = !this.#same(entry + ACCOUNT.CODE_HASH, entry + ACCOUNT.BASE_CODE_HASH);
    const sameFields =
      kernel.u64At(entry + ACCOUNT.NONCE) === kernel.u64At(entry + ACCOUNT.BASE_NONCE) &&
      this.#same(entry + ACCOUNT.BALANCE, entry + ACCOUNT.BASE_BALANCE);
    if (!hasCode && sameFields) return false;
    const account = {
      nonce: kernel.u64At(entry + ACCOUNT.NONCE),
      balance: kernel.word(entry + ACCOUNT.BALANCE),
      codeHash: kernel.slice(entry + ACCOUNT.CODE_HASH, WORD_BYTES),
    };
    if (hasCode) state.setHashedCode(address, account, this.#codeAt(kernel.u32At(entry + ACCOUNT.CODE)));
    else state.setAccount(address, account);
    return true;
  }

  #codeAt(code: number): Uint8Array {
    const kernel = this.#kernel;
    return kernel.slice(kernel.u32At(code + CODE.BYTES), kernel.u32At(code + CODE.LENGTH));
  }

  #keepSlots(): void {
    const kernel = this.#kernel;
    const state = this.#state;
    const count = kernel.u32At(LAYOUT.RESULT + LAYOUT.RESULT_DIRTY_SLOT_COUNT);
    for (const entry of kernel.entries(LAYOUT.DIRTY_SLOTS, count)) {
      const account = kernel.u32At(entry + SLOT.SLOT_ACCOUNT);
      // Skip: the account's storage was erased after this slot was written.
      if (kernel.u32At(entry + SLOT.SLOT_INCARNATION) !== kernel.u32At(account + ACCOUNT.INCARNATION)) continue;
      if (this.#same(entry + SLOT.SLOT_VALUE, entry + SLOT.SLOT_BASE)) continue;
      state.setStorage(this.#accountOf(entry), kernel.wordBytes(entry), kernel.wordBytes(entry + SLOT.SLOT_VALUE));
    }
  }

  #same(a: number, b: number): boolean {
    const { u64 } = this.#kernel;
    for (let i = 0; i < 4; i++) if (u64[(a >>> 3) + i] !== u64[(b >>> 3) + i]) return false;
    return true;
  }
}

/** Error names of @ethereumjs for the kernel's halts; geth-vm-error-text.ts turns them into go-ethereum's messages. */
const MESSAGES: Readonly<Record<number, string>> = {
  [STATUS.OUT_OF_GAS]: LIBRARY.OUT_OF_GAS,
  [STATUS.STACK_UNDERFLOW]: LIBRARY.STACK_UNDERFLOW,
  [STATUS.STACK_OVERFLOW]: LIBRARY.STACK_OVERFLOW,
  [STATUS.INVALID_OPCODE]: LIBRARY.INVALID_OPCODE,
  [STATUS.INVALID_JUMP]: LIBRARY.INVALID_JUMP,
  [STATUS.STATIC_CHANGE]: LIBRARY.STATIC_STATE_CHANGE,
  [STATUS.INITCODE_SIZE]: LIBRARY.INITCODE_SIZE_VIOLATION,
  [STATUS.COLLISION]: LIBRARY.CREATE_COLLISION,
  [STATUS.CODE_INVALID]: LIBRARY.INVALID_BYTECODE_RESULT,
  [STATUS.CODE_STORE_GAS]: ETHEREUMJS_CODE_STORE_OUT_OF_GAS,
  [STATUS.INSUFFICIENT_BALANCE]: LIBRARY.INSUFFICIENT_BALANCE,
  [STATUS.VALUE_OVERFLOW]: LIBRARY.VALUE_OVERFLOW,
  [STATUS.TOO_DEEP]: 'max call depth exceeded',
  [STATUS.NONCE_OVERFLOW]: 'nonce uint64 overflow',
};

/** Returns the address of the precompile with this number, which has at most 16 bits. */
function addressOf(precompile: number): Uint8Array {
  const address = new Uint8Array(ADDRESS_BYTES);
  address[18] = precompile >> 8;
  address[19] = precompile & 0xff;
  return address;
}

/**
 * Returns the hash of the recipient's code, or of the init code of a creation; `null` if the account does not exist.
 */
function messageCodeHash({ to, data }: Pick<EvmMessage, 'to' | 'data'>, state: JournaledState): Uint8Array | null {
  return to === null ? keccak256(data) : (state.peekAccount(to)?.codeHash ?? null);
}
