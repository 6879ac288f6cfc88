// Methods that run several calls, each on the state that the previous calls have left: eth_simulateV1, eth_callMany,
// eth_callBundle and base_meterBundle.

// A call of `eth_callMany` that reverts is `{error, data}`, with the message in `error`, as in reth and alloy, and the
// revert data in `data`, which reth leaves out. See DECISIONS.md.
//
// Logs of simulated calls are numbered as in go-ethereum: those of a call that reverts are counted, which leaves a gap
// after it. See DECISIONS.md.
import { encodeHeader } from '../../chain/block/header.js';
import { headerSoFar } from '../view/pre-confirmed-header.js';
import { rpcError, type RpcError } from '../../rpc-errors.js';
import { LIMITS } from '../../limits/index.js';
import {
  PLACEHOLDER_CALL_REQUEST,
  type BlockOverride,
  type Bundle,
  type CallsInBlock,
  type Job,
  type JobReadPosition,
  type SimulationParams,
} from '../../transaction/evm-job.js';
import { withPooledParams } from '../call/pooled-bytes.js';
import { isPresent, type RpcArguments } from '../params/arguments.js';
import { parseBlockOverride, parseCallObject, parseStateOverride, withoutNonce } from '../params/call-arguments.js';
import { runJobAt, type ExecutionDeps, type JobAndForwardedRequest } from './call-and-estimate.js';
import { FieldReader } from '../params/field-reader.js';
import { readStructMembers, closedStruct, type StructFields } from '../params/json-struct.js';
import { jobStartWithinBlock, upstreamBlockRefOf } from '../view/start-within-block.js';
import type { JobTrace } from '../../transaction/trace-request-types.js';
import type { Caller } from '../answer/request-response-types.js';
import { readTraceConfig } from '../params/trace-config.js';
import type { MethodResult, MethodFunctionByName } from '../call/method-types.js';
import type { UpstreamBlockRef } from '../view/stored-blocks.js';
import type { ExecutedBlockLookup } from '../view/executed-block-lookup.js';
import {
  readCallBundleArgs,
  CALL_BUNDLE_STRUCT as SIGNED_BUNDLE,
  readMeterBundle,
} from '../params/bundle-arguments.js';
import { recipientAndDataOf } from '../../transaction/raw-transaction-fields.js';
import { toQuantity } from '../../lib/bytes/hex.js';
import type { LocalPosition, ReadView } from '../view/pinned-read-view.js';
import type { BlockParam } from '../view/block-param-types.js';
import type { ForwardedCall } from '../view/upstream-node-access.js';

export interface CallSequenceDeps extends ExecutionDeps {
  readonly executed: ExecutedBlockLookup;
}

const SIMULATION = closedStruct('ethapi.simOpts', [
  'blockStateCalls',
  'traceTransfers',
  'validation',
  'returnFullTransactions',
]);
const SIMULATED_BLOCK = closedStruct('ethapi.simBlock', ['blockOverrides', 'stateOverrides', 'calls']);
const BUNDLE = closedStruct('ethapi.Bundle', ['transactions', 'blockOverride']);
const CONTEXT = closedStruct('ethapi.StateContext', ['blockNumber', 'blockHash', 'transactionIndex']);

