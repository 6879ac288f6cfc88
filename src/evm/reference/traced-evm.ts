// The EVM of @ethereumjs with reports to a tracer. It also reports calls that are refused, as go-ethereum does,
// although @ethereumjs starts no frame for them.
// oxlint-disable no-underscore-dangle -- the names are @ethereumjs/evm's
import { EVMError, type EVM, type EVMResult, type ExecResult } from '@ethereumjs/evm';
import { generateAddress2 } from '@ethereumjs/util';
import { gasSchedule } from '../../chain/gas-schedule.js';
import { SYSTEM_ADDRESS } from '../../chain/block-start-system-contracts.js';
import { sameBytes } from '../../lib/bytes/byte-map.js';
import { toBytes, EMPTY_BYTES } from '../../lib/bytes/big-endian.js';
import { isEmptyAccount, NONCE_MAX } from '../../state/views/state-view.js';
import { createdContractAddress } from '../created-contract-address.js';
import type { ExecutionContext, EvmMessage } from '../evm-engine.js';
import type { JournaledState } from '../journal/journaled-state.js';
import { stackItemsPopped } from '../opcodes.js';
import type { PrecompileImplementations } from '../precompiles/precompile-implementations.js';
import type { StartedFrame, FrameKind, TraceHooks } from '../trace-hooks.js';
import { transferLog } from '../transfer-log.js';
import type { OpHandler, RunState } from './deadline-evm.js';
import type { ForkRules } from './fork-rules.js';
import { frameFailureReason } from './frame-failure-reason.js';
import { memoryAccessEnd, type FailedFrame } from '../geth-vm-error-text.js';
import {
  MinimumGasTrackingEvm,
  addressOf,
  stackItem,
  transfersEther,
  transfersToItself,
  type RunCallOptions,
} from './minimum-gas-tracking-evm.js';

/** A call or creation that an instruction is about to make. */
interface Calling {
  readonly kind: FrameKind;
  /** Address of the new contract, for CREATE and CREATE2. */
  readonly created: Uint8Array | null;
  /** True once the frame of the call has started. */
  hasStarted: boolean;
}

const { REVERT, STOP } = EVMError.errorMessages;
const CALLS: readonly (readonly [code: number, kind: FrameKind])[] = [
  [0xf1, 'CALL'],
  [0xf2, 'CALLCODE'],
  [0xf4, 'DELEGATECALL'],
  [0xfa, 'STATICCALL'],
];
const CREATES: readonly (readonly [code: number, kind: FrameKind])[] = [
  [0xf0, 'CREATE'],
  [0xf5, 'CREATE2'],
];
/** Opcodes of BALANCE, EXTCODESIZE, EXTCODECOPY, EXTCODEHASH. */
const ACCOUNT_READS = [0x31, 0x3b, 0x3c, 0x3f];
/** Opcode of SSTORE. The next constant has the opcodes of SLOAD and SSTORE. */
const SSTORE = 0x55;
const SLOTS = [0x54, SSTORE];
const LOGS = [0xa0, 0xa1, 0xa2, 0xa3, 0xa4];
const SELFDESTRUCT = 0xff;
const STIPEND = 2300n;
const DEPTH_MAX = 1024;

/** Reports call frames, logs and accessed state to a tracer's hooks. SteppedEvm also reports instructions. */
export class TracedEvm extends MinimumGasTrackingEvm {
  readonly #state: JournaledState;
  readonly #logsMoves: boolean;
  #hooks: TraceHooks | null = null;
  #calling: Calling = { kind: 'CALL', created: null, hasStarted: false };
  /** Result of the code of the frame that ended last; `null` if that frame had no code. */
  #run: ExecResult | null = null;
  readonly #stateGas: { readonly slot: bigint; readonly account: bigint };
  /** Refund that is due before the execution starts (EIP-7702). */
  protected refundBefore = 0n;

