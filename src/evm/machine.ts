// The EVM library as block execution uses it: one state, one VM per fork. Runs on the publisher.
import { createBlock, type Block } from '@ethereumjs/block';
import { createEVM, type EVM } from '@ethereumjs/evm';
import { Address } from '@ethereumjs/util';
import { createVM, runTx, type RunTxResult, type VM } from '@ethereumjs/vm';
import type { BlockEnv } from '../state/diff.js';
import type { StateView } from '../state/view.js';
import { settle, takeUpfront, type OpCharges } from './op/charges.js';
import type { Deposit } from './op/deposit.js';
import { runDeposit, type DepositResult } from './op/run-deposit.js';
import type { ForkRules, Rules } from './rules.js';
import { OverlayState, type OverlayParts } from './state-manager.js';
import type { SignedTransaction } from './transaction.js';

/** Caller of system calls (EIP-4788). */
const SYSTEM_ADDRESS = new Address(Uint8Array.from([...Array.from({ length: 19 }, () => 0xff), 0xfe]));
const SYSTEM_CALL_GAS = 30_000_000n;

interface ForkMachine {
  readonly vm: VM;
  readonly evm: EVM;
}

/** What a system call brought back; `output` is `null` where no code is at the address. */
export type SystemCall =
  | { readonly output: Uint8Array | null; readonly failure: null }
  | { readonly output: null; readonly failure: string };

/**
 * Executes the transactions and system calls of one block at a time. Making a VM costs a millisecond, so each fork's
 * serves every block; the state object is the same for all of them.
 */
export class Machine {
  readonly rules: Rules;
  readonly state: OverlayState;
  private readonly machines = new Map<ForkRules, ForkMachine>();
  private view: StateView | null = null;
  private current: ForkMachine | null = null;
  private block: Block | null = null;
  /** How many `wholly` are running, one inside another. */
  private depth = 0;

  constructor(rules: Rules, view: StateView) {
    this.rules = rules;
    this.state = new BlockState(view);
  }

  /** Forgets the last block and goes on from `view`, in the environment of the next one. */
  async begin(env: BlockEnv, view: StateView, parts: OverlayParts): Promise<ForkRules> {
    const rules = this.rules.at(env.number, env.timestamp);
    this.view = view;
    this.state.reset(view, parts);
    this.current = this.machines.get(rules) ?? (await this.make(rules));
    this.block = blockOf(env, this.current.vm);
    return rules;
  }

  /**
   * Runs a transaction that passed every check. `gasBefore`: gas that the block has used already; `charges`: what an
   * OP-Stack chain takes besides.
   */
  run(transaction: SignedTransaction, gasBefore: bigint, charges: OpCharges | null): Promise<RunTxResult> {
    return this.wholly(async () => {
      if (charges !== null) takeUpfront(charges, transaction.from, this.state);
      const result = await this.runTransaction(transaction, gasBefore);
      const gas = { used: result.totalGasSpent, baseFee: this.block!.header.baseFeePerGas ?? 0n };
      if (charges !== null) settle(charges, transaction.from, gas, this.state);
      return result;
    });
  }

  /** Runs a deposit of the OP Stack. */
  deposit(deposit: Deposit): Promise<DepositResult> {
    const { evm, vm } = this.at();
    const parts = { evm, block: this.block!, state: this.state, common: vm.common };
    return this.wholly(() => runDeposit(deposit, parts));
  }

  /** Calls a system contract (EIP-4788, 2935, 7002, 7251). A failed call changes nothing. */
  call(address: Uint8Array, data: Uint8Array): Promise<SystemCall> {
    return this.wholly(() => this.callSystem(address, data));
  }

  /**
   * All of `work` is done, or nothing: one that rejects (the view does not know everything yet) leaves the state as it
   * was and the EVM usable, and can be tried again. May be nested.
   */
  async wholly<T>(work: () => Promise<T>): Promise<T> {
    const { evm } = this.at();
    const outermost = this.depth++ === 0;
    if (outermost) this.state.mark();
    try {
      const result = await work();
      if (outermost) this.state.keep();
      return result;
    } catch (error) {
      if (outermost) this.state.undoAll();
      evm.journal.cleanJournal();
      evm.transientStorage.clear();
      throw error;
    } finally {
      this.depth--;
    }
  }

  private async runTransaction({ tx }: SignedTransaction, gasBefore: bigint): Promise<RunTxResult> {
    const { vm } = this.at();
    const options = { tx, block: this.block!, blockGasUsed: gasBefore, skipHardForkValidation: true };
    return runTx(vm, { ...options, skipBlockGasLimitValidation: true });
  }

  private async callSystem(address: Uint8Array, data: Uint8Array): Promise<SystemCall> {
    const { evm } = this.at();
    if (this.state.codeOf(address).length === 0) return { output: null, failure: null };
    const caller = this.state.accountOf(SYSTEM_ADDRESS.bytes);
    const { execResult } = await evm.runCall({
      block: this.block!,
      caller: SYSTEM_ADDRESS,
      to: new Address(address),
      gasLimit: SYSTEM_CALL_GAS,
      data,
      skipNonceIncrement: true,
    });
    this.state.setAccount(SYSTEM_ADDRESS.bytes, caller);
    evm.journal.cleanJournal();
    this.state.beginTransaction();
    return execResult.exceptionError === undefined
      ? { output: execResult.returnValue, failure: null }
      : { output: null, failure: execResult.exceptionError.error };
  }

  private at(): ForkMachine {
    if (this.current === null) throw new Error('no block has begun');
    return this.current;
  }

  private async make(rules: ForkRules): Promise<ForkMachine> {
    // A copy: the VM adds its own parameters to what it is given.
    const common = rules.common.copy();
    const blockchain = {
      getBlock: (number: number) => Promise.resolve({ hash: () => this.view?.blockHash(number) ?? new Uint8Array(32) }),
      putBlock: () => Promise.reject(new Error('blocks are not put here')),
      shallowCopy: () => blockchain,
    };
    const customPrecompiles = rules.precompiles;
    const evm = await createEVM({ common, stateManager: this.state, blockchain, customPrecompiles });
    const vm = await createVM({ common, stateManager: this.state, blockchain, evm });
    const made = { vm, evm };
    this.machines.set(rules, made);
    return made;
  }
}

/** The library asks for a root after each transaction before Byzantium, where receipts carry one; execute.ts puts it in. */
class BlockState extends OverlayState {
  override getStateRoot(): Promise<Uint8Array> {
    return Promise.resolve(new Uint8Array(32));
  }
}

function blockOf(env: BlockEnv, { common }: VM): Block {
  const header = {
    number: env.number,
    timestamp: env.timestamp,
    gasLimit: env.gasLimit,
    coinbase: new Address(env.coinbase),
    difficulty: env.difficulty,
    mixHash: env.prevRandao,
    ...(common.isActivatedEIP(1559) ? { baseFeePerGas: env.baseFeePerGas } : {}),
    ...(common.isActivatedEIP(4844) ? { excessBlobGas: env.excessBlobGas } : {}),
  };
  return createBlock({ header }, { common, skipConsensusFormatValidation: true });
}
