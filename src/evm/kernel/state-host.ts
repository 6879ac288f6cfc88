// Connects a kernel with its state: provides values to the kernel, and notifies the kernel of values that others have
// written to the state.
import { EMPTY_CODE_HASH, type AccountState } from '../../state/views/state-view.js';
import type { NonEvmAccounts, NonEvmKind } from '../../chain/non-evm-accounts.js';
import type { ExecutionContext } from '../evm-engine.js';
import type { JournaledState } from '../journal/journaled-state.js';
import type { StateListener } from '../journal/state-listener.js';
import * as ACCOUNT from './assembly/shared/account-fields.js';
import * as LAYOUT from './assembly/shared/memory-layout.js';
import { Kernel, type KernelHost, type KernelTracerHooks } from './kernel.js';
import { ADDRESS_BYTES, WORD_BYTES, EMPTY_BYTES } from '../../lib/bytes/big-endian.js';

const NON_EVM_FLAGS: Readonly<Record<NonEvmKind, number>> = {
  account: ACCOUNT.NON_EVM,
  precompile: ACCOUNT.NON_EVM | ACCOUNT.NON_EVM_WARM,
  token: ACCOUNT.NON_EVM_IF_CODE_IS_EF,
};
const NOBODY: StateListener = { accountWritten: () => undefined, slotWritten: () => undefined };

/** Creates a kernel and connects it with one `JournaledState`, for as long as both exist. */
export class StateHost implements KernelHost, StateListener {
  readonly kernel: Kernel;
  /** Error that was thrown by the state while the kernel was running; `null` if there is none. */
  thrown: unknown = null;
  readonly #state: JournaledState;
  readonly #nonEvm: NonEvmAccounts;
  #context: ExecutionContext | null = null;
  #resets = -1;
  #revivals = 0;
  #stamp: number | undefined;
  /**
   * True if the kernel's tables contain changes that the kernel has committed. When the state is reset, these changes
   * are dropped, so the tables no longer match the state.
   */
  #hasKept = false;
  #hasCapacity = true;
  /** Buffer for a slot's key in the form that the state expects. */
  readonly #key = new Uint8Array(WORD_BYTES);

  /** `hooks` receives the call frames and logs of the kernel. */
  constructor(state: JournaledState, nonEvm: NonEvmAccounts, hooks: KernelTracerHooks) {
    this.#state = state;
    this.#nonEvm = nonEvm;
    this.kernel = new Kernel(this, hooks);
  }

