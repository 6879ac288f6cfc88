// Answers as the service passes them to a transport (HTTP or WebSocket).
import { copyBytes, ChunkedBuffer } from '../../lib/bytes/chunked-buffer.js';
import type { JobClient } from '../../pool/pool.js';
import type { Timing } from './latency.js';

/** A caller who waits for an answer. */
export interface Caller extends JobClient {
  /** Present if the connection can receive notifications. */
  readonly subscriber?: Subscriber;
  /** Present if the connection may send further requests before it has the answer. */
  readonly load?: ConnectionLoad;
}

/** How a body is to be answered. */
export interface CallContext {
  readonly caller: Caller;
  /** Calls are refused while the newest snapshot is older than this; `null`: any snapshot will do. */
  readonly least: LeastPosition | null;
  /** `null` if the request is not timed. */
  readonly timing: Timing | null;
}

/** Calls of a connection that are not answered yet; counted by the service. */
export interface ConnectionLoad {
  calls: number;
}

/** A connection that receives notifications. */
export interface Subscriber {
  /** Whose turn in main's time is used to make messages for this connection alone. */
  readonly client?: string;
  /**
   * Sends a message and returns true; returns false without sending if too much is unread. `isDue`: sends in any case.
   */
  push(message: Uint8Array, isDue?: boolean): boolean;
  /** Closes the connection with a reason. */
  drop(reason: string): void;
}

/**
 * A finished answer. `bytes` of a synchronous answer are valid only until the next call of `answer`; those of an
 * asynchronous one belong to the receiver, who releases long ones once.
 */
export interface RpcResponse {
  /** 200; 204 if the body has only notifications (no bytes); 429 if every call was refused for overload. */
  readonly status: 200 | 204 | 429;
  readonly bytes: Uint8Array | ChunkedBuffer;
  /** The snapshot's position; `null` before the first version. */
  readonly position: AnswerPosition | null;
  /** The transport reports to it when it has the bytes; absent if the request is not timed. */
  readonly timing?: Timing;
}

/** The answer to a body of notifications, or to a client that has left. */
export const EMPTY_RESPONSE: RpcResponse = { status: 204, bytes: new Uint8Array(), position: null };

/** Copies the bytes of a synchronous answer, which belong to the writer. */
export function lasting(answer: RpcResponse | Promise<RpcResponse>): RpcResponse | Promise<RpcResponse> {
  if (answer instanceof Promise || answer.bytes instanceof ChunkedBuffer) return answer;
  return { ...answer, bytes: copyBytes(answer.bytes) };
}

/** The snapshot that a request or batch was answered from, as the response headers report it. */
export interface AnswerPosition {
  readonly block: number;
  readonly index: number;
  /** When the snapshot was published, in monotonic milliseconds. */
  readonly publishedAtMs: number;
}

/** The oldest position that a client accepts answers from, because it has seen that state elsewhere. */
export interface LeastPosition {
  readonly block: number;
  readonly index: number;
}

/**
 * The bytes of a body: a buffer or view that is borrowed during a call, or a `ChunkedBuffer`, which belongs to the
 * callee and is released by it. A transport's buffer is passed as it is: a view of it costs 60 ns that plain reads do
 * without.
 */
export type BodyBytes = ArrayBuffer | Uint8Array | ChunkedBuffer;

/** A view of a body that is a buffer; any other is returned as it is. */
export function viewOf(body: BodyBytes): Uint8Array | ChunkedBuffer {
  return body instanceof ArrayBuffer ? new Uint8Array(body) : body;
}

/** All bytes of a body, which still belongs to the caller. */
export function responseBytes(body: BodyBytes): Uint8Array {
  const bytes = viewOf(body);
  return bytes instanceof Uint8Array ? bytes : bytes.toBytes();
}

/** The service behind every transport: decodes, runs and encodes one body. Synchronous if nothing has to be awaited. */
export interface RpcService {
  /**
   * `caller`: the caller; once it has left, calls that have not been started are not started. `least`: if the newest
   * snapshot is older, every call is refused.
   */
  answer(body: BodyBytes, caller: Caller, least?: LeastPosition | null): RpcResponse | Promise<RpcResponse>;
}
