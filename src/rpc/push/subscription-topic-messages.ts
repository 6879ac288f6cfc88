// The subscription topics. Each makes messages from chain events.
import { toHex, toQuantity } from '../../lib/bytes/hex.js';
import { logsBloom } from '../../lib/bytes/bloom.js';
import type { Coordinates } from '../../state/state-diff.js';
import { changedAccounts, changedSlots } from '../../state/packed-changes.js';
import type { ExecutedBlockLookup } from '../view/executed-block-lookup.js';
import type { LogFilter } from '../render/log-filter.js';
import { renderMatchingLogsOfBlock, type LogRenderOptions } from '../render/log-search.js';
import {
  renderNewHead,
  renderLogs,
  renderPendingBlock,
  renderReceipt,
  renderTransaction,
} from '../render/blocks-and-transactions.js';
import type { ChainEvent } from './chain-events.js';
import {
  topicWithOwnMessages,
  type TopicMessageSource,
  type SkippedEventsSummary,
  type SubscriptionTopic,
} from './topic-delivery.js';
import type { ExecutedBlock } from '../view/executed-block-types.js';
import { type FutureLogFilter, filterIncludesBlock, futureLogFilterKey } from '../render/future-log-filter.js';

type Kind = ChainEvent['kind'];
type Of<K extends Kind> = Extract<ChainEvent, { kind: K }>;
type Texts<K extends Kind> = (event: Of<K>) => readonly string[];

const NOTHING: readonly string[] = [];

/** Creates a topic whose messages are all sent, even to a slow subscriber. */
function whole<K extends Kind>(key: string, kinds: readonly K[], texts: Texts<K>): SubscriptionTopic {
  const isMeant = (event: ChainEvent): event is Of<K> => (kinds as readonly Kind[]).includes(event.kind);
  const all = (event: ChainEvent): readonly string[] => (isMeant(event) ? texts(event) : NOTHING);
  const endsWithState = (kinds as readonly Kind[]).includes('confirmed');
  return { key, endsWithState, texts: all, summary: null };
}

/** Creates a topic of which only the newest message matters. Older messages are not sent to a slow subscriber. */
function newest<K extends Kind>(key: string, kinds: readonly K[], texts: Texts<K>): SubscriptionTopic {
  const isMeant = (event: ChainEvent): event is Of<K> => (kinds as readonly Kind[]).includes(event.kind);
  return {
    key,
    endsWithState: false,
    texts: (event) => (isMeant(event) ? texts(event) : NOTHING),
    summary: () => {
      let last: Of<K> | null = null;
      return {
        add: (event) => {
          if (isMeant(event)) last = event;
        },
        texts: () => (last === null ? NOTHING : texts(last)),
      };
    },
  };
}

/** The topic `syncing`: one message, `false`, as in go-ethereum when there is nothing to sync. */
export function syncingTopic(): SubscriptionTopic {
  const updates: TopicMessageSource = { messageCount: 1, whole: () => 'false', end: () => undefined };
  return topicWithOwnMessages('syncing', () => updates);
}

/**
 * The topic `newHeads`: the header of every new head, which is a new complete block, a block to which the chain was
 * rolled back, or the first block after a reset.
 */
export function newHeadsTopic(executed: Pick<ExecutedBlockLookup, 'timestampMs'>): SubscriptionTopic {
  return newest('newHeads', ['confirmed', 'returned', 'reset'], (event) => {
    const located = event.kind === 'reset' ? event.located : event;
    const header = located?.reader.record()?.header;
    if (located === null || header === undefined) return NOTHING;
    return [JSON.stringify(renderNewHead(header, located.hash, executed.timestampMs(located)))];
  });
}

/**
 * The topic of block filters: the hash of every complete block, and again of a block to which the chain was rolled
 * back.
 */
export function newBlockHashesTopic(): SubscriptionTopic {
  return whole('newBlockHashes', ['confirmed', 'returned'], ({ hash }) => [`"${toHex(hash)}"`]);
}

/**
 * The topics `logs` and `pendingLogs`: logs of future blocks. A log is sent again with `removed` if its block leaves
 * the chain or is dropped.
 */
export function createLogsTopic(coming: FutureLogFilter, executed: ExecutedBlockLookup): SubscriptionTopic {
  const textsOf = (block: ExecutedBlock | null, options: LogRenderOptions): readonly string[] =>
    block !== null && filterIncludesBlock(coming, block)
      ? renderMatchingLogsOfBlock(block, coming.filter, options)
      : NOTHING;
  return whole(futureLogFilterKey(coming), LOG_EVENTS[coming.kind], (event) => {
    const removed = event.kind === 'removed' || event.kind === 'dropped';
    return 'first' in event
      ? textsOf(event.read().block, { first: event.first, removed })
      : textsOf(executed.located(event), { removed });
  });
}

type LogEvent = 'confirmed' | 'removed' | 'increment' | 'dropped';

const LOG_EVENTS: Readonly<Record<FutureLogFilter['kind'], readonly LogEvent[]>> = {
  complete: ['confirmed', 'removed'],
  preConfirmed: ['increment', 'dropped'],
  all: ['confirmed', 'removed', 'increment', 'dropped'],
};

/** The topic `newPendingTransactions`: every transaction when it is pre-confirmed, as its hash or in full. */
export function newPendingTransactionsTopic(full: boolean): SubscriptionTopic {
  return ofTransactions(`newPendingTransactions ${full}`, (block, index) => {
    return full ? JSON.stringify(renderTransaction({ block, index })) : `"${toHex(block.transactions[index]!.hash)}"`;
  });
}

