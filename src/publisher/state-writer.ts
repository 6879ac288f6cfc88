// The only writer of the state: takes what a feed reports, writes the archive, then the table, then notifies the main
// thread.
import { decodeHeader, blockEnvOfHeader } from '../chain/block/header.js';
import type {
  AdoptedStateLoader,
  VersionAnnouncement,
  CompleteBlock,
  ConfirmedBlockVersion,
  ReplicaFeedSink,
  AdoptedStateBase,
  VersionDetails,
} from '../feed/feed.js';
import type { ChainDescription } from '../chain/chain-description.js';
import type { ExecutionStatus, LiveStatus } from '../feed/live-status.js';
import { encodeBlockRecord } from '../state/archive/format/block-records.js';
import type { ArchiveWriter } from '../state/archive/writer.js';
import type { AncestorBlock, ChainHead } from '../state/complete-block.js';
import { ChangeSet, mergeStateChanges } from '../state/merge-state-changes.js';
import { NO_STATE_CHANGES, type StateChanges, type StateDiff } from '../state/state-diff.js';
import { packChanges } from '../state/packed-changes.js';
import { packExecutedTransactions } from '../state/packed-transactions.js';
import { TableReader, type Snapshot } from '../state/table/read/table-reader-and-snapshot.js';
import { VersionViewAcrossTables } from '../state/table/read/version-view-of-growing-table.js';
import type { MissingKeys } from '../state/views/miss-recording-view.js';
import { residentSlotsOfAccounts } from '../state/table/table-scan.js';
import { TableWriter, type FetchedStateOutcome, type TableOptions, type TableSettings } from '../state/table/writer.js';
import type { StateView } from '../state/views/state-view.js';
import type { Outbox } from '../replicas/outbox/outbox.js';
import type { MessageFromPublisher } from './publisher-protocol.js';
import { recentAncestors, restoreDiffs } from './restore-from-archive.js';
import { MinorGc } from './minor-gc.js';

interface StateWriterDeps {
  /** Stores every complete block; `null` on a live chain, where the main thread retains the newest blocks instead. */
  readonly archive: ArchiveWriter | null;
  readonly post: (message: MessageFromPublisher) => void;
  readonly table?: TableSettings;
  /** Sends all state versions to replicas; absent if there are none. */
  readonly outbox?: Pick<Outbox, 'begin' | 'add' | 'receive'>;
}

/** The table that was last announced to the main thread. */
interface Announced {
  readonly table: TableWriter;
  readonly generation: number;
  readonly chain: ChainDescription | undefined;
}

/**
 * Writes the archive, publishes to the table and announces to the main thread, in this order, so that a state version
 * can be read before it is announced. `restore` or `begin` must be called first. The changes of the current block are
 * collected until it is complete, because the archive stores them together.
 */
export class StateWriter implements ReplicaFeedSink {
  readonly #deps: StateWriterDeps;
  readonly #garbage = new MinorGc();
  #table: TableWriter | null = null;
  #epoch = 0;
  #block = new ChangeSet();
  #isOpen = false;
  #announced: Announced | null = null;
  #chain: { readonly chain?: ChainDescription } = {};
  #newest: { readonly buffer: SharedArrayBuffer; readonly snapshot: Snapshot } | null = null;

  constructor(deps: StateWriterDeps) {
    this.#deps = deps;
  }

  /** The newest state version; 0 before the first one. */
  get newest(): number {
    return this.#writer.newest;
  }

  /** The memory of the current table; `null` before there is one. */
  get buffer(): SharedArrayBuffer | null {
    return this.#table?.buffer ?? null;
  }

  /** Number of tables so far: one for each time that the state was loaded. */
  get epoch(): number {
    return this.#epoch;
  }

  /**
   * Creates a table of complete state: that after the archive's newest block, or an empty one if the archive is empty.
   */
  restore(archive: ArchiveWriter): void {
    const table = this.#createTable({ complete: true }, recentAncestors(archive));
    this.#useTable(table);
    let restored = 0;
    for (const diff of restoreDiffs(archive)) {
      table.publish(diff);
      restored += diff.accounts.length + diff.slots.length;
      this.progress(`reading the state from the archive: ${restored} accounts and slots`, null);
    }
  }

