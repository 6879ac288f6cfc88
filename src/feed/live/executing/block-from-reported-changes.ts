// A pre-confirmed block whose feed also reports what the increments change, so that they are applied without execution.
// Tracks the changes and the receipts. When the block is confirmed, adds the changes that the block makes outside of
// its transactions.
import { encodeReceipt } from '../../../chain/block/encode-block.js';
import { decodeHeader, type Header } from '../../../chain/block/header.js';
import type { OpRules } from '../../../chain/op/forks.js';
import { listTrieRoot } from '../../../chain/list-trie-root.js';
import { createdContractAddress } from '../../../evm/created-contract-address.js';
import { fieldMismatchMessage } from '../../../execution/block/header-validation.js';
import { blockPlanOf } from '../../../execution/block/block-executor.js';
import { sameBytes } from '../../../lib/bytes/byte-map.js';
import { toHex } from '../../../lib/bytes/hex.js';
import type { ExecutedTransaction, Receipt } from '../../../state/complete-block.js';
import type { StateChanges } from '../../../state/state-diff.js';
import { type StateView, sameAccount } from '../../../state/views/state-view.js';
import {
  effectiveGasPrice,
  isDepositTransaction,
  type SignedOrDepositTransaction,
} from '../../../transaction/signed-transaction.js';
import { l1AttributesOf } from '../../../transaction/op/l1-attributes.js';
import { daFootprint } from '../../../transaction/op/l1-and-operator-fees.js';
import { transactionBlobGas } from '../../../transaction/validation.js';
import type { UpstreamBlock } from '../../../upstream/upstream.js';
import type { VersionAnnouncement } from '../../feed.js';
import { blockChangesFromAccessList, blockChangesFromTrace } from '../../diffs/block-changes-from-reported-writes.js';
import { runUntilNothingMissing } from '../../diffs/run-until-nothing-missing.js';
import { firstDifference, sampleChangedKeys } from '../../diffs/sample-changed-values.js';
import { BlockWrites } from '../../diffs/block-writes.js';
import type { Increment, ExecutionOutcome, ReportedReceipt } from '../../pre-confirmation-stream-events.js';
import type { ApplyBlockDiffDeps } from '../../diffs/apply-block-diff.js';

export type BlockFromReportedChangesDeps = Omit<ApplyBlockDiffDeps, 'reader' | 'know' | 'residentSlots'>;

/** An increment as it is published. */
export interface AppliedIncrement extends Omit<VersionAnnouncement, 'extraData'> {
  readonly changes: StateChanges;
}

/** A confirmed block: its transactions, and what remains to be published. */
export interface ConfirmedBlockFromReportedChanges {
  readonly transactions: readonly ExecutedTransaction[];
  /** Changes by system calls and withdrawals, unless the feed has already reported them. */
  readonly changes: StateChanges;
}

/** A transaction, and the receipt that the feed has reported for it. */
interface ReportedTransaction {
  readonly transaction: SignedOrDepositTransaction;
  readonly receipt: ReportedReceipt;
}

/** One pre-confirmed block, from its first increment on. Only one call may run at a time. */
export class BlockFromReportedChanges {
  readonly #timestamp: bigint;
  readonly #op: OpRules | null;
  readonly #deps: BlockFromReportedChangesDeps;
  readonly #writes = new BlockWrites();
  readonly #reported: ReportedTransaction[] = [];
  #logs = 0;
  #gasUsed = 0n;
  #blobGasUsed = 0n;

  /** `timestamp` is the one that the feed has reported; for `op` see ForkRules. */
  constructor(timestamp: bigint, op: OpRules | null, deps: BlockFromReportedChangesDeps) {
    this.#timestamp = timestamp;
    this.#op = op;
    this.#deps = deps;
  }

