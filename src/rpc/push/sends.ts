// The book of own transactions kept true by the events of the chain, and the topic that tells what becomes of each. Runs on main.

// Decision (2026-11, two cores): A client is told of what it has sent itself, and of a transaction whose hash it names: who knows the
// hash knows the transaction. Addresses are public, so a sender that is named narrows what is told and widens nothing:
// nobody sees when another one's orders leave. Price: two machines of one trader are two clients, unless the proxy names
// them alike or they tell each other the hashes.
import { rpcError, type RpcError } from '../../errors.js';
import { fromHex, toHex, toQuantity } from '../../lib/bytes/hex.js';
import { LIMITS } from '../../limits/index.js';
import type { OwnSends } from '../call/own-sends.js';
import type { Fate, Send } from '../call/send.js';
import type { ExecutedBlocks } from '../view/executed-blocks.js';
import type { ChainEvent, ChainEvents } from './chain-events.js';
import type { Speech, Topic } from './subscriptions.js';

/** Transactions that a client asks about: its own, of these senders where some are named, or those with these hashes; as hex. */
export interface SendFilter {
  readonly client: string | undefined;
  readonly from: ReadonlySet<string> | null;
  readonly hashes: ReadonlySet<string> | null;
}

type Listener = (sends: readonly Send[]) => void;

/** Listeners by what they listen to: a fate costs nothing for those whom it does not concern. */
class Listeners<Key> {
  readonly #byKey = new Map<Key, Set<Listener>>();

  add(key: Key, listener: Listener): void {
    this.#byKey.set(key, this.of(key).add(listener));
  }

  delete(key: Key, listener: Listener): void {
    const listeners = this.of(key);
    listeners.delete(listener);
    if (listeners.size === 0) this.#byKey.delete(key);
  }

  of(key: Key): Set<Listener> {
    return this.#byKey.get(key) ?? new Set();
  }
}

/** Keeps the book true, and tells who listens. */
export class SendsTold {
  readonly #book: OwnSends;
  readonly #executed: ExecutedBlocks;
  readonly #byClient = new Listeners<string | undefined>();
  readonly #byHash = new Listeners<string>();
  /** Filters that are listened to, by client. */
  readonly #filters = new Map<string | undefined, number>();

  constructor(book: OwnSends, events: ChainEvents, executed: ExecutedBlocks) {
    this.#book = book;
    this.#executed = executed;
    book.onTold = (sends) => this.#tell(sends);
    events.listen(({ event }) => {
      if (!book.isEmpty) this.#hear(event);
    });
  }

  /** The fates of those that are kept, as JSON texts: the newest. */
  texts({ client, from, hashes }: SendFilter): readonly string[] {
    const book = this.#book;
    const sends =
      hashes === null
        ? [...book.of(client)].filter(({ sender }) => from === null || from.has(sender))
        : [...hashes].flatMap((hash) => book.withHash(fromHex(hash)) ?? []);
    const told = sends.filter(({ fate }) => fate.kind !== 'sent');
    return told.slice(-LIMITS.ownSendsToldMax).map(textOf);
  }

  /** The topic: a list of fates that have changed; whoever joins is told those of all that are kept. */
  topic(filter: SendFilter): Topic | RpcError {
    if ((this.#filters.get(filter.client) ?? 0) >= LIMITS.ownSendFiltersPerClientMax)
      return rpcError('overload', `too many filters of transactions (max ${LIMITS.ownSendFiltersPerClientMax})`);
    return {
      key: `prestate_sends ${keyOf(filter)}`,
      endsWithState: false,
      texts: () => [],
      summary: null,
      begin: (say) => this.#open(filter, say),
    };
  }

  #open(filter: SendFilter, say: (text: string) => void): Speech {
    const { client, from, hashes } = filter;
    let words = 0;
    const listener: Listener = (sends) => {
      const texts = sends.filter(({ sender }) => from === null || from.has(sender)).map(textOf);
      if (texts.length === 0) return;
      words++;
      say(`[${texts.join(',')}]`);
    };
    this.#count(client, 1);
    for (const hash of hashes ?? []) this.#byHash.add(hash, listener);
    if (hashes === null) this.#byClient.add(client, listener);
    return {
      get words() {
        return words;
      },
      whole: () => {
        const texts = this.texts(filter);
        return texts.length === 0 ? null : `[${texts.join(',')}]`;
      },
      end: () => {
        this.#count(client, -1);
        for (const hash of hashes ?? []) this.#byHash.delete(hash, listener);
        if (hashes === null) this.#byClient.delete(client, listener);
      },
    };
  }

  #count(client: string | undefined, more: number): void {
    const count = (this.#filters.get(client) ?? 0) + more;
    if (count === 0) this.#filters.delete(client);
    else this.#filters.set(client, count);
  }

  /** A listener is told at once of all that concerns it. */
  #tell(sends: readonly Send[]): void {
    const concerned = new Map<Listener, Send[]>();
    for (const send of sends) {
      for (const listener of [...this.#byClient.of(send.client), ...this.#byHash.of(toHex(send.hash))]) {
        const known = concerned.get(listener);
        if (known === undefined) concerned.set(listener, [send]);
        else known.push(send);
      }
    }
    for (const [listener, told] of concerned) listener(told);
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

function keyOf({ client, from, hashes }: SendFilter): string {
  if (hashes !== null) return `of ${[...hashes].join()}`;
  return `${JSON.stringify(client ?? null)} ${from === null ? 'all' : [...from].join()}`;
}

function textOf({ hash, sender, nonce, fate, atMs, fateAtMs }: Send): string {
  const afterMs = Math.round(fateAtMs - atMs);
  return JSON.stringify({
    hash: toHex(hash),
    from: sender,
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