  constructor(rules: ForkRules, state: JournaledState, set: PrecompileImplementations) {
    super(rules, state, set);
    this.#state = state;
    this.#logsMoves = rules.common.isActivatedEIP(7708);
    const { stateSlot, stateAccount } = gasSchedule(rules.common);
    this.#stateGas = { slot: BigInt(stateSlot), account: BigInt(stateAccount) };
    if (rules.common.isActivatedEIP(8037)) for (const [code] of CREATES) this.#nameUnpaid(code);
    for (const [code, kind] of [...CALLS, ...CREATES]) this.wrap(code, (handler) => this.#traced(handler, code, kind));
    for (const code of ACCOUNT_READS) this.wrap(code, (handler) => this.#naming(handler));
    for (const code of SLOTS) this.wrap(code, (handler) => this.#namingSlot(handler));
    for (const code of LOGS) this.wrap(code, (handler) => this.#logging(handler));
    this.wrap(SELFDESTRUCT, (handler) => this.#destroying(handler));
  }

  protected get hooks(): TraceHooks {
    return this.#hooks!;
  }

  override prepare(context: ExecutionContext, gasLimit: bigint, message: EvmMessage): void {
    super.prepare(context, gasLimit, message);
    this.#hooks = message.hooks!;
    this.refundBefore = message.refund ?? 0n;
    const { caller, to } = message;
    this.#calling = {
      kind: to === null ? 'CREATE' : 'CALL',
      // The sender's nonce was already raised.
      created: to === null ? createdContractAddress(caller, this.#nonceOf(caller) - 1n) : null,
      hasStarted: false,
    };
  }

  /**
   * True if an SSTORE or SELFDESTRUCT that has paid `gas` cannot pay the state gas for its new slot or account
   * (EIP-8037).
   */
  protected async cannotPayStateGas(runState: RunState, code: number, gas: bigint): Promise<boolean> {
    const state = await this.#stateGasOf(runState, code);
    return state > runState.gasLeft - gas + this.stateGasReservoir;
  }

  async #stateGasOf({ stack, interpreter }: RunState, code: number): Promise<bigint> {
    const { slot, account } = this.#stateGas;
    if (slot === 0n) return 0n;
    if (code === SSTORE) {
      if (stackItem(stack, 1) === 0n) return 0n;
      const word = toBytes(stackItem(stack), 32);
      const isSet = async (isOriginal: boolean): Promise<boolean> =>
        (await interpreter.storageLoad(word, isOriginal, false)).length > 0;
      return (await isSet(false)) || (await isSet(true)) ? 0n : slot;
    }
    if (code !== SELFDESTRUCT || this.#balanceOf(interpreter.getAddress().bytes) === 0n) return 0n;
    return isEmptyAccount(this.#state.accountOf(addressOf(stackItem(stack)))) ? account : 0n;
  }

  /**
   * Reports the start and end of a frame. @ethereumjs calls this method for every frame, including the outermost one.
   */
  override async runCall(options: RunCallOptions): Promise<EVMResult> {
    const calling = this.#calling;
    calling.hasStarted = true;
    const frame = startedFrame(options, calling);
    const hooks = this.hooks;
    hooks.entered(frame);
    if (this.#logsMoves && transfersEther(options) && !transfersToItself(options))
      hooks.logged({ ...transferLog(frame.from, frame.to, frame.value!), address: SYSTEM_ADDRESS });
    this.#run = null;
    const result = await super.runCall(options);
    this.#leave(result.execResult);
    return result;
  }

  protected override async runInterpreter(...args: Parameters<EVM['runInterpreter']>): Promise<ExecResult> {
    return (this.#run = await super.runInterpreter(...args));
  }

  #leave({ exceptionError, executionGasUsed: gasUsed, returnValue: output }: ExecResult): void {
    const error = exceptionError === undefined ? null : this.#textOf(exceptionError.error);
    this.hooks.left({ output, gasUsed, error });
  }

  #textOf(error: string): string {
    if (error === REVERT) return 'execution reverted';
    const { stackBefore, common } = this;
    return frameFailureReason(error, { run: this.#run, stackBefore, common }).text;
  }

  /** Wraps a CALL or CREATE to report a frame that it cannot start. */
  #traced(handler: OpHandler, code: number, kind: FrameKind): OpHandler {
    const isCreation = kind === 'CREATE' || kind === 'CREATE2';
    const items = stackItemsPopped(code);
    return async (runState, common) => {
      const operands = runState.stack.peek(items);
      const gasLimit = runState.messageGasLimit ?? 0n;
      const calling: Calling = {
        kind,
        created: isCreation ? this.#namedCreation(runState, operands) : null,
        hasStarted: false,
      };
      if (!isCreation) this.hooks.called(addressOf(stackItem(runState.stack, 1)));
      this.#calling = calling;
      await handler(runState, common);
      if (calling.hasStarted) return;
      if (isCreation) this.#refuseCreation(runState, operands, calling, gasLimit);
      else this.#refuseCall(runState, operands, kind, gasLimit);
    };
  }

  #namedCreation({ interpreter, memory }: RunState, [, offset, length, salt]: readonly bigint[]): Uint8Array {
    const self = interpreter.getAddress().bytes;
    const created =
      salt === undefined
        ? createdContractAddress(self, this.#nonceOf(self))
        : generateAddress2(self, toBytes(salt, 32), read(memory, offset!, length!));
    this.hooks.creates(created);
    return created;
  }

  #nonceOf(address: Uint8Array): bigint {
    return this.#state.accountOf(address)?.nonce ?? 0n;
  }

  #balanceOf(address: Uint8Array): bigint {
    return this.#state.accountOf(address)?.balance ?? 0n;
  }

  /**
   * Reports the account of a creation whose gas is enough except for the state gas of the new account: go-ethereum
   * accesses that account before it fails, @ethereumjs does not.
   */
  #nameUnpaid(code: number): void {
    this.wrapGas(code, (gasHandler) => async (runState, gas, common) => {
      const memoryBytes = 32 * Number(runState.memoryWordCount);
      try {
        return await gasHandler(runState, gas, common);
      } catch (error) {
        const isOutOfGas = error instanceof EVMError && error.error === EVMError.errorMessages.OUT_OF_GAS;
        const operands = isOutOfGas ? runState.stack.peek(stackItemsPopped(code)) : [];
        const price = (): bigint => gasOfCreateOpcode({ opCode: code, item: (depth) => operands[depth]! }, memoryBytes);
        if (isOutOfGas && price() <= this.gasBefore) this.#namedCreation(runState, operands);
        throw error;
      }
    });
  }

  #refuseCall(
    { interpreter, memory, env }: RunState,
    operands: readonly bigint[],
    kind: FrameKind,
    gasLimit: bigint,
  ): void {
    const hasValue = kind === 'CALL' || kind === 'CALLCODE';
    const [offset, length] = operands.slice(hasValue ? 3 : 2);
    const value = hasValue ? operands[2]! : kind === 'STATICCALL' ? null : interpreter.getCallValue();
    this.hooks.entered({
      kind,
      from: interpreter.getAddress().bytes,
      to: addressOf(operands[1]!),
      input: read(memory, offset!, length!),
      gas: gasLimit + (hasValue && value !== 0n ? STIPEND : 0n),
      value,
    });
    const error = env.depth >= DEPTH_MAX ? TOO_DEEP : TOO_POOR;
    this.hooks.left({ output: EMPTY_BYTES, gasUsed: 0n, error });
  }

  /**
   * Reports a creation that is refused before it starts a frame. From Amsterdam on, a creation that is refused for
   * balance, depth or nonce is not reported, because go-ethereum checks them before it calls its tracer.
   */
  #refuseCreation(
    { interpreter, memory, env }: RunState,
    [value, offset, length]: readonly bigint[],
    { kind, created }: Calling,
    gasLimit: bigint,
  ): void {
    const self = interpreter.getAddress().bytes;
    const outOfGas =
      env.depth >= DEPTH_MAX
        ? TOO_DEEP
        : this.#balanceOf(self) < value!
          ? TOO_POOR
          : this.#nonceOf(self) >= NONCE_MAX
            ? 'nonce uint64 overflow'
            : null;
    if (outOfGas !== null && this.common.isActivatedEIP(8037)) return;
    const input = read(memory, offset!, length!);
    this.hooks.entered({ kind, from: self, to: created!, input, gas: gasLimit, value: value! });
    const gasUsed = outOfGas === null ? gasLimit : 0n;
    this.hooks.left({ output: EMPTY_BYTES, gasUsed, error: outOfGas ?? 'contract address collision' });
  }

  #naming(handler: OpHandler): OpHandler {
    return (runState, common) => {
      this.hooks.named(addressOf(stackItem(runState.stack)));
      return handler(runState, common);
    };
  }

  #namingSlot(handler: OpHandler): OpHandler {
    return async (runState, common) => {
      const { interpreter, stack } = runState;
      if (await this.cannotPayStateGas(runState, runState.opCode, 0n)) return handler(runState, common);
      const address = interpreter.getAddress().bytes;
      const slot = toBytes(stackItem(stack), 32);
      this.hooks.namedSlot(address, slot, this.#state.storageOf(address, slot), null);
      return handler(runState, common);
    };
  }

  /** Wraps a LOG. The interpreter does not await it, so errors have to be thrown synchronously. */
  #logging(handler: OpHandler): OpHandler {
    return (runState, common) => {
      const done = handler(runState, common);
      const [address, topics, data] = runState.interpreter._result.logs.at(-1)!;
      this.hooks.logged({ address, topics, data });
      return done;
    };
  }

