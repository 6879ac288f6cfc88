// Methods that trace consecutive calls: reth's debug_traceCallMany, Parity's trace_call and trace_callMany.
import type { CallRequest } from '../../transaction/evm-job.js';
import type { TracerSpec } from '../../transaction/trace-request-types.js';
import type { MethodFunctionByName } from '../call/method-types.js';
import { withPooledParams } from '../call/pooled-bytes.js';
import type { RpcArguments } from '../params/arguments.js';
import { parseCallObject, parseBlockOverride, parseStateOverride, withoutNonce } from '../params/call-arguments.js';
import { readTraceConfig } from '../params/trace-config.js';
import type { BlockParam } from '../view/block-param-types.js';
import {
  readBundles,
  readBundleContext,
  forwardWithBlock,
  runConsecutiveCalls,
  type CallSequenceDeps,
  type ConsecutiveCalls,
} from './call-sequences.js';

export const callTraceMethods = {
  /**
   * `[bundles, {blockNumber or blockHash?, transactionIndex?}?, config?]`: returns the trace of every call of every
   * bundle.
   */
  debug_traceCallMany: withPooledParams((args, readView, deps, caller) => {
    const blocks = readBundles(args, deps.chain.chainId);
    const start = readBundleContext(args);
    const { tracer, timeoutMs, nodeOnly, fields } = readTraceConfig(args, 2, deps.timeoutMs, true);
    const stateOverride = parseStateOverride(args, fields.value('stateOverrides'), 2);
    if (fields.has('blockOverrides')) args.fail('invalid argument 2: block overrides are those of the bundles');
    if (fields.has('txIndex')) args.fail('invalid argument 2: want transactionIndex in the context instead of txIndex');
    const calls: ConsecutiveCalls = {
      name: 'debug_traceCallMany',
      blocks,
      ...start,
      stateOverride,
      timeoutMs,
      trace: { of: 'bundles', tracer },
      nodeOnly,
      forward: (upstream) => forwardWithBlock(args, upstream),
    };
    return args.failure ?? runConsecutiveCalls(calls, readView, deps, caller);
  }),

  /** `[transaction, traceTypes, block?, stateOverride?, blockOverride?]`: returns the output and traces of one call. */
  trace_call: withPooledParams((args, readView, deps, caller) => {
    const call = withoutNonce(parseCallObject(args, args.required(0), 0, deps.chain.chainId));
    const tracer = traceTypesOf(args, args.required(1), 1);
    const block = blockAt(args, 2);
    const stateOverride = parseStateOverride(args, args.value(3), 3);
    const calls: ConsecutiveCalls = {
      name: 'trace_call',
      blocks: [{ stateOverride: [], blockOverride: parseBlockOverride(args, args.value(4), 4), calls: [call] }],
      block,
      transactionCount: null,
      stateOverride,
      timeoutMs: deps.timeoutMs,
      trace: { of: 'onlyCall', tracer },
      nodeOnly: null,
      forward: (upstream) => args.forward(2, upstream),
    };
    return args.failure ?? runConsecutiveCalls(calls, readView, deps, caller);
  }),

  /**
   * `[[[transaction, traceTypes], ...], block?]`: traces several calls, each on the state that the previous one has
   * left.
   */
  trace_callMany: withPooledParams((args, readView, deps, caller) => {
    const pairs = pairsOf(args, deps.chain.chainId);
    const block = blockAt(args, 1);
    if (args.failure) return args.failure;
    const [first] = pairs;
    if (first === undefined) return '[]';
    const calls: ConsecutiveCalls = {
      name: 'trace_callMany',
      blocks: [{ stateOverride: [], blockOverride: null, calls: pairs.map(({ call }) => call) }],
      block,
      transactionCount: null,
      stateOverride: [],
      timeoutMs: deps.timeoutMs,
      trace: { of: 'calls', tracer: first.tracer, tracers: pairs.map(({ tracer }) => tracer) },
      nodeOnly: null,
      forward: (upstream) => args.forward(1, upstream),
    };
    return runConsecutiveCalls(calls, readView, deps, caller);
  }),
} satisfies MethodFunctionByName<CallSequenceDeps>;

/** Reads the block parameter at `index`; `pending` by default, as in reth. */
function blockAt(args: RpcArguments, index: number): BlockParam {
  return args.has(index) ? args.block(index) : { kind: 'pending' };
}

/** One call, and the tracer for the trace types that it requests. */
interface TracedPair {
  readonly call: CallRequest;
  readonly tracer: TracerSpec;
}

function pairsOf(args: RpcArguments, chainId: bigint): readonly TracedPair[] {
  const list = args.array(args.required(0), '[]trace.Call', { index: 0 });
  return list.map((each) => {
    const pair = args.array(each, 'trace.Call', { index: 0 });
    if (pair.length !== 2) args.fail('invalid argument 0: want a transaction and its trace types');
    const [transaction, types] = pair;
    return {
      call: withoutNonce(parseCallObject(args, transaction ?? {}, 0, chainId)),
      tracer: traceTypesOf(args, types ?? [], 0),
    };
  });
}

const SHOWN_CHARACTERS = 40;

/** Reads the trace types: a list that may contain `trace` and `stateDiff`. */
function traceTypesOf(args: RpcArguments, value: unknown, index: number): TracerSpec {
  const types = args.array(value, '[]trace.Type', { index });
  if (types.includes('vmTrace'))
    args.fail(`invalid argument ${index}: vmTrace is not served, only trace and stateDiff`);
  const unknown = types.find((type) => type !== 'trace' && type !== 'stateDiff' && type !== 'vmTrace');
  if (unknown !== undefined) {
    const shown = JSON.stringify(unknown).slice(0, SHOWN_CHARACTERS);
    args.fail(`invalid argument ${index}: no trace type is called ${shown}; there are trace and stateDiff`);
  }
  return { name: 'parityTracer', trace: types.includes('trace'), stateDiff: types.includes('stateDiff') };
}
