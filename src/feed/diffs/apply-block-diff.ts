// Applies a block as a diff read from the node, to state that may be incomplete, and checks a sample of the changes.
import { messageOfInvalidBlockError, type BlockPlan } from '../../execution/block/block-executor.js';
import type { TransactionExecutor } from '../../execution/block/transaction-executor.js';
import { decodeHeader } from '../../chain/block/header.js';
import { OPERATOR_FEE_VAULT_ADDRESS } from '../../chain/op/predeploys.js';
import { sameBytes } from '../../lib/bytes/byte-map.js';
import type { ExecutedTransaction } from '../../state/complete-block.js';
import { mergeStateChanges } from '../../state/merge-state-changes.js';
import type { StateChanges } from '../../state/state-diff.js';
import { hasAllKeys, type MissingKeys } from '../../state/views/miss-recording-view.js';
import type { StateView } from '../../state/views/state-view.js';
import { isRawDeposit } from '../../transaction/op/deposit.js';
import { UpstreamError, type Upstream, type UpstreamBlock } from '../../upstream/upstream.js';
import { blockChangesFromAccessList, blockChangesFromTrace } from './block-changes-from-reported-writes.js';
import type { LiveFeedCounters } from '../live-feed-counters.js';
import { runUntilNothingMissing } from './run-until-nothing-missing.js';
import type { UpstreamDiffReader, DiffReadResult } from './diff-reader.js';
import {
  receiptJsonStrings,
  verifyReceipts,
  transactionsFromRawsAndReceipts,
  type TransactionFromReceipt,
} from './verify-receipts.js';
import { firstDifference, sampleChangedKeys } from './sample-changed-values.js';
import { prestateContradiction, valuesBeforeBlock } from './transaction-diff.js';
import type { DiffSource, NotAppliedReason } from './choose-execution-or-diff.js';
import type { BlockWrites } from './block-writes.js';

/** The result of applying a block's diff, or why it was not applied; in the latter case nothing has changed. */
export type ApplyBlockDiffResult = MatchingDiff | NotAppliedReason;

/** A block whose diff does not contradict our state. */
export interface MatchingDiff {
  readonly kind: 'fits';
  readonly changes: StateChanges;
  /** The block's transactions; `null` if some are of a type unknown to us and the node does not return their bytes. */
  readonly transactions: readonly ExecutedTransaction[] | null;
  /**
   * The check of a sample of the changes. Nothing waits for it: readers already see the block when a difference is
   * found.
   */
  readonly sampled: Promise<SampleCheckResult>;
}

/**
 * The result of comparing a sample of a diff's values with the node's. Each member is one line of text or `null`: the
 * first difference, and why a value could not be read.
 */
export interface SampleCheckResult {
  readonly difference: string | null;
  readonly unread: string | null;
}

export interface BlockDiffToApply {
  readonly source: DiffSource;
  readonly block: UpstreamBlock;
  /** True if receipts are shown to clients as the node returns them, because the rules for their fields are unknown. */
  readonly showsNodeReceipts: boolean;
  readonly plan: BlockPlan;
  readonly queues: readonly Uint8Array[];
}

export interface ApplyBlockDiffDeps {
  readonly reader: UpstreamDiffReader;
  readonly upstream: Pick<Upstream, 'read'>;
  /**
   * Receives values from before the block. A trace contains them in addition to the changes, so they need not be
   * fetched.
   */
  readonly know: (reported: StateChanges) => void;
  /** Fetches missing state as it was after the parent block. Rejects with UpstreamError. */
  readonly fetch: (missing: MissingKeys) => Promise<unknown>;
  /** Returns the slots of these accounts that are in the state table. */
  readonly residentSlots: (addresses: readonly Uint8Array[]) => MissingKeys['slots'];
  readonly executor: TransactionExecutor;
  /** Share of the changed values that are read from the node and compared, 0 to 1. */
  readonly share: number;
  readonly counts: Pick<LiveFeedCounters, 'accountsUnverified' | 'samplesDiffering'>;
}

type KnownDiff = Exclude<DiffReadResult, { readonly kind: 'refused' }>;

/**
 * Computes the changes of a block from its diff and `view`, the state after its parent. Makes sure that all changed
 * keys are in the table. Rejects with UpstreamError.
 */
export async function changesFromBlockDiff(
  task: BlockDiffToApply,
  view: StateView,
  deps: ApplyBlockDiffDeps,
): Promise<ApplyBlockDiffResult> {
  const [receipts, raws] = await Promise.all([deps.reader.receipts(task.block), unknownRaws(task, deps)]);
  if ('kind' in receipts) return receipts;
  const received = receivedOf(task, receipts.result);
  const transactions = confirmed(task, raws, receipts.result, received);
  const { block } = task;
  const { blockAccessListHash: accessListHash = null } = decodeHeader(block.header);
  const diff = await deps.reader.read(task.source, { block, accessListHash, transactions: received });
  if (diff.kind === 'refused') return diff;
  if (diff.kind === 'traced') deps.know(valuesBeforeBlock(diff.diffs, diff.writes));
  await deps.fetch(diff.writes.keys);
  if (diff.kind === 'traced') suspectVault(diff.writes, block, view);
  const mismatch = diff.kind === 'traced' ? prestateContradiction(diff.diffs, diff.writes, view) : null;
  if (mismatch !== null) return { kind: 'mismatch', reason: mismatch };
  const made = await changesOf(diff, task, { ...deps, view }).catch(messageOfInvalidBlockError);
  if (typeof made === 'string') return { kind: 'mismatch', reason: made };
  return checked(made, diff.writes, block.hash, transactions, deps);
}