  /** Wraps SELFDESTRUCT, which @ethereumjs ends with an exception. */
  #destroying(handler: OpHandler): OpHandler {
    return async (runState, common) => {
      const from = runState.interpreter.getAddress().bytes;
      const to = addressOf(stackItem(runState.stack));
      const value = this.#balanceOf(from);
      if (await this.cannotPayStateGas(runState, SELFDESTRUCT, 0n)) return handler(runState, common);
      this.hooks.named(to);
      this.hooks.destroys(from);
      try {
        await handler(runState, common);
      } catch (ended) {
        if (ended instanceof EVMError && ended.error === STOP) this.#reportDestruction(from, to, value);
        throw ended;
      }
    };
  }

  #reportDestruction(from: Uint8Array, to: Uint8Array, value: bigint): void {
    const hooks = this.hooks;
    if (this.#logsMoves && value > 0n && !sameBytes(from, to))
      hooks.logged({ ...transferLog(from, to, value), address: SYSTEM_ADDRESS });
    hooks.entered({ kind: 'SELFDESTRUCT', from, to, input: EMPTY_BYTES, gas: 0n, value });
    hooks.left({ output: EMPTY_BYTES, gasUsed: 0n, error: null });
  }
}

const TOO_DEEP = 'max call depth exceeded';
const TOO_POOR = 'insufficient balance for transfer';

