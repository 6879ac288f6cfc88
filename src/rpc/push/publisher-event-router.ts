// Passes the publisher thread's reports on: to the pre-confirmed blocks, the newest blocks and the chain events.
import { toHex } from '../../lib/bytes/hex.js';
import type {
  VersionChangesMessage,
  BlockCompletedMessage,
  IncrementPublishedMessage,
} from '../../publisher/publisher-protocol.js';
import { RecentBlocks } from '../../state/recent-encoded-blocks.js';
import { archivedBlockReader, recentBlockReader, type CompleteBlockSource } from '../view/stored-blocks.js';
import type { ExecutedBlockLookup } from '../view/executed-block-lookup.js';
import { PreConfirmedBlocks, type DroppedTransactions } from '../view/pre-confirmed-blocks.js';
import { ChainEvents } from './chain-events.js';
import type { CompleteBlockHandle } from '../view/executed-block-types.js';
import type { ChainHead } from '../../state/complete-block.js';

/** Sources from which blocks are read. They are available once the chain is known. */
interface PublisherEventSources {
  readonly source: CompleteBlockSource;
  readonly executed: ExecutedBlockLookup;
}

/**
 * Receives the publisher's reports. Reports that arrive before `begin` add no events, because nobody is listening yet.
 */
export class PublisherEventRouter {
  readonly recent = new RecentBlocks();
  readonly pending = new PreConfirmedBlocks();
  readonly events = new ChainEvents();
  #sources: PublisherEventSources | null = null;

  /** Starts to turn the publisher's reports into events. `block` is the first block of the state, if it is known. */
  begin(sources: PublisherEventSources, block: ChainHead | null): void {
    this.#sources = sources;
    if (block !== null) this.events.know(locatedOf(block));
  }

  changed(message: VersionChangesMessage): void {
    const { events } = this;
    const { accounts, slots } = message.changes;
    if (this.#sources === null) return;
    const version = events.versionOf(message.version);
    events.add({ kind: 'changed', version, message }, accounts.length + slots.length);
    // If the block of this version is new, `goBack` does nothing, and `completed` reports the block later.
    const { hash } = message.coordinates;
    if (hash !== null) events.goBack(version, hash);
  }

  published(message: IncrementPublishedMessage): void {
    const { pending, events } = this;
    const { first, read, dropped } = pending.add(message);
    const executed = this.#sources?.executed;
    if (executed === undefined) return;
    this.#drop(dropped, message.version, executed);
    const { block: number } = message.coordinates;
    const event = { kind: 'increment', version: events.versionOf(message.version), first } as const;
    events.add({ ...event, read: () => executed.announced(number, read()) }, message.transactions.records.length);
  }

  completed({ version, number, hash, header, kept }: BlockCompletedMessage): void {
    const { recent, pending, events } = this;
    if (kept !== null) recent.add({ number, hash, ...kept });
    const dropped = pending.complete(number, kept === null ? null : kept.transactions);
    if (this.#sources === null) return;
    this.#drop(dropped, version, this.#sources.executed);
    const located =
      header === undefined ? this.#located(number, hash, this.#sources) : locatedOf({ number, hash, header });
    events.confirm(events.versionOf(version), located);
  }

  /** Must be called when the state was reset, with its first block if that is known. */
  restarted(block: ChainHead | null): void {
    if (this.#sources !== null) this.events.begin(block === null ? null : locatedOf(block));
  }

  #drop(dropped: readonly DroppedTransactions[], version: number, executed: ExecutedBlockLookup): void {
    const { events } = this;
    for (const { block, first, read } of dropped) {
      const event = { kind: 'dropped', version: events.versionOf(version), first } as const;
      events.add({ ...event, read: () => executed.announced(block, read()) });
    }
  }

  #located(number: number, hash: Uint8Array, { source }: PublisherEventSources): CompleteBlockHandle {
    return {
      key: toHex(hash),
      number,
      hash,
      reader:
        source.kind === 'live'
          ? recentBlockReader(source.recent, hash)
          : archivedBlockReader(source.archive, number, hash),
    };
  }
}

/** Creates the handle of the first block after a reset, of which only the header is known. */
function locatedOf({ number, hash, header }: ChainHead): CompleteBlockHandle {
  return {
    key: toHex(hash),
    number,
    hash,
    reader: { block: () => null, logged: () => null, record: () => ({ header }) },
    isHeaderAlone: true,
  };
}
