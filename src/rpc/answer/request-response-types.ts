// Requests and responses in the form in which the service and a transport (HTTP or WebSocket) exchange them.
import { copyIntoChunksIfLong, ChunkedBuffer } from '../../lib/bytes/chunked-buffer.js';
import type { AbortableCaller } from '../../pool/pool-request-types.js';
import type { RequestTiming } from './request-latency.js';

export interface Caller extends AbortableCaller {
  /** Sends notifications to the connection. Absent if the connection cannot receive any. */
  readonly subscriber?: Subscriber;
  /**
   * Unanswered calls of the connection. Absent if the connection sends a request only after the response to the
   * previous one.
   */
  readonly load?: ConnectionLoad;
}

/**
 * Makes a `Caller` for work that the program repeats for a client's subscription. The caller is aborted once `isWanted`
 * returns false.
 */
export function callerWhile(isWanted: () => boolean, client: string | undefined): Caller {
  return {
    get aborted() {
      return !isWanted();
    },
    ...(client !== undefined && { client }),
  };
}

export interface RequestContext {
  readonly caller: Caller;
  /** The calls are refused while the newest state is older than this position; `null` if any state will do. */
  readonly least: MinimumPosition | null;
  /** Measures the request; `null` if it is not timed. */
  readonly timing: RequestTiming | null;
}

/** Number of a connection's calls that are not answered yet. The service keeps it up to date. */
export interface ConnectionLoad {
  calls: number;
}

/** A connection that receives notifications. */
export interface Subscriber {
  /** The client whose share of main-thread time is used to make messages for this connection alone. */
  readonly client?: string;
  /**
   * Sends a message and returns true. If the client has too much unread data, returns false and does not send the
   * message, unless `isDue` is true: then the message is queued nevertheless.
   */
  push(message: Uint8Array, isDue?: boolean): boolean;
  drop(reason: string): void;
}

/**
 * A finished response. The `bytes` of a synchronous response are valid only until the next call of `answer`. The bytes
 * of an asynchronous response belong to the receiver, who must release them once if they are a `ChunkedBuffer`.
 */
export interface EncodedRpcResponse {
  /**
   * HTTP status: 200; 204 without bytes if the body has only notifications; 429 if every call was refused for overload.
   */
  readonly status: 200 | 204 | 429;
  readonly bytes: Uint8Array | ChunkedBuffer;
  /** Position of the state from which the body was answered; `null` before the first state version. */
  readonly position: AnsweredStatePosition | null;
  /** The transport must call its `finish` when it has the response. Absent if the request is not timed. */
  readonly timing?: RequestTiming;
}

/** A response, or a promise of it if something has to be awaited. */
export type SyncOrAsyncResponse = EncodedRpcResponse | Promise<EncodedRpcResponse>;

/** The response to a body that contains only notifications, or to a client that has disconnected. */
export const EMPTY_RESPONSE: EncodedRpcResponse = { status: 204, bytes: new Uint8Array(), position: null };

/** Copies the bytes of a synchronous response, because the writer will overwrite them. */
export function copyResponseBytes(answer: SyncOrAsyncResponse): SyncOrAsyncResponse {
  if (answer instanceof Promise || answer.bytes instanceof ChunkedBuffer) return answer;
  return { ...answer, bytes: copyIntoChunksIfLong(answer.bytes) };
}

/** Position of the state from which a request or batch was answered, as the response headers report it. */
export interface AnsweredStatePosition {
  readonly block: number;
  readonly index: number;
  /** When the state at this position was published, in monotonic milliseconds. */
  readonly publishedAtMs: number;
}

/**
 * The oldest position from which a client accepts responses, because it has already seen that state at another server.
 */
export type MinimumPosition = Pick<AnsweredStatePosition, 'block' | 'index'>;

/**
 * The bytes of a body: a view that is valid only during the call, or a `ChunkedBuffer`, which the called function must
 * release.
 */
export type BodyBytes = Uint8Array | ChunkedBuffer;

/** Returns all bytes of a body in one piece. The body itself still belongs to the caller. */
export function contiguousBodyBytes(body: BodyBytes): Uint8Array {
  return body instanceof Uint8Array ? body : body.toBytes();
}

/**
 * The service behind all transports: decodes a request body, runs its calls and encodes the response. It answers
 * synchronously if nothing has to be awaited.
 */
export interface RpcService {
  /**
   * Answers a body. When `caller` disconnects, calls that have not started are dropped. Before the state has reached
   * `least`, all calls are refused.
   */
  answer(body: BodyBytes, caller: Caller, least?: MinimumPosition | null): SyncOrAsyncResponse;
}
