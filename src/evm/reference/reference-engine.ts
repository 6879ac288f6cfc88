// The engine on @ethereumjs/evm: reference, fallback and judge of any other. Runs on publisher and
// estimators.
import { EVMError, type EVMResult, type ExecResult } from '@ethereumjs/evm';
import { Address } from '@ethereumjs/util';
import { fromHex } from '../../lib/bytes/hex.js';
import { codeLimits } from '../../chain/code-limits.js';
import { gasPrices } from '../../chain/gas-prices.js';
import { sameBytes } from '../../lib/bytes/byte-map.js';
import { ForeignMet } from '../foreign-met.js';
import {
  ABORTED,
  foreignExecution,
  NOTHING_RUN,
  type Applied,
  type Engine,
  type Execution,
  type ExecutionContext,
  type Message,
  type PrecompileMove,
  type HaltReason,
} from '../engine.js';
import { precompileHaltReason, type FailedPrecompile } from '../precompiles/failure-text.js';
import { LIBRARY_PRECOMPILES, type PrecompileSet } from '../precompiles/precompile-set.js';
import { NOTHING_READ, type ReadSet } from '../read-set.js';
import type { ForkRules } from './fork-rules.js';
import type { JournaledState } from '../journal/journaled-state.js';
import { payUpfront } from '../journal/upfront.js';
import { DeadlinePassed } from './deadline-evm.js';
import { TrackingEvm } from './gas-tracking-evm.js';
import {
  CODE_STORE_OUT_OF_GAS,
  codeTooLong,
  frameHaltReason,
  messageHaltReason,
  type FailedFrame,
} from '../halt-reason.js';

/** Parts of a ReferenceEngine. */
export interface ReferenceEngineParts {
  readonly rules: ForkRules;
  readonly state: JournaledState;
  /** Functions that precompiles are computed with; without them the library's own, which judge the others. */
  readonly precompiles?: PrecompileSet;
}

const { REVERT, OUT_OF_GAS, CODESIZE_EXCEEDS_MAXIMUM, INVALID_BYTECODE_RESULT, INSUFFICIENT_BALANCE, VALUE_OVERFLOW } =
  EVMError.errorMessages;
const INVALID = 0xfe;
/** Errors of messages that have run nothing. */
const NOT_BEGUN = new Set<string>([INSUFFICIENT_BALANCE, VALUE_OVERFLOW]);

/**
 * One `EVM` for one fork on one thread: making one costs 260 us, so it serves every execution, one at a time.
 * Exceptions that a StateView throws pass through and leave the engine usable.
 */
export class ReferenceEngine implements Engine {
  /** The library's EVM; read by tests alone, which count what it runs. */
  readonly evm: TrackingEvm;
  readonly #rules: ForkRules;
  readonly #state: JournaledState;
  /** The outermost message of the last execution, where it is for a precompile. */
  #precompile: FailedPrecompile | null = null;
  /** True if the last execution has run the library's EVM. */
  #hasRun = false;

  constructor(parts: ReferenceEngineParts) {
    this.#rules = parts.rules;
    this.#state = parts.state;
    this.evm = new TrackingEvm(parts.rules, parts.state, parts.precompiles ?? LIBRARY_PRECOMPILES);
  }

