// A client inside this process that calls the service without a connection. Its interface is that of EIP-1193.
import { EventEmitter } from 'node:events';
import { ChunkedBuffer, releaseChunks } from '../lib/bytes/chunked-buffer.js';
import type { EngineEvent, EngineEvents, EngineMessage, EngineRequest } from '../engine-types.js';
import { EngineRequestError } from '../engine-request-error.js';
import type { Caller, EncodedRpcResponse, RpcService, Subscriber } from '../rpc/answer/request-response-types.js';
import type { AllSubscriptions } from '../rpc/push/topic-delivery.js';

interface Reply {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** A notification of a subscription, as WebSocket clients receive it. */
interface Notification {
  readonly params: EngineMessage['data'];
}

const DISCONNECTED = 4900;
const STOPPED = { code: DISCONNECTED, message: 'the engine is stopped' };

/** Client of the service inside this process. Its calls are not charged to any client's budget. */
export class InProcessClient {
  readonly #service: RpcService;
  readonly #subscriptions: Pick<AllSubscriptions, 'closeAll'>;
  readonly #events = new EventEmitter();
  readonly #caller = {
    aborted: false,
    subscriber: this.#subscriber((data) => this.#emit('message', { type: 'eth_subscription', data })),
  };
  /**
   * The separate caller of the `block` event's subscription. If the subscriptions of `#caller` are ended because of a
   * gap, this subscription stays open.
   */
  readonly #blocks = {
    aborted: false,
    subscriber: this.#subscriber(({ result }) => this.#emit('block', result as EngineEvents['block'])),
  };
  /** True once the subscription for the `block` event is open. */
  #hasBlocks = false;

  constructor(service: RpcService, subscriptions: Pick<AllSubscriptions, 'closeAll'>) {
    this.#service = service;
    this.#subscriptions = subscriptions;
  }

  /** Sends a JSON-RPC request. Resolves with its result; rejects with an `EngineRequestError`. */
  request(call: EngineRequest): Promise<unknown> {
    return this.#request(call, this.#caller);
  }

  /** Calls `listener` for each event of this name from now on. */
  on<Name extends EngineEvent>(event: Name, listener: (value: EngineEvents[Name]) => void): void {
    this.#events.on(event, listener);
    if (event !== 'block' || this.#hasBlocks) return;
    this.#hasBlocks = true;
    this.#request({ method: 'eth_subscribe', params: ['newHeads'] }, this.#blocks).catch(
      (error: EngineRequestError) => {
        this.#hasBlocks = false;
        this.#emit('disconnect', error);
      },
    );
  }

  removeListener<Name extends EngineEvent>(event: Name, listener: (value: EngineEvents[Name]) => void): void {
    this.#events.removeListener(event, listener);
  }

  /** Ends the requests that are waiting for an answer, and stops all events. */
  stop(): void {
    this.#emit('disconnect', new EngineRequestError(STOPPED));
    this.#caller.aborted = true;
    for (const { subscriber } of [this.#caller, this.#blocks]) this.#subscriptions.closeAll(subscriber);
  }

  async #request({ method, params = [] }: EngineRequest, caller: Caller): Promise<unknown> {
    const { result, error } = this.#caller.aborted
      ? { error: STOPPED }
      : await this.#send({ jsonrpc: '2.0', id: 1, method, params }, caller);
    if (error !== undefined) throw new EngineRequestError(error);
    return result;
  }

  #send(call: object, caller: Caller): Reply | Promise<Reply> {
    const answer = this.#service.answer(Buffer.from(JSON.stringify(call)), caller);
    return answer instanceof Promise ? answer.then(readOwned) : read(answer);
  }

  #subscriber(take: (message: EngineMessage['data']) => void): Subscriber {
    return {
      push: (message) => {
        take((JSON.parse(Buffer.from(message).toString()) as Notification).params);
        return true;
      },
      drop: (reason) => this.#emit('disconnect', new EngineRequestError({ code: DISCONNECTED, message: reason })),
    };
  }

  /**
   * Emits on the next tick, so that a subscriber gets its subscription id first, and an exception in one listener does
   * not affect others.
   */
  #emit<Name extends EngineEvent>(event: Name, value: EngineEvents[Name]): void {
    if (!this.#caller.aborted) process.nextTick(() => this.#events.emit(event, value));
  }
}

/** Parses an asynchronous answer, then releases its bytes, which belong to the receiver. */
function readOwned(answer: EncodedRpcResponse): Reply {
  const reply = read(answer);
  releaseChunks(answer.bytes);
  return reply;
}

/** Parses an answer. It has no bytes if the engine was stopped before the answer was ready. */
function read({ bytes, timing }: EncodedRpcResponse): Reply {
  timing?.finish();
  if (bytes.length === 0) return { error: STOPPED };
  const { buffer, byteOffset, length } = bytes instanceof ChunkedBuffer ? bytes.toBytes() : bytes;
  return JSON.parse(Buffer.from(buffer, byteOffset, length).toString()) as Reply;
}
