// Applies a whole block of the upstream node as a diff, on state that may be missing, and checks a sample of it.
import { InvalidBlock, type BlockPlan } from '../../execution/block/executor.js';
import type { TransactionExecutor } from '../../execution/block/transaction-executor.js';
import { decodeHeader } from '../../chain/block/header.js';
import { OPERATOR_FEE_VAULT } from '../../chain/op/predeploys.js';
import { sameBytes } from '../../lib/bytes/byte-map.js';
import type { ConfirmedTransaction } from '../../state/block.js';
import type { StateChanges } from '../../state/diff.js';
import { hasAll, type MissingKeys } from '../../state/views/recording-view.js';
import type { StateView } from '../../state/views/view.js';
import { isDeposit } from '../../transaction/op/deposit.js';
import { UpstreamError, type Upstream, type UpstreamBlock } from '../../upstream/upstream.js';
import { changesByList, changesByTrace, corrected } from './block-changes.js';
import type { LiveCounts } from '../counts.js';
import { fetchMissing } from './fetch-missing.js';
import type { DiffReader, ReadDiff } from './reader.js';
import { receiptTexts, receivedTransactions, reportedTransactions, type ReceivedTransaction } from './receipts.js';
import { differenceOf, sampleOf } from './sample.js';
import { contradiction, reportedBefore } from './transaction-diff.js';
import type { DiffSource } from './block-source.js';
import type { BlockWrites } from './writes.js';

/**
 * The result of a block's diff. `mismatch`: the state, or the node, is wrong. `refused`: the node does not offer the
 * source. Nothing has changed then.
 */
export type DiffRun = DiffFit | { readonly kind: 'mismatch' | 'refused'; readonly reason: string };

/** A block that fits. */
export interface DiffFit {
  readonly kind: 'fits';
  readonly changes: StateChanges;
  /** `null`: some are of a type that is not known here, and the node does not give their bytes. */
  readonly transactions: readonly ConfirmedTransaction[] | null;
  /** Nobody waits for it: a difference is found while the block is already served. */
  readonly sampled: Promise<Sampled>;
}

/** The result of a sample, each in one line: a difference from what the node reads, or why nothing could be read. */
export interface Sampled {
  readonly difference: string | null;
  readonly unread: string | null;
}

/** A block, and how it is applied. */
export interface DiffTask {
  readonly source: DiffSource;
  readonly block: UpstreamBlock;
  /** True if receipts are shown as the node shows them: the rules that their other fields follow from are unknown. */
  readonly showsNodeReceipts: boolean;
  readonly plan: BlockPlan;
  /** Root of the receipts in the header. */
  readonly receiptsRoot: Uint8Array;
  /** The header's `blockAccessListHash`; `null`: it has none. */
  readonly accessListHash: Uint8Array | null;
  /** See DiffBlock. */
  readonly queues: readonly Uint8Array[];
}

/** What a block is applied with. */
export interface DiffRunDeps {
  readonly reader: DiffReader;
  readonly upstream: Pick<Upstream, 'read'>;
  /** Adds state after the parent that came unrequested with the node's response. */
  readonly know: (reported: StateChanges) => void;
  /** Fetches state after the parent. Rejects with UpstreamError. */
  readonly fetch: (missing: MissingKeys) => Promise<unknown>;
  /** Slots of these accounts that are resident. */
  readonly residentSlots: (addresses: readonly Uint8Array[]) => MissingKeys['slots'];
  readonly executor: TransactionExecutor;
  /** Share of the changes that is read at the block and compared, 0 to 1. */
  readonly share: number;
  readonly counts: Pick<LiveCounts, 'accountsUnverified' | 'samplesDiffering'>;
}

type KnownDiff = Exclude<ReadDiff, { readonly kind: 'refused' }>;

