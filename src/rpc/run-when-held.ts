// Runs a call; one that found state missing again on the same version, once the state has been read from the upstream node.
// Runs on main.
import { blockNotFound, ERRORS, rpcError, stateNotKept, type RpcError } from '../errors.js';
import { monotonicMs } from '../lib/clock.js';
import { LIMITS } from '../limits.js';
import type { Wants } from '../state/recording-view.js';
import type { Asker } from './answer.js';
import type { Arguments } from './methods/arguments.js';
import {
  isError,
  type Backing,
  type CallResult,
  type Forward,
  type Method,
  type MethodParts,
} from './methods/method.js';
import { revertError } from './methods/revert.js';
import type { ReadView } from './read-view.js';

/** The call that is run again, with its parameters as read. */
export interface Call {
  readonly method: Method;
  readonly args: Arguments;
  readonly asker: Asker;
}

/** Where state is read from, and what the method needs. */
export interface RunParts {
  readonly backing: Backing;
  readonly methodParts: MethodParts;
  /** The read view of the present table. */
  readonly readView: () => ReadView;
}

type Result = ReturnType<Method['run']>;

/** What a method gave, or the promise of it where the upstream node has to be asked. `current`: the read view of the present table. */
export function runCall(
  call: Call,
  readView: ReadView,
  methodParts: MethodParts,
  current: () => ReadView,
): CallResult | Promise<CallResult> {
  const { method, args, asker } = call;
  const { backing } = methodParts;
  const result = method.run(args, readView, methodParts, asker);
  if (backing === null) return result as CallResult | Promise<CallResult>;
  const wants = readView.takeWants();
  if (wants === null) return sent(method, result, backing, methodParts);
  args.keep();
  return runWhenHeld(call, readView.pinned.version, wants, { backing, methodParts, readView: current });
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
    const { result, further } = runOnce(call, readView, parts.methodParts);
    if (further === null) return sent(call.method, result, backing, parts.methodParts);
    wants = further;
  }
  return rpcError('upstream', `state is still missing after ${LIMITS.missRoundsMax} reads`);
}

/** What a method gave, or the upstream node's answer where the call is for it. */
export function sent(
  method: Method,
  result: Result,
  backing: Backing,
  { revertErrorCode }: Pick<MethodParts, 'revertErrorCode'>,
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
  parts: MethodParts,
): { readonly result: Result; readonly further: Wants | null } {
  try {
    return { result: method.run(args, readView, parts, asker), further: readView.takeWants() };
  } finally {
    readView.pinned.end();
  }
}
