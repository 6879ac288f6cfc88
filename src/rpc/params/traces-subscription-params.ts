// Reads the parameter of the `traces` subscription: a tracer, and a filter that selects transactions by their calls.
import { rpcError, type RpcError } from '../../rpc-errors.js';
import { toHex } from '../../lib/bytes/hex.js';
import { LIMITS } from '../../limits/index.js';
import type { AddressAndSelectorFilter, TracerSpec } from '../../transaction/trace-request-types.js';
import { isPresent, RpcArguments } from './arguments.js';
import { readTraceConfig } from './trace-config.js';

export interface TraceCriteria {
  readonly tracer: TracerSpec;
  /** Selects transactions by their calls; `null` selects all transactions. */
  readonly filter: AddressAndSelectorFilter | null;
  /** Time in milliseconds allowed for the traces of one increment. */
  readonly timeoutMs: number;
}

/** Reads `{tracer, tracerConfig?, timeout?, address?, selector?}`. */
export function readTraceCriteria(args: RpcArguments, index: number, timeoutMsMax: number): TraceCriteria | RpcError {
  const { address, selector, ...own } = args.object(args.required(index), 'traces.Criteria', { index });
  const addresses = readHexes(args, address, index, 20, 'common.Address');
  const selectors = readHexes(args, selector, index, 4, 'traces.Selector');
  if (args.failure) return args.failure;
  if (!isPresent(own['tracer'])) return rpcError('invalidParams', `invalid argument ${index}: no tracer`);
  const config = new RpcArguments([...args.all.slice(0, index), own]);
  const { tracer, timeoutMs, nodeOnly, hasUnknown } = readTraceConfig(config, index, timeoutMsMax);
  if (config.failure) return config.failure;
  if (nodeOnly !== null) return rpcError('invalidParams', nodeOnly);
  if (hasUnknown) return rpcError('invalidParams', `invalid argument ${index}: a member is not known`);
  const filter: AddressAndSelectorFilter | null =
    addresses.length + selectors.length === 0 ? null : { addresses, selectors };
  return { tracer, filter, timeoutMs };
}

/** Reads one hex value or a list of them, and sorts the list; empty if the member is missing. */
function readHexes(args: RpcArguments, value: unknown, index: number, length: number, type: string): readonly string[] {
  if (!isPresent(value)) return [];
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (list.length > LIMITS.subscriptionKeysMax)
    args.fail(`invalid argument ${index}: too many addresses or selectors (max ${LIMITS.subscriptionKeysMax})`);
  if (args.failure) return [];
  return list.map((each) => toHex(args.fixedBytes(each, length, type, { index }))).toSorted();
}