/** `view`: state after the parent. What the block changes is resident there afterwards. Rejects with UpstreamError. */
export async function runDiff(task: DiffTask, view: StateView, deps: DiffRunDeps): Promise<DiffRun> {
  const [receipts, raws] = await Promise.all([deps.reader.receipts(task.block), unknownRaws(task, deps)]);
  if ('kind' in receipts) return receipts;
  const received = receivedOf(task, receipts.result);
  const transactions = confirmed(task, raws, { ...receipts, received });
  const { block, accessListHash } = task;
  const diff = await deps.reader.read(task.source, { block, accessListHash, transactions: received });
  if (diff.kind === 'refused') return diff;
  if (diff.kind === 'traced') deps.know(reportedBefore(diff.diffs, diff.writes));
  await deps.fetch(diff.writes.keys);
  if (diff.kind === 'traced') suspectVault(diff.writes, block, view);
  const mismatch = diff.kind === 'traced' ? contradiction(diff.diffs, diff.writes, view) : null;
  if (mismatch !== null) return { kind: 'mismatch', reason: mismatch };
  const made = await changesOf(diff, task, { ...deps, view }).catch(invalidity);
  if (typeof made === 'string') return { kind: 'mismatch', reason: made };
  return checked(made, diff, { task, transactions, deps });
}

/**
 * op-geth's tracer leaves out the vault of the operator fee (Isthmus), which every transaction may pay into. It is read
 * again if it is resident, without a notice: what is not resident cannot be wrong.
 */
function suspectVault(writes: BlockWrites, { transactions, listed }: UpstreamBlock, view: StateView): void {
  const first = (listed ?? transactions)[0]?.raw ?? null;
  if (first === null || !isDeposit(first) || writes.fieldsOf(OPERATOR_FEE_VAULT).balance !== null) return;
  if (hasAll(view, { accounts: [OPERATOR_FEE_VAULT], slots: [] })) writes.suspect(OPERATOR_FEE_VAULT);
}

/** Bytes of transactions of unknown types; none where there is no such transaction. */
async function unknownRaws({ block }: DiffTask, { reader }: DiffRunDeps): Promise<readonly Uint8Array[] | null> {
  const indices = (block.listed ?? []).flatMap(({ raw }, index) => (raw === null ? [index] : []));
  return indices.length === 0 ? [] : reader.raws(block.hash, indices);
}

/** Receipts of exactly the block's transactions. */
function receivedOf({ block, receiptsRoot }: DiffTask, result: unknown): ReceivedTransaction[] {
  const received = receivedTransactions(result, receiptsRoot);
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
  { plan, queues }: DiffTask,
  { executor, view, fetch }: DiffRunDeps & { readonly view: StateView },
): Promise<StateChanges> {
  const { writes } = diff;
  const make = (): StateChanges | Promise<StateChanges> => {
    return diff.kind === 'list'
      ? changesByList(writes, view)
      : changesByTrace({ plan, writes, queues }, { executor, view });
  };
  return fetchMissing(make, fetch);
}

function invalidity(error: unknown): string {
  if (error instanceof InvalidBlock) return error.message;
  throw error;
}

/** Reads again what is unverified. The sample of the rest is in flight. */
async function checked(
  made: StateChanges,
  { writes }: KnownDiff,
  { task, transactions, deps }: { task: DiffTask; transactions: DiffFit['transactions']; deps: DiffRunDeps },
): Promise<DiffFit> {
  const { hash } = task.block;
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
  const changes = corrected(sure, again);
  await deps.fetch({ accounts: changes.accounts.map(({ address }) => address), slots: changes.slots });
  return { ...fit, changes };
}

/** Never rejects. */
async function sampleRead(
  changes: StateChanges,
  hash: Uint8Array,
  { upstream, share, counts }: DiffRunDeps,
): Promise<Sampled> {
  const read = await upstream.read(hash, sampleOf(changes, hash, share));
  const difference = differenceOf(changes, read);
  if (difference !== null) counts.samplesDiffering++;
  return { difference, unread: read.refused[0]?.error.message ?? null };
}

/** Receipts as they came, and as they were decoded. */
interface Receipts {
  readonly result: unknown;
  readonly received: readonly ReceivedTransaction[];
}

function confirmed(
  { block, showsNodeReceipts }: DiffTask,
  raws: readonly Uint8Array[] | null,
  receipts: Receipts,
): DiffFit['transactions'] {
  const { listed } = block;
  if (listed !== undefined) {
    if (raws === null) return null;
    const { transactionsRoot } = decodeHeader(block.header);
    return reportedTransactions({ listed, transactionsRoot }, raws, receipts);
  }
  const texts = showsNodeReceipts ? receiptTexts(receipts.result) : null;
  return block.transactions.map((transaction, at) => {
    const reported = texts === null ? {} : { reported: { transaction: null, receipt: texts[at]! } };
    return { ...transaction, receipt: receipts.received[at]!.receipt, ...reported };
  });
}
