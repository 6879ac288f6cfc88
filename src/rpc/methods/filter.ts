// Methods of filters, for clients that poll.
import { rpcError, type RpcError } from '../../rpc-errors.js';
import type { SubscriptionTopic } from '../push/topic-delivery.js';
import {
  createLogsTopic,
  newBlockHashesTopic,
  newPendingTransactionsTopic,
} from '../push/subscription-topic-messages.js';
import { readFutureLogFilter, type LogCriteria } from '../params/log-criteria.js';
import { searchLogs, type LogMethodDeps } from './logs.js';
import type { MethodFunctionByName } from '../call/method-types.js';
import type { RpcCallOutcome } from '../answer/call-result.js';
import type { PolledFilters } from '../push/polled-filters.js';

export interface FilterDeps extends LogMethodDeps {
  readonly filters: PolledFilters;
}

function added(topic: SubscriptionTopic, criteria: LogCriteria | null, { filters }: FilterDeps): RpcCallOutcome {
  const id = filters.add(topic, criteria);
  return id === null ? rpcError('overload', 'too many filters') : `"${id}"`;
}

export const filterMethods = {
  /** Creates a filter for logs of future blocks. The only parameter is the log filter. */
  eth_newFilter: (args, _readView, deps) => {
    const criteria = readFutureLogFilter(args, 0);
    return args.failure ?? added(createLogsTopic(criteria.coming, deps.executed), criteria, deps);
  },

  /** `[]`: creates a filter for hashes of future blocks. */
  eth_newBlockFilter: (_args, _readView, deps) => added(newBlockHashesTopic(), null, deps),

  /** `[full]`: creates a filter for transactions that are pre-confirmed from now on. */
  eth_newPendingTransactionFilter: (args, _readView, deps) => {
    const full = args.has(0) && args.boolean(0);
    return args.failure ?? added(newPendingTransactionsTopic(full), null, deps);
  },

  /** `[id]`: returns what is new for the filter since the last poll. */
  eth_getFilterChanges: (args, _readView, { filters }) => {
    const id = args.string(0);
    if (args.failure) return args.failure;
    const texts = filters.changes(id);
    return texts === null ? notFound() : `[${texts.join(',')}]`;
  },

  /** `[id]`: returns all logs in the range of a log filter. */
  eth_getFilterLogs: (args, readView, deps, caller) => {
    const id = args.string(0);
    if (args.failure) return args.failure;
    const criteria = deps.filters.criteria(id);
    return criteria === null ? notFound() : searchLogs(criteria, readView, deps, caller);
  },

  /** `[id]`: removes a filter; returns whether it existed. */
  eth_uninstallFilter: (args, _readView, { filters }) => {
    const id = args.string(0);
    return args.failure ?? `${filters.remove(id)}`;
  },
} satisfies MethodFunctionByName<FilterDeps>;

/** Returns the error for an unknown filter, with go-ethereum's message. */
function notFound(): RpcError {
  return rpcError('execution', 'filter not found');
}
