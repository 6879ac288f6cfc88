// Reads the filter object of eth_getLogs, eth_newFilter and log subscriptions, as strictly as go-ethereum.
import { rpcError } from '../../rpc-errors.js';
import { LIMITS } from '../../limits/index.js';
import { LogFilter } from '../render/log-filter.js';
import { isPresent, parseHexBytes, type RpcArguments } from './arguments.js';
import { readStructMembers, closedStruct } from './json-struct.js';
import { type BlockParam, LATEST_BLOCK } from '../view/block-param-types.js';
import type { FutureLogFilter } from '../render/future-log-filter.js';

export interface LogCriteria {
  readonly filter: LogFilter;
  /** 32-byte hash of the only block to search. If it is given, `from` and `to` are ignored. */
  readonly blockHash: Uint8Array | null;
  readonly from: BlockParam;
  /** Last block of the range; `null` if it is not given. */
  readonly to: BlockParam | null;
}

const CRITERIA = closedStruct('filters.FilterCriteria', ['blockHash', 'fromBlock', 'toBlock', 'address', 'topics']);

/** Reads the filter object at `index`. */
export function readLogCriteria(args: RpcArguments, index: number): LogCriteria {
  const path = { index };
  const { blockHash, fromBlock, toBlock, address, topics } = readStructMembers(
    args,
    args.required(index),
    CRITERIA,
    path,
  );
  if (isPresent(blockHash) && (isPresent(fromBlock) || isPresent(toBlock))) {
    args.fail(
      `invalid argument ${index}: cannot specify both BlockHash and FromBlock/ToBlock, choose one or the other`,
    );
  }
  return {
    filter: new LogFilter(readAddresses(args, address, index), readTopics(args, topics, index)),
    blockHash: isPresent(blockHash) ? args.fixedBytes(blockHash, 32, 'common.Hash', path) : null,
    from: isPresent(fromBlock) ? args.numberOf(fromBlock, index) : LATEST_BLOCK,
    to: isPresent(toBlock) ? args.numberOf(toBlock, index) : null,
  };
}

/** Reads the filter object at `index` for a subscription or filter of future logs. */
export function readFutureLogFilter(
  args: RpcArguments,
  index: number,
): LogCriteria & { readonly coming: FutureLogFilter } {
  const criteria = readLogCriteria(args, index);
  const coming = comingOf(criteria);
  if (coming === null) args.failure ??= rpcError('invalidParams', 'invalid block range params');
  return { ...criteria, coming: coming ?? { filter: criteria.filter, kind: 'complete' } };
}

/**
 * Determines which future logs a filter selects; `null` if no future log can be in its range. As in go-ethereum, the
 * range may be missing, may start and end at block numbers, or may only start at a block number. If the range ends with
 * `pending`, logs are sent when they are pre-confirmed and again when their block is complete. If it also starts with
 * `pending`, they are sent only when they are pre-confirmed.
 */
function comingOf({ filter, blockHash, from, to }: LogCriteria): FutureLogFilter | null {
  if (blockHash !== null) return { filter, kind: 'complete', blockHash };
  if (from.kind === 'pending') return to?.kind === 'pending' ? { filter, kind: 'preConfirmed' } : null;
  const first = from.kind === 'earliest' ? 0n : from.kind === 'number' ? from.number : undefined;
  if (first === undefined && from.kind !== 'latest') return null;
  if (to === null || to.kind === 'latest') return { filter, kind: 'complete', first };
  if (to.kind === 'pending') return { filter, kind: 'all', first };
  const last = to.kind === 'number' ? to.number : null;
  return first === undefined || last === null || first > last ? null : { filter, kind: 'complete', first, last };
}

function readAddresses(args: RpcArguments, address: unknown, index: number): Uint8Array[] {
  if (!isPresent(address)) return [];
  if (typeof address === 'string') return [parseFixedBytes(args, address, index, 20, 'invalid address: ')];
  if (!Array.isArray(address)) args.fail(`invalid argument ${index}: invalid addresses in query`);
  const list: readonly unknown[] = Array.isArray(address) ? address : [];
  const read = list.slice(0, LIMITS.filterItemsMax).map((each, at) => {
    if (typeof each !== 'string') args.fail(`invalid argument ${index}: non-string address at index ${at}`);
    return parseFixedBytes(args, each, index, 20, `invalid address at index ${at}: `);
  });
  if (list.length > LIMITS.filterItemsMax)
    args.failure ??= rpcError('execution', 'exceed max addresses or topics per search position');
  return read;
}

/**
 * Reads the topics by position. Each position is a hash, a list of alternative hashes, or null, which matches anything.
 */
function readTopics(args: RpcArguments, topics: unknown, index: number): Uint8Array[][] {
  if (!isPresent(topics)) return [];
  const positions = args.array(topics, '[]interface {}', { index, field: 'input.topics' });
  if (positions.length > LIMITS.topicsMax) args.fail(`invalid argument ${index}: exceed max topics`);
  return positions.slice(0, LIMITS.topicsMax).map((wanted) => readTopic(args, wanted, index));
}

function readTopic(args: RpcArguments, wanted: unknown, index: number): Uint8Array[] {
  if (!isPresent(wanted)) return [];
  const list: readonly unknown[] = Array.isArray(wanted) ? wanted : [wanted];
  if (list.length > LIMITS.filterItemsMax) args.fail(`invalid argument ${index}: exceed max topics`);
  // A null in the list makes the position match anything.
  if (list.some((each) => each === null)) return [];
  return list.slice(0, LIMITS.filterItemsMax).map((each) => {
    if (typeof each !== 'string') args.fail(`invalid argument ${index}: invalid topic(s)`);
    return parseFixedBytes(args, each, index, 32, '');
  });
}

/** Reads `length` hex bytes inside the parameter at `index`. `of` starts the description of an error. */
function parseFixedBytes(args: RpcArguments, text: unknown, index: number, length: 20 | 32, of: string): Uint8Array {
  const bytes = text === '' ? 'empty hex string' : parseHexBytes(text);
  if (typeof bytes !== 'string' && bytes.length === length) return bytes;
  const kind = length === 20 ? 'address' : 'topic';
  const fault =
    typeof bytes === 'string'
      ? bytes
      : `hex has invalid length ${bytes.length} after decoding; expected ${length} for ${kind}`;
  args.fail(`invalid argument ${index}: ${of}${fault}`);
  return new Uint8Array(length);
}
