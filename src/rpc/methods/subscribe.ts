// eth_subscribe and eth_unsubscribe, with the table of subscription topics.
import { rpcError, type RpcError } from '../../rpc-errors.js';
import { toHex } from '../../lib/bytes/hex.js';
import { LIMITS } from '../../limits/index.js';
import { LogFilter } from '../render/log-filter.js';
import type { Caller } from '../answer/request-response-types.js';
import type { ChainEvents } from '../push/chain-events.js';
import type { SubscriptionTopic, AllSubscriptions } from '../push/topic-delivery.js';
import {
  createLogsTopic,
  newFlashblocksTopic,
  newFlashblockTransactionsTopic,
  newHeadsTopic,
  newPendingTransactionsTopic,
  stateChangesTopic,
  syncingTopic,
  transactionReceiptsTopic,
  type WatchedSlotKeys,
} from '../push/subscription-topic-messages.js';
import { readWatchedCall, type WatchedCall, type WatchedCallDeps } from '../watch/run-watched-call.js';
import { isPresent, type RpcArguments } from '../params/arguments.js';
import { readFutureLogFilter } from '../params/log-criteria.js';
import type { MethodFunctionByName } from '../call/method-types.js';
import { readStructMembers, closedStruct } from '../params/json-struct.js';
import type { ExecutedBlockLookup } from '../view/executed-block-lookup.js';
import type { TransactionDeps } from './transaction-reads.js';
import type { WatchedCallsTopic } from '../watch/watched-call-topic.js';
import type { TraceSubscriptions } from '../watch/traces-topic.js';
import { readTraceCriteria } from '../params/traces-subscription-params.js';
import type { FutureLogFilter } from '../render/future-log-filter.js';

export interface SubscriptionDeps extends WatchedCallDeps, Pick<TransactionDeps, 'readView'> {
  readonly executed: ExecutedBlockLookup;
  readonly events: ChainEvents;
  readonly subscriptions: AllSubscriptions;
  readonly watches: WatchedCallsTopic;
  readonly traces: TraceSubscriptions;
}

/** Index of the topic's own parameter among the request's parameters; the topic name has index 0. */
const PARAMETER = 1;
const ANY_LOG: FutureLogFilter = { filter: new LogFilter([], []), kind: 'complete' };

const RECEIPTS = closedStruct('filters.TransactionReceiptsQuery', ['transactionHashes']);
const FROM = closedStruct('subscribe.From', ['fromVersion', 'fromBlock', 'fromIndex']);
const WATCH = closedStruct('watch.Criteria', ['calls']);

interface SubscriptionRequest {
  readonly args: RpcArguments;
  /** True if the subscription topic has a parameter of its own. */
  readonly hasParameter: boolean;
}

/** Creates a subscription topic from the request, including the topic's own parameter if it has one. */
type ReadTopic = (request: SubscriptionRequest, deps: SubscriptionDeps, caller: Caller) => SubscriptionTopic | RpcError;

/** One row for each subscription topic; `parameter` says which kind of parameter it has. */
const TOPICS: Readonly<
  Record<string, { readonly parameter: 'nothing' | 'filter' | 'other'; readonly read: ReadTopic }>
