// The EVM of @ethereumjs with reports of every instruction to a tracer. As in go-ethereum, an instruction is reported
// when its gas is known, or when it cannot be paid for.
// oxlint-disable no-underscore-dangle -- the names are @ethereumjs/evm's
import type { Common } from '@ethereumjs/common';
import { EVMError, type EVM, type ExecResult } from '@ethereumjs/evm';
import type { JournaledState } from '../journal/journaled-state.js';
import { stackItemsPushed, stackItemsPopped } from '../opcodes.js';
import type { PrecompileImplementations } from '../precompiles/precompile-implementations.js';
import type { GasHandler, RunState } from './deadline-evm.js';
import type { ForkRules } from './fork-rules.js';
import { stepHaltReason } from './frame-failure-reason.js';
import { TracedEvm } from './traced-evm.js';

type Entry = EVM['_opcodeMap'][number];

const { STACK_UNDERFLOW, STACK_OVERFLOW, OUT_OF_GAS } = EVMError.errorMessages;
const STACK_MAX = 1024;
/** Bytes of memory that can be copied and rendered in the time of one instruction. */
const MEMORY_BYTES_A_STEP = 512;
const STOP = 0x00;
/** Opcodes of CALL, CALLCODE, DELEGATECALL, STATICCALL, whose gas includes the gas that they pass on. */
const CALLS = new Set([0xf1, 0xf2, 0xf4, 0xfa]);
/** Opcodes of BALANCE, EXTCODESIZE, EXTCODECOPY, EXTCODEHASH. */
const ACCOUNT_READS = new Set([0x31, 0x3b, 0x3c, 0x3f]);
/** Opcodes of EXP and LOG0 to LOG4. */
const PRICED_BY_OPERANDS = new Set([0x0a, 0xa0, 0xa1, 0xa2, 0xa3, 0xa4]);
const CREATES = new Set([0xf0, 0xf5]);
/** Gas of an access to a warm account (EIP-2929). */
const WARM_GAS = 100n;
/** Static gas of creations from Amsterdam on (EIP-8038). */
const CREATE_ACCESS_GAS = 12_000n;
/** Opcodes of STOP, RETURN, REVERT, SELFDESTRUCT. */
const ENDS = new Set([STOP, 0xf3, 0xfd, 0xff]);

/** Gas of an instruction: the part that does not depend on its operands, and the total. */
interface Price {
  readonly fixed: bigint;
  readonly cost: bigint;
}

/**
 * A frame's gas and memory before an instruction. `spilled` is state gas that the frame has paid from its own gas
 * (EIP-8037).
 */
interface Before {
  readonly gas: bigint;
  readonly spilled: bigint;
  readonly memoryBytes: number;
}

/** Reports every instruction to the tracer. For this, every instruction gets a gas function, which reports it. */
export class SteppedEvm extends TracedEvm {
  constructor(rules: ForkRules, state: JournaledState, set: PrecompileImplementations) {
    super(rules, state, set);
    this._opcodeMap = this._opcodeMap.map((entry) => this.#traced(entry));
  }

  /** Reports the implicit STOP at the end of the code, for which @ethereumjs executes no instruction. */
  protected override async runInterpreter(...args: Parameters<EVM['runInterpreter']>): Promise<ExecResult> {
    const result = await super.runInterpreter(...args);
    const { runState, gasRefund = 0n } = result;
    const ranOut = runState !== undefined && result.exceptionError === undefined && !ENDS.has(runState.opCode);
    // The refund counter in `runState` is that of the frame's start; `gasRefund` is the final one.
    const last = { ...runState!, gasRefund };
    if (ranOut && runState.code.length > 0) this.#reportStep(last, beforeOf(runState), STOP, 0n, null);
    return result;
  }

  #traced(entry: Entry): Entry {
    const { opcodeInfo, gasHandler } = entry;
    const price: GasHandler = opcodeInfo.dynamicGas ? gasHandler : (_runState, fee) => fee;
    const info = Object.assign(Object.create(Object.getPrototypeOf(opcodeInfo) as object), opcodeInfo, {
      dynamicGas: true,
    }) as Entry['opcodeInfo'];
    const gasWithStep: GasHandler = (runState, fee, common) =>
      this.#priced(runState, fee, () => price(runState, fee, common));
    return Object.assign({ ...entry }, { opcodeInfo: info, gasHandler: gasWithStep });
  }

