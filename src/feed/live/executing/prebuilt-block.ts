// A pre-confirmed block whose increments are not executed but applied as the feed reports them. Tracks what they
// change, their receipts, and what the block itself changes when it is confirmed.
import { encodeReceipt } from '../../../chain/block/block-body.js';
import { decodeHeader, blockEnvOfHeader, type Header } from '../../../chain/block/header.js';
import type { OpRules } from '../../../chain/op/forks.js';
import { listTrieRoot } from '../../../chain/list-trie-root.js';
import { createdContractAddress } from '../../../execution/created-address.js';
import { fieldMismatchMessage } from '../../../execution/block/header-validation.js';
import type { BlockPlan } from '../../../execution/block/block-executor.js';
import type { TransactionExecutor } from '../../../execution/block/transaction-executor.js';
import { sameBytes } from '../../../lib/bytes/byte-map.js';
import { toHex } from '../../../lib/bytes/hex.js';
import type { ExecutedTransaction, Receipt } from '../../../state/complete-block.js';
import type { StateChanges } from '../../../state/state-diff.js';
import type { MissingKeys } from '../../../state/views/miss-recording-view.js';
import { type StateView, sameAccount } from '../../../state/views/state-view.js';
import {
  effectiveGasPrice,
  isDepositTransaction,
  type BlockTransaction,
} from '../../../transaction/signed-transaction.js';
import { l1AttributesOf } from '../../../transaction/op/l1-attributes.js';
import { daFootprint } from '../../../transaction/op/l1-fee.js';
import { transactionBlobGas } from '../../../transaction/validation.js';
import type { Upstream, UpstreamBlock } from '../../../upstream/upstream.js';
import type { LiveCounts } from '../../live-counts.js';
import { blockChangesFromAccessList, blockChangesFromTrace } from '../../diffs/block-changes.js';
import { runUntilNothingMissing } from '../../diffs/run-until-nothing-missing.js';
import { firstDifference, sampleChangedKeys } from '../../diffs/value-sample.js';
import { BlockWrites } from '../../diffs/block-writes.js';
import type { Increment, ExecutionOutcome, ReportedReceipt } from '../../stream-events.js';

export interface PrebuiltBlockDeps {
  /** Makes state resident with its value at every version. Rejects with UpstreamError. */
  readonly fetch: (missing: MissingKeys) => Promise<unknown>;
  readonly upstream: Pick<Upstream, 'read'>;
  /** Executes the block's own changes, which are outside of its transactions. */
  readonly executor: TransactionExecutor;
  /** Share of the changed values that are read at the block and compared, 0 to 1. */
  readonly share: number;
  readonly counts: Pick<LiveCounts, 'samplesDiffering'>;
}

/** An increment in the form in which it is published. */
export interface AppliedIncrement {
  readonly changes: StateChanges;
  readonly transactions: ExecutedTransaction[];
  /** Gas that the block has used so far. */
  readonly gasUsed: bigint;
  readonly blobGasUsed: bigint;
}

/** The result of confirming a block. */
export interface ConfirmedPrebuiltBlock {
  readonly transactions: readonly ExecutedTransaction[];
  /** Changes of the block itself: system calls and withdrawals, as far as the feed has not reported them. */
  readonly changes: StateChanges;
}

/** A transaction, and what was reported about it. */
interface ReportedTransaction {
  readonly transaction: BlockTransaction;
  readonly receipt: ReportedReceipt;
}

/** One block, from its opening on. Only one call may run at a time. */
export class PrebuiltBlock {
  readonly #timestamp: bigint;
  readonly #op: OpRules | null;
  readonly #deps: PrebuiltBlockDeps;
  readonly #writes = new BlockWrites();
  readonly #reported: ReportedTransaction[] = [];
  #logs = 0;
  #gasUsed = 0n;
  #blobGasUsed = 0n;

  /** `timestamp` is the reported one; for `op` see ForkRules. */
  constructor(timestamp: bigint, op: OpRules | null, deps: PrebuiltBlockDeps) {
    this.#timestamp = timestamp;
    this.#op = op;
    this.#deps = deps;
  }

