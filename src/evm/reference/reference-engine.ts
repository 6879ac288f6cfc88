// The engine on @ethereumjs/evm. Other engines are compared with it, and it executes what they cannot.
import { EVMError, type EVMResult, type ExecResult } from '@ethereumjs/evm';
import { Address } from '@ethereumjs/util';
import { fromHex } from '../../lib/bytes/hex.js';
import { NonEvmCodeError } from '../non-evm-code-error.js';
import {
  ABORTED_EXECUTION,
  nonEvmExecution,
  EMPTY_EXECUTION,
  NO_EFFECTS,
  type AppliedMessage,
  type EvmEngine,
  type Execution,
  type ExecutionContext,
  type HaltReason,
  type EvmMessage,
  type PrecompileMove,
} from '../evm-engine.js';
import { ETHEREUMJS_PRECOMPILES, type PrecompileImplementations } from '../precompiles/precompile-implementations.js';
import { EMPTY_READ_SET, type ReadSet } from '../read-set.js';
import type { ForkRules } from './fork-rules.js';
import type { JournaledState } from '../journal/journaled-state.js';
import { payUpfrontAndRaiseNonce } from '../journal/upfront-payment.js';
import { DeadlinePassed } from './deadline-evm.js';
import { frameFailureReason } from './frame-failure-reason.js';
import { MinimumGasTrackingEvm, unprefixed } from './minimum-gas-tracking-evm.js';
import { SteppedEvm } from './stepped-evm.js';
import { TracedEvm } from './traced-evm.js';

export interface ReferenceEngineDeps {
  readonly rules: ForkRules;
  readonly state: JournaledState;
  /** Implementations of the precompiles; by default those of @ethereumjs. */
  readonly precompiles?: PrecompileImplementations;
  /** Called before each message, to count them. */
  readonly onMessage?: () => void;
}

const { REVERT } = EVMError.errorMessages;

/**
 * One EVM of @ethereumjs for one fork on one thread. It is used for every execution, one at a time, because creating it
 * takes 260 us. Exceptions of a StateView pass through; the engine can be used again afterwards.
 */
export class ReferenceEngine implements EvmEngine {
  /** The EVM of @ethereumjs. Only tests read it, to count what it runs. */
  readonly evm: MinimumGasTrackingEvm;
  /** EVMs that report to a tracer, created on demand. Reporting every instruction takes most of the execution time. */
  #tracedEvm: TracedEvm | null = null;
  #steppedEvm: SteppedEvm | null = null;
  /** The EVM that ran the last execution. */
  #last: MinimumGasTrackingEvm;
  readonly #rules: ForkRules;
  readonly #state: JournaledState;
  readonly #precompiles: PrecompileImplementations;
  readonly #onMessage: (() => void) | undefined;
  /** True if the last execution has run an EVM at all. */
  #hasRun = false;

  constructor({ rules, state, precompiles = ETHEREUMJS_PRECOMPILES, onMessage }: ReferenceEngineDeps) {
    this.#rules = rules;
    this.#state = state;
    this.#precompiles = precompiles;
    this.#onMessage = onMessage;
    this.#last = this.evm = new MinimumGasTrackingEvm(rules, state, precompiles);
  }

