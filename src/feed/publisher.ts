// The one writer: takes what a feed reports, writes the archive and the table, then tells main. Runs on the publisher.
import type { ArchiveWriter } from '../state/archive-writer.js';
import { ChangeSet } from '../state/change-set.js';
import type { StateDiff } from '../state/diff.js';
import type { TableWriter } from '../state/publish.js';
import type { StateView } from '../state/view.js';
import type { CompleteBlock, ConfirmedTransaction, FeedSink } from './feed.js';
import type { FromPublisher } from './messages.js';

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
  #generation = -1;

  constructor(parts: PublisherParts) {
    this.#parts = parts;
  }

  publish(diff: StateDiff, transactions: readonly ConfirmedTransaction[]): void {
    if (diff.coordinates.index === 0) this.#gasUsed = 0n;
    this.#block.add(diff);
    this.#gasUsed = transactions.at(-1)?.receipt.cumulativeGasUsed ?? this.#gasUsed;
    this.#announce(diff, transactions);
  }

  async complete(diff: StateDiff, block: CompleteBlock): Promise<void> {
    this.#block.add(diff);
    await this.#parts.archive.write(block, this.#block.diff(diff));
    this.#block = new ChangeSet();
    this.#gasUsed = 0n;
    this.#announce(diff, []);
  }

  view(): StateView {
    return this.#parts.table.view();
  }

  progress(text: string): void {
    this.#parts.post({ kind: 'progress', text });
  }

  /** Table, then main: whoever is told can read it. A table that grew is handed over before its first version is told. */
  #announce(diff: StateDiff, transactions: readonly ConfirmedTransaction[]): void {
    const { table, post } = this.#parts;
    const version = table.publish(diff);
    if (table.generation !== this.#generation) {
      this.#generation = table.generation;
      post({ kind: 'table', generation: table.generation, buffer: table.buffer });
    }
    const { block, index } = diff.coordinates;
    const told = transactions.map(({ hash, raw, from }) => ({ hash, raw, from }));
    post({ kind: 'published', version, block, index, gasUsed: this.#gasUsed, transactions: told });
  }
}