> = {
  syncing: { parameter: 'nothing', read: () => syncingTopic() },
  newHeads: { parameter: 'nothing', read: (_request, { executed }) => newHeadsTopic(executed) },
  logs: { parameter: 'filter', read: (request, { executed }) => createLogsTopic(readComing(request), executed) },
  pendingLogs: {
    parameter: 'filter',
    read: (request, { executed }) => createLogsTopic({ ...readComing(request), kind: 'preConfirmed' }, executed),
  },
  newPendingTransactions: { parameter: 'other', read: (request) => newPendingTransactionsTopic(readFlag(request)) },
  newFlashblocks: { parameter: 'nothing', read: () => newFlashblocksTopic() },
  newFlashblockTransactions: {
    parameter: 'filter',
    read: (request) => {
      const isFilter = request.hasParameter && typeof request.args.all[PARAMETER] === 'object';
      return isFilter
        ? newFlashblockTransactionsTopic(true, readComing(request).filter)
        : newFlashblockTransactionsTopic(readFlag(request), null);
    },
  },
  transactionReceipts: {
    parameter: 'other',
    read: (request, { executed }) => transactionReceiptsTopic(readHashes(request), executed),
  },
  stateChanges: { parameter: 'other', read: ({ args }) => stateChangesTopic(readWatched(args)) },
  traces: {
    parameter: 'other',
    read: ({ args }, deps, { client }) => {
      const criteria = readTraceCriteria(args, PARAMETER, deps.timeoutMs);
      return 'error' in criteria ? criteria : deps.traces.topic(criteria, client, deps);
    },
  },
  watch: {
    parameter: 'other',
    read: ({ args }, deps, { client }) => {
      const calls = readCalls(args, deps);
      return 'error' in calls ? calls : deps.watches.topic(calls, client, deps);
    },
  },
};

export const subscriptionMethods = {
  /**
   * `[topic, parameter?, from?]`: opens a subscription and returns its id. Only for connections that can receive
   * notifications.
   */
  eth_subscribe: (args, _readView, deps, caller) => {
    const name = args.string(0);
    if (args.failure) return args.failure;
    const { subscriber } = caller;
    if (subscriber === undefined) return rpcError('notificationsUnsupported');
    const row = Object.hasOwn(TOPICS, name) ? TOPICS[name] : undefined;
    if (row === undefined) return rpcError('methodNotFound', `no "${name}" subscription in eth namespace`);
    const fromIndex = fromIndexOf(args, row.parameter);
    const from = fromIndex === null ? null : readFrom(args, fromIndex, deps.events);
    const hasParameter = args.has(PARAMETER) && fromIndex !== PARAMETER;
    if (hasParameter && row.parameter === 'nothing')
      args.fail(`invalid argument ${PARAMETER}: ${name} takes no parameter`);
    const topic = row.read({ args, hasParameter }, deps, caller);
    if (args.failure) return args.failure;
    if ('error' in topic) return topic;
    if (from === 'gone') return rpcError('notKept');
    const opened = deps.subscriptions.open(subscriber, topic, from);
    return typeof opened === 'string' ? `"${opened}"` : opened;
  },

  /** `[id]`: ends a subscription and returns true, or an error if the connection has no such subscription. */
  eth_unsubscribe: (args, _readView, { subscriptions }, { subscriber }) => {
    const id = args.string(0);
    if (args.failure) return args.failure;
    if (subscriber === undefined) return rpcError('notificationsUnsupported');
    return subscriptions.close(subscriber, id) ? 'true' : rpcError('execution', 'subscription not found');
  },
} satisfies MethodFunctionByName<SubscriptionDeps>;

/**
 * Returns the index of the parameter that says from which event to resume; `null` if there is none. A filter's own
 * `fromBlock` must not be mistaken for it.
 */
function fromIndexOf(args: RpcArguments, parameter: 'nothing' | 'filter' | 'other'): number | null {
  if (args.has(PARAMETER + 1)) return PARAMETER + 1;
  if (!args.has(PARAMETER)) return null;
  const value = args.all[PARAMETER];
  if (parameter === 'nothing') return PARAMETER;
  if (typeof value !== 'object' || value === null) return null;
  return FROM_FIELDS.some((name) => name in value && !(parameter === 'filter' && name === 'fromBlock'))
    ? PARAMETER
    : null;
}

const FROM_FIELDS = ['fromVersion', 'fromBlock', 'fromIndex'] as const;

/**
 * Reads `{fromVersion}` or `{fromBlock, fromIndex}`: the event after which the subscription starts. The events after
 * that one are sent first.
 */
