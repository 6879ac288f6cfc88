// An EVM that tracks, frame by frame, the minimum gas with which the same execution takes place.
// oxlint-disable no-underscore-dangle -- the names are @ethereumjs/evm's
import type { Common } from '@ethereumjs/common';
import { EVMError, type EVM, type EVMResult, type ExecResult } from '@ethereumjs/evm';
import type { ExecutionContext, LogNumbering, EvmMessage, PrecompileMove } from '../evm-engine.js';
import { DeadlineEvm, type OpHandler } from './deadline-evm.js';
import { cacheJumpdests } from './jumpdest-cache.js';
import { callTreeFingerprint, addFrameEnd, type FrameEnd } from '../call-tree-fingerprint.js';
import { codeLimits } from '../../chain/code-limits.js';
import type { NonEvmAccounts } from '../../chain/non-evm-accounts.js';
import { opcodeGas, stackItemsPopped } from '../opcodes.js';
import { OPCODES, type Opcode } from '../opcodes.table.js';
import type { PrecompileSet } from '../precompiles/precompile-set.js';
import type { ForkRules } from './fork-rules.js';
import { toBytes } from '../../lib/bytes/big-endian.js';
import { NonEvmCodeError } from '../non-evm-code-error.js';
import type { ReadSet } from '../read-set.js';
import { transferLog } from '../transfer-log.js';
import type { JournaledState } from '../journal/journaled-state.js';
import { AccessCollector } from './access-collector.js';
import { JournaledStateManager } from './state-manager.js';
import { NONCE_MAX } from '../../state/views/state-view.js';

interface Frame {
  /** Gas at the frame's start. */
  readonly gas: bigint;
  /** Minimum gas at the start with which the frame comes as far as it has, in the same way. */
  need: bigint;
  /** True if it has halted, so that all its gas is used. */
  halted: boolean;
  /** True if it has ended and its changes stay. */
  succeeded: boolean;
}

export interface StackHeightBeforeStep {
  readonly opCode: number;
  readonly length: number;
}

/** The message of a frame in the library's form. */
export type RunCallOptions = Parameters<EVM['runCall']>[0];
/** Address, topics and data. */
type LibraryLog = [Uint8Array, Uint8Array[], Uint8Array];
type RunState = Parameters<OpHandler>[0];

const { REVERT, STOP, INSUFFICIENT_BALANCE, OUT_OF_GAS } = EVMError.errorMessages;
/** BLOCKHASH to GASLIMIT, BASEFEE, BLOBBASEFEE and SLOTNUM. */
const BLOCK_READS = [0x40, 0x41, 0x42, 0x43, 0x44, 0x45, 0x48, 0x4a, 0x4b];
const SLOAD = 0x54;
const SSTORE = 0x55;
const GAS = 0x5a;
const TSTORE = 0x5d;
const CREATE = 0xf0;
const CREATE2 = 0xf5;
const CALL = 0xf1;
const CALLS = [CALL, 0xf2, 0xf4, 0xfa];
/** CALL and CALLCODE, which may carry value. */
const VALUE_CALLS = new Set([0xf1, 0xf2]);
const LOGS = [0xa0, 0xa1, 0xa2, 0xa3, 0xa4];
const SELFDESTRUCT = 0xff;
/** Instructions that access an account: its position on the stack, and the items that go-ethereum requires. */
const NAMED_ACCOUNTS: readonly (readonly [codes: readonly number[], place: number, items: number])[] = [
  [[0x31, 0x3b, 0x3c, 0x3f, SELFDESTRUCT], 0, 1],
  [CALLS, 1, 5],
];
const ADDRESS_MASK = 2n ** 160n - 1n;
const STIPEND = 2300n;
/** EIP-2929. */
const WARM_GAS = 100;
/** End of memory above which a call fails, whatever it calls. */
const MEMORY_END_MAX = 0xffff_ffe0n;
/** Bytes of a delegation (EIP-7702): 0xef0100 and an address. */
const DELEGATION_BYTES = 23;

/**
 * An EVM that tracks minimum gas. A frame observes its gas only in out-of-gas checks, SSTORE's minimum, the gas of a
 * child, and GAS. So only the handlers of SSTORE, GAS, the CALLs and CREATEs are wrapped, and `runCall`, through which
 * every frame passes. Frames run inside of each other on one thread, so `frame` is the one that is executing.
 */
