// Executes one block in steps: start-of-block system calls, transactions, reporting of state changes, sealing.

// EIP-7610 (no contract creation at an address that has storage) applies to blocks that are executed with state tries:
// on the dev chain and in imports, by both the kernel and the reference engine. See DECISIONS.md.
import type { CompleteBlock, ExecutedTransaction, Receipt } from '../../state/complete-block.js';
import type { StateChanges } from '../../state/state-diff.js';
import type { StateView } from '../../state/views/state-view.js';
import { whenReady } from '../../lib/threads/sync-or-async.js';
import { EMPTY_BYTES } from '../../lib/bytes/big-endian.js';
import { encodeReceipt } from '../../chain/block/encode-block.js';
import type { Header } from '../../chain/block/header.js';
import type { SystemCallResult } from '../system-call.js';
import type { TransactionExecutor } from './transaction-executor.js';
import type { TransactionRuleViolation } from '../../transaction/validation.js';
import { encodeBlockAccessList, countAccessListItems } from '../../chain/block/block-access-list.js';
import { BlockAccessListBuilder } from './block-access-list-builder.js';
import { BlockGasCounter } from './block-gas-counter.js';
import { blockReward } from './block-reward.js';
import { sealBlock, type BlockPlan } from './seal-block.js';
import { creditBalance, removeAccountIfEmpty } from './transaction-settlement.js';
import { executionRequestsHash, runBlockStartCalls, type CallSystemContract } from './system-calls.js';
import { createdContractAddress } from '../../evm/created-contract-address.js';
import { DEPOSIT_TRANSACTION_TYPE } from '../../transaction/fields.table.js';
import type { DepositTransaction } from '../../transaction/op/deposit.js';
import type { DepositResult } from '../op/run-deposit.js';
import type { ReadSet } from '../../evm/read-set.js';
import type { ForkRules } from '../../evm/reference/fork-rules.js';
import type { TransactionResult } from './state-transition.js';
import type { StateTrie } from '../../chain/state-root.js';
import {
  decodeBlockTransaction,
  decodeSignedTransaction,
  effectiveGasPrice,
  isDepositTransaction,
  type SignedOrDepositTransaction,
  type SignedTransaction,
} from '../../transaction/signed-transaction.js';
import { listTrieRoot } from '../../chain/list-trie-root.js';
import { mergeStateChanges } from '../../state/merge-state-changes.js';

export { blockPlanOf, type BlockPlan } from './seal-block.js';

export interface BlockExecutorDeps {
  readonly executor: TransactionExecutor;
  /** State after the parent block. It must not change until this block is sealed. */
  readonly view: StateView;
  /**
   * Tries of the parent's state, to which the block's changes are applied. If `null`, the header's state roots come
   * from the plan, and are zero if the plan has none. Tries are required before Byzantium, when receipts contain state
   * roots.
   */
  readonly trie: StateTrie | null;
}

/** Result of applying one transaction. A refused transaction has changed nothing. */
export type ApplyTransactionResult =
  | { readonly kind: 'applied'; readonly transaction: ExecutedTransaction }
  | ({ readonly kind: 'refused' } & TransactionRuleViolation);

/** A sealed block, and the state changes that it has made. */
export interface SealedBlock {
  readonly block: CompleteBlock;
  readonly header: Header;
  /** State changes since the last call of `cut`. */
  readonly changes: StateChanges;
}

/**
 * Thrown if a block breaks the rules of its fork: a system contract for execution requests fails or is missing, or a
 * deposit event is malformed.
 */
export class InvalidBlockError extends Error {}

/** Returns why a block is invalid by the rules of its fork. Throws `error` again if it has any other cause. */
export function messageOfInvalidBlockError(error: unknown): string {
  if (error instanceof InvalidBlockError) return error.message;
  throw error;
}

const GWEI = 1_000_000_000n;

/**
 * Executes one block at a time on one transaction executor. Call `apply` until the block is full, `cut` whenever state
 * changes are to be published, and `seal` at the end. A block may be abandoned without sealing it, but the changes that
 * it has made to the trie are not undone.
 */