/**
 * The topic `newFlashblockTransactions`: every transaction when it is pre-confirmed, as its hash, or with its receipt
 * if `full`. With a `filter`, only transactions that have matching logs.
 */
export function newFlashblockTransactionsTopic(full: boolean, filter: LogFilter | null): SubscriptionTopic {
  return ofTransactions(`newFlashblockTransactions ${full} ${filter?.key}`, (block, index) => {
    const { hash, receipt } = block.transactions[index]!;
    if (filter !== null && !receipt.logs.some((log) => filter.matches(log))) return null;
    return full ? JSON.stringify(executedTransaction(block, index)) : `"${toHex(hash)}"`;
  });
}

function ofTransactions(key: string, text: (block: ExecutedBlock, index: number) => string | null): SubscriptionTopic {
  return whole(key, ['increment'], ({ read, first }) => {
    const { block } = read();
    const texts = block.transactions.map((_tx, index) => (index < first ? null : text(block, index)));
    return texts.filter((each) => each !== null);
  });
}

function executedTransaction(block: ExecutedBlock, index: number): object {
  const { receipt } = block.transactions[index]!;
  return {
    ...renderTransaction({ block, index }),
    logs: renderLogs({ block, index }),
    gasUsed: Number(receipt.gasUsed),
    status: toQuantity(receipt.status),
    cumulativeGasUsed: toQuantity(receipt.cumulativeGasUsed),
    contractAddress: receipt.contractAddress === null ? null : toHex(receipt.contractAddress),
    logsBloom: toHex(logsBloom(receipt.logs)),
  };
}

/** The topic `newFlashblocks`: the whole pre-confirmed block at every increment. */
export function newFlashblocksTopic(): SubscriptionTopic {
  return newest('newFlashblocks', ['increment'], ({ read }) => {
    return [JSON.stringify(renderPendingBlock(read(), { full: true }))];
  });
}

/**
 * The topic `transactionReceipts`: receipts in complete blocks, for these transaction hashes or for all transactions if
 * there are no hashes.
 */
export function transactionReceiptsTopic(
  hashes: ReadonlySet<string>,
  executed: ExecutedBlockLookup,
): SubscriptionTopic {
  return whole(`transactionReceipts ${[...hashes].join()}`, ['confirmed'], (event) => {
    const block = executed.located(event);
    const meant = (block?.transactions ?? []).flatMap(({ hash }, index) =>
      hashes.size === 0 || hashes.has(toHex(hash)) ? [renderReceipt({ block: block!, index })] : [],
    );
    return meant.length === 0 ? NOTHING : [JSON.stringify(meant)];
  });
}

/** The storage slots of an account that are watched: the keys of single slots, or all slots. */
export type WatchedSlotKeys = ReadonlySet<string> | 'all';

/**
 * The topic `stateChanges`: changes of these accounts in each state version, one message per account. Addresses and
 * slots are hex.
 */
export function stateChangesTopic(watched: ReadonlyMap<string, WatchedSlotKeys>): SubscriptionTopic {
  const key = [...watched]
    .map(([address, slots]) => `${address}:${slots === 'all' ? slots : [...slots].join()}`)
    .join(';');
  const summary = (): SkippedEventsSummary => {
    const changes: Changes = new Map();
    let last: Of<'changed'> | null = null;
    return {
      add: (event) => {
        if (event.kind !== 'changed') return;
        addChanges(changes, event, watched);
        last = event;
      },
      texts: () =>
        last === null ? NOTHING : changeTexts(changes, versionPosition(last.message.coordinates, last.version)),
    };
  };
  const texts = (event: ChainEvent): readonly string[] => {
    const one = summary();
    one.add(event);
    return one.texts();
  };
  return { key: `stateChanges ${key}`, endsWithState: true, texts, summary };
}

interface Change {
  nonce?: string;
  balance?: string;
  storage?: Record<string, string>;
}

/** Newest values of the changed accounts, by address. */
type Changes = Map<string, Change>;

/** Adds the changes of watched accounts in one event to `changes`. */
function addChanges(changes: Changes, { message }: Of<'changed'>, watched: ReadonlyMap<string, WatchedSlotKeys>): void {
  const changeOf = (address: string): Change => {
    const known = changes.get(address) ?? {};
    changes.set(address, known);
    return known;
  };
  for (const { address, nonce, balance } of changedAccounts(message.changes)) {
    const name = toHex(address);
    if (watched.has(name)) Object.assign(changeOf(name), { nonce: toQuantity(nonce), balance: toQuantity(balance) });
  }
  for (const { address, slot, value } of changedSlots(message.changes)) {
    const [name, key] = [toHex(address), toHex(slot)];
    const slots = watched.get(name);
    if (slots === undefined || (slots !== 'all' && !slots.has(key))) continue;
    (changeOf(name).storage ??= {})[key] = toHex(value);
  }
}

function changeTexts(changes: Changes, position: object): readonly string[] {
  return [...changes].map(([address, change]) => JSON.stringify({ address, ...change, position }));
}

/** Renders the position of a state version. `version` is its number in chain events. */
export function versionPosition({ block, index, hash }: Coordinates, version: number): object {
  return { block: toQuantity(block), index: toQuantity(index), hash: hash === null ? null : toHex(hash), version };
}