function readFrom(args: RpcArguments, index: number, events: ChainEvents): number | 'gone' {
  const from = readStructMembers(args, args.all[index], FROM, { index });
  const names = Object.keys(from).filter((name) => isPresent(from[name]));
  const numberOf = (name: (typeof FROM_FIELDS)[number]): number => args.count(from[name], { index, field: name });
  if (names.length === 1 && names[0] === 'fromVersion') return events.serialAt(numberOf('fromVersion')) ?? 'gone';
  if (names.length !== 2 || !isPresent(from['fromBlock']) || !isPresent(from['fromIndex'])) {
    args.fail(`invalid argument ${index}: want fromVersion, or fromBlock and fromIndex`);
    return 'gone';
  }
  const [block, increment] = [numberOf('fromBlock'), numberOf('fromIndex')];
  const serial = args.failure ? 'gone' : events.serialAtPosition(block, increment);
  if (serial === 'ahead') args.fail(`invalid argument ${index}: block ${block} index ${increment} has not been yet`);
  return serial === 'ahead' ? 'gone' : serial;
}

function readComing({ args, hasParameter }: SubscriptionRequest): FutureLogFilter {
  return hasParameter ? readFutureLogFilter(args, PARAMETER).coming : ANY_LOG;
}

function readFlag({ args, hasParameter }: SubscriptionRequest): boolean {
  return hasParameter && args.boolean(PARAMETER);
}

function readHashes({ args, hasParameter }: SubscriptionRequest): ReadonlySet<string> {
  if (!hasParameter) return new Set();
  const path = { index: PARAMETER };
  const { transactionHashes } = readStructMembers(args, args.all[PARAMETER], RECEIPTS, path);
  if (!isPresent(transactionHashes)) return new Set();
  const hashes = args.array(transactionHashes, '[]common.Hash', path);
  if (hashes.length > LIMITS.subscriptionKeysMax) args.fail(`too many hashes (max ${LIMITS.subscriptionKeysMax})`);
  return new Set(hashes.map((hash) => toHex(args.fixedBytes(hash, 32, 'common.Hash', path))));
}

/** Reads `{calls: [{method, params}, ...]}`: the calls whose results are watched. */
function readCalls(args: RpcArguments, deps: SubscriptionDeps): readonly WatchedCall[] | RpcError {
  const path = { index: PARAMETER };
  args.required(PARAMETER);
  const { calls } = readStructMembers(args, args.all[PARAMETER], WATCH, path);
  const list = args.array(calls ?? [], '[]watch.Call', path);
  if (list.length === 0) args.fail('no call to watch');
  if (list.length > LIMITS.watchedCallsPerSocketMax)
    args.fail(`too many watched calls (max ${LIMITS.watchedCallsPerSocketMax})`);
  if (args.failure) return args.failure;
  const read: WatchedCall[] = [];
  for (const [index, value] of list.entries()) {
    const call = readWatchedCall(value, index, deps);
    if ('error' in call) return call;
    read.push(call);
  }
  return read;
}

/** Reads `[address, ...]` or `{address: [slot, ...], ...}`: the accounts or storage slots whose changes are watched. */
function readWatched(args: RpcArguments): ReadonlyMap<string, WatchedSlotKeys> {
  const path = { index: PARAMETER };
  const wanted = args.required(PARAMETER);
  const members: readonly (readonly [unknown, unknown])[] = Array.isArray(wanted)
    ? wanted.map((address) => [address, null] as const)
    : Object.entries(args.object(wanted, 'map[common.Address][]common.Hash', path));
  const watched = new Map<string, WatchedSlotKeys>();
  let count = 0;
  for (const [address, slots] of members) {
    const keys = slots === null ? [] : args.array(slots, '[]common.Hash', path);
    count += 1 + keys.length;
    if (count > LIMITS.subscriptionKeysMax)
      args.fail(`too many addresses and slots (max ${LIMITS.subscriptionKeysMax})`);
    if (args.failure) break;
    const words = keys.map((slot) => toHex(args.slotOf(slot, PARAMETER)));
    watched.set(toHex(args.fixedBytes(address, 20, 'common.Address', path)), slots === null ? 'all' : new Set(words));
  }
  if (members.length === 0) args.fail('no address to watch');
  return watched;
}