export const callSequenceMethods = {
  /**
   * `[{blockStateCalls, traceTransfers?, validation?, returnFullTransactions?}, block?]`: returns the simulated blocks.
   */
  eth_simulateV1: withPooledParams((args, readView, deps, caller) => {
    const reader = new FieldReader(args, args.required(0), SIMULATION, { index: 0 });
    const options = {
      traceTransfers: reader.flag('traceTransfers'),
      validation: reader.flag('validation'),
      returnFullTransactions: reader.flag('returnFullTransactions'),
    };
    const items = reader.items('blockStateCalls', '[]ethapi.simBlock');
    const blocks = items.map((item) => readSimulatedBlock(args, item, deps.chain.chainId));
    const block = args.block(1);
    if (args.failure) return args.failure;
    if (blocks.length === 0) return rpcError('invalidParams', 'empty input');
    if (blocks.length > LIMITS.simulatedBlocksMax) return rpcError('tooManyBlocks');
    const found = readView.resolve(block);
    // The specification of eth_simulateV1 has its own error code for an unknown block.
    const isUnknown = 'error' in found && found.error === 'blockNotFound';
    const request: JobAndForwardedRequest = {
      name: 'eth_simulateV1',
      forward: (upstream) => args.forward(1, upstream),
      job: (position) => {
        const parent = parentOf(position, readView, deps.executed);
        if ('error' in parent || 'kind' in parent) return parent;
        return { ...sequenceJob('simulate', position, blocks, deps), simulation: { ...options, ...parent } };
      },
    };
    return runJobAt(isUnknown ? { ...found, error: 'execution' } : found, request, readView, deps, caller);
  }),

  /**
   * `[bundles, {blockNumber or blockHash?, transactionIndex?}?, stateOverride?, timeout?, config?]`: returns the result
   * of every call of every bundle. They run after the first `transactionIndex` transactions of the block, or after all
   * of them. The timeout is in milliseconds, includes replaying the block's transactions, and is at most the configured
   * time limit of a call. If `config` configures a tracer, the results contain traces, too.
   */
  eth_callMany: withPooledParams((args, readView, deps, caller) => {
    const blocks = readBundles(args, deps.chain.chainId);
    const start = readBundleContext(args);
    const stateOverride = parseStateOverride(args, args.value(2), 2);
    const config = args.has(4) ? readTraceConfig(args, 4, deps.timeoutMs) : null;
    const timeoutMs = Math.min(timeoutOf(args, deps.timeoutMs), config?.timeoutMs ?? Infinity);
    const calls: ConsecutiveCalls = {
      name: 'eth_callMany',
      blocks,
      ...start,
      stateOverride,
      timeoutMs,
      trace: config === null ? null : { of: 'results', tracer: config.tracer },
      nodeOnly: config?.nodeOnly ?? null,
      forward: (upstream) => forwardWithBlock(args, upstream),
    };
    return args.failure ?? runConsecutiveCalls(calls, readView, deps, caller);
  }),

  /**
   * `[{txs, blockNumber, stateBlockNumber?, timestamp?, coinbase?, gasLimit?, baseFee?, difficulty?, timeout?,
   * stateDiff?, tracer?, tracerConfig?}]`: returns the results of signed transactions that run in block `blockNumber`,
   * on the state after `stateBlockNumber`. The timeout is in milliseconds and at most that of any call.
   */
  eth_callBundle: (args, readView, deps, caller) => {
    const { transactions, block, override, timeoutMs, withStateDiff, trace } = readCallBundleArgs(args);
    if (args.failure) return args.failure;
    const request: JobAndForwardedRequest = {
      name: 'eth_callBundle',
      // The block is named by its number, because reth does not accept a block hash in this method.
      forward: ({ ref }, here) => forwardBundle(args, here === undefined ? ref : toQuantity(here.block)),
      job: (position) => {
        if (typeof trace?.nodeOnly === 'string') return onlyOfNode(trace.nodeOnly, position, readView);
        if (override.number < position.block) {
          const text = `blockNumber ${override.number} is before block ${position.block}, whose state is asked for`;
          return rpcError('invalidParams', `invalid argument 0: ${text}`);
        }
        const parent = parentOf(position, readView, deps.executed);
        if ('error' in parent || 'kind' in parent) return parent;
        const plain = bundleJob(position, { ...parent, transactions, withStateDiff, isMetered: false }, override, deps);
        const job = trace === null ? plain : { ...plain, trace: { of: 'results' as const, tracer: trace.tracer } };
        return { ...job, timeoutMs: Math.min(timeoutMs ?? deps.timeoutMs, deps.timeoutMs) };
      },
    };
    return runJobAt(readView.resolve(block), request, readView, deps, caller);
  },

  /**
   * `[{txs, blockNumber, minTimestamp?}]`: returns gas and execution time of signed transactions that run in the block
   * after the newest state, whether that state is pre-confirmed or not. If the node runs them instead, it uses its own
   * newest state.
   */
  base_meterBundle: (args, readView, deps, caller) => {
    const { transactions, time } = readMeterBundle(args);
    if (args.failure) return args.failure;
    const request: JobAndForwardedRequest = {
      name: 'base_meterBundle',
      forward: () => ({ forward: args.all }),
      job: (position) => {
        const parent = parentOf(position, readView, deps.executed);
        if ('error' in parent) return parent;
        if ('kind' in parent) return rpcError('stateNotKept');
        const override = { number: BigInt(position.block) + 1n, ...(time !== null && { time }) };
        return bundleJob(position, { ...parent, transactions, withStateDiff: false, isMetered: true }, override, deps);
      },
    };
    return runJobAt(readView.resolve({ kind: 'pending' }), request, readView, deps, caller);
  },
} satisfies MethodFunctionByName<CallSequenceDeps>;