/**
 * Marks the account that collects the operator fee (OP-Stack, Isthmus) as unverified, so that it is read again. Every
 * transaction may pay into it, but op-geth's tracer leaves it out. Does nothing if the state table does not contain the
 * account: then it cannot hold an outdated balance.
 */
function suspectVault(writes: BlockWrites, { transactions, listed }: UpstreamBlock, view: StateView): void {
  const first = (listed ?? transactions)[0]?.raw ?? null;
  if (first === null || !isRawDeposit(first) || writes.fieldsOf(OPERATOR_FEE_VAULT_ADDRESS).balance !== null) return;
  if (hasAllKeys(view, { accounts: [OPERATOR_FEE_VAULT_ADDRESS], slots: [] }))
    writes.suspect(OPERATOR_FEE_VAULT_ADDRESS);
}

/** Returns the bytes of the block's transactions whose type is unknown; `null` if the node does not return them. */
async function unknownRaws(
  { block }: BlockDiffToApply,
  { reader }: ApplyBlockDiffDeps,
): Promise<readonly Uint8Array[] | null> {
  const indices = (block.listed ?? []).flatMap(({ raw }, index) => (raw === null ? [index] : []));
  return indices.length === 0 ? [] : reader.raws(block.hash, indices);
}

/**
 * Verifies the receipts and returns them. Throws UpstreamError if they belong to other transactions than the block's.
 */
function receivedOf({ block }: BlockDiffToApply, result: unknown): TransactionFromReceipt[] {
  const received = verifyReceipts(result, decodeHeader(block.header).receiptsRoot);
  const isOf = ({ hash }: { readonly hash: Uint8Array }, at: number): boolean => {
    return received[at] !== undefined && sameBytes(received[at].hash, hash);
  };
  const transactions = block.listed ?? block.transactions;
  if (transactions.length === received.length && transactions.every(isOf)) return received;
  throw new UpstreamError(
    'malformed',
    `the upstream node has receipts of other transactions for block ${block.number}`,
  );
}

async function changesOf(
  diff: KnownDiff,
  { plan, queues }: BlockDiffToApply,
  { executor, view, fetch }: ApplyBlockDiffDeps & { readonly view: StateView },
): Promise<StateChanges> {
  const { writes } = diff;
  const make = (): StateChanges | Promise<StateChanges> => {
    return diff.kind === 'list'
      ? blockChangesFromAccessList(writes, view)
      : blockChangesFromTrace(plan, writes, queues, { executor, view });
  };
  return runUntilNothingMissing(make, fetch);
}

/**
 * Replaces unverified values of the diff by values that are read from the node after the block. Meanwhile a sample of
 * all other changes is compared with the node's state.
 */
async function checked(
  made: StateChanges,
  writes: BlockWrites,
  hash: Uint8Array,
  transactions: MatchingDiff['transactions'],
  deps: ApplyBlockDiffDeps,
): Promise<MatchingDiff> {
  const sure = {
    ...made,
    accounts: made.accounts.filter(({ address }) => !writes.isUnverified(address)),
    slots: made.slots.filter(({ address }) => !writes.isUnverified(address)),
  };
  const { unverified } = writes;
  deps.counts.accountsUnverified += unverified.length;
  const sampled = sampleRead(sure, hash, deps);
  const fit = { kind: 'fits', transactions, sampled } as const;
  if (unverified.length === 0) return { ...fit, changes: made };
  const suspectSlots = made.slots.filter(({ address }) => writes.isUnverified(address));
  const wanted = { accounts: unverified, slots: [...suspectSlots, ...deps.residentSlots(unverified)] };
  const again = await deps.upstream.read(hash, wanted);
  for (const { error } of again.refused) throw error;
  const changes = mergeStateChanges([sure, again]);
  await deps.fetch({ accounts: changes.accounts.map(({ address }) => address), slots: changes.slots });
  return { ...fit, changes };
}

/** Reads a sample of the changed values from the node and compares them. Never rejects. */
async function sampleRead(
  changes: StateChanges,
  hash: Uint8Array,
  { upstream, share, counts }: ApplyBlockDiffDeps,
): Promise<SampleCheckResult> {
  const read = await upstream.read(hash, sampleChangedKeys(changes, hash, share));
  const difference = firstDifference(changes, read);
  if (difference !== null) counts.samplesDiffering++;
  return { difference, unread: read.refused[0]?.error.message ?? null };
}

/** Adds the receipts to the block's transactions. `result` has the receipts as the node sent them. */
function confirmed(
  { block, showsNodeReceipts }: BlockDiffToApply,
  raws: readonly Uint8Array[] | null,
  result: unknown,
  received: readonly TransactionFromReceipt[],
): MatchingDiff['transactions'] {
  const { listed } = block;
  if (listed !== undefined) {
    if (raws === null) return null;
    const { transactionsRoot } = decodeHeader(block.header);
    return transactionsFromRawsAndReceipts(listed, transactionsRoot, raws, result, received);
  }
  const texts = showsNodeReceipts ? receiptJsonStrings(result) : null;
  return block.transactions.map((transaction, at) => {
    const reported = texts === null ? {} : { reported: { transaction: null, receipt: texts[at]! } };
    return { ...transaction, receipt: received[at]!.receipt, ...reported };
  });
}