/** Returns the frame that a message starts. */
function startedFrame(
  { message, caller, to, value, data, gasLimit }: RunCallOptions,
  { kind, created }: Calling,
): StartedFrame {
  if (message === undefined)
    return { kind, from: caller!.bytes, to: created ?? to!.bytes, input: data!, gas: gasLimit!, value: value! };
  const isOwn = kind === 'DELEGATECALL' || kind === 'CALLCODE';
  return {
    kind,
    // For a DELEGATECALL, `message.caller` is the caller of the delegating code, so `to` is used.
    from: isOwn ? message.to!.bytes : message.caller.bytes,
    to: created ?? message.codeAddress.bytes,
    // @ethereumjs moves the init code of a creation to another member when the frame has started.
    input: message.data,
    gas: message.gasLimit,
    value: kind === 'STATICCALL' ? null : message.value,
  };
}

function read(memory: RunState['memory'], offset: bigint, length: bigint): Uint8Array {
  return length === 0n ? EMPTY_BYTES : memory.read(Number(offset), Number(length));
}

/** Static gas of CREATE and CREATE2 (EIP-8038). */
const CREATE_ACCESS_GAS = 12_000n;
/** Gas per word of init code: the charge of EIP-3860; next, CREATE2's charge for hashing. */
const INITCODE_WORD_GAS = 2n;
const HASHED_WORD_GAS = 6n;
const CREATE2 = 0xf5;

/**
 * Returns the gas of a creation from Amsterdam on, without the state gas for the new account (EIP-8037, EIP-8038).
 * `memoryBytes` is the length of memory before the instruction.
 */
function gasOfCreateOpcode(frame: Pick<FailedFrame, 'opCode' | 'item'>, memoryBytes: number): bigint {
  const words = (frame.item(2) + 31n) / 32n;
  const wordGas = frame.opCode === CREATE2 ? INITCODE_WORD_GAS + HASHED_WORD_GAS : INITCODE_WORD_GAS;
  return (
    CREATE_ACCESS_GAS + words * wordGas + growthGas(BigInt(memoryBytes) / 32n, (memoryAccessEnd(frame) + 31n) / 32n)
  );
}

/** Returns the gas for extending memory; both lengths are in words. */
function growthGas(from: bigint, to: bigint): bigint {
  return to > from ? memoryGas(to) - memoryGas(from) : 0n;
}

function memoryGas(words: bigint): bigint {
  return 3n * words + (words * words) / 512n;
}