/**
 * A request to run calls one after another, each on the state that the previous one has left, and how to send the same
 * request to the upstream node.
 */
export interface ConsecutiveCalls extends Context, Pick<JobAndForwardedRequest, 'name' | 'forward'> {
  readonly blocks: readonly CallsInBlock[];
  readonly stateOverride: Job['stateOverride'];
  readonly timeoutMs: number;
  /** The tracer of the calls; `null` if they are not traced. */
  readonly trace: JobTrace | null;
  /** Error message if only a node can produce a requested part of the trace; `null` if this program can produce it. */
  readonly nodeOnly: string | null;
}

/** Runs the consecutive calls in this program, or forwards them to the upstream node. */
export function runConsecutiveCalls(
  calls: ConsecutiveCalls,
  readView: ReadView,
  deps: CallSequenceDeps,
  caller: Caller,
): MethodResult {
  const { name, blocks, block, transactionCount: count, stateOverride, timeoutMs, trace, nodeOnly, forward } = calls;
  const request: JobAndForwardedRequest = {
    name,
    forward,
    job: (position) => {
      if (nodeOnly !== null) return onlyOfNode(nodeOnly, position, readView);
      const begin = count === null ? { position } : jobStartWithinBlock(position, count, readView, deps.executed);
      if ('error' in begin || 'kind' in begin) return begin;
      const job = { ...sequenceJob('callMany', position, blocks, deps), ...begin, stateOverride, timeoutMs };
      return trace === null ? job : { ...job, trace };
    },
  };
  return runJobAt(readView.resolve(block), request, readView, deps, caller);
}

/**
 * Returns the block's reference for the upstream node. Returns an error with this `message` if there is no node or it
 * does not know the block.
 */
function onlyOfNode(message: string, { block }: LocalPosition, readView: ReadView): UpstreamBlockRef | RpcError {
  return upstreamBlockRefOf(block, readView) ?? rpcError('invalidParams', message);
}

function bundleJob(
  position: JobReadPosition,
  bundle: Bundle,
  blockOverride: BlockOverride,
  { gasCap, timeoutMs }: CallSequenceDeps,
): Job {
  const call = { ...PLACEHOLDER_CALL_REQUEST, ...recipientAndDataOf(bundle.transactions[0]!) };
  return { kind: 'bundle', position, call, stateOverride: [], blockOverride, bundle, gasCap, timeoutMs };
}

/**
 * Returns this eth_callBundle request as a request to the upstream node, with the state's block in the form that the
 * node expects.
 */
function forwardBundle(args: RpcArguments, ref: UpstreamBlockRef['ref']): ForwardedCall {
  const bundle = readStructMembers(args, args.all[0], SIGNED_BUNDLE, { index: 0 });
  const block = typeof ref === 'string' ? ref : ref.blockHash;
  return { forward: [{ ...bundle, stateBlockNumber: ref }], block };
}

function sequenceJob(
  kind: 'simulate' | 'callMany',
  position: JobReadPosition,
  blocks: readonly CallsInBlock[],
  { gasCap, timeoutMs }: CallSequenceDeps,
): Job {
  const call = blocks.find(({ calls }) => calls.length > 0)?.calls[0] ?? PLACEHOLDER_CALL_REQUEST;
  return { kind, position, call, stateOverride: [], blockOverride: null, blocks, gasCap, timeoutMs };
}

// ---- eth_simulateV1 ----

