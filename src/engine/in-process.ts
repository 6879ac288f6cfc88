// A client in this process that calls the service without a connection, with the interface of EIP-1193.
import { ChunkedBuffer, releaseBytes } from '../lib/bytes/chunked-buffer.js';
import type { EngineRequest } from '../options.js';
import { EngineRequestError } from '../request-error.js';
import type { RpcResponse, RpcService } from '../rpc/answer/response.js';

interface Reply {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

const DISCONNECTED: Reply = { error: { code: 4900, message: 'the engine is stopped' } };

/** It has no client budget, like the program's own work; subscriptions need a WebSocket. */
export class InProcessClient {
  readonly #service: RpcService;
  readonly #caller = { aborted: false };

  constructor(service: RpcService) {
    this.#service = service;
  }

  /** Resolves with the result; rejects with an `EngineRequestError`. */
  async request({ method, params = [] }: EngineRequest): Promise<unknown> {
    const { result, error } = this.#caller.aborted
      ? DISCONNECTED
      : await this.#ask({ jsonrpc: '2.0', id: 1, method, params });
    if (error !== undefined) throw new EngineRequestError(error);
    return result;
  }

  /** Ends the calls that are waiting. */
  stop(): void {
    this.#caller.aborted = true;
  }

  #ask(call: object): Reply | Promise<Reply> {
    const answer = this.#service.answer(Buffer.from(JSON.stringify(call)), this.#caller);
    return answer instanceof Promise ? answer.then(readOwned) : read(answer);
  }
}

/** The bytes of an asynchronous answer belong to the receiver, who releases them. */
function readOwned(answer: RpcResponse): Reply {
  const reply = read(answer);
  releaseBytes(answer.bytes);
  return reply;
}

/** An answer without bytes means that the engine was stopped meanwhile. */
function read({ bytes, timing }: RpcResponse): Reply {
  timing?.finish();
  if (bytes.length === 0) return DISCONNECTED;
  const { buffer, byteOffset, length } = bytes instanceof ChunkedBuffer ? bytes.toBytes() : bytes;
  return JSON.parse(Buffer.from(buffer, byteOffset, length).toString()) as Reply;
}
