// The EVM of @ethereumjs. Also tracks for each call frame the minimum gas with which the frame would do the same.
// oxlint-disable no-underscore-dangle -- the names are @ethereumjs/evm's
import type { Common } from '@ethereumjs/common';
import { EVMError, type EVM, type EVMResult, type ExecResult } from '@ethereumjs/evm';
import type { ExecutionContext, TracerLogIndices, EvmMessage, PrecompileMove } from '../evm-engine.js';
import { DeadlineEvm, type OpHandler, type RunState } from './deadline-evm.js';
import { cacheJumpdests } from './jumpdest-cache.js';
import { callTreeHashToNumber, addFrameEnd, type FrameEndStatus } from '../call-tree-fingerprint.js';
import { codeLimits } from '../../chain/code-limits.js';
import { parseDelegation } from '../delegation.js';
import type { NonEvmAccounts } from '../../chain/non-evm-accounts.js';
import { opcodeGas, stackItemsPopped } from '../opcodes.js';
import { OPCODES, type Opcode } from '../opcodes.table.js';
import type { PrecompileImplementations } from '../precompiles/precompile-implementations.js';
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
  /** Gas that the frame had at its start. */
  readonly gas: bigint;
  /** Minimum gas at the frame's start with which it would have come this far in the same way. */
  need: bigint;
  /** True if the frame has halted exceptionally, so that all its gas is used. */
  halted: boolean;
  /** True if the frame has ended and its changes stay. */
  succeeded: boolean;
}

export interface StackHeightBeforeStep {
  readonly opCode: number;
  readonly length: number;
}

/** The message of a frame, as @ethereumjs passes it. */
export type RunCallOptions = Parameters<EVM['runCall']>[0];
/** A log as @ethereumjs represents it: address, topics and data. */
type LibraryLog = [Uint8Array, Uint8Array[], Uint8Array];

const { REVERT, STOP, INSUFFICIENT_BALANCE, OUT_OF_GAS } = EVMError.errorMessages;
/** Opcodes that read the block environment: BLOCKHASH to GASLIMIT, BASEFEE, BLOBBASEFEE, SLOTNUM. */
const BLOCK_READS = [0x40, 0x41, 0x42, 0x43, 0x44, 0x45, 0x48, 0x4a, 0x4b];
const SLOAD = 0x54;
const SSTORE = 0x55;
const GAS = 0x5a;
const TSTORE = 0x5d;
const CREATE = 0xf0;
const CREATE2 = 0xf5;
const CALL = 0xf1;
const CALLS = [CALL, 0xf2, 0xf4, 0xfa];
/** Opcodes of CALL and CALLCODE, which may transfer value. */
const VALUE_CALLS = new Set([0xf1, 0xf2]);
const LOGS = [0xa0, 0xa1, 0xa2, 0xa3, 0xa4];
const SELFDESTRUCT = 0xff;
/** Opcodes that access an account; the stack position of its address; and how many stack items go-ethereum requires. */
const NAMED_ACCOUNTS: readonly (readonly [codes: readonly number[], place: number, items: number])[] = [
  [[0x31, 0x3b, 0x3c, 0x3f, SELFDESTRUCT], 0, 1],
  [CALLS, 1, 5],
];
const ADDRESS_MASK = 2n ** 160n - 1n;
const STIPEND = 2300n;
/** Gas of an access to a warm account (EIP-2929). */
const WARM_GAS = 100;
/** End of memory above which a call always fails. */
const MEMORY_END_MAX = 0xffff_ffe0n;

/**
 * An EVM that tracks the minimum gas of each frame. A frame can observe its gas only in out-of-gas checks, in SSTORE's
 * minimum, in the gas of a child, and by GAS. So it is enough to wrap the handlers of SSTORE, GAS, CALLs and CREATEs,
 * and `runCall`, through which every frame passes. Frames are nested on one thread; `frame` is the one that is running.
 */