  /** Implements EvmEngine. A message to an account without code returns at once. */
  async execute(message: EvmMessage, context: ExecutionContext, gasLimit: bigint): Promise<Execution> {
    const { to } = message;
    this.#hasRun = false;
    this.#onMessage?.();
    payUpfrontAndRaiseNonce(message, this.#state);
    if (to !== null && this.#rules.nonEvm.kindOf(to) !== null) return this.#executed(message, context, gasLimit);
    const runsNothing =
      to !== null && this.#state.codeOf(to).length === 0 && !this.isPrecompile(to, context.precompileMoves);
    // From Amsterdam on, a transfer of value to an empty recipient costs gas and is logged, so the EVM must run.
    const isFree = message.value === 0n || !this.#rules.common.isActivatedEIP(2780);
    const hasValue = (this.#state.accountOf(message.caller)?.balance ?? 0n) >= message.value;
    if (runsNothing && isFree && hasValue) return EMPTY_EXECUTION;
    return this.#executed(message, context, gasLimit);
  }

  async #executed(message: EvmMessage, context: ExecutionContext, gasLimit: bigint): Promise<Execution> {
    const result = await this.#run(message, context, gasLimit);
    return 'status' in result ? result : this.#execution(result, message);
  }

  async apply(message: EvmMessage, context: ExecutionContext, gasLimit: bigint): Promise<AppliedMessage> {
    this.#onMessage?.();
    payUpfrontAndRaiseNonce(message, this.#state);
    const result = await this.#run(message, context, gasLimit);
    if ('status' in result) return { ...result, ...NO_EFFECTS };
    const { logs = [] } = result.execResult;
    return {
      ...this.#execution(result, message),
      ...(message.isTraced === true ? { numbering: this.#last.numberingOf(logs) } : {}),
      logs: logs.map(([address, topics, data]) => ({ address, topics, data })),
      destroyed: this.#destroyed(result),
      touched: this.#last.touchedAddresses().map((text) => fromHex(text)),
    };
  }

  readSet(): ReadSet {
    return this.#hasRun ? this.#last.readSet() : EMPTY_READ_SET;
  }

  isPrecompile(address: Uint8Array, moves: readonly PrecompileMove[]): boolean {
    return this.evm.hasPrecompile(address, moves);
  }

  /** Runs only a precompile. Returns gas used, and output or error; `null` if it did not finish in time. */
  runPrecompile(address: Uint8Array, data: Uint8Array, gasLimit: bigint, deadline: number): Promise<ExecResult | null> {
    return inTime(this.evm.runOwnPrecompile(address, data, gasLimit, deadline));
  }

  /**
   * Runs a message on the EVM. Returns an `Execution` if it did not end by itself: the deadline passed, or it called a
   * non-EVM account.
   */
  async #run(message: EvmMessage, context: ExecutionContext, gasLimit: bigint): Promise<EVMResult | Execution> {
    this.#hasRun = true;
    const evm = (this.#last = this.#evmOf(message));
    evm.prepare(context, gasLimit, message);
    this.#warm(message, context);
    try {
      if (message.to !== null) evm.refuseNonEvm(message.to);
      return (await inTime(evm.runCall(runCallOptions(message, context, gasLimit)))) ?? ABORTED_EXECUTION;
    } catch (thrown) {
      if (thrown instanceof NonEvmCodeError) return nonEvmExecution(thrown.address);
      throw thrown;
    }
  }

  #evmOf({ hooks }: EvmMessage): MinimumGasTrackingEvm {
    if (hooks === undefined) return this.evm;
    const made = [this.#rules, this.#state, this.#precompiles] as const;
    if (hooks.stepped === undefined) return (this.#tracedEvm ??= new TracedEvm(...made));
    return (this.#steppedEvm ??= new SteppedEvm(...made));
  }

  /** Makes accounts and slots warm before the first instruction (EIP-2929, 2930, 3651). */
  #warm(message: EvmMessage, context: ExecutionContext): void {
    const { common } = this.#rules;
    const { journal } = this.#last;
    if (!common.isActivatedEIP(2929)) return;
    this.#last.warmPrecompiles();
    journal.addAlwaysWarmAddress(unprefixed(message.caller));
    if (message.to !== null) journal.addAlwaysWarmAddress(unprefixed(message.to));
    if (common.isActivatedEIP(3651)) journal.addAlwaysWarmAddress(unprefixed(context.env.coinbase));
    for (const address of message.warm) journal.addAlwaysWarmAddress(unprefixed(address));
    for (const { address, slots } of message.accessList) {
      journal.addAlwaysWarmAddress(unprefixed(address));
      for (const slot of slots) journal.addAlwaysWarmSlot(unprefixed(address), unprefixed(slot));
    }
  }

  #destroyed({ execResult }: EVMResult): Uint8Array[] {
    const destroyed = [...(execResult.selfdestruct?.keys() ?? [])];
    const createdOnly = this.#rules.common.isActivatedEIP(6780);
    return destroyed
      .filter((text) => !createdOnly || execResult.createdAddresses!.has(text))
      .map((text) => fromHex(text));
  }

  #execution({ execResult }: EVMResult, { reservoir = 0n }: EvmMessage): Execution {
    const error = execResult.exceptionError?.error;
    const evm = this.#last;
    const state = evm.stateGas;
    return {
      status: error === undefined ? 'success' : error === REVERT ? 'revert' : 'halt',
      gasUsed: execResult.executionGasUsed + reservoir - state.reservoir,
      stateGas: state.used,
      refund: execResult.gasRefund ?? 0n,
      need: evm.need,
      gasSensitive: evm.gasSensitive,
      hasHalts: evm.hasHalts,
      tree: evm.tree,
      returnData: execResult.returnValue,
      error: error === undefined || error === REVERT ? null : this.#haltReason(error),
      ...(evm.isEntryUnpaid ? { isEntryUnpaid: true } : {}),
    };
  }

  #haltReason(error: string): HaltReason {
    const { outermost: run, stackBefore } = this.#last;
    return frameFailureReason(error, { run, stackBefore, common: this.#rules.common });
  }
}

/** Awaits the result; returns `null` if the execution was aborted at its deadline. */
async function inTime<T>(running: Promise<T>): Promise<T | null> {
  try {
    return await running;
  } catch (thrown) {
    if (thrown instanceof DeadlinePassed) return null;
    throw thrown;
  }
}

function runCallOptions(
  message: EvmMessage,
  context: ExecutionContext,
  gasLimit: bigint,
): Parameters<MinimumGasTrackingEvm['runCall']>[0] {
  return {
    block: { header: header(context) },
    caller: new Address(message.caller),
    ...(message.to === null ? {} : { to: new Address(message.to) }),
    value: message.value,
    data: message.data,
    gasPrice: message.gasPrice,
    gasLimit,
    blobVersionedHashes: message.blobVersionedHashes.map((hash) => `0x${unprefixed(hash)}` as const),
    skipNonceIncrement: true,
  };
}

type Header = NonNullable<Parameters<MinimumGasTrackingEvm['runCall']>[0]['block']>['header'];

function header({ env, blobBaseFee }: ExecutionContext): Header {
  return {
    number: BigInt(env.number),
    coinbase: new Address(env.coinbase),
    timestamp: env.timestamp,
    difficulty: env.difficulty,
    prevRandao: env.prevRandao,
    gasLimit: env.gasLimit,
    baseFeePerGas: env.baseFeePerGas,
    getBlobGasPrice: () => blobBaseFee,
    slotNumber: env.slotNumber ?? 0n,
  };
}
