// The book of own transactions kept true by the events of the chain, and the topic that tells what becomes of each. Runs on main.

// Decision (2026-11, two cores): A client is told of what it has sent itself, and of a transaction whose hash it names: who knows the
// hash knows the transaction. Addresses are public, so a sender that is named narrows what is told and widens nothing:
// nobody sees when another one's orders leave. Price: two machines of one trader are two clients, unless the proxy names
// them alike or they tell each other the hashes.
import { toHex, toQuantity } from '../../lib/bytes/hex.js';
import type { OwnSends } from '../call/own-sends.js';
import type { Fate, Send } from '../call/send.js';
import type { ExecutedBlocks } from '../view/executed-blocks.js';
import type { ChainEvent, ChainEvents } from './chain-events.js';
import type { Speech, Topic } from './subscriptions.js';

/** Transactions that are asked about: those of the client, of these senders, or with these hashes; as hex. */
export type SendFilter =
  | { readonly kind: 'own'; readonly client: string | undefined; readonly from: ReadonlySet<string> | null }
  | { readonly kind: 'hashes'; readonly hashes: ReadonlySet<string> };

/** Keeps the book true, and tells who listens. */
export class SendsTold {
  readonly #book: OwnSends;
  readonly #executed: ExecutedBlocks;
  readonly #listeners = new Set<(sends: readonly Send[]) => void>();

  constructor(book: OwnSends, events: ChainEvents, executed: ExecutedBlocks) {
    this.#book = book;
    this.#executed = executed;
    book.onTold = (sends) => {
      for (const listener of this.#listeners) listener(sends);
    };
    events.listen(({ event }) => {
      if (!book.isEmpty) this.#hear(event);
    });
  }

  /** The fates of those that are kept, as JSON texts. */
  texts(filter: SendFilter): readonly string[] {
    return [...this.#book.all].filter((send) => isMeant(send, filter)).map(textOf);
  }

  /** The topic: a list of fates that have changed; whoever joins is told those of all that are kept. */
  topic(filter: SendFilter): Topic {
    return {
      key: `prestate_sends ${keyOf(filter)}`,
      endsWithState: false,
      texts: () => [],
      summary: null,
      begin: (say) => this.#open(filter, say),
    };
  }

  #open(filter: SendFilter, say: (text: string) => void): Speech {
    let words = 0;
    const listener = (sends: readonly Send[]): void => {
      const texts = sends.filter((send) => isMeant(send, filter)).map(textOf);
      if (texts.length === 0) return;
      words++;
      say(listOf(texts)!);
    };
    this.#listeners.add(listener);
    return {
      get words() {
        return words;
      },
      whole: () => listOf(this.texts(filter)),
      end: () => void this.#listeners.delete(listener),
    };
  }

  #hear(event: ChainEvent): void {
    const book = this.#book;
    switch (event.kind) {
      case 'increment': {
        const { block } = event.read();
        return book.include(block.number, null, block.transactions, event.first);
      }
      case 'dropped':
        return book.drop(event.read().block.number, event.first);
      case 'confirmed': {
        const block = this.#executed.placed(event);
        if (block === null) book.pass(false);
        else book.include(event.number, event.hash, block.transactions, 0);
        return book.age(event.number);
      }
      case 'removed':
        return book.remove(event.hash);
      case 'returned':
        return book.goBack(event.number);
      case 'begun':
        return book.pass(true);
      case 'changed':
        return;
    }
  }
}

function isMeant({ hash, from, client, fate }: Send, filter: SendFilter): boolean {
  if (fate.kind === 'sent') return false;
  if (filter.kind === 'hashes') return filter.hashes.has(toHex(hash));
  return client === filter.client && (filter.from === null || filter.from.has(toHex(from)));
}

function keyOf(filter: SendFilter): string {
  if (filter.kind === 'hashes') return `of ${[...filter.hashes].join()}`;
  return `${JSON.stringify(filter.client ?? null)} ${filter.from === null ? 'all' : [...filter.from].join()}`;
}

function listOf(texts: readonly string[]): string | null {
  return texts.length === 0 ? null : `[${texts.join(',')}]`;
}

function textOf({ hash, from, nonce, fate, atMs, fateAtMs }: Send): string {
  const afterMs = Math.round(fateAtMs - atMs);
  return JSON.stringify({
    hash: toHex(hash),
    from: toHex(from),
    nonce: toQuantity(nonce),
    status: fate.kind,
    ...detailsOf(fate),
    afterMs,
  });
}

function detailsOf(fate: Fate): object {
  if (fate.kind === 'replaced') return { by: fate.by === null ? null : toHex(fate.by) };
  if (fate.kind !== 'preconfirmed' && fate.kind !== 'confirmed') return {};
  const { block, index, hash } = fate.place;
  return {
    blockNumber: toQuantity(block),
    transactionIndex: toQuantity(index),
    ...(hash === null ? {} : { blockHash: toHex(hash) }),
  };
}