  /**
   * The changes of an increment on `view`, the state before it; or a message that says why it does not follow from that
   * state. `transactions` are the increment's own. Rejects with UpstreamError.
   */
  async take(
    { outcome }: Increment,
    transactions: readonly BlockTransaction[],
    { view, baseFee }: { readonly view: StateView; readonly baseFee: bigint },
  ): Promise<AppliedIncrement | string> {
    if (outcome === null) return 'its outcome is missing';
    const reported = outcome.receipts.map((receipt, at) => ({ receipt, transaction: transactions[at]! }));
    const mismatch = this.#mismatch(outcome);
    if (mismatch !== null) return mismatch;
    const writes = new BlockWrites();
    write(outcome, writes);
    await this.#deps.fetch(writes.keys);
    const changes = blockChangesFromAccessList(writes, view);
    const confirmed = confirm(reported, this.#gasUsed, baseFee);
    write(outcome, this.#writes);
    this.#reported.push(...reported);
    this.#logs += logsOf(outcome);
    this.#gasUsed = outcome.receipts.at(-1)?.cumulativeGasUsed ?? this.#gasUsed;
    for (const { transaction } of reported) this.#blobGasUsed += this.#blobGas(transaction);
    return { changes, transactions: confirmed, gasUsed: this.#gasUsed, blobGasUsed: this.#blobGasUsed };
  }

  /** Blob gas of a transaction; from Jovian on its data footprint, by the scalar in the first deposit of the block. */
  #blobGas(transaction: BlockTransaction): bigint {
    if (isDepositTransaction(transaction)) return 0n;
    if (this.#op?.has('jovian') !== true) return transactionBlobGas(transaction);
    const attributes = l1AttributesOf(this.#reported[0]?.transaction.raw);
    return attributes === null ? 0n : daFootprint(transaction.raw, attributes);
  }

  /**
   * Ends the block when it is confirmed and has the same transactions, or returns a message that says how it differs
   * from what was reported. `before` is the state after its parent, `reported` the state after its increments. Rejects
   * with InvalidBlockError and UpstreamError.
   */
  async end(
    block: UpstreamBlock,
    states: { before: StateView; reported: StateView },
  ): Promise<ConfirmedPrebuiltBlock | string> {
    const header = decodeHeader(block.header);
    const mismatch = this.#headerMismatch(header);
    if (mismatch !== null) return mismatch;
    const all = await this.#all(block, header, states.before);
    const difference = await this.#difference(all, block);
    if (difference !== null) return difference;
    const transactions = confirm(this.#reported, 0n, header.baseFeePerGas ?? 0n);
    return { transactions, changes: differences(all, states.reported) };
  }

  /** From Amsterdam on, the gas in receipts does not add up to the header's `gasUsed` (EIP-8037). */
  #headerMismatch({ number, timestamp, gasUsed, receiptsRoot }: Header): string | null {
    if (timestamp !== this.#timestamp) return fieldMismatchMessage('timestamp', this.#timestamp, timestamp);
    const { common } = this.#deps.executor.rules.at(number, timestamp);
    if (!common.isActivatedEIP(8037) && gasUsed !== this.#gasUsed)
      return fieldMismatchMessage('gas used', this.#gasUsed, gasUsed);
    const root = listTrieRoot(confirm(this.#reported, 0n, 0n).map(({ receipt }) => encodeReceipt(receipt, null)));
    return sameBytes(root, receiptsRoot)
      ? null
      : fieldMismatchMessage('receipts root', toHex(root), toHex(receiptsRoot));
  }

  /** Everything that the block changes. It is resident afterwards. */
  async #all(block: UpstreamBlock, header: Header, view: StateView): Promise<StateChanges> {
    const { fetch, executor } = this.#deps;
    const { parentHash, extraData } = header;
    const { withdrawals } = block;
    const plan: BlockPlan = { env: blockEnvOfHeader(header), parentHash, extraData, withdrawals, work: null };
    const make = (): Promise<StateChanges> =>
      blockChangesFromTrace({ plan, writes: this.#writes, queues: [] }, { executor, view });
    const changes = await runUntilNothingMissing(make, fetch);
    await fetch({ accounts: changes.accounts.map(({ address }) => address), slots: changes.slots });
    return changes;
  }

  /** Receipts do not reveal wrong values in the state, so a sample of values is read at the block. */
  async #difference(changes: StateChanges, { hash }: UpstreamBlock): Promise<string | null> {
    const { upstream, share, counts } = this.#deps;
    const sample = await upstream.read(hash, sampleChangedKeys(changes, hash, share));
    for (const { error } of sample.refused) throw error;
    const difference = firstDifference(changes, sample);
    if (difference !== null) counts.samplesDiffering++;
    return difference;
  }

  #mismatch({ logsBefore, receipts }: ExecutionOutcome): string | null {
    if (logsBefore !== this.#logs) return `its logs begin at ${logsBefore}, there are ${this.#logs}`;
    let before = this.#gasUsed;
    for (const { cumulativeGasUsed: after } of receipts) {
      if (after <= before) return `gas used is ${after} behind ${before}`;
      before = after;
    }
    return null;
  }
}

function logsOf({ receipts }: ExecutionOutcome): number {
  return receipts.reduce((total, { logs }) => total + logs.length, 0);
}

function write({ accounts }: ExecutionOutcome, writes: BlockWrites): void {
  for (const { address, nonce, balance, code, slots } of accounts) {
    writes.write(address, { nonce, balance, code });
    for (const { slot, value } of slots) writes.writeSlot(address, slot, value);
  }
}

/** Makes confirmed transactions. `gasBefore` is the gas that the block has used before them. */
function confirm(reported: readonly ReportedTransaction[], gasBefore: bigint, baseFee: bigint): ExecutedTransaction[] {
  let before = gasBefore;
  return reported.map(({ transaction, receipt }) => {
    const gasUsed = receipt.cumulativeGasUsed - before;
    before = receipt.cumulativeGasUsed;
    const { hash, raw, from } = transaction;
    return { hash, raw, from, receipt: { ...receipt, gasUsed, ...consequences(transaction, receipt, baseFee) } };
  });
}

function consequences(
  transaction: BlockTransaction,
  { depositNonce = 0n }: ReportedReceipt,
  baseFee: bigint,
): Pick<Receipt, 'effectiveGasPrice' | 'contractAddress'> {
  const isDeposit = isDepositTransaction(transaction);
  const nonce = isDeposit ? depositNonce : transaction.nonce;
  return {
    effectiveGasPrice: isDeposit ? 0n : effectiveGasPrice(transaction, baseFee),
    contractAddress: transaction.to === null ? createdContractAddress(transaction.from, nonce) : null,
  };
}

/** The changes whose values are not in a state yet. */
function differences({ accounts, slots, codes }: StateChanges, view: StateView): StateChanges {
  const left = accounts.filter(({ address, account }) => !sameAccount(account, view.account(address)));
  return {
    accounts: left,
    slots: slots.filter(({ address, slot, value }) => !sameBytes(value, view.storage(address, slot))),
    codes: left.length === 0 ? [] : codes,
  };
}
