// The one writer: takes what a feed reports, writes the archive and the table, then tells main. Runs on the publisher.
import type { ArchiveWriter } from '../state/archive/writer.js';
import { TableReader, type Snapshot } from '../state/table/snapshot.js';
import { ChangeSet } from '../state/change-set.js';
import type { StateDiff } from '../state/diff.js';
import type { TableWriter } from '../state/table/writer.js';
import type { CompleteBlock, ConfirmedTransaction, FeedSink } from '../feed/feed.js';
import type { FromPublisher } from './protocol.js';
import { recentBlocks, restoredDiffs } from './restore.js';

export interface PublisherParts {
  readonly table: TableWriter;
  readonly archive: ArchiveWriter;
  readonly post: (message: FromPublisher) => void;
}

/** Everything that changed in the block at hand is kept until the block is complete: that is what the archive gets. */
export class Publisher implements FeedSink {
  readonly #parts: PublisherParts;
  #block = new ChangeSet();
  #gasUsed = 0n;
  #isOpen = false;
  #announced = -1;
  #newest: { readonly generation: number; readonly snapshot: Snapshot } | null = null;

  constructor(parts: PublisherParts) {
    this.#parts = parts;
  }

  /** Publishes the state at the archive's head. */
  restore(archive: ArchiveWriter): void {
    this.#parts.table.seedHashes(recentBlocks(archive));
    let restored = 0;
    for (const diff of restoredDiffs(archive)) {
      this.#parts.table.publish(diff);
      restored += diff.accounts.length + diff.slots.length;
      this.progress(`reading the state from the archive: ${restored} accounts and slots`, null);
    }
  }

  /** From here on main hears what is published; before, it would be the history of a chain being imported. */
  open(): void {
    this.#isOpen = true;
    this.#announceTable();
  }

  publish(diff: StateDiff, transactions: readonly ConfirmedTransaction[]): void {
    if (diff.coordinates.index === 0) this.#gasUsed = 0n;
    this.#gasUsed = transactions.at(-1)?.receipt.cumulativeGasUsed ?? this.#gasUsed;
    this.#block.add(diff);
    this.#announce(diff, transactions);
  }

  async complete(diff: StateDiff, block: CompleteBlock): Promise<void> {
    this.#block.add(diff);
    await this.#parts.archive.write(block, this.#block.diff(diff));
    this.#block = new ChangeSet();
    this.#announce(diff, []);
  }

  /** A snapshot stays where it is; asked again after a publish, another one is given. */
  view(): Snapshot {
    const { table } = this.#parts;
    const known = this.#newest;
    if (known !== null && known.generation === table.generation && known.snapshot.version === table.newest) {
      return known.snapshot;
    }
    const reader = new TableReader(table.buffer);
    const snapshot = reader.snapshot(reader.newest());
    this.#newest = { generation: table.generation, snapshot };
    return snapshot;
  }

  progress(text: string, share?: number | null): void {
    this.#parts.post({ kind: 'progress', text, share });
  }

  /** Table, then main: whoever hears of a version can read it. */
  #announce(diff: StateDiff, transactions: readonly ConfirmedTransaction[]): void {
    const version = this.#parts.table.publish(diff);
    if (!this.#isOpen) return;
    this.#announceTable();
    const { block, index } = diff.coordinates;
    const announced = transactions.map(({ hash, raw, from }) => ({ hash, raw, from }));
    this.#parts.post({ kind: 'published', version, block, index, gasUsed: this.#gasUsed, transactions: announced });
  }

  /** Hands over a table that main does not have: the first one, or the larger one that took its place. */
  #announceTable(): void {
    const { table, post } = this.#parts;
    if (table.generation === this.#announced || table.newest === 0) return;
    const continues = this.#announced >= 0;
    this.#announced = table.generation;
    post({ kind: 'table', generation: table.generation, buffer: table.buffer, continues });
  }
}