function readSimulatedBlock(args: RpcArguments, item: unknown, chainId: bigint): CallsInBlock {
  const reader = new FieldReader(args, item, SIMULATED_BLOCK, { index: 0 });
  return {
    stateOverride: parseStateOverride(args, reader.value('stateOverrides'), 0),
    blockOverride: parseBlockOverride(args, reader.value('blockOverrides'), 0, true),
    calls: reader.items('calls', '[]ethapi.TransactionArgs').map((call) => parseCallObject(args, call, 0, chainId)),
  };
}

/**
 * Returns the parent of the simulated blocks. If its header is not stored, returns a reference to it for the node, or
 * an error.
 */
function parentOf(
  { block }: LocalPosition,
  readView: ReadView,
  executed: ExecutedBlockLookup,
): Pick<SimulationParams, 'parentHeader' | 'isPreConfirmed'> | UpstreamBlockRef | RpcError {
  const open = executed.soFar(readView, block);
  if (open !== null) return { parentHeader: encodeHeader(headerSoFar(open, executed.chain)), isPreConfirmed: true };
  const parentHeader = readView.blocks.header(block);
  if (parentHeader !== null) return { parentHeader, isPreConfirmed: false };
  return readView.blocks.upstream(block) ?? rpcError('stateNotKept');
}

// ---- eth_callMany ----

/** Reads the bundles of calls. An empty list is an error, as in Erigon and reth. */
export function readBundles(args: RpcArguments, chainId: bigint): CallsInBlock[] {
  const bundles = args.array(args.required(0), '[]ethapi.Bundle', { index: 0 }).map((item) => {
    const reader = new FieldReader(args, item, BUNDLE, { index: 0 });
    reader.require('transactions');
    const calls = reader.items('transactions', '[]ethapi.TransactionArgs');
    return {
      stateOverride: [],
      blockOverride: parseBlockOverride(args, reader.value('blockOverride'), 0),
      calls: calls.map((call) => withoutNonce(parseCallObject(args, call, 0, chainId))),
    };
  });
  if (bundles.every(({ calls }) => calls.length === 0)) args.fail('invalid argument 0: empty bundles');
  return bundles;
}

/** Where the calls start: after a whole block, or after some of the block's transactions. */
interface Context {
  readonly block: BlockParam;
  /** Number of the block's transactions that run before the calls; `null` for the whole block. */
  readonly transactionCount: number | null;
}

/** Reads from the second parameter after which block and transaction the calls start. */
export function readBundleContext(args: RpcArguments): Context {
  const { blockNumber, blockHash, transactionIndex } = contextOf(args);
  const transactionCount = transactionCountOf(args, transactionIndex);
  // The context names the block by `blockNumber`, any form of a block parameter, or by `blockHash`.
  const block = args.blockOf(isPresent(blockHash) ? { blockNumber, blockHash } : blockNumber, 1);
  return { block, transactionCount };
}

function contextOf(args: RpcArguments): StructFields {
  return readStructMembers(args, args.value(1) ?? {}, CONTEXT, { index: 1 });
}

/**
 * Returns the number of transactions before `index`, which equals the index; `null` (the whole block) for -1 or no
 * index.
 */
function transactionCountOf(args: RpcArguments, index: unknown): number | null {
  if (index === undefined || index === null || index === -1) return null;
  if (typeof index === 'number' && Number.isSafeInteger(index) && index >= 0) return index;
  args.fail('invalid argument 1: transactionIndex must be a number of transactions, or -1');
  return null;
}

/** Returns this request as a request to the upstream node, with the block in the form that the node expects. */
export function forwardWithBlock(args: RpcArguments, { ref }: UpstreamBlockRef): ForwardedCall {
  const [bundles, , ...others] = args.all;
  const params = [bundles, { blockNumber: ref, transactionIndex: contextOf(args)['transactionIndex'] }, ...others];
  return { forward: params, block: typeof ref === 'string' ? ref : ref.blockHash };
}

function timeoutOf(args: RpcArguments, timeoutMsMax: number): number {
  if (!args.has(3)) return timeoutMsMax;
  const timeoutMs = args.required(3);
  if (typeof timeoutMs === 'number' && Number.isSafeInteger(timeoutMs) && timeoutMs > 0)
    return Math.min(timeoutMs, timeoutMsMax);
  args.fail('invalid argument 3: the time must be a number of milliseconds');
  return timeoutMsMax;
}
