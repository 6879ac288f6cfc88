// Takes what the publisher says of versions and blocks to all who keep it: pre-confirmed blocks, newest blocks, events. Runs on
// main.
import { toHex } from '../../lib/bytes/hex.js';
import type { BegunBlock, ChangedMessage, CompletedMessage, PublishedMessage } from '../../publisher/protocol.js';
import { RecentBlocks } from '../../state/recent-blocks.js';
import { archivedReader, recentReader, type BlockSource } from '../view/chain-blocks.js';
import type { ExecutedBlocks } from '../view/executed-blocks.js';
import { PreConfirmedBlocks, type Dropped } from '../view/pre-confirmed-blocks.js';
import { ChainEvents } from './chain-events.js';
import type { Placed } from '../view/executed-block.js';

/** Sources of blocks, once the chain is known. */
export interface NewsSources {
  readonly source: BlockSource;
  readonly executed: ExecutedBlocks;
}

/** One per program. What comes before `begin` is no event: nobody listens yet. */
export class News {
  readonly recent = new RecentBlocks();
  readonly pending = new PreConfirmedBlocks();
  readonly events = new ChainEvents();
  #sources: NewsSources | null = null;

  /** From now on there are events. `block`: the one that the state has begun with, where it is known. */
  begin(sources: NewsSources, block: BegunBlock | null): void {
    this.#sources = sources;
    if (block !== null) this.events.know(placedOf(block));
  }

  /** A version has been published. */
  changed(message: ChangedMessage): void {
    const { events } = this;
    const { accounts, slots } = message.changes;
    if (this.#sources === null) return;
    const version = events.versionOf(message.version);
    events.add({ kind: 'changed', version, message }, accounts.length + slots.length);
    // A block that is new is told of after this.
    const { hash } = message.coordinates;
    if (hash !== null) events.goBack(version, hash);
  }

  /** An increment has been published. */
  published(message: PublishedMessage): void {
    const { pending, events } = this;
    const { first, read, dropped } = pending.add(message);
    const executed = this.#sources?.executed;
    if (executed === undefined) return;
    this.#drop(dropped, message.version, executed);
    const { block: number } = message.coordinates;
    const event = { kind: 'increment', version: events.versionOf(message.version), first } as const;
    events.add({ ...event, read: () => executed.announced(number, read()) }, message.transactions.records.length);
  }

  /** A block is complete. */
  completed({ version, number, hash, header, kept }: CompletedMessage): void {
    const { recent, pending, events } = this;
    if (kept !== null) recent.add({ number, hash, ...kept });
    const dropped = pending.complete(number, kept === null ? null : kept.transactions);
    if (this.#sources === null) return;
    this.#drop(dropped, version, this.#sources.executed);
    const placed =
      header === undefined ? this.#placed(number, hash, this.#sources) : placedOf({ number, hash, header });
    events.confirm(events.versionOf(version), placed);
  }

  /** The state was begun anew, with this block where it is known. */
  begun(block: BegunBlock | null): void {
    if (this.#sources !== null) this.events.begin(block === null ? null : placedOf(block));
  }

  #drop(dropped: readonly Dropped[], version: number, executed: ExecutedBlocks): void {
    const { events } = this;
    for (const { block, first, read } of dropped) {
      const event = { kind: 'dropped', version: events.versionOf(version), first } as const;
      events.add({ ...event, read: () => executed.announced(block, read()) });
    }
  }

  #placed(number: number, hash: Uint8Array, { source }: NewsSources): Placed {
    return {
      key: toHex(hash),
      number,
      hash,
      reader: source.kind === 'live' ? recentReader(source.recent, hash) : archivedReader(source.archive, number, hash),
    };
  }
}

/** Place of a begun block, of which there is the header alone. */
function placedOf({ number, hash, header }: BegunBlock): Placed {
  return {
    key: toHex(hash),
    number,
    hash,
    reader: { block: () => null, logged: () => null, record: () => ({ header }) },
    isHeaderAlone: true,
  };
}
