// Responses in the form in which the service passes them to a transport (HTTP or WebSocket).
import { copyChunkedIfLong, ChunkedBuffer } from '../../lib/bytes/chunked-buffer.js';
import type { JobCaller } from '../../pool/estimator-pool.js';
import type { RequestTiming } from './latency.js';

export interface Caller extends JobCaller {
  /** Only present if the connection can receive notifications. */
  readonly subscriber?: Subscriber;
  /** Only present if the connection may send more requests before it has the response. */
  readonly load?: ConnectionLoad;
}

export interface RequestContext {
  readonly caller: Caller;
  /** The calls are refused while the newest snapshot is older than this; `null` if any snapshot will do. */
  readonly least: MinimumPosition | null;
  /** Measures the request; `null` if it is not timed. */
  readonly timing: RequestTiming | null;
}

/** The calls of a connection that are not answered yet, which the service counts. */
export interface ConnectionLoad {
  calls: number;
}

/** A connection that receives notifications. */
export interface Subscriber {
  /** The client whose turn in main's time is used to make messages for this connection alone. */
  readonly client?: string;
  /** Sends a message and returns true. If too much is unread, returns false without sending, unless `isDue`. */
  push(message: Uint8Array, isDue?: boolean): boolean;
  drop(reason: string): void;
}

/**
 * A finished response. The `bytes` of a synchronous response are valid only until the next call of `answer`. Those of
 * an asynchronous one belong to the receiver, who must release long ones once.
 */
export interface RpcResponse {
  /** 200; 204 without bytes if the body has only notifications; 429 if every call was refused for overload. */
  readonly status: 200 | 204 | 429;
  readonly bytes: Uint8Array | ChunkedBuffer;
  /** The position of the snapshot; `null` before the first version. */
  readonly position: AnswerPosition | null;
  /** The transport notifies it when it has the bytes; absent if the request is not timed. */
  readonly timing?: RequestTiming;
}

/** The response to a body of notifications, or to a client that has disconnected. */
export const EMPTY_RESPONSE: RpcResponse = { status: 204, bytes: new Uint8Array(), position: null };

/** Copies the bytes of a synchronous response, which belong to the writer. */
export function copyResponseBytes(answer: RpcResponse | Promise<RpcResponse>): RpcResponse | Promise<RpcResponse> {
  if (answer instanceof Promise || answer.bytes instanceof ChunkedBuffer) return answer;
  return { ...answer, bytes: copyChunkedIfLong(answer.bytes) };
}

/** The snapshot from which a request or batch was answered, as the response headers report it. */
export interface AnswerPosition {
  readonly block: number;
  readonly index: number;
  /** When the snapshot was published, in monotonic milliseconds. */
  readonly publishedAtMs: number;
}

/** The oldest position from which a client accepts responses, because it has seen that state elsewhere. */
export interface MinimumPosition {
  readonly block: number;
  readonly index: number;
}

/**
 * The bytes of a body: a buffer or view that is only valid during the call, or a `ChunkedBuffer`, which the function
 * called must release. A transport's buffer is passed as it is, because plain reads do not need a view of it, which
 * takes 60 ns.
 */
export type BodyBytes = ArrayBuffer | Uint8Array | ChunkedBuffer;

/** A view of a body that is a buffer; any other body is returned as it is. */
export function bodyViewOf(body: BodyBytes): Uint8Array | ChunkedBuffer {
  return body instanceof ArrayBuffer ? new Uint8Array(body) : body;
}

/** All bytes of a body. The body itself still belongs to the caller. */
export function contiguousBodyBytes(body: BodyBytes): Uint8Array {
  const bytes = bodyViewOf(body);
  return bytes instanceof Uint8Array ? bytes : bytes.toBytes();
}

/** The service behind all transports: decodes, runs and encodes one body. Synchronous if nothing has to be awaited. */
export interface RpcHandler {
  /** Calls not started when `caller` disconnects never are. All are refused before `least` is reached. */
  answer(body: BodyBytes, caller: Caller, least?: MinimumPosition | null): RpcResponse | Promise<RpcResponse>;
}