  /**
   * Starts an execution, in which nothing is warm yet. Notifies the kernel of the values that others have written to
   * the state. Returns false if the kernel's tables are too full. Rethrows errors of the state.
   */
  begin(context: ExecutionContext): boolean {
    const { run } = this.kernel;
    this.#context = context;
    this.thrown = null;
    this.#hasCapacity = true;
    this.#forgetWhatIsOld();
    run.resetForExecution();
    this.#state.notifyListener(this);
    if (!this.#hasCapacity) this.markUnsure();
    return this.#hasCapacity;
  }

  /** Records that the state already has the kernel's changes, so that they need not be passed back to the kernel. */
  kept(): void {
    this.#hasKept = true;
    this.#state.notifyListener(NOBODY);
  }

  /** Makes the kernel fetch everything again, because its tables may differ from the state. */
  markUnsure(): void {
    this.#resets = -1;
  }

  // ---- implements StateListener ----

  /**
   * Implements `StateListener`: sets the account's values in the kernel, with which the next messages of this job
   * start.
   */
  accountWritten(address: Uint8Array, state: AccountState | null, erased: boolean): void {
    const { kernel } = this;
    const stage = LAYOUT.STAGE;
    kernel.setAddress(stage + LAYOUT.STAGE_ADDRESS, address);
    this.#fill(stage + LAYOUT.STAGE_BALANCE, stage + LAYOUT.STAGE_CODE_HASH, stage + LAYOUT.STAGE_NONCE, state);
    kernel.u32[(stage + LAYOUT.STAGE_BASE_FLAGS) >>> 2] = this.#flagsOf(address, state);
    this.#check(kernel.run.putBaseAccount(erased ? 1 : 0));
  }

  /** Implements `StateListener`: sets the slot's base value in the kernel, for this job. */
  slotWritten(address: Uint8Array, key: Uint8Array, value: Uint8Array): void {
    const { kernel } = this;
    kernel.setAddress(LAYOUT.STAGE + LAYOUT.STAGE_ADDRESS, address);
    kernel.setWordBytes(LAYOUT.STAGE + LAYOUT.STAGE_KEY, key);
    kernel.setWordBytes(LAYOUT.STAGE + LAYOUT.STAGE_SLOT_VALUE, value);
    this.#check(kernel.run.putBaseSlot());
  }

  // ---- implements KernelHost ----

  account(entry: number): number {
    const { kernel } = this;
    try {
      const address = kernel.bytes.subarray(entry, entry + ADDRESS_BYTES);
      const state = this.#state.peekAccount(address);
      this.#fill(entry + ACCOUNT.BASE_BALANCE, entry + ACCOUNT.BASE_CODE_HASH, entry + ACCOUNT.BASE_NONCE, state);
      return this.#flagsOf(address, state) | (this.#state.isWritten(address) ? ACCOUNT.VALID_IN_JOB_ONLY : 0);
    } catch (error) {
      return this.abort(error);
    }
  }

  storage(address: number, key: number, out: number): number {
    const { kernel } = this;
    try {
      const bytes = kernel.bytes.subarray(address, address + ADDRESS_BYTES);
      for (let i = 0; i < WORD_BYTES; i++) this.#key[i] = kernel.bytes[key + WORD_BYTES - 1 - i]!;
      kernel.setWordBytes(out, this.#state.peekStorage(bytes, this.#key));
      return this.#state.isWritten(bytes) ? 1 : 0;
    } catch (error) {
      return this.abort(error);
    }
  }

  code(hash: number, out: number, room: number): number {
    const { bytes } = this.kernel;
    try {
      const code = this.#state.peekCode(bytes.subarray(hash, hash + WORD_BYTES));
      if (code.length > room) return -2;
      bytes.set(code, out);
      return code.length;
    } catch (error) {
      return this.abort(error);
    }
  }

  blockHash(number: bigint, out: number): number {
    const { kernel } = this;
    try {
      kernel.setWordBytes(out, this.#context!.blockHash(Number(number)) ?? EMPTY_BYTES);
      return 0;
    } catch (error) {
      return this.abort(error);
    }
  }

  now(): number {
    return performance.now();
  }

  // ---- private helpers ----

  #forgetWhatIsOld(): void {
    const state = this.#state;
    const { run } = this.kernel;
    const isReset = state.resets !== this.#resets;
    const sameView = state.stamp !== undefined && state.stamp === this.#stamp && this.#resets >= 0 && !this.#hasKept;
    if ((isReset && !sameView) || state.revivalCount !== this.#revivals) run.forgetAccountsAndSlots();
    if (isReset) {
      run.beginJob();
      this.#hasKept = false;
    }
    this.#resets = state.resets;
    this.#revivals = state.revivalCount;
    this.#stamp = state.stamp;
  }

  #flagsOf(address: Uint8Array, state: AccountState | null): number {
    const kind = this.#nonEvm.kindOf(address);
    const nonEvm = kind === null ? 0 : NON_EVM_FLAGS[kind];
    if (state === null) return nonEvm;
    return nonEvm | ACCOUNT.EXISTS | (this.#state.hasStorageAlone(address) ? ACCOUNT.HAS_STORAGE_ALONE : 0);
  }

  #fill(balance: number, codeHash: number, nonce: number, state: AccountState | null): void {
    const { kernel } = this;
    kernel.setWord(balance, state === null ? 0n : state.balance);
    kernel.bytes.set(state === null ? EMPTY_CODE_HASH : state.codeHash, codeHash);
    kernel.u64[nonce >>> 3] = state === null ? 0n : state.nonce;
  }

  /**
   * Checks the kernel's result for setting an account or slot. 0 means failure: the table is full, or fetching the
   * account of a slot has thrown.
   */
  #check(done: number): void {
    if (done !== 0) return;
    this.markUnsure();
    if (this.thrown !== null) throw this.takeThrown();
    this.#hasCapacity = false;
  }

  /** Returns the recorded error and clears it. */
  takeThrown(): unknown {
    const { thrown } = this;
    this.thrown = null;
    return thrown;
  }

  /**
   * Records an error that was thrown while the kernel was running. Returns the value with which the kernel aborts the
   * execution.
   */
  abort(error: unknown): number {
    this.thrown = error;
    return -1;
  }
}