export class GasTrackingEvm extends DeadlineEvm {
  /** Of the last execution: minimum gas, whether gas was read, whether a frame halted, how the outermost ended. */
  need = 0n;
  gasSensitive = false;
  hasHalts = false;
  outermost: ExecResult | null = null;
  /** Gas left before the last instruction whose price depends on operands. */
  gasBefore = 0n;
  /** The stack at that time, because state gas may be found missing when the operands are already popped (EIP-8037). */
  stackBefore: StackHeightBeforeStep | null = null;
  #tree = 0n;
  /** Number of frames that are running. */
  #depth = 0;
  #frame: Frame = frameOf(0n);
  /** The frame that ended last, if a call has just returned. */
  #child: Frame | null = null;
  #context: ExecutionContext | null = null;
  readonly #state: JournaledState;
  #logsTransfers = false;
  /** True if the fork's rules log transfers of ether (EIP-7708). */
  readonly #isRuled: boolean;
  /** Accounts and slots that the instructions of the last execution have accessed, in order and with repetitions. */
  #accountsRead: bigint[] = [];
  /** State that a block access list would contain; `null` if the fork has none (EIP-7928). */
  readonly #accesses: AccessCollector | null;
  #isListed = false;
  #logPlaces = new Map<LibraryLog, number>();
  #logsMade = 0;
  #slotsRead: { readonly address: Uint8Array; readonly slot: bigint }[] = [];
  readonly #ownPrecompiles: EVM['_precompiles'];
  readonly #splitsGas: boolean;
  readonly #nonEvm: NonEvmAccounts;
  readonly #fork: string;

  /** `set` has the implementations of the precompiles. */
  constructor(
    { common, precompiles, nonEvm, fork }: Pick<ForkRules, 'common' | 'precompiles' | 'nonEvm' | 'fork'>,
    state: JournaledState,
    set: PrecompileSet,
  ) {
    const blockchain = new BlockHashes(() => this.#context);
    const stateManager = new JournaledStateManager(state, !common.isActivatedEIP(8037));
    const accesses = common.isActivatedEIP(7928) ? new AccessCollector() : null;
    const list = accesses === null ? {} : { blockLevelAccessList: accesses };
    super({ common, stateManager, blockchain, customPrecompiles: precompiles, ...list }, set);
    this.#accesses = accesses;
    this.#state = state;
    this.#ownPrecompiles = this._precompiles;
    this.#splitsGas = common.gteHardfork('tangerineWhistle');
    this.#nonEvm = nonEvm;
    this.#fork = fork;
    this.#isRuled = common.isActivatedEIP(7708);
    this.#watchStateGas();
    this.#wrapHandlers();
  }

  /** Starts an execution, and clears what an earlier one has left, even if that was aborted. */
  prepare(context: ExecutionContext, gasLimit: bigint, message: EvmMessage): void {
    const { logsTransfers = false, isListed = false, reservoir = 0n } = message;
    this.#context = context;
    this.#isListed = isListed;
    this.#accesses?.clear();
    this.#logsTransfers = logsTransfers && !this.#isRuled;
    this.#accountsRead = [];
    this.#slotsRead = [];
    this.#logPlaces = new Map();
    this.#logsMade = 0;
    this.endAt(context.deadline);
    this.need = 0n;
    this.gasSensitive = false;
    this.hasHalts = false;
    this.stackBefore = null;
    this.outermost = null;
    this.#tree = 0n;
    this.#depth = 0;
    this.#child = null;
    this.#frame = frameOf(gasLimit);
    this.#beginState(reservoir);
    this._precompiles = this.#precompilesAfter(context.precompileMoves);
    this.journal.cleanJournal();
    this.transientStorage.clear();
  }

  /** State gas that the last execution has used, and what is left in its reservoir (EIP-8037). */
  get stateGas(): { readonly used: bigint; readonly reservoir: bigint } {
    return { used: this.executionStateGasUsed, reservoir: this.stateGasReservoir };
  }

  /** True if the gas was not enough for what the last message pays before its first frame (EIP-2780). */
  get isEntryUnpaid(): boolean {
    return this.eip2780PrepOog;
  }

  #beginState(reservoir: bigint): void {
    this.stateGasReservoir = reservoir;
    this.executionStateGasUsed = 0n;
    this.eip2780PrepOog = false;
    this.eip7928CallPostTargetOog = false;
    this._stateGasSnapshots = [];
    this.createdAccountStateGas = new Map();
    this.createdAccountIntrinsicStateGas = new Map();
  }

