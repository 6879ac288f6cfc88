// Reads the parameters of eth_callBundle and base_meterBundle.

// Numbers in a bundle may be JSON numbers, as Flashbots sends `timestamp` and `timeout`, or quantities, as alloy sends
// all of them. See DECISIONS.md.
import { LIMITS } from '../../limits/index.js';
import { withoutSidecar } from '../../transaction/split-blob-sidecar.js';
import type { BlockOverride } from '../../transaction/evm-job.js';
import type { BlockParam } from '../view/block-param-types.js';
import { RpcArguments } from './arguments.js';
import { withoutNulls } from './call-arguments.js';
import { FieldReader } from './field-reader.js';
import { closedStruct } from './json-struct.js';
import { readTraceConfig, type TraceConfig } from './trace-config.js';

type OverriddenByBundle = 'time' | 'gasLimit' | 'baseFeePerGas' | 'difficulty' | 'feeRecipient';

interface CallBundleParams {
  /** EIP-2718 encoded transactions as in a block, without blob sidecars. */
  readonly transactions: readonly Uint8Array[];
  /** The transactions run on the state after this block. */
  readonly block: BlockParam;
  /**
   * Members of the bundle that override the environment of the simulated block. The block number is always one of them.
   */
  readonly override: BlockOverride & { readonly number: bigint };
  /** Timeout in milliseconds; `null` if it is the same as for any call. */
  readonly timeoutMs: number | null;
  readonly withStateDiff: boolean;
  /** How the transactions are traced; `null` if they are not traced. */
  readonly trace: TraceConfig | null;
}

interface MeterBundleParams extends Pick<CallBundleParams, 'transactions'> {
  /** Timestamp of the simulated block in seconds; `null` if it is derived from the previous block. */
  readonly time: bigint | null;
}

export const CALL_BUNDLE_STRUCT = closedStruct('ethapi.CallBundleArgs', [
  'txs',
  'blockNumber',
  'stateBlockNumber',
  'timestamp',
  'timeout',
  'coinbase',
  'gasLimit',
  'baseFee',
  'difficulty',
  'stateDiff',
  'tracer',
  'tracerConfig',
]);

/**
 * The bundle object as Base's node accepts it. Members other than `txs` and `minTimestamp` say where the bundle may be
 * included, which metering ignores.
 */
const METERED = closedStruct('ethapi.Bundle', [
  'txs',
  'blockNumber',
  'subBlockNumberMin',
  'subBlockNumberMax',
  'flashblockNumberMin',
  'flashblockNumberMax',
  'minTimestamp',
  'maxTimestamp',
  'revertingTxHashes',
  'replacementUuid',
  'droppingTxHashes',
]);

export function readCallBundleArgs(args: RpcArguments): CallBundleParams {
  const reader = new FieldReader(args, args.required(0), CALL_BUNDLE_STRUCT, { index: 0 });
  return {
    transactions: transactionsOf(args, reader, 'CallBundleArgs'),
    block: args.blockOf(reader.value('stateBlockNumber'), 0),
    override: overrideOf(args, reader),
    timeoutMs: timeoutOf(args, reader),
    withStateDiff: reader.flag('stateDiff'),
    trace: traceOf(args, reader),
  };
}

function traceOf(args: RpcArguments, reader: FieldReader): TraceConfig | null {
  if (!reader.has('tracer')) return null;
  const own = new RpcArguments([{ tracer: reader.value('tracer'), tracerConfig: reader.value('tracerConfig') }]);
  const config = readTraceConfig(own, 0, Infinity);
  args.failure ??= own.failure;
  return config;
}

/** Reads the bundle in the first parameter of base_meterBundle. */
export function readMeterBundle(args: RpcArguments): MeterBundleParams {
  const reader = new FieldReader(args, args.required(0), METERED, { index: 0 });
  reader.require('blockNumber');
  reader.number('blockNumber', 64);
  return { transactions: transactionsOf(args, reader, 'Bundle'), time: reader.number('minTimestamp', 64) };
}

function transactionsOf(args: RpcArguments, reader: FieldReader, type: string): Uint8Array[] {
  const items = reader.items('txs', '[]hexutil.Bytes');
  if (items.length === 0) args.fail('invalid argument 0: bundle missing txs');
  const { bundleTransactionsMax: countMax, bundleBytesMax: bytesMax } = LIMITS;
  if (items.length > countMax) args.fail(`invalid argument 0: too many txs: ${items.length}, limit ${countMax}`);
  if (args.failure) return [];
  const path = { index: 0, field: `${type}.txs` };
  const transactions = items.map((item) => withoutSidecar(args.hexBytes(item, path)));
  const bytes = transactions.reduce((sum, { length }) => sum + length, 0);
  if (bytes > bytesMax) args.fail(`invalid argument 0: txs too large: ${bytes} bytes, limit ${bytesMax}`);
  return transactions;
}

function overrideOf(args: RpcArguments, reader: FieldReader): CallBundleParams['override'] {
  const number = reader.number('blockNumber', 64) ?? 0n;
  if (number === 0n) args.fail('invalid argument 0: bundle missing blockNumber');
  const others = withoutNulls<Pick<BlockOverride, OverriddenByBundle>>({
    time: reader.number('timestamp', 64),
    gasLimit: reader.number('gasLimit', 64),
    baseFeePerGas: reader.number('baseFee', 256),
    difficulty: reader.number('difficulty', 256),
    feeRecipient: reader.address('coinbase'),
  });
  return { number, ...others };
}

function timeoutOf(args: RpcArguments, reader: FieldReader): number | null {
  const timeoutMs = reader.number('timeout', 64);
  if (timeoutMs === 0n) args.fail('invalid argument 0: the time must be a number of milliseconds');
  return timeoutMs === null ? null : Number(timeoutMs);
}