  /** See Engine. A message to an account without code answers at once. */
  async execute(message: Message, context: ExecutionContext, gasLimit: bigint): Promise<Execution> {
    const { to } = message;
    this.#hasRun = false;
    payUpfront(message, this.#state);
    if (to !== null && this.#rules.foreign.kindOf(to) !== null) return this.#executed(message, context, gasLimit);
    const runsNothing =
      to !== null && this.#state.codeOf(to).length === 0 && !this.isPrecompile(to, context.precompileMoves);
    // From Amsterdam on a receiver that is empty is paid for, and value is logged.
    const isFree = message.value === 0n || !this.#rules.common.isActivatedEIP(2780);
    const hasValue = (this.#state.accountOf(message.caller)?.balance ?? 0n) >= message.value;
    if (runsNothing && isFree && hasValue) return NOTHING_RUN;
    return this.#executed(message, context, gasLimit);
  }

  async #executed(message: Message, context: ExecutionContext, gasLimit: bigint): Promise<Execution> {
    const result = await this.#run(message, context, gasLimit);
    return 'status' in result ? result : this.#execution(result, message);
  }

  /** See Engine. */
  async apply(message: Message, context: ExecutionContext, gasLimit: bigint): Promise<Applied> {
    payUpfront(message, this.#state);
    const result = await this.#run(message, context, gasLimit);
    if ('status' in result) return { ...result, logs: [], destroyed: [], touched: [] };
    const { logs = [] } = result.execResult;
    return {
      ...this.#execution(result, message),
      ...(message.isTraced === true ? { numbering: this.evm.numberingOf(logs) } : {}),
      logs: logs.map(([address, topics, data]) => ({ address, topics, data })),
      destroyed: this.#destroyed(result),
      touched: this.evm.touchedAddresses().map((text) => fromHex(text)),
    };
  }

  /** See Engine. */
  readSet(): ReadSet {
    return this.#hasRun ? this.evm.readSet() : NOTHING_READ;
  }

  /** See Engine. */
  isPrecompile(address: Uint8Array, moves: readonly PrecompileMove[]): boolean {
    return this.evm.hasPrecompile(address, moves);
  }

  /**
   * Runs the precompile at an address by itself: gas used, output or error as the library says it; `null` where it
   * could not end before the deadline.
   */
  runPrecompile(address: Uint8Array, data: Uint8Array, gasLimit: bigint, deadline: number): Promise<ExecResult | null> {
    return inTime(this.evm.runOwnPrecompile(address, data, gasLimit, deadline));
  }

  /** An execution where it has no end of its own: the deadline passed, or it has come to a foreign account. */
  async #run(message: Message, context: ExecutionContext, gasLimit: bigint): Promise<EVMResult | Execution> {
    this.#hasRun = true;
    this.#precompile = this.#precompileOf(message, context, gasLimit);
    this.evm.prepare(context, gasLimit, message);
    this.#warm(message, context);
    try {
      if (message.to !== null) this.evm.refuseForeign(message.to);
      return (await inTime(this.evm.runCall(runCallOptions(message, context, gasLimit)))) ?? ABORTED;
    } catch (thrown) {
      if (thrown instanceof ForeignMet) return foreignExecution(thrown.address);
      throw thrown;
    }
  }

  /** EIP-2929, 2930, 3651: what is warm before the first instruction. */
  #warm(message: Message, context: ExecutionContext): void {
    const { common } = this.#rules;
    const { journal } = this.evm;
    if (!common.isActivatedEIP(2929)) return;
    this.evm.warmPrecompiles();
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

  #execution({ execResult }: EVMResult, { reservoir = 0n }: Message): Execution {
    const error = execResult.exceptionError?.error;
    const state = this.evm.stateGas;
    return {
      status: error === undefined ? 'success' : error === REVERT ? 'revert' : 'halt',
      gasUsed: execResult.executionGasUsed + reservoir - state.reservoir,
      stateGas: state.used,
      refund: execResult.gasRefund ?? 0n,
      need: this.evm.need,
      reserve: 0n,
      gasSensitive: this.evm.gasSensitive,
      tree: this.evm.tree,
      returnData: execResult.returnValue,
      error: error === undefined || error === REVERT ? null : this.#haltReason(error),
      ...(this.evm.lacksEntry ? { lacksEntry: true } : {}),
    };
  }

  #precompileOf(
    { to, data }: Message,
    { precompileMoves: moves }: ExecutionContext,
    gasLimit: bigint,
  ): FailedPrecompile | null {
    if (to === null || !this.isPrecompile(to, moves)) return null;
    const own = moves.find((move) => move.to !== null && sameBytes(move.to, to))?.from ?? to;
    return { number: own[18]! * 256 + own[19]!, data, gasLimit, common: this.#rules.common };
  }

  #haltReason(error: string): HaltReason {
    const { outermost } = this.evm;
    const frame = outermost?.runState;
    if (outermost === null || frame === undefined) {
      const precompile = this.#precompile;
      return precompile === null || NOT_BEGUN.has(error)
        ? messageHaltReason(error)
        : precompileHaltReason(error, precompile);
    }
    if (outermost.exceptionError !== undefined) return frameHaltReason(error, this.#failedFrame(frame));
    return this.#depositHaltReason(error, outermost.returnValue, frame.gasLeft);
  }

  /** Reason for which code is not deposited that ran to its end with so much gas left, in go-ethereum's order. */
  #depositHaltReason(error: string, code: Uint8Array, gasLeft: bigint): HaltReason {
    if (error !== OUT_OF_GAS && error !== CODESIZE_EXCEEDS_MAXIMUM) return messageHaltReason(error);
    if (code[0] === 0xef) return messageHaltReason(INVALID_BYTECODE_RESULT);
    const { common } = this.#rules;
    const { codeByte, codeWord } = gasPrices(common);
    const gas = code.length * codeByte + Math.ceil(code.length / 32) * codeWord;
    const limits = codeLimits(common);
    // State gas may be lacking, too (EIP-8037).
    const isLong = code.length > limits.code && BigInt(gas) <= gasLeft;
    return isLong ? codeTooLong(code.length, limits) : messageHaltReason(CODE_STORE_OUT_OF_GAS);
  }

  #failedFrame(runState: NonNullable<ExecResult['runState']>): FailedFrame {
    const stack = runState.stack.getStack();
    const { stackBefore } = this.evm;
    const before = stackBefore?.opCode === runState.opCode ? stackBefore : null;
    return {
      // The library calls a byte that is no instruction INVALID.
      opCode: runState.opCode === INVALID ? runState.code[runState.programCounter]! : runState.opCode,
      // The library has gone on behind it when it finds it wrong.
      operand: runState.code[runState.programCounter - 1] ?? 0,
      stackLength: before?.length ?? stack.length,
      item: (depth) => before?.items[depth] ?? stack[stack.length - 1 - depth] ?? 0n,
      returnDataLength: runState.returnBytes.length,
      gas: this.evm.gasBefore,
      memoryBytes: Number(runState.memoryWordCount) * 32,
      hasEip: (eip) => this.#rules.common.isActivatedEIP(eip),
    };
  }
}

/** `null` where the deadline has broken it off. */
async function inTime<T>(running: Promise<T>): Promise<T | null> {
  try {
    return await running;
  } catch (thrown) {
    if (thrown instanceof DeadlinePassed) return null;
    throw thrown;
  }
}

function runCallOptions(
  message: Message,
  context: ExecutionContext,
  gasLimit: bigint,
): Parameters<TrackingEvm['runCall']>[0] {
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

type Header = NonNullable<Parameters<TrackingEvm['runCall']>[0]['block']>['header'];

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

function unprefixed(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
}
