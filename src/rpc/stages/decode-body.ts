// Second stage of answering a body: decodes its bytes to rows, one for each call.
import { rpcError } from '../../rpc-errors.js';
import { LIMITS } from '../../limits/index.js';
import {
  copyResponseBytes,
  type RpcResponse,
  type RequestContext,
  type Caller,
  type ConnectionLoad,
} from '../answer/request-response-types.js';
import { BATCH_LABEL, OTHER_LABEL } from '../answer/request-latency.js';
import type { MethodRunner } from '../call/method-runner.js';
import { RequestInProgress } from '../call/request-in-progress.js';
import { BODY_KIND, type BodyDecoder } from '../decode/decoded-call-row.js';
import type { PinStateVersionStage } from './pin-state-version.js';

/** The decoder, the runner, which knows the names of the methods, and the next stage. */
interface DecodeStageDeps {
  readonly decoder: BodyDecoder;
  readonly runner: MethodRunner;
  readonly view: PinStateVersionStage;
}

const TOO_MANY_CALLS = rpcError('overload', 'too many calls of this connection are not answered yet');

/** Decodes bodies that are in one piece of memory. */
export class DecodeStage {
  readonly #deps: DecodeStageDeps;

  constructor(deps: DecodeStageDeps) {
    this.#deps = deps;
  }

  /** Decodes `body`, which is valid only during this call, and passes the rows to the next stage. */
  answer(body: Uint8Array, context: RequestContext): RpcResponse | Promise<RpcResponse> {
    return this.#pass(this.#decode(body, context), context);
  }

  /** Like `answer`, but awaits `rest` between decoding and answering. */
  async answerInSteps(body: Uint8Array, context: RequestContext, rest: () => Promise<void>): Promise<RpcResponse> {
    const request = this.#decode(body, context);
    request.keepRows();
    await rest();
    return copyResponseBytes(this.#pass(request, context));
  }

  #decode(body: Uint8Array, { caller, timing }: RequestContext): RequestInProgress {
    const request = decoded(body, this.#deps.decoder, caller);
    timing?.end('decode');
    if (timing !== null) timing.name = this.#nameOf(request);
    return request;
  }

  /**
   * Passes a decoded body on, and counts its calls as the connection's until they are answered. Refuses the body if too
   * many are unanswered.
   */
  #pass(request: RequestInProgress, context: RequestContext): RpcResponse | Promise<RpcResponse> {
    const { view, decoder } = this.#deps;
    const { load } = context.caller;
    if (load !== undefined && isTooMuch(load, request)) return view.refuse(request, TOO_MANY_CALLS);
    const again = (): RequestInProgress => decoded(request.body, decoder, context.caller);
    const answer = view.answer(request, context, again);
    return load === undefined || !(answer instanceof Promise) ? answer : counted(answer, request.count, load);
  }

  #nameOf(request: RequestInProgress): string {
    if (request.kind === BODY_KIND.single) return this.#deps.runner.nameOf(request, 0);
    return request.kind === BODY_KIND.malformed ? OTHER_LABEL : BATCH_LABEL;
  }
}

function decoded(body: Uint8Array, decoder: BodyDecoder, caller: Caller): RequestInProgress {
  return new RequestInProgress(decoder.decode(body), body, decoder, caller);
}

/** True if a body would give its connection too many unanswered calls. A connection without any may send any number. */
function isTooMuch({ calls }: ConnectionLoad, { count }: RequestInProgress): boolean {
  return calls > 0 && calls + count > LIMITS.socketCallsMax;
}

function counted(answer: Promise<RpcResponse>, count: number, load: ConnectionLoad): Promise<RpcResponse> {
  load.calls += count;
  return answer.finally(() => (load.calls -= count));
}
