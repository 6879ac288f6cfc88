// Simulates one block: environment, calls as unsigned transactions, header (go-ethereum's `processBlock`).
import { encodeReceipt } from '../../chain/block/encode-block.js';
import { nextSlotNumber, type Header } from '../../chain/block/header.js';
import { nextBaseFeeOnChain } from '../../chain/base-fee.js';
import { L1_BLOCK_ADDRESS } from '../../chain/op/predeploys.js';
import type { StateTrie } from '../../chain/state-root.js';
import { listTrieRoot } from '../../chain/list-trie-root.js';
import { keccak256 } from '../../lib/bytes/keccak-wasm.js';
import type {
  AnnouncedTransaction,
  CompleteBlock,
  ExecutedTransaction,
  Log,
  Receipt,
} from '../../state/complete-block.js';
import type { BlockEnv, StateChanges } from '../../state/state-diff.js';
import type { ForkRules } from '../../evm/reference/fork-rules.js';
import { isTransferLog } from '../../evm/transfer-log.js';
import { checksumAddress } from '../../transaction/checksum-address.js';
import {
  failureOutcome,
  type CallRequest,
  type FailureOutcome,
  type SimulationParams,
} from '../../transaction/evm-job.js';
import {
  callBlobGas,
  createCallTransaction,
  firstViolatedCallRule,
  type InvalidCall,
} from '../../transaction/call-validation.js';
import {
  callTransactionType,
  transactionBytesWithZeroSignature,
  type CompletedCall,
} from '../../transaction/unsigned-transaction.js';
import { daFootprint, readDaFootprintScalar } from '../../transaction/op/l1-and-operator-fees.js';
import { blockReward } from '../block/block-reward.js';
import { encodeBlockAccessList } from '../../chain/block/block-access-list.js';
import type { OnAccountChange } from '../../evm/journal/journaled-state.js';
import { BlockAccessListBuilder } from '../block/block-access-list-builder.js';
import { BlockGasCounter } from '../block/block-gas-counter.js';
import { nextExcessBlobGas } from '../block/header-validation.js';
import { sealBlock } from '../block/seal-block.js';
import { creditBalance } from '../block/transaction-settlement.js';
import { RESPONSE_TOO_LARGE, type ResponseSizeBudget } from '../call/response-size-budget.js';
import type { ExecutionResult } from '../block/state-transition.js';
import { applyCall } from '../call/apply-call-as-transaction.js';
import { overrideState } from '../call/overrides.js';
import { DeadlineError } from '../deadline-error.js';
import {
  isDeadlinePast,
  createCallEnvironment,
  type CallEnvironment,
  type CallSequenceBase,
} from '../call/call-environment.js';
import type { PlannedBlock } from './planned-blocks.js';
import { executionRequestsHash, runBlockStartCalls, type CallSystemContract } from '../block/system-calls.js';
import { callSystemContract } from '../system-call.js';
import { NONCE_MAX } from '../../state/views/state-view.js';
import { EMPTY_BYTES, ZERO_WORD } from '../../lib/bytes/big-endian.js';
import { minBigInt } from '../../lib/min-max-bigint.js';

/** The parent of the first simulated block. It has no hash while it is pre-confirmed. */
export interface SimulationParent {
  readonly header: Header;
  readonly hash: Uint8Array | null;
}

export interface SimulatedBlockDeps {
  readonly parent: SimulationParent;
  readonly base: CallSequenceBase;
  readonly simulation: SimulationParams;
  /** Tries of the parent's state, to which the block's changes are applied; `null` if that state is not fully known. */
  readonly trie: StateTrie | null;
  /** Block hashes by number: of the block on which the simulation starts, and of the blocks simulated so far. */
  readonly hashes: ReadonlyMap<number, Uint8Array>;
  /** Gas that is left, for the calls of all simulated blocks together. */
  readonly gasLeft: bigint;
  /** Response size that is left, for the results of all simulated blocks together. */
  readonly budget: ResponseSizeBudget;
}

/** A call, the unsigned transaction that was made of it, and its result. */
export interface SimulatedCall extends ExecutionResult, AnnouncedTransaction {
  /** Wei per gas that the transaction has paid. */
  readonly gasPrice: bigint;
}

