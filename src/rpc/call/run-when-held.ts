// Runs a call; one that found state missing again on the same version, once the state has been read from the upstream node.
// Runs on main.
import { blockNotFound, ERRORS, rpcError, stateNotKept, type RpcError } from '../../errors.js';
import { monotonicMs } from '../../lib/time/clock.js';
import { LIMITS } from '../../limits/index.js';
import type { Wants } from '../../state/views/recording-view.js';
import type { Asker } from '../answer/answer.js';
import type { Arguments } from '../params/arguments.js';
import { type Method, type Result } from './method.js';
import { revertError } from './revert.js';
import type { ReadView } from '../view/read-view.js';
import { type CallResult, isError } from '../answer/call-result.js';
import type { Backing, Forward } from '../view/backing.js';

/** The call that is run again, with its parameters as read. */
export interface Call {
  readonly method: Method;
  readonly args: Arguments;
  readonly asker: Asker;
}

/** The upstream node, and how its errors are told as ours. */
export interface UpstreamParts {
  readonly backing: Backing;
  readonly revertErrorCode: number;
}

/** The source of state, and the table that it comes to. */
export interface RunParts extends UpstreamParts {
  /** The read view of the present table. */
  readonly readView: () => ReadView;
}

/**
 * Result of a method, or the promise of it where the upstream node has to be asked. `current`: the read view of the
 * present table.
 */
export function runCall(
  call: Call,
  readView: ReadView,
  { backing, revertErrorCode }: { readonly backing: Backing | null; readonly revertErrorCode: number },
  current: () => ReadView,
): CallResult | Promise<CallResult> {
  const { method, args, asker } = call;
  const result = method.run(args, readView, asker);
  if (backing === null) return result as CallResult | Promise<CallResult>;
  const wants = readView.takeWants();
  if (wants === null) return sent(method, result, { backing, revertErrorCode });
  args.keep();
  return runWhenHeld(call, readView.pinned.version, wants, { backing, revertErrorCode, readView: current });
}

/** `version`: of the body that the call came in; `lacked`: what its first run found missing. */
export async function runWhenHeld(call: Call, version: number, lacked: Wants, parts: RunParts): Promise<CallResult> {
  const { backing } = parts;
  const epoch = backing.epoch();
  const untilMs = monotonicMs() + LIMITS.fillMsMax;
  let wants = lacked;
  for (let round = 0; round < LIMITS.missRoundsMax; round++) {
    const failure = await backing.fill(wants, untilMs);
    if (failure !== null) return failure;
    if (backing.epoch() !== epoch) return rpcError('stateReset');
    const readView = parts.readView();
    if (!readView.pinned.beginAt(version)) return rpcError('stateNotKept');
    const { result, further } = runOnce(call, readView);
    if (further === null) return sent(call.method, result, parts);
    wants = further;
  }
  return rpcError('upstream', `state is still missing after ${LIMITS.missRoundsMax} reads`);
}

/** Result of a method, or the upstream node's answer where the call is for it. */
export function sent(
  method: Pick<Method, 'name'>,
  result: Result,
  { backing, revertErrorCode }: UpstreamParts,
): CallResult | Promise<CallResult> {
  if (!isForward(result)) return result;
  const { block, forward, told, answerMsMax = LIMITS.fillMsMax } = result;
  const name = result.method ?? method.name;
  const answer = backing.request(name, forward, monotonicMs() + answerMsMax);
  return answer.then((settled) => {
    if (isError(settled)) return inFull(settled, block, revertErrorCode);
    return told === undefined ? settled : told(settled);
  });
}

/** An error of ours as if it had happened here: with the block that was asked about, a revert in the form that is wanted. */
function inFull(answer: RpcError, block: string | undefined, revertErrorCode: number): RpcError {
  if (answer.error === 'revert') return revertError(answer.data as Uint8Array, revertErrorCode);
  if (block === undefined) return answer;
  // EIP-1474's code for what is not there, whatever the text: a block was asked about.
  if (answer.error === 'blockNotFound' || answer.code === ERRORS.blockNotFound.code) return blockNotFound(block);
  return answer.error === 'stateNotKept' ? stateNotKept(block) : answer;
}

function isForward(result: Result): result is Forward {
  return typeof result === 'object' && 'forward' in result;
}

function runOnce(
  { method, args, asker }: Call,
  readView: ReadView,
): { readonly result: Result; readonly further: Wants | null } {
  try {
    return { result: method.run(args, readView, asker), further: readView.takeWants() };
  } finally {
    readView.pinned.end();
  }
}
