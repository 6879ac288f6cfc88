// Tracks the main thread's requests to the publisher that have no response yet.
import { ERRORS, rpcError, type RpcError } from '../rpc-errors.js';
import { monotonicMs } from '../lib/clock.js';
import { fromHex } from '../lib/bytes/hex.js';
import { LIMITS } from '../limits/index.js';
import { mapNodeError } from '../upstream/transport/error-mapping.js';
import type { RpcErrorObject } from '../upstream/upstream.js';
import type { PublisherRequestReply, PublisherRequest, NumberedRequest } from './publisher-protocol.js';

/** The result of a request: a JSON string, or an error. */
export type JsonResultOrRpcError = string | RpcError;

const LATE = rpcError('upstream', 'the upstream node does not answer in time');

/** Holds the open requests. Each is settled once: by its response, by its time-out, or by the end of the publisher. */
export class OpenPublisherRequests {
  readonly #send: (question: NumberedRequest) => void;
  readonly #open = new Map<number, (result: JsonResultOrRpcError) => void>();
  #sent = 0;

  constructor(send: (question: NumberedRequest) => void) {
    this.#send = send;
  }

  /** Sends a request and waits for the response as long as the publisher lives. */
  send(send: PublisherRequest): Promise<JsonResultOrRpcError> {
    const id = this.#sent++;
    return new Promise((resolve) => {
      this.#open.set(id, resolve);
      this.#send({ ...send, id });
    });
  }

  /**
   * Sends a request and waits for the response only until `untilMs` on the monotonic clock, because the publisher may
   * be busy. Returns an overload error if LIMITS.upstreamQuestionsMax requests are open.
   */
  async sendUntil(untilMs: number, send: PublisherRequest): Promise<JsonResultOrRpcError> {
    if (this.#open.size >= LIMITS.upstreamQuestionsMax) return rpcError('overload');
    const id = this.#sent;
    const timer = setTimeout(() => this.#settle(id, LATE), untilMs - monotonicMs());
    const result = await this.send(send);
    clearTimeout(timer);
    return result;
  }

  /** Settles a request with its response. A response that comes too late is dropped. */
  answer(message: PublisherRequestReply): void {
    this.#settle(message.id, resultOf(message));
  }

  /** Fails all open requests because the publisher has died. */
  fail(): void {
    for (const id of this.#open.keys()) this.#settle(id, rpcError('internal'));
  }

  #settle(id: number, result: JsonResultOrRpcError): void {
    this.#open.get(id)?.(result);
    this.#open.delete(id);
  }
}

function resultOf(message: PublisherRequestReply): JsonResultOrRpcError {
  switch (message.kind) {
    case 'response':
      return message.result;
    case 'rejected':
      return rpcError('transactionRejected', message.message);
    case 'refusal':
      return message.rpc === null ? rpcError('upstream', message.message) : refusalOf(message.rpc);
  }
}

/**
 * Returns our error for an error of the upstream node: our own error with the same meaning if there is one, otherwise
 * the node's error unchanged.
 */
function refusalOf(rpc: RpcErrorObject): RpcError {
  const means = mapNodeError(rpc);
  switch (means) {
    case null:
    case 'methodNotFound':
      return passedOn(rpc);
    case 'revert':
      return rpc.data === undefined ? passedOn(rpc) : rpcError(means, undefined, fromHex(rpc.data));
    case 'timeout':
      return rpcError(means, rpc.message.startsWith('execution aborted') ? rpc.message : undefined);
    case 'tooManyResults':
      // Only the node's message tells how many results there are, and which range the node would accept.
      return rpcError(means, `${ERRORS[means].message}: ${rpc.message}`);
    default:
      return rpcError(means);
  }
}

function passedOn(rpc: RpcErrorObject): RpcError {
  return { error: 'passedOn', ...rpc };
}