export class BlockExecutor {
  readonly plan: BlockPlan;
  readonly rules: ForkRules;
  readonly #deps: BlockExecutorDeps;
  readonly #transactions: ExecutedTransaction[] = [];
  /** Consensus encodings of the first receipts. `receiptsRoot` encodes those that are still missing. */
  readonly #encoded: Uint8Array[] = [];
  /** The block's access list so far; `null` if the fork has no such lists, or if this executor is only for dry runs. */
  readonly #accesses: BlockAccessListBuilder | null;
  /** State changes that were applied to the trie but not yet returned by `cut`. */
  #uncut: StateChanges[] = [];
  #gas: BlockGasCounter;

  private constructor(plan: BlockPlan, rules: ForkRules, deps: BlockExecutorDeps, isListed: boolean) {
    this.plan = plan;
    this.rules = rules;
    this.#deps = deps;
    this.#gas = new BlockGasCounter(plan.env.gasLimit);
    const codeOf = (hash: Uint8Array): Uint8Array => deps.executor.state.codeOfHash(hash);
    this.#accesses = isListed && rules.common.isActivatedEIP(7928) ? new BlockAccessListBuilder(codeOf) : null;
  }

  /**
   * Starts the block with the system calls of its fork (EIP-4788, EIP-2935). It is no error if they fail or find no
   * code. Throws `InvalidBlockError` for OP-Stack blocks before Ecotone.
   */
  static async open(plan: BlockPlan, deps: BlockExecutorDeps): Promise<BlockExecutor> {
    const { trie, executor, view } = deps;
    const slots = trie === null ? {} : { slotsOf: (address: Uint8Array) => trie.slotsOf(address) };
    const rules = await executor.begin(plan.env, view, { ...slots, parentHash: plan.parentHash });
    if (executor.rules.chain.op !== null && rules.op === null)
      throw new InvalidBlockError('blocks of the OP Stack are executed from Ecotone on');
    const blockExecutor = new BlockExecutor(plan, rules, deps, true);
    await runBlockStartCalls(rules, plan, blockExecutor.#call);
    blockExecutor.#endStep();
    return blockExecutor;
  }

  /**
   * Returns a second executor for dry runs. It continues from the current state of this block, on another transaction
   * executor and a view of the current state; this executor is not affected. Only for blocks without tries. The second
   * executor must not be sealed.
   */
  async ahead(deps: BlockExecutorDeps & { readonly trie: null }): Promise<BlockExecutor> {
    const { env, parentHash } = this.plan;
    const rules = await deps.executor.begin(env, deps.view, { parentHash });
    const blockExecutor = new BlockExecutor(this.plan, rules, deps, false);
    blockExecutor.#gas = this.#gas.copy();
    return blockExecutor;
  }

  /** Block gas that the transactions so far have used, as the header's `gasUsed` counts it. */
  get gasUsed(): bigint {
    return this.#gas.used;
  }

  /** Blob gas that the transactions so far have used; on the OP Stack from Jovian on, their data footprint. */
  get blobGasUsed(): bigint {
    return this.#gas.blobGasUsed;
  }

  /** Gas that the senders of the transactions so far pay for, as in `cumulativeGasUsed` of the last receipt. */
  get gasPaid(): bigint {
    return this.#gas.paid;
  }

  /** Receipts root over the transactions so far. */
  get receiptsRoot(): Uint8Array {
    for (let i = this.#encoded.length; i < this.#transactions.length; i++)
      this.#encoded.push(encodeReceipt(this.#transactions[i]!.receipt));
    return listTrieRoot(this.#encoded);
  }

  /** Block gas that is left. A transaction with a higher gas limit does not fit into the block. */
  get gasLeft(): bigint {
    return this.#gas.highestLimit(this.rules);
  }

  /** Executes one transaction, given as EIP-2718 bytes or already decoded. */
  apply(
    transaction: Uint8Array | SignedOrDepositTransaction,
  ): ApplyTransactionResult | Promise<ApplyTransactionResult> {
    const decoded = this.#decoded(transaction);
    if (typeof decoded === 'string') return { kind: 'refused', reason: 'invalid', message: decoded };
    return isDepositTransaction(decoded) ? this.#applyDeposit(decoded) : this.#applySigned(decoded);
  }

  #applySigned(signed: SignedTransaction): ApplyTransactionResult | Promise<ApplyTransactionResult> {
    const { executor } = this.#deps;
    const charges = executor.charges(signed);
    const invalid = executor.invalid(signed, charges, this.#gas);
    if (invalid !== null) return { kind: 'refused', ...invalid };
    return whenReady(executor.run(signed, charges, this.#gas), (result) =>
      this.#applied(signed, this.#receipt(signed, result), result.reads),
    );
  }

  /** Returns the state changes since the last `cut` (or since the parent block), as final values. */
  cut(): StateChanges {
    this.#take();
    const changes = this.#uncut.length === 1 ? this.#uncut[0]! : mergeStateChanges(this.#uncut);
    this.#uncut = [];
    return changes;
  }

  /**
   * Completes the block: collects the execution requests (EIP-7685), credits withdrawals (EIP-4895) and rewards, and
   * makes the header. Throws `InvalidBlockError` if the block turns out to be invalid.
   */
  async seal(): Promise<SealedBlock> {
    const requests = await this.#deps.executor.wholly(async () => {
      const hash = await this.#requestsHash();
      this.#creditWithdrawals();
      this.#creditRewards();
      return hash;
    });
    this.#endStep();
    const changes = this.cut();
    const accessList = this.#accessList();
    const results = {
      transactions: this.#transactions,
      receiptsRoot: this.receiptsRoot,
      gasUsed: this.#gas.used,
      blobGasUsed: this.blobGasUsed,
      requests,
      accessList,
    };
    return { ...sealBlock(this.plan, this.rules, this.#deps.trie, results), changes };
  }

  #decoded(transaction: Uint8Array | SignedOrDepositTransaction): SignedOrDepositTransaction | string {
    if (transaction instanceof Uint8Array) return decodeBlockTransaction(transaction, this.rules);
    // A transaction that was decoded by another fork's rules is decoded again, because its intrinsic gas may differ.
    if (isDepositTransaction(transaction) || transaction.rules === this.rules) return transaction;
    return decodeSignedTransaction(transaction.raw, this.rules);
  }

  #applied(
    { hash, raw, from }: Omit<ExecutedTransaction, 'receipt'>,
    receipt: Receipt,
    reads?: ReadSet,
  ): ApplyTransactionResult {
    if (reads !== undefined) this.#accesses?.add(reads);
    this.#endStep();
    const root = this.#rootAfterTransaction();
    const transaction = { hash, raw, from, receipt: root === null ? receipt : { ...receipt, root } };
    this.#transactions.push(transaction);
    return { kind: 'applied', transaction };
  }

  /** Executes a deposit. It is refused only if its gas limit exceeds the gas that is left in the block. */
  #applyDeposit(deposit: DepositTransaction): ApplyTransactionResult | Promise<ApplyTransactionResult> {
    if (deposit.gasLimit > this.gasLeft) return { kind: 'refused', reason: 'blockFull', message: 'gas limit reached' };
    return whenReady(this.#deps.executor.deposit(deposit), (result) =>
      this.#applied(deposit, this.#depositReceipt(deposit, result)),
    );
  }

  #depositReceipt(deposit: DepositTransaction, result: DepositResult): Receipt {
    const { status, gasUsed, nonce, logs } = result;
    this.#gas.add(result);
    return {
      type: DEPOSIT_TRANSACTION_TYPE,
      status,
      gasUsed,
      cumulativeGasUsed: this.#gas.paid,
      effectiveGasPrice: 0n,
      contractAddress: deposit.to === null ? createdContractAddress(deposit.from, nonce) : null,
      logs,
      depositNonce: nonce,
    };
  }