export interface SealedSimulatedBlock extends Pick<CompleteBlock, 'hash' | 'sizeBytes' | 'withdrawals'> {
  readonly header: Header;
  readonly calls: readonly SimulatedCall[];
}

const GWEI = 1_000_000_000n;
/** Number of characters in the response for a log without topics and data; most of them are names and hashes. */
const LOG_CHARACTERS = 349;
/** Error for blocks before London, where refunds and fees had other rules. */
const BEFORE_LONDON = failureOutcome('calls are simulated from London on');

/** A simulated block. `run` may be called once. */
export class SimulatedBlock {
  /** Number of characters that were reserved in the response for the block's calls before rendering. */
  characters = 0;
  readonly #planned: PlannedBlock;
  readonly #deps: SimulatedBlockDeps;
  readonly #rules: ForkRules;
  readonly #calls: SimulatedCall[] = [];
  readonly #transactions: ExecutedTransaction[] = [];
  /** The block's access list so far; `null` if its fork has none (EIP-7928). */
  readonly #accesses: BlockAccessListBuilder | null;
  #gas = new BlockGasCounter(0n);

  constructor(planned: PlannedBlock, deps: SimulatedBlockDeps) {
    this.#planned = planned;
    this.#deps = deps;
    this.#rules = deps.base.rules.at(planned.number, planned.timestamp);
    const { state } = deps.base;
    this.#accesses = this.#rules.common.isActivatedEIP(7928)
      ? new BlockAccessListBuilder((hash) => state.codeOfHash(hash))
      : null;
  }

  /** Gas that the senders of the block's calls pay for. */
  get gasPaid(): bigint {
    return this.#gas.paid;
  }