  /**
   * Returns the changes of an increment on `view`, the state before it; or a message that says why the increment does
   * not follow from that state. `transactions` are the increment's transactions. Rejects with UpstreamError.
   */
  async take(
    { outcome }: Increment,
    transactions: readonly SignedOrDepositTransaction[],
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

  /**
   * Returns a transaction's blob gas. On the OP Stack from Jovian on, this is its data availability footprint, computed
   * with the scalar in the first deposit transaction of the block.
   */
  #blobGas(transaction: SignedOrDepositTransaction): bigint {
    if (isDepositTransaction(transaction)) return 0n;
    if (this.#op?.has('jovian') !== true) return transactionBlobGas(transaction);
    const attributes = l1AttributesOf(this.#reported[0]?.transaction.raw);
    return attributes === null ? 0n : daFootprint(transaction.raw, attributes);
  }

  /**
   * Completes the block when it is confirmed with the same transactions. If it differs from what the feed has reported,
   * returns a message that says how. `before` is the state after the parent, `reported` the state after the increments.
   * Rejects with InvalidBlockError and UpstreamError.
   */
  async end(
    block: UpstreamBlock,
    states: { before: StateView; reported: StateView },
  ): Promise<ConfirmedBlockFromReportedChanges | string> {
    const header = decodeHeader(block.header);
    const mismatch = this.#headerMismatch(header);
    if (mismatch !== null) return mismatch;
    const all = await this.#all(block, header, states.before);
    const difference = await this.#difference(all, block);
    if (difference !== null) return difference;
    const transactions = confirm(this.#reported, 0n, header.baseFeePerGas ?? 0n);
    return { transactions, changes: differences(all, states.reported) };
  }

  /**
   * Compares a header with what the feed has reported. From Amsterdam on, `gasUsed` is not compared, because the gas in
   * receipts does not add up to it (EIP-8037).
   */
  #headerMismatch({ number, timestamp, gasUsed, receiptsRoot }: Header): string | null {
    if (timestamp !== this.#timestamp) return fieldMismatchMessage('timestamp', this.#timestamp, timestamp);
    const { common } = this.#deps.executor.rules.at(number, timestamp);
    if (!common.isActivatedEIP(8037) && gasUsed !== this.#gasUsed)
      return fieldMismatchMessage('gas used', this.#gasUsed, gasUsed);
    const root = listTrieRoot(confirm(this.#reported, 0n, 0n).map(({ receipt }) => encodeReceipt(receipt)));
    return sameBytes(root, receiptsRoot)
      ? null
      : fieldMismatchMessage('receipts root', toHex(root), toHex(receiptsRoot));
  }

  /** Computes all changes of the block, and fetches the changed keys into the table. */
  async #all(block: UpstreamBlock, header: Header, view: StateView): Promise<StateChanges> {
    const { fetch, executor } = this.#deps;
    const plan = blockPlanOf(header, block, executor.rules.at(header.number, header.timestamp));
    const make = (): Promise<StateChanges> => blockChangesFromTrace(plan, this.#writes, [], { executor, view });
    const changes = await runUntilNothingMissing(make, fetch);
    await fetch({ accounts: changes.accounts.map(({ address }) => address), slots: changes.slots });
    return changes;
  }

  /**
   * Compares a sample of the changed values with the node's state after the block, because wrong values in the state
   * need not show in the receipts.
   */
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
      if (after <= before) return `gas used is ${after} after ${before}`;
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

/**
 * Adds to the feed's receipts what follows from the transactions: gas used, gas price and created contract. `gasBefore`
 * is the gas that the block has used before them.
 */
function confirm(reported: readonly ReportedTransaction[], gasBefore: bigint, baseFee: bigint): ExecutedTransaction[] {
  let before = gasBefore;
  return reported.map(({ transaction, receipt }) => {
    const gasUsed = receipt.cumulativeGasUsed - before;
    before = receipt.cumulativeGasUsed;
    const { hash, raw, from } = transaction;
    return { hash, raw, from, receipt: { gasUsed, ...consequences(transaction, receipt, baseFee), ...receipt } };
  });
}

function consequences(
  transaction: SignedOrDepositTransaction,
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

/** Returns the changes whose values differ from those in `view`. */
function differences({ accounts, slots, codes }: StateChanges, view: StateView): StateChanges {
  const left = accounts.filter(({ address, account }) => !sameAccount(account, view.account(address)));
  return {
    accounts: left,
    slots: slots.filter(({ address, slot, value }) => !sameBytes(value, view.storage(address, slot))),
    codes: left.length === 0 ? [] : codes,
  };
}
