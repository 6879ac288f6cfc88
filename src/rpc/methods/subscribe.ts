// eth_subscribe and eth_unsubscribe: THE table of topics. Runs on main.
import { rpcError, type RpcError } from '../../errors.js';
import { toHex } from '../../lib/hex.js';
import { LIMITS } from '../../limits.js';
import { LogFilter } from '../log-filter.js';
import type { Asker } from '../answer.js';
import type { ChainEvents } from '../push/chain-events.js';
import type { Topic } from '../push/subscriptions.js';
import {
  logs,
  newFlashblocks,
  newFlashblockTransactions,
  newHeads,
  newPendingTransactions,
  pendingLogs,
  stateChanges,
  transactionReceipts,
  type WatchedSlots,
} from '../push/topics.js';
import { readWatchedCall, type WatchedCall } from '../push/watched-call.js';
import { given, type Arguments } from './arguments.js';
import { readLogCriteria } from './log-criteria.js';
import type { MethodParts, Run } from './method.js';

/** Where the parameter of a topic is. */
const PARAMETER = 1;
const ANY_LOG = new LogFilter([], []);

/** Reads the parameter of a topic, if it has one. */
type ReadTopic = (args: Arguments, parts: MethodParts, asker: Asker) => Topic | RpcError;

/** A row a topic. */
const TOPICS: Readonly<Record<string, ReadTopic>> = {
  newHeads: () => newHeads(),
  logs: (args, { executed }) => logs(readFilter(args), executed),
  pendingLogs: (args) => pendingLogs(readFilter(args)),
  newPendingTransactions: (args) => newPendingTransactions(readFlag(args)),
  newFlashblocks: () => newFlashblocks(),
  newFlashblockTransactions: (args) => {
    const isFilter = hasParameter(args) && typeof args.all[PARAMETER] === 'object';
    return isFilter
      ? newFlashblockTransactions(true, readFilter(args))
      : newFlashblockTransactions(readFlag(args), null);
  },
  transactionReceipts: (args, { executed }) => transactionReceipts(readHashes(args), executed),
  stateChanges: (args) => stateChanges(readWatched(args)),
  watch: (args, parts, { client }) => {
    const calls = readCalls(args, parts.chain.chainId);
    return 'error' in calls ? calls : parts.watches.topic(calls, { methodParts: parts, client });
  },
};

/** `[topic, parameter?, from?]`: the subscription's id. Only where the connection can be told more than answers. */
export const subscribe: Run = (args, _readView, parts, asker) => {
  const name = args.string(0);
  if (args.failure) return args.failure;
  const { subscriber } = asker;
  if (subscriber === undefined) return rpcError('notificationsUnsupported');
  const read = Object.hasOwn(TOPICS, name) ? TOPICS[name] : undefined;
  if (read === undefined) return rpcError('methodNotFound', `no "${name}" subscription in eth namespace`);
  const topic = read(args, parts, asker);
  if (args.failure) return args.failure;
  if ('error' in topic) return topic;
  const from = readFrom(args, parts.events);
  if (from !== null && typeof from !== 'number') return from;
  const opened = parts.subscriptions.open(subscriber, topic, from);
  return typeof opened === 'string' ? `"${opened}"` : opened;
};

/** `[id]`: true; an error where the connection has no such subscription. */
export const unsubscribe: Run = (args, _readView, { subscriptions }, { subscriber }) => {
  const id = args.string(0);
  if (args.failure) return args.failure;
  if (subscriber === undefined) return rpcError('notificationsUnsupported');
  return subscriptions.close(subscriber, id) ? 'true' : rpcError('execution', 'subscription not found');
};

/** `{fromVersion}` or `{fromBlock, fromIndex}` as the last parameter: what has happened since then is told first. */
function readFrom(args: Arguments, events: ChainEvents): number | RpcError | null {
  const last = args.all.at(-1);
  if (!isFrom(last)) return null;
  const { fromVersion, fromBlock, fromIndex } = last;
  const serial = given(fromVersion)
    ? events.serialAt(Number(fromVersion))
    : events.serialAtPlace(Number(fromBlock), Number(fromIndex));
  return serial ?? rpcError('notKept');
}

interface From {
  readonly fromVersion?: unknown;
  readonly fromBlock?: unknown;
  readonly fromIndex?: unknown;
}

function isFrom(value: unknown): value is From {
  return typeof value === 'object' && value !== null && ('fromVersion' in value || 'fromIndex' in value);
}

function hasParameter(args: Arguments): boolean {
  return args.has(PARAMETER) && !isFrom(args.all[PARAMETER]);
}

function readFilter(args: Arguments): LogFilter {
  return hasParameter(args) ? readLogCriteria(args, PARAMETER).filter : ANY_LOG;
}

function readFlag(args: Arguments): boolean {
  return hasParameter(args) && args.boolean(PARAMETER);
}

function readHashes(args: Arguments): ReadonlySet<string> {
  if (!hasParameter(args)) return new Set();
  const place = { index: PARAMETER };
  const { transactionHashes } = args.object(args.all[PARAMETER], 'filters.TransactionReceiptsQuery', place);
  if (!given(transactionHashes)) return new Set();
  const hashes = args.array(transactionHashes, '[]common.Hash', place);
  if (hashes.length > LIMITS.subscriptionKeysMax) args.fail(`too many hashes (max ${LIMITS.subscriptionKeysMax})`);
  return new Set(hashes.map((hash) => toHex(args.fixedBytes(hash, 32, 'common.Hash', place))));
}

/** `{calls: [{method, params}, ...]}`. */
function readCalls(args: Arguments, chainId: bigint): readonly WatchedCall[] | RpcError {
  const place = { index: PARAMETER };
  const { calls } = args.object(args.required(PARAMETER), 'watch.Criteria', place);
  const list = args.array(calls ?? [], '[]watch.Call', place);
  if (list.length === 0) args.fail('no call to watch');
  if (list.length > LIMITS.watchedCallsPerSocketMax)
    args.fail(`too many watched calls (max ${LIMITS.watchedCallsPerSocketMax})`);
  if (args.failure) return args.failure;
  const { calls: whole } = args.all[PARAMETER] as { readonly calls: readonly unknown[] };
  const read: WatchedCall[] = [];
  for (const [index, value] of whole.entries()) {
    const call = readWatchedCall(value, index, chainId);
    if ('error' in call) return call;
    read.push(call);
  }
  return read;
}

/** `[address, ...]`, or `{address: [slot, ...], ...}`. */
function readWatched(args: Arguments): ReadonlyMap<string, WatchedSlots> {
  const place = { index: PARAMETER };
  const wanted = args.required(PARAMETER);
  const members: readonly (readonly [unknown, unknown])[] = Array.isArray(wanted)
    ? wanted.map((address) => [address, null] as const)
    : Object.entries(args.object(wanted, 'map[common.Address][]common.Hash', place));
  const watched = new Map<string, WatchedSlots>();
  let count = 0;
  for (const [address, slots] of members) {
    const keys = slots === null ? [] : args.array(slots, '[]common.Hash', place);
    count += 1 + keys.length;
    if (count > LIMITS.subscriptionKeysMax)
      args.fail(`too many addresses and slots (max ${LIMITS.subscriptionKeysMax})`);
    if (args.failure) break;
    const words = keys.map((slot) => toHex(args.slotOf(slot, PARAMETER)));
    watched.set(toHex(args.fixedBytes(address, 20, 'common.Address', place)), slots === null ? 'all' : new Set(words));
  }
  if (members.length === 0) args.fail('no address to watch');
  return watched;
}
