// Second stage of a body: its bytes are decoded to rows, one for each call.
import { rpcError } from '../../errors.js';
import { LIMITS } from '../../limits/index.js';
import { lasting, type RpcResponse, type CallContext, type Caller, type ConnectionLoad } from '../answer/response.js';
import { BATCH, OTHER } from '../answer/latency.js';
import type { CallRunner } from '../call/call-runner.js';
import { RpcRequest } from '../call/request.js';
import { BODY, type Decoder } from '../decode/request-row.js';
import type { ViewStage } from './view.js';

/** The decoder, the runner, which knows the methods' names, and the next stage. */
export interface DecodeDeps {
  readonly decoder: Decoder;
  readonly runner: CallRunner;
  readonly view: ViewStage;
}

const TOO_MANY_CALLS = rpcError('overload', 'too many calls of this connection are not answered yet');

/** Decodes bodies in one piece. */
export class DecodeStage {
  readonly #deps: DecodeDeps;

  constructor(deps: DecodeDeps) {
    this.#deps = deps;
  }

  /** Decodes `body`, which is only valid during the call, and passes it on. */
  answer(body: Uint8Array, context: CallContext): RpcResponse | Promise<RpcResponse> {
    return this.#pass(this.#decode(body, context), context);
  }

  /** The same, but awaits `rest` between the steps. */
  async answerInSteps(body: Uint8Array, context: CallContext, rest: () => Promise<void>): Promise<RpcResponse> {
    const request = this.#decode(body, context);
    request.keepRows();
    await rest();
    return lasting(this.#pass(request, context));
  }

  #decode(body: Uint8Array, { caller, timing }: CallContext): RpcRequest {
    const request = decoded(body, this.#deps.decoder, caller);
    timing?.end('decode');
    if (timing !== null) timing.name = this.#nameOf(request);
    return request;
  }

  /** Counts a connection's calls until they are answered. A body is refused if too many are pending. */
  #pass(request: RpcRequest, context: CallContext): RpcResponse | Promise<RpcResponse> {
    const { view, decoder } = this.#deps;
    const { load } = context.caller;
    if (load !== undefined && isTooMuch(load, request)) return view.refuse(request, TOO_MANY_CALLS);
    const again = (): RpcRequest => decoded(request.body, decoder, context.caller);
    const answer = view.answer(request, context, again);
    return load === undefined || !(answer instanceof Promise) ? answer : counted(answer, request.count, load);
  }

  /** Name under which a body's times are counted. */
  #nameOf(request: RpcRequest): string {
    if (request.kind === BODY.single) return this.#deps.runner.nameOf(request, 0);
    return request.kind === BODY.malformed ? OTHER : BATCH;
  }
}

function decoded(body: Uint8Array, decoder: Decoder, caller: Caller): RpcRequest {
  return new RpcRequest(decoder.decode(body), body, decoder, caller);
}

/** True if the connection has too many pending calls for this body; with none, it may send any number. */
function isTooMuch({ calls }: ConnectionLoad, { count }: RpcRequest): boolean {
  return calls > 0 && calls + count > LIMITS.socketCallsMax;
}

function counted(answer: Promise<RpcResponse>, count: number, load: ConnectionLoad): Promise<RpcResponse> {
  load.calls += count;
  return answer.finally(() => (load.calls -= count));
}