  /**
   * Runs the block's calls and returns the block, or an error if that is impossible. Rejects with `DeadlineError` and
   * `NonEvmCodeError`.
   */
  async run(): Promise<SealedSimulatedBlock | FailureOutcome> {
    const { base } = this.#deps;
    if (this.#planned.calls.length > 0 && !this.#rules.common.isActivatedEIP(1559)) return BEFORE_LONDON;
    const env = this.#env();
    this.#gas = new BlockGasCounter(env.gasLimit);
    const environment = this.#environment(env);
    if ('kind' in environment) return environment;
    // State overrides are not recorded in the access list, because the block does not write them.
    if (this.#accesses !== null) this.#take(null);
    const plan = { env, parentHash: this.#deps.parent.hash ?? ZERO_WORD };
    await runBlockStartCalls(environment.rules, plan, this.#callOn(environment));
    this.#endStep();
    for (const call of this.#planned.calls) {
      if (isDeadlinePast(base.deadline)) throw new DeadlineError('a simulation was broken off');
      const fault = await this.#call(call, environment);
      if (fault !== null) return fault;
    }
    return this.#seal(env, environment);
  }

  #env(): BlockEnv {
    const { number, timestamp, blockOverride: override } = this.#planned;
    const { header } = this.#deps.parent;
    const hasBlobs = header.excessBlobGas !== null && this.#rules.op === null;
    return {
      number,
      timestamp,
      gasLimit: override?.gasLimit ?? header.gasLimit,
      baseFeePerGas: override?.baseFeePerGas ?? this.#baseFee(),
      coinbase: override?.feeRecipient ?? header.coinbase,
      prevRandao: override?.prevRandao ?? ZERO_WORD,
      difficulty: override?.difficulty ?? header.difficulty,
      excessBlobGas: hasBlobs ? nextExcessBlobGas(header, this.#rules) : 0n,
      parentBeaconBlockRoot: override?.beaconRoot ?? ZERO_WORD,
      ...nextSlotNumber(header, this.#rules),
    };
  }

  /**
   * Returns the base fee. It is 0 if the request does not ask for validation. It is the parent's base fee if the gas
   * used of the parent is not final. Otherwise it is computed from the parent.
   */
  #baseFee(): bigint {
    const { parent, base, simulation } = this.#deps;
    if (!simulation.validation || !this.#rules.common.isActivatedEIP(1559)) return 0n;
    return parent.hash === null
      ? (parent.header.baseFeePerGas ?? 0n)
      : nextBaseFeeOnChain(base.rules.chain, parent.header);
  }

  /** Applies the overrides. Precompiles that they move are back at their addresses in the next block. */
  #environment(env: BlockEnv): CallEnvironment | FailureOutcome {
    const { base, hashes } = this.#deps;
    const { stateOverride, blockOverride } = this.#planned;
    const moves = overrideState(stateOverride, base.engines.at(this.#rules), base.state);
    if (typeof moves === 'string') return failureOutcome(moves);
    const hashOf = (number: number): Uint8Array | null => hashes.get(number) ?? base.blockHash(number);
    return createCallEnvironment(env, blockOverride, moves, hashOf, base);
  }

  async #call(request: CallRequest, environment: CallEnvironment): Promise<FailureOutcome | null> {
    const { base, simulation } = this.#deps;
    const { state } = base;
    const have = state.accountOf(request.from)?.nonce ?? 0n;
    const settled = this.#settled(request, have);
    if ('kind' in settled) return settled;
    const mode = simulation.validation ? 'validated' : 'simulated';
    const tx = createCallTransaction(settled, environment.rules, environment.context, mode);
    const invalid =
      (simulation.validation ? wrongNonce(settled, have) : null) ?? firstViolatedCallRule(tx, settled.gas, state);
    if (invalid !== null) return failureOutcome(`err: ${invalid.text()} (supplied gas ${settled.gas})`, invalid.error);
    const applied = await applyCall(
      tx,
      settled.gas,
      { ...environment, state },
      {
        logsTransfers: simulation.traceTransfers,
        isTraced: true,
        isListed: this.#accesses !== null,
      },
    );
    if (applied.reads !== undefined) this.#accesses?.add(applied.reads);
    this.#endStep();
    const characters = charactersOf(applied);
    this.characters += characters;
    if (!this.#deps.budget.take(characters)) return RESPONSE_TOO_LARGE;
    this.#note(settled, { gasPrice: tx.gasPrice, ...applied });
    return null;
  }

  #callOn(environment: CallEnvironment): CallSystemContract {
    const { state } = this.#deps.base;
    return async (address, data) => {
      state.mark();
      try {
        const called = await callSystemContract(address, data, { ...environment, state });
        if (called.reads !== undefined) this.#accesses?.add(called.reads);
        state.keep();
        return called;
      } catch (error) {
        state.undoAll();
        throw error;
      }
    };
  }

  /** Applies the current state changes to the tries. */
  #take(note: OnAccountChange | null): StateChanges {
    const changes = this.#deps.base.state.changes(note);
    this.#deps.trie?.apply(changes);
    return changes;
  }

  /** Ends one step of the block access list, as in BlockExecutor. */
  #endStep(): void {
    if (this.#accesses !== null) this.#accesses.end(this.#take(this.#accesses.note));
  }

  /**
   * Fills in the call's nonce and gas limit. Fails if the call wants more gas than this block has left. The gas limit
   * is lowered to what is left for all simulated blocks together.
   */
  #settled(call: CallRequest, have: bigint): CompletedCall | FailureOutcome {
    const remaining = this.#gas.highestLimit(this.#rules);
    const gas = call.gas ?? remaining;
    if (gas > remaining)
      return failureOutcome(`block gas limit reached: remaining: ${remaining}, required: ${gas}`, 'blockGasLimit');
    return { ...call, nonce: call.nonce ?? have, gas: minBigInt(gas, this.#deps.gasLeft - this.#gas.paid) };
  }

  #note(call: CompletedCall, applied: ExecutionResult & { readonly gasPrice: bigint }): void {
    const raw = transactionBytesWithZeroSignature(call, this.#deps.base.rules.chain.chainId);
    const transaction = { from: call.from, raw, hash: keccak256(raw) };
    this.#calls.push({ ...applied, ...transaction });
    this.#gas.add(applied);
    this.#gas.blobs += this.#blobGas(call, raw);
    const receipt: Receipt = {
      type: callTransactionType(call),
      status: applied.run.status === 'success' ? 1 : 0,
      gasUsed: applied.gasUsed,
      cumulativeGasUsed: this.#gas.paid,
      effectiveGasPrice: applied.gasPrice,
      contractAddress: null,
      logs: contractLogs(applied),
    };
    this.#transactions.push({ ...transaction, receipt });
  }

  /** Returns the blob gas of a call; on the OP Stack from Jovian on, the data footprint of its transaction. */
  #blobGas(call: CompletedCall, raw: Uint8Array): bigint {
    if (this.#rules.op?.has('jovian') !== true) return callBlobGas(call);
    return daFootprint(
      raw,
      readDaFootprintScalar((slot) => this.#deps.base.state.storageOf(L1_BLOCK_ADDRESS, slot)),
    );
  }

  async #seal(env: BlockEnv, environment: CallEnvironment): Promise<SealedSimulatedBlock> {
    const { base, trie } = this.#deps;
    // If a deposit event is malformed, or a system contract is missing or fails, there are no requests of that kind.
    const requests = await executionRequestsHash(environment.rules, {
      logs: this.#calls.flatMap(contractLogs),
      depositContract: base.rules.chain.depositContract,
      call: this.#callOn(environment),
      malformedDeposits: () => EMPTY_BYTES,
      requestsOf: (_, { output }) => output ?? EMPTY_BYTES,
    });
    const hasWithdrawals = this.#rules.common.isActivatedEIP(4895);
    const withdrawals = hasWithdrawals ? (this.#planned.blockOverride?.withdrawals ?? []) : null;
    this.#accesses?.add({ accounts: (withdrawals ?? []).map(({ address }) => address), slots: [] });
    for (const { address, amount } of withdrawals ?? []) creditBalance(address, amount * GWEI, base.state);
    if (env.difficulty > 0n) creditBalance(env.coinbase, blockReward(this.#rules), base.state);
    this.#endStep();
    if (trie !== null && this.#accesses === null) this.#take(null);
    const transactions = this.#transactions;
    const plan = { env, ...this.#surroundings(), withdrawals, work: null };
    const { block, header } = sealBlock(plan, this.#rules, trie, {
      transactions,
      receiptsRoot: listTrieRoot(transactions.map(({ receipt }) => encodeReceipt(receipt))),
      gasUsed: this.#gas.used,
      blobGasUsed: this.#gas.blobGasUsed,
      requests,
      accessList: this.#accesses === null ? null : encodeBlockAccessList(this.#accesses.list()),
    });
    return { ...block, header, calls: this.#calls };
  }

  /** Returns header fields on which the next base fee of an OP-Stack block depends; none on other chains. */
  #surroundings(): Pick<Header, 'parentHash' | 'extraData'> {
    const { hash, header } = this.#deps.parent;
    return { parentHash: hash ?? ZERO_WORD, extraData: this.#rules.op === null ? new Uint8Array(0) : header.extraData };
  }
}

/** Returns the smallest number of characters that a call's result can take in the response. */
function charactersOf({ run }: ExecutionResult): number {
  const bytes = run.logs.reduce((sum, { data }) => sum + data.length, run.returnData.length);
  return 2 * bytes + LOG_CHARACTERS * run.logs.length;
}

/**
 * Returns the logs that contracts have written. Ether transfers are also shown as logs, but receipts do not have them.
 */
function contractLogs({ run }: ExecutionResult): Log[] {
  return run.logs.filter((log) => !isTransferLog(log));
}

function wrongNonce({ from, nonce }: CompletedCall, have: bigint): Pick<InvalidCall, 'error' | 'text'> | null {
  const where = (): string => `address ${checksumAddress(from)}, tx: ${nonce} state: ${have}`;
  if (nonce > have) return { error: 'nonceTooHigh', text: () => `nonce too high: ${where()}` };
  if (nonce < have) return { error: 'nonceTooLow', text: () => `nonce too low: ${where()}` };
  if (have < NONCE_MAX) return null;
  const text = (): string => `nonce has max value: address ${checksumAddress(from)}, nonce: ${have}`;
  return { error: 'invalidTransaction', text };
}