  async #priced(runState: RunState, fee: bigint, price: () => bigint | Promise<bigint>): Promise<bigint> {
    const code = runState.code[runState.programCounter]!;
    const before = beforeOf(runState);
    const fixed = fixedGas(code, this.common) ?? fee;
    const stackError = stackErrorOf(runState, code);
    if (stackError !== null) this.#fail(runState, before, { fixed, cost: fixed }, stackError);
    let gas;
    try {
      gas = await price();
    } catch (error) {
      if (error instanceof EVMError) this.#reportFailure(runState, before, fixed, error.error);
      throw error;
    }
    const cost = gas + chargedOf(runState, before) + (CALLS.has(code) ? (runState.messageGasLimit ?? 0n) : 0n);
    if (gas > runState.gasLeft || (await this.cannotPayStateGas(runState, code, gas)))
      this.#fail(runState, before, { fixed, cost }, OUT_OF_GAS);
    // @ethereumjs aborts a call that cannot pay for its callee's account only after the gas function has returned, so
    // that the failure has to be reported here.
    if (runState.eip7928PostTargetCallOog === undefined) this.#reportStep(runState, before, code, cost, null);
    else this.#reportFailure(runState, before, fixed, OUT_OF_GAS);
    return gas;
  }

  /**
   * Reports the failing instruction, and makes it fail. As in go-ethereum, the reported gas is the whole cost if the
   * frame can pay the fixed gas but not the rest, and only the fixed gas for any other failure.
   */
  #fail(runState: RunState, before: Before, { fixed, cost }: Price, error: string): never {
    const code = runState.code[runState.programCounter]!;
    const text = this.#textOf(error, runState);
    const isPriced = text === 'out of gas' && before.gas >= fixed;
    this.#reportStep(runState, before, code, isPriced ? cost : fixed, text);
    throw new EVMError(error as ConstructorParameters<typeof EVMError>[0]);
  }

  /** Reports an instruction whose gas function has thrown. */
  #reportFailure(runState: RunState, before: Before, fixed: bigint, error: string): void {
    const code = runState.code[runState.programCounter]!;
    const text = this.#textOf(error, runState);
    this.#reportStep(runState, before, code, fixed, text);
  }

  #textOf(error: string, runState: RunState): string {
    return stepHaltReason(error, runState, this.stackBefore).text;
  }

  #reportStep(
    runState: RunState,
    { gas, memoryBytes }: Before,
    code: number,
    cost: bigint,
    error: string | null,
  ): void {
    const { stack, memory, programCounter: pc, env, gasRefund, returnBytes: returnData } = runState;
    this.hooks.stepped?.({
      pc,
      code,
      gas,
      cost,
      depth: env.depth + 1,
      self: env.address.bytes,
      refund: this.refundBefore + gasRefund,
      stack: stack.getStack(),
      memory: () => {
        this.worked(memoryBytes / MEMORY_BYTES_A_STEP);
        const bytes = new Uint8Array(memoryBytes);
        bytes.set(memory._store.subarray(0, memoryBytes));
        return bytes;
      },
      returnData,
      error,
    });
  }
}

function beforeOf({ gasLeft: gas, stateGasSpilled: spilled, memoryWordCount }: RunState): Before {
  return { gas, spilled, memoryBytes: 32 * Number(memoryWordCount) };
}

/**
 * Returns the gas that go-ethereum charges for an instruction before it reads operands (EIP-2929); `null` if
 * @ethereumjs charges the same.
 */
function fixedGas(code: number, common: Common): bigint | null {
  if (CREATES.has(code) && common.isActivatedEIP(8037)) return CREATE_ACCESS_GAS;
  if (CALLS.has(code) || ACCOUNT_READS.has(code)) return WARM_GAS;
  return PRICED_BY_OPERANDS.has(code) ? 0n : null;
}

/**
 * Returns the gas that a creation's gas handler has already deducted from `gasLeft`, without the state gas of the new
 * account (EIP-8037).
 */
function chargedOf({ gasLeft, stateGasSpilled }: RunState, { gas, spilled }: Before): bigint {
  return gas - gasLeft - (stateGasSpilled - spilled);
}

/** Returns the stack error of an instruction. go-ethereum checks the stack before anything else. */
function stackErrorOf({ stack }: RunState, code: number): string | null {
  const [popped, pushed] = [stackItemsPopped(code), stackItemsPushed(code)];
  if (stack.length < popped) return STACK_UNDERFLOW;
  return stack.length - popped + pushed > STACK_MAX ? STACK_OVERFLOW : null;
}
