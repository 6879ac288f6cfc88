// Runs an RPC method. If it misses state, that state is fetched from the upstream node, and the method is run again on
// the same state version. If it reads blocks, and the newest block has not arrived on the main thread yet, it is run
// when that block has arrived.
import { blockNotFound, ERRORS, rpcError, stateNotRetained, type RpcError } from '../../rpc-errors.js';
import { monotonicMs } from '../../lib/clock.js';
import { LIMITS } from '../../limits/index.js';
import type { MissingKeys } from '../../state/views/miss-recording-view.js';
import type { Caller } from '../answer/request-response-types.js';
import type { RpcArguments } from '../params/arguments.js';
import { isForward, type BackingNodeDeps, type RpcMethod, type MethodResult } from './method-types.js';
import { revertError } from './revert-error.js';
import type { ReadView } from '../view/pinned-read-view.js';
import { type RpcCallOutcome, isError } from '../answer/call-result.js';
import type { BackingNode } from '../view/upstream-node-access.js';

/** A call that is run again if it misses state, with its parsed parameters. */
interface RepeatableCall {
  readonly method: RpcMethod;
  readonly args: RpcArguments;
  readonly caller: Caller;
}

/** The upstream node, and the error code for reverts in its responses. */
export interface UpstreamCallDeps {
  readonly backing: BackingNode;
  readonly revertErrorCode: number;
}

interface RunDeps extends BackingNodeDeps, Pick<UpstreamCallDeps, 'revertErrorCode'> {}

/**
 * Runs a method and returns its result, or a promise if the node or the newest block is awaited. `current` returns the
 * read view of the current table.
 */
export function runWithStateFetch(
  call: RepeatableCall,
  readView: ReadView,
  deps: RunDeps,
  current: () => ReadView,
): RpcCallOutcome | Promise<RpcCallOutcome> {
  const arrival = call.method.arrivals?.waitForBlock(readView.pinned.record.heads.latest) ?? true;
  if (typeof arrival === 'boolean') return runNow(call, readView, deps, current);
  call.args.keep();
  return runOnceArrived(arrival, readView, current, (later) => runNow(call, later, deps, current));
}

function runNow(
  call: RepeatableCall,
  readView: ReadView,
  { backing, revertErrorCode }: RunDeps,
  current: () => ReadView,
): RpcCallOutcome | Promise<RpcCallOutcome> {
  const { method, args, caller } = call;
  const result = method.run(args, readView, caller);
  if (backing === null) return result as RpcCallOutcome | Promise<RpcCallOutcome>;
  const missingKeys = readView.takeMissingKeys();
  if (missingKeys === null) return resultOrForwarded(method, result, { backing, revertErrorCode });
  args.keep();
  return runWhenResident(call, readView.pinned.version, missingKeys, { backing, revertErrorCode }, current);
}

/** Calls `run` on the state version that the view has pinned now, once `arrival` has settled. */
async function runOnceArrived(
  arrival: Promise<unknown>,
  { epoch, pinned }: ReadView,
  current: () => ReadView,
  run: (readView: ReadView) => RpcCallOutcome | Promise<RpcCallOutcome>,
): Promise<RpcCallOutcome> {
  const { version, announcedIndex } = pinned;
  const release = pinned.hold();
  await arrival;
  const readView = current();
  const isPinned = readView.epoch === epoch && readView.pinned.beginAt(version, announcedIndex);
  release();
  if (!isPinned) return rpcError(readView.epoch === epoch ? 'stateNotKept' : 'stateReset');
  try {
    return run(readView);
  } finally {
    readView.pinned.end();
  }
}

/**
 * Runs a method after fetching what its first run missed (`lacked`). `version` is the state version of the whole body.
 */
async function runWhenResident(
  { method, args, caller }: RepeatableCall,
  version: number,
  lacked: MissingKeys,
  deps: UpstreamCallDeps,
  current: () => ReadView,
): Promise<RpcCallOutcome> {
  const { backing } = deps;
  const epoch = backing.epoch();
  const untilMs = monotonicMs() + LIMITS.fillMsMax;
  let missingKeys = lacked;
  for (let round = 0; round < LIMITS.missRoundsMax; round++) {
    const failure = await backing.fill(missingKeys, untilMs);
    if (failure !== null) return failure;
    if (backing.epoch() !== epoch) return rpcError('stateReset');
    const readView = current();
    if (!readView.pinned.beginAt(version)) return rpcError('stateNotKept');
    try {
      const result = method.run(args, readView, caller);
      const further = readView.takeMissingKeys();
      if (further === null) return resultOrForwarded(method, result, deps);
      missingKeys = further;
    } finally {
      readView.pinned.end();
    }
  }
  return rpcError('upstream', `state is still missing after ${LIMITS.missRoundsMax} reads`);
}

/** Returns the result of a method, or the upstream node's response if the method decided to forward the call. */
export function resultOrForwarded(
  method: Pick<RpcMethod, 'name'>,
  result: MethodResult,
  { backing, revertErrorCode }: UpstreamCallDeps,
): RpcCallOutcome | Promise<RpcCallOutcome> {
  if (!isForward(result)) return result;
  const { block, forward, decorate, answerMsMax = LIMITS.fillMsMax } = result;
  const name = result.method ?? method.name;
  const answer = backing.request(name, forward, monotonicMs() + answerMsMax);
  return answer.then((settled) => {
    if (isError(settled)) return inFull(settled, block, revertErrorCode);
    return decorate === undefined ? settled : decorate(settled);
  });
}

/**
 * Converts an error of an upstream node to our form: the message contains the requested block, and a revert gets the
 * configured code.
 */
function inFull(answer: RpcError, block: string | undefined, revertErrorCode: number): RpcError {
  if (answer.error === 'revert') return revertError(answer.data as Uint8Array, revertErrorCode);
  if (block === undefined) return answer;
  // EIP-1474's code for a missing resource. Whatever the node's message says, the missing resource is the requested
  // block.
  if (answer.error === 'blockNotFound' || answer.code === ERRORS.blockNotFound.code) return blockNotFound(block);
  return answer.error === 'stateNotKept' ? stateNotRetained(block) : answer;
}