  #receipt(signed: SignedTransaction, { status, gasUsed, logs }: TransactionResult): Receipt {
    return {
      type: signed.type,
      status,
      gasUsed,
      cumulativeGasUsed: this.#gas.paid,
      effectiveGasPrice: effectiveGasPrice(signed, this.plan.env.baseFeePerGas),
      contractAddress: signed.to === null ? createdContractAddress(signed.from, signed.nonce) : null,
      logs,
    };
  }

  #rootAfterTransaction(): Uint8Array | null {
    if (this.rules.common.gteHardfork('byzantium')) return null;
    if (this.#deps.trie === null) throw new Error('receipts before Byzantium need state roots');
    this.#take();
    return this.#deps.trie.root();
  }

  /** Applies the current state changes to the trie, and keeps them for the next `cut`. */
  #take(): StateChanges {
    const changes = this.#deps.executor.state.changes(this.#accesses?.note);
    this.#deps.trie?.apply(changes);
    this.#uncut.push(changes);
    return changes;
  }

  /**
   * Ends one step of the block access list. A step is one transaction, everything before the first transaction, or
   * everything after the last one.
   */
  #endStep(): void {
    this.#accesses?.end(this.#take());
  }

  readonly #call: CallSystemContract = async (address, data) => {
    const call = await this.#deps.executor.call(address, data);
    if (call.reads !== undefined) this.#accesses?.add(call.reads);
    return call;
  };

  /** Returns the RLP of the block access list; `null` if the block has none. */
  #accessList(): Uint8Array | null {
    if (this.#accesses === null) return null;
    const list = this.#accesses.list();
    const { items, itemsMax } = countAccessListItems(list, this.plan.env.gasLimit);
    if (BigInt(items) > itemsMax)
      throw new InvalidBlockError(`the access list has ${items} accounts and slots, at most ${itemsMax} are allowed`);
    return encodeBlockAccessList(list);
  }

  #requestsHash(): Promise<Uint8Array | null> {
    return executionRequestsHash(this.rules, {
      logs: this.#transactions.flatMap(({ receipt }) => receipt.logs),
      depositContract: this.#deps.executor.rules.chain.depositContract,
      call: this.#call,
      malformedDeposits: () => {
        throw new InvalidBlockError('a deposit event is malformed');
      },
      requestsOf: (name, result) => this.#requestsOf(name, result),
    });
  }

  /**
   * Returns the execution requests that a system contract has returned (EIP-7002, EIP-7251, EIP-8282). A failing
   * contract makes the block invalid. A missing contract makes it invalid only if the block is executed with a trie. A
   * block without a trie comes from an upstream node, which may be a development node that has none of these contracts.
   */
  #requestsOf(name: string, { output, failure }: SystemCallResult): Uint8Array {
    if (failure !== null) throw new InvalidBlockError(`the system call for ${name} failed: ${failure}`);
    if (output === null && this.#deps.trie !== null)
      throw new InvalidBlockError(`there is no code to call for ${name}`);
    return output ?? EMPTY_BYTES;
  }

  #creditWithdrawals(): void {
    const withdrawals = this.plan.withdrawals ?? [];
    for (const { address, amount } of withdrawals) this.#credit(address, amount * GWEI);
    this.#accesses?.add({ accounts: withdrawals.map(({ address }) => address), slots: [] });
  }

  /**
   * Credits the mining rewards (yellow paper 11.3). The miner gets the block reward and 1/32 of it per uncle; the miner
   * of an uncle gets (8 - depth)/8 of the block reward.
   */
  #creditRewards(): void {
    const { work, env } = this.plan;
    if (work === null) return;
    const reward = blockReward(this.rules);
    for (const uncle of work.uncles)
      this.#credit(uncle.coinbase, (reward * BigInt(8 - (env.number - uncle.number))) / 8n);
    this.#credit(env.coinbase, reward + (reward / 32n) * BigInt(work.uncles.length));
  }

  /** Adds wei to an account. A touched account that stays empty is removed (EIP-161). */
  #credit(address: Uint8Array, wei: bigint): void {
    const { state } = this.#deps.executor;
    creditBalance(address, wei, state);
    if (this.rules.common.gteHardfork('spuriousDragon')) removeAccountIfEmpty(address, state);
  }
}