  /** Creates a table of incomplete state. It has only a position in the chain; state is added as it is fetched. */
  begin(diff: StateDiff, { number, hash, header }: ChainHead, ancestors: readonly AncestorBlock[]): void {
    const table = this.#createTable({ complete: false }, ancestors);
    this.#useTable(table);
    table.publish(diff);
    this.#announceTable({ number, hash, header });
  }

  /** Creates a table that continues at a state version of another executor. */
  adopt({ version, isComplete, position, ancestors, block }: AdoptedStateBase): AdoptedStateLoader {
    const table = this.#createTable({ complete: isComplete, firstVersion: version }, ancestors);
    table.publish({ ...position, ...NO_STATE_CHANGES });
    return {
      seed: (contents) => table.seed(contents) === 'added',
      finish: () => {
        this.#useTable(table);
        this.#announceTable();
        if (block !== null) this.#announceBlock(block);
      },
    };
  }

  latest(): ConfirmedBlockVersion | null {
    const reader = new TableReader(this.#writer.buffer);
    const { latestVersion: version, heads } = reader.record(this.newest);
    const hash = version === 0 ? null : reader.snapshot(this.newest).blockHash(heads.latest);
    if (hash === null) return null;
    const { coordinates, env } = reader.record(version);
    const { index, parentHash } = coordinates;
    return { number: heads.latest, index, hash, parentHash, env, version };
  }

  /**
   * Starts announcing to the main thread. State versions before this call are only the history of a chain that is being
   * imported.
   */
  open(): void {
    this.#isOpen = true;
    this.#announceTable();
  }

  /** Publishes the start of a block that is not complete yet, or a further increment of its transactions. */
  publish(diff: StateDiff, announcement: VersionAnnouncement): void {
    if (this.#deps.archive !== null) this.#block.add(diff);
    this.publishVersion(diff, { kind: 'increment', announcement });
  }

  /** Archives a complete block, then publishes the changes that complete it. */
  async complete(diff: StateDiff, block: CompleteBlock): Promise<void> {
    await this.#archive(diff, block);
    this.publishVersion(diff, { kind: 'block', block });
  }

  async goBack(position: AdoptedStateBase['position']): Promise<StateChanges> {
    const { archive } = this.#deps;
    if (archive === null) throw new Error('without an archive nothing is taken back');
    const { block: number } = position.coordinates;
    const changes = mergeStateChanges(archive.undone(number, this.#block.all()));
    await archive.replaceFrom(number + 1);
    this.#block = new ChangeSet();
    this.publishVersion({ ...position, ...changes }, { kind: 'increment', announcement: null });
    return changes;
  }

  /** Publishes a state version to the table, then to the main thread, then to replicas. */
  publishVersion(diff: StateDiff, details: VersionDetails): void {
    const version = this.#writer.publish(diff);
    this.#announceTable();
    if (!this.#isOpen) return;
    const { post, outbox } = this.#deps;
    const { coordinates } = diff;
    const { block: number, hash } = coordinates;
    post({ kind: 'changed', version, coordinates, changes: packChanges(diff) });
    if (details.kind === 'block') this.#announceBlock(details.block);
    else if (details.kind === 'increment') this.#announceVersion(version, diff, details.announcement);
    // The main thread requests the rest of the block from the node when it is needed.
    else if (hash !== null) post({ kind: 'completed', version, number, hash, header: details.header, kept: null });
    outbox?.add(version, diff, details);
    this.#garbage.published();
  }

  /** Adds fetched state with its values at version `readAt`. Keys that the table has are not changed. */
  addMissing(fill: StateChanges, readAt: number): FetchedStateOutcome {
    const filling = this.#writer.addMissing(fill, readAt);
    this.#announceTable();
    return filling;
  }

  /** Evicts entries in one slice of the table, to make space. Returns whether another slice may free more. */
  evictSlice(): boolean {
    return this.#writer.giveUp();
  }

  /**
   * Returns a snapshot of the newest state version. A snapshot does not change; after a publication a new one is
   * returned.
   */
  view(): Snapshot {
    const { buffer, newest } = this.#writer;
    const known = this.#newest;
    if (known !== null && known.buffer === buffer && known.snapshot.version === newest) return known.snapshot;
    const snapshot = this.#writer.view();
    this.#newest = { buffer, snapshot };
    return snapshot;
  }

  residentSlots(addresses: readonly Uint8Array[]): MissingKeys['slots'] {
    return residentSlotsOfAccounts(this.#writer.buffer, addresses);
  }

  /** Returns the state at a retained version of the current table. */
  at(version: number): StateView {
    return new VersionViewAcrossTables(this.#writer, version);
  }

  /** Shows progress to the operator; see feed.ts for `share`. */
  progress(text: string, share?: number | null): void {
    this.#deps.post({ kind: 'progress', text, share });
  }

  useChain(chain: ChainDescription): void {
    this.#chain = { chain };
  }

  /**
   * Continues the chain with other rules. Replicas then start again from a snapshot, because the chain record that they
   * have read has the old rules.
   */
  goOnBy(chain: ChainDescription): void {
    this.useChain(chain);
    this.#announceTable();
  }

  warn(text: string): void {
    this.#deps.post({ kind: 'warning', text });
  }

  report(status: LiveStatus | ExecutionStatus): void {
    this.#deps.post({ kind: 'live', status });
    this.#deps.outbox?.receive(status);
  }

  get #writer(): TableWriter {
    if (this.#table === null) throw new Error('there is no table yet');
    return this.#table;
  }

  #createTable(
    options: Pick<Partial<TableOptions>, 'complete' | 'firstVersion'>,
    ancestors: readonly AncestorBlock[],
  ): TableWriter {
    const table = TableWriter.create({ ...this.#deps.table, ...options });
    table.seedHashes(ancestors);
    return table;
  }

  #useTable(table: TableWriter): void {
    this.#table = table;
    this.#epoch++;
  }

  async #archive(diff: StateDiff, block: CompleteBlock): Promise<void> {
    const { archive } = this.#deps;
    if (archive === null) return;
    this.#block.add(diff);
    await archive.write(block, { ...diff, ...this.#block.all() });
    this.#block = new ChangeSet();
  }

  #announceVersion(version: number, { coordinates, env }: StateDiff, announcement: VersionAnnouncement | null): void {
    if (announcement === null) return;
    const transactions = packExecutedTransactions(announcement.transactions);
    this.#deps.post({ kind: 'published', version, coordinates, env, ...announcement, transactions });
  }

  /**
   * Sends the main thread a table that it does not have yet: the first one, a larger one, or one with a new state or
   * new rules.
   */
  #announceTable(startsAt: ChainHead | null = null): void {
    const table = this.#table;
    if (!this.#isOpen || table === null || table.newest === 0) return;
    const { generation, buffer } = table;
    const known = this.#announced;
    const { chain } = this.#chain;
    const continues = known?.table === table;
    const isRuled = continues && known.chain === chain;
    if (isRuled && known.generation === generation) return;
    this.#announced = { table, generation, chain };
    this.#deps.post({ kind: 'table', generation, buffer, continues, startsAt, ...this.#chain });
    if (!isRuled) this.#deps.outbox?.begin(table, this.#archivedHead());
  }

  #archivedHead(): CompleteBlock | null {
    const { archive } = this.#deps;
    const head = archive?.head() ?? null;
    return archive === null || head === null ? null : archive.reader.block(head.number);
  }

  /**
   * Announces a complete block. If there is no archive, the announcement contains the whole block, which the main
   * thread then retains for requests.
   */
  #announceBlock(block: CompleteBlock): void {
    if (!this.#isOpen) return;
    const { archive, post } = this.#deps;
    const { number, hash, header, transactions } = block;
    const record = (): Uint8Array => encodeBlockRecord(block, blockEnvOfHeader(decodeHeader(header)));
    const kept = archive === null ? { record: record(), transactions: packExecutedTransactions(transactions) } : null;
    post({ kind: 'completed', version: this.newest, number, hash, kept });
  }
}