export class MinimumGasTrackingEvm extends DeadlineEvm {
  /**
   * Figures of the last execution: minimum gas, whether code has read its gas, whether a call halted, how the outermost
   * frame ended.
   */
  need = 0n;
  gasSensitive = false;
  hasHalts = false;
  outermost: ExecResult | null = null;
  /** Gas left before the last instruction with dynamic gas. */
  gasBefore = 0n;
  /**
   * Height of the stack before the last instruction with dynamic gas. Needed because @ethereumjs may detect that state
   * gas is lacking only after it has popped the operands (EIP-8037).
   */
  stackBefore: StackHeightBeforeStep | null = null;
  #tree = 0n;
  /** Number of frames that are running. */
  #depth = 0;
  #frame: Frame = frameOf(0n);
  /** The child frame that ended last, if a call has just returned. */
  #child: Frame | null = null;
  #context: ExecutionContext | null = null;
  readonly #state: JournaledState;
  #logsTransfers = false;
  /** True if the fork's rules require logs of ether transfers (EIP-7708). */
  readonly #isRuled: boolean;
  /** Accounts and slots that instructions of the last execution have accessed, in order and with repetitions. */
  #accountsRead: bigint[] = [];
  /** Collects what a block access list would contain (EIP-7928); `null` if the fork has none. */
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
    set: PrecompileImplementations,
  ) {
    const blockchain = new BlockHashes((number) => this.#context?.blockHash(number) ?? null);
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
    this.#wrapHandlers();
  }

  /** Prepares an execution, and clears everything that an earlier one has left, even if that was aborted. */
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

  /** State gas that the last execution has used, and gas left in its reservoir (EIP-8037). */
  get stateGas(): { readonly used: bigint; readonly reservoir: bigint } {
    return { used: this.executionStateGasUsed, reservoir: this.stateGasReservoir };
  }

  /** True if the gas was too low for the charges before the last message's first frame (EIP-2780). */
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

  /**
   * After a child has succeeded, moves gas from the reservoir back to the caller, up to what the caller has paid for
   * state gas from its own gas (its spill, EIP-8037). @ethereumjs does not do that yet.
   */
  #repaySpill(runState: RunState): void {
    const { stateGasSpilled: spill } = runState;
    const back = spill < this.stateGasReservoir ? spill : this.stateGasReservoir;
    runState.stateGasSpilled -= back;
    runState.gasLeft += back;
    this.stateGasReservoir -= back;
  }

  /** Fingerprint of the last execution's tree of calls (call-tree-fingerprint.ts). */
  get tree(): number {
    return callTreeHashToNumber(this.#tree);
  }

  /** Returns the indices of `logs`, those of the last execution that were not reverted, among all logs that it made. */
  numberingOf(logs: readonly LibraryLog[]): TracerLogIndices {
    return { places: logs.map((log) => this.#logPlaces.get(log)!), made: this.#logsMade };
  }

  readSet(): ReadSet {
    if (this.#isListed && this.#accesses !== null) return this.#accesses.readSet();
    const slots = new Map(
      this.#slotsRead.map(({ address, slot }) => [`${unprefixed(address)}${slot}`, { address, slot }]),
    );
    return {
      accounts: [...new Set(this.#accountsRead)].map((address) => toBytes(address, 20)),
      slots: [...slots.values()].map(({ address, slot }) => ({ address, slot: toBytes(slot, 32) })),
    };
  }

  /** True if there is a precompile at this address after overrides have moved some. */
  hasPrecompile(address: Uint8Array, moves: readonly PrecompileMove[]): boolean {
    // A quick check, because this is called for every recipient: precompiles that are not moved have addresses that
    // start with zeros.
    return (address[0] === 0 || moves.length > 0) && this.#precompilesAfter(moves).has(unprefixed(address));
  }

  /**
   * Runs the precompile that the fork has at this address, whatever overrides have moved there. Rejects with
   * DeadlinePassed.
   */
  async runOwnPrecompile(
    address: Uint8Array,
    data: Uint8Array,
    gasLimit: bigint,
    deadline: number,
  ): Promise<ExecResult> {
    this.endAt(deadline);
    return this.runPrecompile(this.#ownPrecompiles.get(unprefixed(address))!, data, gasLimit);
  }

  /** Makes precompiles warm at their original addresses, even if overrides have moved them. */
  warmPrecompiles(): void {
    for (const address of this.#ownPrecompiles.keys()) this.journal.addAlwaysWarmAddress(address);
    for (const address of this.#nonEvm.warm) this.journal.addAlwaysWarmAddress(unprefixed(address));
  }

  /**
   * Throws NonEvmCodeError if a message to this address would run non-EVM code, directly or by delegation (EIP-7702).
   */
  refuseNonEvm(address: Uint8Array): void {
    if (this.#nonEvm.isEmpty) return;
    const codeOf = (of: Uint8Array): Uint8Array => this.#state.codeOf(of);
    if (this.#nonEvm.isNonEvm(address, () => codeOf(address))) throw new NonEvmCodeError(address);
    const delegate = this.common.isActivatedEIP(7702) ? parseDelegation(codeOf(address)) : null;
    if (delegate !== null && this.#nonEvm.isNonEvm(delegate, () => codeOf(delegate)))
      throw new NonEvmCodeError(delegate);
  }

  /**
   * Returns the accounts that the last execution has written or to which it has sent ether, even zero wei (EIP-161), as
   * hex without prefix.
   */
  touchedAddresses(): string[] {
    // A private field of @ethereumjs, whose own clean-up would remove empty accounts at once.
    return [...this.journal['touched']];
  }

  /** Runs a frame and tracks its gas. @ethereumjs calls this method for every frame. Rejects with DeadlinePassed. */
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
    const { runState } = result;
    if (this.outermost === null && runState !== undefined) cacheJumpdests(runState.interpreter);
    // A frame that reverts gets back what it has paid for state gas (EIP-8037), but it has needed it until then.
    if (runState !== undefined) atLeast(this.#frame, this.#frame.gas - runState.gasLeft);
    this.outermost = result;
    return result;
  }

  /** Records how a call ended that the frame at this depth has made. */
  #endsCall(how: FrameEndStatus): void {
    if (how === 'halt' && this.#depth > 0) this.hasHalts = true;
    this.#tree = addFrameEnd(this.#tree, this.#depth, how);
  }

  #precompilesAfter(moves: readonly PrecompileMove[]): EVM['_precompiles'] {
    if (moves.length === 0) return this.#ownPrecompiles;
    const precompiles = new Map(this.#ownPrecompiles);
    for (const { from } of moves) precompiles.delete(unprefixed(from));
    for (const { from, to } of moves) {
      const precompile = this.#ownPrecompiles.get(unprefixed(from));
      if (to !== null && precompile !== undefined) precompiles.set(unprefixed(to), precompile);
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
    // The order matters: the handler that is wrapped last is called first.
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
   * Makes CALL pay for an account that it creates before the callee gets all but a 64th of the remaining gas
   * (EIP-8037). @ethereumjs computes that share first.
   */
  #chargeBeforeSplit(): void {
    this.wrapGas(CALL, (gasHandler) => async (runState, gas, common) => {
      const requestedGas = runState.stack.length > 0 ? stackItem(runState.stack) : 0n;
      const cost = await gasHandler(runState, gas, common);
      if ((runState.lastCallNewAccountStateGas ?? 0n) === 0n) return cost;
      const left = runState.gasLeft - cost;
      const most = left - left / 64n;
      runState.messageGasLimit = requestedGas < most ? requestedGas : most;
      return cost;
    });
  }

  /**
   * Prevents a creation that is refused for balance, depth or nonce from accessing or paying for the new account
   * (EIP-8037).
   */
  #chargeNoRefused(code: number): void {
    this.wrapGas(code, (gasHandler) => (runState, gas, common) => {
      if (!isRefused(runState)) return gasHandler(runState, gas, common);
      runState.lastCreateNewAccountStateGas = 0n;
      const isActivatedEIP = (eip: number): boolean => eip !== 8037 && common.isActivatedEIP(eip);
      return gasHandler(runState, gas, Object.create(common, { isActivatedEIP: { value: isActivatedEIP } }) as Common);
    });
  }

  /**
   * Makes an instruction check the stack and pay its static gas before it is refused in a static frame, as in
   * go-ethereum.
   */
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

  /** Calls `act` before an instruction's dynamic gas is computed. */
  #beforeGas(code: number, act: (runState: RunState) => void): void {
    this.wrapGas(code, (gasHandler) => (runState, gas, common) => {
      act(runState);
      return gasHandler(runState, gas, common);
    });
  }

  #notingBlockRead(handler: OpHandler): OpHandler {
    return (runState, common) => {
      this.#context?.onBlockRead?.();
      return handler(runState, common);
    };
  }

  /** Aborts at a call of a non-EVM account, unless the call fails before it accesses its callee. */
  #refuseCallee({ stack, interpreter }: RunState, code: number): void {
    const items = stackItemsPopped(code);
    if (this.#nonEvm.isEmpty || stack.length < items) return;
    const operands = stack.peek(items);
    if (code === CALL && operands[2] !== 0n && interpreter.isStatic()) return;
    const [inOffset, inBytes, outOffset, outBytes] = operands.slice(-4) as [bigint, bigint, bigint, bigint];
    if (isBeyondMemory(inOffset, inBytes) || isBeyondMemory(outOffset, outBytes)) return;
    this.refuseNonEvm(addressOf(stackItem(stack, 1)));
  }

  #nameAccount(stack: RunState['stack'], place: number, items: number): void {
    if (stack.length >= items) this.#accountsRead.push(stackItem(stack, place) & ADDRESS_MASK);
  }

  #nameSlot({ stack, interpreter }: RunState): void {
    if (stack.length > 0) this.#slotsRead.push({ address: interpreter.getAddress().bytes, slot: stackItem(stack) });
  }

  /** Wraps a LOG. The interpreter does not await it, so errors have to be thrown synchronously. */
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

  /** Adds the log of the frame's value transfer before the frame's own logs. */
  #logTransfer(options: RunCallOptions, { execResult, createdAddress }: EVMResult, place: number): void {
    const [ruled] = execResult.logs ?? [];
    if (this.#isRuled) return void this.#numbered(ruled!, place);
    const { caller, to = createdAddress, value = 0n } = options.message ?? options;
    const log = libraryLog(caller!.bytes, to!.bytes, value);
    execResult.logs = [this.#numbered(log, place), ...(execResult.logs ?? [])];
  }

  #destroying(handler: OpHandler): OpHandler {
    return (runState, common) => {
      const beneficiary = stackItem(runState.stack) & ADDRESS_MASK;
      const self = runState.interpreter.getAddress().bytes;
      const wei = this.#state.accountOf(self)?.balance ?? 0n;
      if (this.#logsTransfers && wei > 0n)
        runState.interpreter._result.logs.push(
          this.#numbered(libraryLog(self, toBytes(beneficiary, 20), wei), this.#logsMade++),
        );
      return this.#isRuled ? this.#numberingMove(runState, () => handler(runState, common)) : handler(runState, common);
    };
  }

  /**
   * Assigns an index to the log of a transfer that SELFDESTRUCT makes (EIP-7708). @ethereumjs ends SELFDESTRUCT with an
   * exception.
   */
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

  /** Wraps a CALL or CREATE to track the gas that its frame needs, including what the called frame needs. */
  #tracked(handler: OpHandler, code: number): OpHandler {
    const mayCarryValue = VALUE_CALLS.has(code);
    const isCreate = !CALLS.includes(code);
    return async (runState, common) => {
      const frame = this.#frame;
      const left = runState.gasLeft;
      const gasLimit = runState.messageGasLimit ?? 0n;
      const stipend = mayCarryValue && stackItem(runState.stack, 2) !== 0n ? STIPEND : 0n;
      const pays = isCreate ? stackItem(runState.stack) !== 0n : code === CALL && stipend > 0n;
      const { contract } = runState.interpreter._env;
      const { nonce } = contract;
      this.#child = null;
      await handler(runState, common);
      // From Amsterdam on, @ethereumjs starts no frame for a creation whose address is in use; the nonce is raised, and
      // the child's gas (which may be zero) is consumed all the same.
      if (isCreate && this.#child === null && contract.nonce > nonce) {
        this.#child = { ...frameOf(0n), halted: true };
        this.#endsCall('halt');
      }
      this.#account(frame, left, gasLimit, stipend, isCreate);
      if (this.#hasSucceeded()) this.#repaySpill(runState);
      // go-ethereum counts the log of a transfer as made before it checks whether the frame can start.
      if (this.#child === null && pays && this.#logsTransfers) this.#logsMade++;
    };
  }

  /** True if the instruction that has just run has made a call that succeeded. */
  #hasSucceeded(): boolean {
    return this.#child?.succeeded === true;
  }

  #account(frame: Frame, left: bigint, gasLimit: bigint, stipend: bigint, isCreate: boolean): void {
    const base = frame.gas - left;
    atLeast(frame, base);
    if (this.#child === null) return this.#endsCall('refused');
    if (!this.#splitsGas) return atLeast(frame, base + (isCreate ? this.#child.need : gasLimit));
    if (this.#child.halted) {
      // A call that requests a fixed amount of gas needs that amount. For a call that was given all gas, one execution
      // cannot determine the minimum.
      if (gasLimit < left - left / 64n) atLeast(frame, base + inverse(gasLimit));
      else this.gasSensitive = true;
    } else {
      atLeast(frame, base + inverse(this.#child.need - stipend));
    }
  }
}

/** True if a creation starts no frame, because of balance, depth or nonce. */
function isRefused({ stack, interpreter }: RunState): boolean {
  const { depth, contract } = interpreter._env;
  if (stack.length === 0 || interpreter.isStatic()) return false;
  return depth >= DEPTH_MAX || contract.balance < stackItem(stack) || contract.nonce === NONCE_MAX;
}

const DEPTH_MAX = 1024;

/**
 * Checks the length of init code (EIP-3860) while the items that the error message needs are still on the stack.
 * @ethereumjs checks it later.
 */
function boundInitcode(stack: RunState['stack'], common: Common): void {
  if (stack.length >= 3 && stackItem(stack, 2) > codeLimits(common).initcode)
    throw new EVMError(EVMError.errorMessages.INITCODE_SIZE_VIOLATION);
}

/**
 * Refuses a creation in a static frame before its init code is checked, as go-ethereum does. @ethereumjs refuses it
 * later, when it has already charged for the account and recorded its access (EIP-7928).
 */
function refuseStatic({ interpreter }: RunState): void {
  if (interpreter.isStatic()) throw new EVMError(EVMError.errorMessages.STATIC_STATE_CHANGE);
}

/** True if no amount of gas could pay for memory up to the end of this range. */
function isBeyondMemory(offset: bigint, length: bigint): boolean {
  return length > 0n && offset + length > MEMORY_END_MAX;
}

/** True if the frame starts with a transfer of ether. CALLCODE and DELEGATECALL never transfer any. */
export function transfersEther({ message, value = 0n }: RunCallOptions): boolean {
  if (message === undefined) return value !== 0n;
  // A private field of @ethereumjs: the public getter returns the recipient if no code address is set.
  return message.value !== 0n && message['_codeAddress'] === undefined;
}

/** True if the frame transfers ether from an account to itself. */
export function transfersToItself({ message, caller, to }: RunCallOptions): boolean {
  const [from, target] = [message?.caller ?? caller, message === undefined ? to : message.to];
  return from !== undefined && target !== undefined && from.equals(target);
}

/** Makes the log of an ether transfer in the form of @ethereumjs. */
function libraryLog(from: Uint8Array, to: Uint8Array, wei: bigint): LibraryLog {
  const { address, topics, data } = transferLog(from, to, wei);
  return [address, [...topics], data];
}

/** Least gas with which SSTORE does not fail (EIP-2200). */
const SENTRY = 2301n;

function frameOf(gas: bigint): Frame {
  return { gas, need: 0n, halted: false, succeeded: false };
}

function atLeast(frame: Frame, gas: bigint): void {
  if (gas > frame.need) frame.need = gas;
}

/**
 * Returns the least R with R - floor(R / 64) >= gas: the gas that must be left so that a child can get `gas` (EIP-150).
 */
function inverse(gas: bigint): bigint {
  return gas <= 0n ? 0n : gas + (gas - 1n) / 63n;
}

/**
 * Wraps LOGs and TSTORE so that they check the stack first. In @ethereumjs, a LOG pops two items before it looks for
 * topics, and TSTORE refuses a static frame before it pops.
 */
function withItems(handler: OpHandler, code: number): OpHandler {
  return (runState, common) => {
    if (runState.stack.length < stackItemsPopped(code)) throw new EVMError(EVMError.errorMessages.STACK_UNDERFLOW);
    return handler(runState, common);
  };
}

/** Returns the item `depth` positions below the top of the stack, which must have it. */
export function stackItem(stack: RunState['stack'], depth = 0): bigint {
  return stack.peek(depth + 1)[depth]!;
}

/** Returns the address in a stack item. */
export function addressOf(item: bigint): Uint8Array {
  return toBytes(item & ADDRESS_MASK, 20);
}

/** Returns the bytes as hex without prefix, which @ethereumjs uses as keys. */
export function unprefixed(address: Uint8Array): string {
  return Buffer.from(address.buffer, address.byteOffset, address.byteLength).toString('hex');
}

/** Replaces the `blockchain` of @ethereumjs, whose `getBlock` is called by BLOCKHASH. */
export class BlockHashes {
  readonly #hashOf: (number: number) => Uint8Array | null;

  constructor(hashOf: (number: number) => Uint8Array | null) {
    this.#hashOf = hashOf;
  }

  getBlock(number: number): Promise<{ hash(): Uint8Array }> {
    const hash = this.#hashOf(number) ?? new Uint8Array(32);
    return Promise.resolve({ hash: () => hash });
  }

  putBlock(): Promise<void> {
    return Promise.resolve();
  }

  shallowCopy(): this {
    return this;
  }
}
