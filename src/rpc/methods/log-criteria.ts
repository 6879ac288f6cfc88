// Reads the filter object of eth_getLogs, eth_newFilter and log subscriptions with go-ethereum's strictness. Runs on main.
import { LIMITS } from '../../limits.js';
import { LogFilter } from '../log-filter.js';
import { given, LATEST, type Arguments, type BlockRef } from './arguments.js';

/** What a filter object asks for. */
export interface LogCriteria {
  readonly filter: LogFilter;
  /** 32 bytes; then the range means nothing. */
  readonly blockHash: Uint8Array | null;
  readonly from: BlockRef;
  readonly to: BlockRef;
}

const TYPE = 'filters.FilterCriteria';

/** The filter object at `index`. */
export function readLogCriteria(args: Arguments, index: number): LogCriteria {
  const place = { index };
  const { blockHash, fromBlock, toBlock, address, topics } = args.object(args.required(index), TYPE, place);
  if (given(blockHash) && (given(fromBlock) || given(toBlock))) {
    args.fail(
      `invalid argument ${index}: cannot specify both BlockHash and FromBlock/ToBlock, choose one or the other`,
    );
  }
  return {
    filter: new LogFilter(readAddresses(args, address, index), readTopics(args, topics, index)),
    blockHash: given(blockHash) ? args.fixedBytes(blockHash, 32, 'common.Hash', place) : null,
    from: given(fromBlock) ? args.blockOf(fromBlock, index) : LATEST,
    to: given(toBlock) ? args.blockOf(toBlock, index) : LATEST,
  };
}

function readAddresses(args: Arguments, address: unknown, index: number): Uint8Array[] {
  if (!given(address)) return [];
  const list: readonly unknown[] = Array.isArray(address) ? address : [address];
  if (list.length > LIMITS.filterItemsMax) args.fail('exceed max addresses');
  return list.slice(0, LIMITS.filterItemsMax).map((each) => args.fixedBytes(each, 20, 'common.Address', { index }));
}

/** Topics by position: a hash, a list of hashes any of which will do, or null for any at all. */
function readTopics(args: Arguments, topics: unknown, index: number): Uint8Array[][] {
  if (!given(topics)) return [];
  const positions = args.array(topics, '[]interface {}', { index });
  if (positions.length > LIMITS.topicsMax) args.fail('exceed max topics');
  return positions.slice(0, LIMITS.topicsMax).map((wanted) => readTopic(args, wanted, index));
}

function readTopic(args: Arguments, wanted: unknown, index: number): Uint8Array[] {
  if (!given(wanted)) return [];
  const list: readonly unknown[] = Array.isArray(wanted) ? wanted : [wanted];
  // One that is null makes the whole position any.
  if (list.some((each) => each === null)) return [];
  if (list.length > LIMITS.filterItemsMax) args.fail('exceed max topics');
  return list.slice(0, LIMITS.filterItemsMax).map((each) => args.fixedBytes(each, 32, 'common.Hash', { index }));
}
