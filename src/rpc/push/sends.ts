// Keeps the status of submitted transactions up to date from chain events, and serves the topic that reports it.

// A client gets the status of what it has submitted itself, and of a transaction whose hash it gives: whoever knows the
// hash knows the transaction. See DECISIONS.md.
import { rpcError, type RpcError } from '../../errors.js';
import { fromHex, toHex, toQuantity } from '../../lib/bytes/hex.js';
import { LIMITS } from '../../limits/index.js';
import type { OwnTransactions } from '../call/own-sends.js';
import type { SubmissionStatus, TransactionSubmission } from '../call/send.js';
import type { ExecutedBlocks } from '../view/executed-blocks.js';
import type { ChainEvent, ChainEvents } from './chain-events.js';
import type { SubscriptionUpdates, Topic } from './subscriptions.js';

/**
 * The transactions that a client requests: its own, optionally only of these senders, or those with these hashes; as
 * hex.
 */
export interface SendFilter {
  readonly client: string | undefined;
  readonly from: ReadonlySet<string> | null;
  readonly hashes: ReadonlySet<string> | null;
}

type Listener = (sends: readonly TransactionSubmission[]) => void;

/** Listeners by what they listen to: a change costs nothing for those whom it does not concern. */
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

/** Updates the statuses, and notifies listeners. */
export class SubmissionEvents {
  readonly #book: OwnTransactions;
  readonly #executed: ExecutedBlocks;
  readonly #byClient = new Listeners<string | undefined>();
  readonly #byHash = new Listeners<string>();
  /** Number of active filters by client. */
  readonly #filters = new Map<string | undefined, number>();

  constructor(book: OwnTransactions, events: ChainEvents, executed: ExecutedBlocks) {
    this.#book = book;
    this.#executed = executed;
    book.onTold = (sends) => this.#tell(sends);
    events.listen(({ event }) => {
      if (!book.isEmpty) this.#hear(event);
    });
  }

  /** The newest statuses that match, as JSON texts. */
  texts({ client, from, hashes }: SendFilter): readonly string[] {
    const book = this.#book;
    const sends =
      hashes === null
        ? [...book.of(client)].filter(({ sender }) => from === null || from.has(sender))
        : [...hashes].flatMap((hash) => book.withHash(fromHex(hash)) ?? []);
    const told = sends.filter(({ fate }) => fate.kind !== 'sent');
    return told.slice(-LIMITS.ownSendsToldMax).map(textOf);
  }

  /** The topic: a list of changed statuses; a new subscriber first gets all matching ones. */
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

  #open(filter: SendFilter, say: (text: string) => void): SubscriptionUpdates {
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

  /** A listener gets all changes that concern it in one message. */
  #tell(sends: readonly TransactionSubmission[]): void {
    const concerned = new Map<Listener, TransactionSubmission[]>();
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

function textOf({ hash, sender, nonce, fate, atMs, fateAtMs }: TransactionSubmission): string {
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

function detailsOf(fate: SubmissionStatus): object {
  if (fate.kind === 'replaced') return { by: fate.by === null ? null : toHex(fate.by) };
  if (fate.kind !== 'preconfirmed' && fate.kind !== 'confirmed') return {};
  const { block, index, hash } = fate.place;
  return {
    blockNumber: toQuantity(block),
    transactionIndex: toQuantity(index),
    ...(hash === null ? {} : { blockHash: toHex(hash) }),
  };
}