  /** EIP-8037: the minimum gas of an execution that pays state gas is not tracked, so it has to be searched for. */
  #watchStateGas(): void {
    let used = 0n;
    Object.defineProperty(this, 'executionStateGasUsed', {
      get: () => used,
      set: (gas: bigint) => {
        used = gas;
        if (gas !== 0n) this.gasSensitive = true;
      },
    });
  }

  /** EIP-8037: after a child's success the reservoir repays its caller's spill, which the library does not do yet. */
  #repaySpill(runState: RunState): void {
    const { stateGasSpilled: spill } = runState;
    const back = spill < this.stateGasReservoir ? spill : this.stateGasReservoir;
    runState.stateGasSpilled -= back;
    runState.gasLeft += back;
    this.stateGasReservoir -= back;
  }

  /** The tree of calls of the last execution (call-tree-fingerprint.ts). */
  get tree(): number {
    return callTreeFingerprint(this.#tree);
  }

  /** Numbers of the logs that the last execution has left. */
  numberingOf(logs: readonly LibraryLog[]): LogNumbering {
    return { places: logs.map((log) => this.#logPlaces.get(log)!), made: this.#logsMade };
  }

  readSet(): ReadSet {
    if (this.#isListed && this.#accesses !== null) return this.#accesses.readSet();
    const slots = new Map(this.#slotsRead.map(({ address, slot }) => [`${key(address)}${slot}`, { address, slot }]));
    return {
      accounts: [...new Set(this.#accountsRead)].map((address) => toBytes(address, 20)),
      slots: [...slots.values()].map(({ address, slot }) => ({ address, slot: toBytes(slot, 32) })),
    };
  }

  /** True if there is a precompile at this address after overrides have moved some. */
  hasPrecompile(address: Uint8Array, moves: readonly PrecompileMove[]): boolean {
    // This is asked for every recipient. All precompiles have addresses that start with zeros, until they are moved.
    return (address[0] === 0 || moves.length > 0) && this.#precompilesAfter(moves).has(key(address));
  }

  /** Runs the fork's precompile at this address by itself. Rejects with DeadlinePassed. */
  async runOwnPrecompile(
    address: Uint8Array,
    data: Uint8Array,
    gasLimit: bigint,
    deadline: number,
  ): Promise<ExecResult> {
    this.endAt(deadline);
    return this.runPrecompile(this.#ownPrecompiles.get(key(address))!, data, gasLimit);
  }

  /** Makes precompiles warm at their own addresses, wherever overrides have moved them. */
  warmPrecompiles(): void {
    for (const address of this.#ownPrecompiles.keys()) this.journal.addAlwaysWarmAddress(address);
    for (const address of this.#nonEvm.warm) this.journal.addAlwaysWarmAddress(key(address));
  }

  /** Throws NonEvmCodeError if a message to this address would run non-EVM code, perhaps by delegation (EIP-7702). */
  refuseNonEvm(address: Uint8Array): void {
    if (this.#nonEvm.isEmpty) return;
    const codeOf = (of: Uint8Array): Uint8Array => this.#state.codeOf(of);
    if (this.#nonEvm.isNonEvm(address, () => codeOf(address))) throw new NonEvmCodeError(address);
    const delegate = this.common.isActivatedEIP(7702) ? delegateOf(codeOf(address)) : null;
    if (delegate !== null && this.#nonEvm.isNonEvm(delegate, () => codeOf(delegate)))
      throw new NonEvmCodeError(delegate);
  }

  /** Accounts that the last execution has written or paid, even with zero (EIP-161), as hex without prefix. */
  touchedAddresses(): string[] {
    // This is private in the library, whose own clean-up removes empty accounts at once.
    return [...this.journal['touched']];
  }

  /** All frames pass through here: their gas is tracked around the library's run. Rejects with DeadlinePassed. */
  override async runCall(options: Parameters<EVM['runCall']>[0]): Promise<EVMResult> {
    const outer = this.#frame;
    const frame = frameOf(options.message?.gasLimit ?? options.gasLimit ?? 0n);
    this.#frame = frame;
    const isLogged = transfersEther(options) && (this.#logsTransfers || (this.#isRuled && !transfersToItself(options)));
    const place = isLogged ? this.#logsMade++ : null;
    this.#depth++;
    const result = await super.runCall(options);
    this.#depth--;
    const { exceptionError, executionGasUsed } = result.execResult;
    if (place !== null && exceptionError === undefined) this.#logTransfer(options, result, place);
    const isUnmade = this.isEntryUnpaid || (this.#isRuled && exceptionError?.error === INSUFFICIENT_BALANCE);
    if (place !== null && isUnmade) this.#logsMade--;
    frame.halted = exceptionError !== undefined && exceptionError.error !== REVERT;
    frame.succeeded = exceptionError === undefined;
    this.#endsCall(frame.halted ? 'halt' : exceptionError === undefined ? 'success' : 'revert');
    if (!frame.halted) atLeast(frame, executionGasUsed);
    this.#frame = outer;
    this.#child = frame;
    this.need = frame.need;
    return result;
  }

  protected override async runInterpreter(...args: Parameters<EVM['runInterpreter']>): Promise<ExecResult> {
    const result = await super.runInterpreter(...args);
    if (this.outermost === null && result.runState !== undefined) cacheJumpdests(result.runState.interpreter);
    this.outermost = result;
    return result;
  }

  /** Records how the call that the frame at this depth has made ended. */
  #endsCall(how: FrameEnd): void {
    if (how === 'halt' && this.#depth > 0) this.hasHalts = true;
    this.#tree = addFrameEnd(this.#tree, this.#depth, how);
  }

  #precompilesAfter(moves: readonly PrecompileMove[]): EVM['_precompiles'] {
    if (moves.length === 0) return this.#ownPrecompiles;
    const precompiles = new Map(this.#ownPrecompiles);
    for (const { from } of moves) precompiles.delete(key(from));
    for (const { from, to } of moves) {
      const precompile = this.#ownPrecompiles.get(key(from));
      if (to !== null && precompile !== undefined) precompiles.set(key(to), precompile);
    }
    return precompiles;
  }

  #wrapHandlers(): void {
    const isNetMetered = this.common.gteHardfork('istanbul');
    this.#beforeGas(SLOAD, (runState) => this.#nameSlot(runState));
    this.#beforeGas(SSTORE, (runState) => {
      if (isNetMetered) atLeast(this.#frame, this.#frame.gas - runState.gasLeft + SENTRY);
      this.#nameSlot(runState);
    });
    if (this.common.isActivatedEIP(3860))
      for (const code of [CREATE, CREATE2]) this.#beforeGas(code, ({ stack }) => boundInitcode(stack, this.common));
    for (const code of [CREATE, CREATE2]) this.#beforeGas(code, refuseStatic);
    // The handler that was wrapped last is called first.
    for (const row of OPCODES) if (row.writes || row.code === CALL) this.#payBeforeRefusal(row);
    for (const [codes, place, items] of NAMED_ACCOUNTS)
      for (const code of codes) this.#beforeGas(code, ({ stack }) => this.#nameAccount(stack, place, items));
    for (const code of CALLS) this.#beforeGas(code, (runState) => this.#refuseCallee(runState, code));
    if (this.common.isActivatedEIP(8037)) {
      this.#chargeBeforeSplit();
      for (const code of [CREATE, CREATE2]) this.#chargeNoRefused(code);
    }
    for (let code = 0; code < 256; code++) this.#beforeGas(code, (runState) => this.#noteBefore(runState));
    this.wrap(GAS, (handler) => (runState, common) => {
      if (!CALLS.includes(runState.code[runState.programCounter] ?? 0)) this.gasSensitive = true;
      return handler(runState, common);
    });
    for (const code of LOGS) this.wrap(code, (handler) => this.#logging(withItems(handler, code)));
    this.wrap(TSTORE, (handler) => withItems(handler, TSTORE));
    for (const code of BLOCK_READS) this.wrap(code, (handler) => this.#notingBlockRead(handler));
    this.wrap(SELFDESTRUCT, (handler) => this.#destroying(handler));
    for (const code of CALLS) this.wrap(code, (handler) => this.#tracked(handler, code));
    for (const code of [CREATE, CREATE2]) this.wrap(code, (handler) => this.#tracked(handler, code));
  }

  /**
   * EIP-8037: an account that a call creates is paid for before all but a 64th of the remaining gas is given to the
   * callee. The library computes that share first.
   */
  #chargeBeforeSplit(): void {
    const entry = this._opcodeMap[CALL];
    if (entry?.opcodeInfo.dynamicGas !== true) return;
    const { gasHandler } = entry;
    const after = async (runState: RunState, gas: bigint, common: Common): Promise<bigint> => {
      const requestedGas = runState.stack.length > 0 ? runState.stack.peek(1)[0]! : 0n;
      const cost = await gasHandler(runState, gas, common);
      if ((runState.lastCallNewAccountStateGas ?? 0n) === 0n) return cost;
      const left = runState.gasLeft - cost;
      const most = left - left / 64n;
      runState.messageGasLimit = requestedGas < most ? requestedGas : most;
      return cost;
    };
    this._opcodeMap[CALL] = Object.assign({ ...entry }, { gasHandler: after });
  }

  /** EIP-8037: a creation refused for balance, depth or nonce does not access the account it would pay for. */
  #chargeNoRefused(code: number): void {
    const entry = this._opcodeMap[code];
    if (entry?.opcodeInfo.dynamicGas !== true) return;
    const { gasHandler } = entry;
    const charge = (runState: RunState, gas: bigint, common: Common): Promise<bigint> | bigint => {
      if (!isRefused(runState)) return gasHandler(runState, gas, common);
      runState.lastCreateNewAccountStateGas = 0n;
      const isActivatedEIP = (eip: number): boolean => eip !== 8037 && common.isActivatedEIP(eip);
      return gasHandler(runState, gas, Object.create(common, { isActivatedEIP: { value: isActivatedEIP } }) as Common);
    };
    this._opcodeMap[code] = Object.assign({ ...entry }, { gasHandler: charge });
  }

  /** go-ethereum checks the stack and charges an instruction's own gas before it refuses to change state. */
  #payBeforeRefusal(row: Opcode): void {
    const gas = BigInt(row.code === CALL ? WARM_GAS : opcodeGas(row, this.#fork));
    this.#beforeGas(row.code, ({ interpreter, gasLeft, stack }) => {
      if (!interpreter.isStatic()) return;
      if (stack.length < stackItemsPopped(row.code)) throw new EVMError(EVMError.errorMessages.STACK_UNDERFLOW);
      if (gasLeft < gas) throw new EVMError(OUT_OF_GAS);
    });
  }

  #noteBefore({ gasLeft, opCode, stack }: RunState): void {
    this.gasBefore = gasLeft;
    if (!this.common.isActivatedEIP(8037)) return;
    this.stackBefore = { opCode, length: stack.length };
  }

  /** Calls `act` before an instruction is charged for; those of all forks are charged by their own function. */
  #beforeGas(code: number, act: (runState: RunState) => void): void {
    const entry = this._opcodeMap[code];
    if (entry?.opcodeInfo.dynamicGas !== true || entry.opcodeInfo.code !== code) return;
    const { gasHandler } = entry;
    // The library declares this as synchronous or asynchronous; what is returned is awaited either way.
    const before = (runState: RunState, gas: bigint, common: Common): Promise<bigint> | bigint => {
      act(runState);
      return gasHandler(runState, gas, common);
    };
    this._opcodeMap[code] = Object.assign({ ...entry }, { gasHandler: before });
  }

  #notingBlockRead(handler: OpHandler): OpHandler {
    return (runState, common) => {
      this.#context?.onBlockRead?.();
      return handler(runState, common);
    };
  }

  /** A call that fails before it accesses its callee fails as it always does. */
  #refuseCallee({ stack, interpreter }: RunState, code: number): void {
    const items = stackItemsPopped(code);
    if (this.#nonEvm.isEmpty || stack.length < items) return;
    const operands = stack.peek(items);
    if (code === CALL && operands[2] !== 0n && interpreter.isStatic()) return;
    const [inOffset, inBytes, outOffset, outBytes] = operands.slice(-4) as [bigint, bigint, bigint, bigint];
    if (isBeyondMemory(inOffset, inBytes) || isBeyondMemory(outOffset, outBytes)) return;
    this.refuseNonEvm(toBytes(operands[1]! & ADDRESS_MASK, 20));
  }

  #nameAccount(stack: RunState['stack'], place: number, items: number): void {
    if (stack.length >= items) this.#accountsRead.push(stack.peek(place + 1)[place]! & ADDRESS_MASK);
  }

  #nameSlot({ stack, interpreter }: RunState): void {
    if (stack.length > 0) this.#slotsRead.push({ address: interpreter.getAddress().bytes, slot: stack.peek(1)[0]! });
  }

  /** The interpreter does not await a LOG, so what it throws has to be thrown at once. */
  #logging(handler: OpHandler): OpHandler {
    return (runState, common) => {
      const done = handler(runState, common);
      this.#numbered(runState.interpreter._result.logs.at(-1)!, this.#logsMade++);
      return done;
    };
  }

  #numbered(log: LibraryLog, place: number): LibraryLog {
    this.#logPlaces.set(log, place);
    return log;
  }

  /** Adds the log of the transfer of a frame's value before the frame's own logs. */
  #logTransfer(options: RunCallOptions, { execResult, createdAddress }: EVMResult, place: number): void {
    const [ruled] = execResult.logs ?? [];
    if (this.#isRuled) return void this.#numbered(ruled!, place);
    const { caller, to = createdAddress, value = 0n } = options.message ?? options;
    const log = libraryLog(caller!.bytes, to!.bytes, value);
    execResult.logs = [this.#numbered(log, place), ...(execResult.logs ?? [])];
  }

  #destroying(handler: OpHandler): OpHandler {
    return (runState, common) => {
      const beneficiary = runState.stack.peek(1)[0]! & ADDRESS_MASK;
      const self = runState.interpreter.getAddress().bytes;
      const wei = this.#state.accountOf(self)?.balance ?? 0n;
      if (this.#logsTransfers && wei > 0n)
        runState.interpreter._result.logs.push(
          this.#numbered(libraryLog(self, toBytes(beneficiary, 20), wei), this.#logsMade++),
        );
      return this.#isRuled ? this.#numberingMove(runState, () => handler(runState, common)) : handler(runState, common);
    };
  }

  /** Numbers the log of a transfer that SELFDESTRUCT makes (EIP-7708), which the library ends by an exception. */
  async #numberingMove({ interpreter }: RunState, destroy: () => Promise<void> | void): Promise<void> {
    const { logs } = interpreter._result;
    const made = logs.length;
    try {
      await destroy();
    } catch (ended) {
      const isStop = ended instanceof EVMError && ended.error === STOP;
      if (isStop && logs.length > made) this.#numbered(logs.at(-1)!, this.#logsMade++);
      throw ended;
    }
  }

  /** Wraps a CALL or CREATE to track what it costs and what its child needs. */
  #tracked(handler: OpHandler, code: number): OpHandler {
    const mayCarryValue = VALUE_CALLS.has(code);
    const isCreate = !CALLS.includes(code);
    return async (runState, common) => {
      const frame = this.#frame;
      const left = runState.gasLeft;
      const gasLimit = runState.messageGasLimit ?? 0n;
      const stipend = mayCarryValue && runState.stack.peek(3)[2] !== 0n ? STIPEND : 0n;
      const pays = isCreate ? runState.stack.peek(1)[0] !== 0n : code === CALL && stipend > 0n;
      const { contract } = runState.interpreter._env;
      const { nonce } = contract;
      this.#child = null;
      await handler(runState, common);
      // From Amsterdam on, the library starts no frame for a creation whose address is in use; the nonce is raised and
      // its gas, which may be zero, is used all the same.
      if (isCreate && this.#child === null && contract.nonce > nonce) {
        this.#child = haltedFrame();
        this.#endsCall('halt');
      }
      this.#account(frame, left, gasLimit, stipend, isCreate);
      if (this.#hasSucceeded()) this.#repaySpill(runState);
      // go-ethereum counts the log of a transfer as made before it checks whether the frame may start.
      if (this.#child === null && pays && this.#logsTransfers) this.#logsMade++;
    };
  }

  /** True if the child of the instruction that has just run has succeeded. */
  #hasSucceeded(): boolean {
    return this.#child?.succeeded === true;
  }

  #account(frame: Frame, left: bigint, gasLimit: bigint, stipend: bigint, isCreate: boolean): void {
    const base = frame.gas - left;
    atLeast(frame, base);
    if (this.#child === null) return this.#endsCall('refused');
    if (!this.#splitsGas) return atLeast(frame, base + (isCreate ? this.#child.need : gasLimit));
    if (this.#child.halted) {
      // A call given a fixed amount needs that amount. Of one given all gas, a single execution cannot tell.
      if (gasLimit < left - left / 64n) atLeast(frame, base + inverse(gasLimit));
      else this.gasSensitive = true;
    } else {
      atLeast(frame, base + inverse(this.#child.need - stipend));
    }
  }
}

/** True if a creation starts no frame. */
function isRefused({ stack, interpreter }: RunState): boolean {
  const { depth, contract } = interpreter._env;
  if (stack.length === 0 || interpreter.isStatic()) return false;
  return depth >= DEPTH_MAX || contract.balance < stack.peek(1)[0]! || contract.nonce === NONCE_MAX;
}

const DEPTH_MAX = 1024;

/** The library checks the length when the items, which the error message needs, are already popped (EIP-3860). */
function boundInitcode(stack: RunState['stack'], common: Common): void {
  if (stack.length >= 3 && stack.peek(3)[2]! > codeLimits(common).initcode)
    throw new EVMError(EVMError.errorMessages.INITCODE_SIZE_VIOLATION);
}

/**
 * go-ethereum refuses a creation before it looks at its initcode. The library does so after that, and after it has
 * charged for the account and recorded its access (EIP-7928).
 */
function refuseStatic({ interpreter }: RunState): void {
  if (interpreter.isStatic()) throw new EVMError(EVMError.errorMessages.STATIC_STATE_CHANGE);
}

/** True if no gas could pay for memory of this range. */
function isBeyondMemory(offset: bigint, length: bigint): boolean {
  return length > 0n && offset + length > MEMORY_END_MAX;
}

/** EIP-7702: the account whose code is run in place of this one's; `null` if its own code is run. */
function delegateOf(code: Uint8Array): Uint8Array | null {
  const isDelegation = code.length === DELEGATION_BYTES && code[0] === 0xef && code[1] === 0x01 && code[2] === 0x00;
  return isDelegation ? code.subarray(3) : null;
}

/** True if the frame starts with a transfer of ether, which CALLCODE and DELEGATECALL never do. */
export function transfersEther({ message, value = 0n }: RunCallOptions): boolean {
  if (message === undefined) return value !== 0n;
  // This is private in the library, whose getter returns the recipient if no code address is set.
  return message.value !== 0n && message['_codeAddress'] === undefined;
}

/** True if it transfers from an account to itself. */
export function transfersToItself({ message, caller, to }: RunCallOptions): boolean {
  const [from, target] = [message?.caller ?? caller, message === undefined ? to : message.to];
  return from !== undefined && target !== undefined && from.equals(target);
}

/** A log in the library's form. */
function libraryLog(from: Uint8Array, to: Uint8Array, wei: bigint): LibraryLog {
  const { address, topics, data } = transferLog(from, to, wei);
  return [address, [...topics], data];
}

/** EIP-2200: SSTORE fails unless more than 2300 gas is left. */
const SENTRY = 2301n;

function haltedFrame(): Frame {
  return { ...frameOf(0n), halted: true };
}

function frameOf(gas: bigint): Frame {
  return { gas, need: 0n, halted: false, succeeded: false };
}

function atLeast(frame: Frame, gas: bigint): void {
  if (gas > frame.need) frame.need = gas;
}

/** The least R with R - floor(R / 64) >= gas: so much must be left so that a child can get that much (EIP-150). */
function inverse(gas: bigint): bigint {
  return gas <= 0n ? 0n : gas + (gas - 1n) / 63n;
}

/** The library's LOGs pop two items before they look for topics, its TSTORE refuses a static frame before it pops. */
function withItems(handler: OpHandler, code: number): OpHandler {
  return (runState, common) => {
    if (runState.stack.length < stackItemsPopped(code)) throw new EVMError(EVMError.errorMessages.STACK_UNDERFLOW);
    return handler(runState, common);
  };
}

/** The key by which the library finds precompiles. */
function key(address: Uint8Array): string {
  return Buffer.from(address.buffer, address.byteOffset, address.byteLength).toString('hex');
}

/** The library's `blockchain`, whose `getBlock` BLOCKHASH calls. */
class BlockHashes {
  readonly #context: () => ExecutionContext | null;

  constructor(context: () => ExecutionContext | null) {
    this.#context = context;
  }

  getBlock(number: number): Promise<{ hash(): Uint8Array }> {
    const hash = this.#context()?.blockHash(number) ?? new Uint8Array(32);
    return Promise.resolve({ hash: () => hash });
  }

  putBlock(): Promise<void> {
    return Promise.resolve();
  }

  shallowCopy(): this {
    return this;
  }
}
