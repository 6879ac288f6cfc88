// Answers as the service hands them to a transport (HTTP or WebSocket). Runs on main.
import { copyBytes, LongBytes } from '../../lib/bytes/long-bytes.js';
import type { Asker as JobAsker } from '../../pool/pool.js';
import type { Timing } from './latency.js';

/** Somebody who waits for an answer. */
export interface Asker extends JobAsker {
  /** Present where the connection can be told more than answers. */
  readonly subscriber?: Subscriber;
  /** Present where the connection may ask on before it is answered. */
  readonly load?: ConnectionLoad;
}

/** Terms on which a body is answered. */
export interface Asked {
  readonly asker: Asker;
  /** Answers from before it are refused; `null`: any will do. */
  readonly least: LeastPosition | null;
  /** `null`: the request is not timed. */
  readonly timing: Timing | null;
}

/** Calls of a connection that are not answered yet; kept by the service. */
export interface ConnectionLoad {
  calls: number;
}

/** A connection that takes messages unasked. */
export interface Subscriber {
  /** Whose turn it is when something is made for this connection alone. */
  readonly client?: string;
  /** Sends a message, unless too much waits to be read: then false. `isDue`: sends it in any case. */
  push(message: Uint8Array, isDue?: boolean): boolean;
  /** Closes the connection, and says why. */
  drop(reason: string): void;
}

/**
 * A finished answer. `bytes` of a synchronous answer are valid only until the next call of `answer`; those of a later one
 * belong to whoever got it, who releases long ones, once.
 */
export interface Answer {
  /** 200; 204 for notifications only (no bytes); 429 when every call was refused for overload. */
  readonly status: 200 | 204 | 429;
  readonly bytes: Uint8Array | LongBytes;
  /** Position of the answers; `null` before the first version. */
  readonly position: AnswerPosition | null;
  /** Told by the transport when it has the bytes; absent where the request is not timed. */
  readonly timing?: Timing;
}

/** The answer to notifications alone, or to nobody. */
export const NOTHING: Answer = { status: 204, bytes: new Uint8Array(), position: null };

/** An answer whose bytes are its own: those of a synchronous one are the writer's. */
export function lasting(answer: Answer | Promise<Answer>): Answer | Promise<Answer> {
  if (answer instanceof Promise || answer.bytes instanceof LongBytes) return answer;
  return { ...answer, bytes: copyBytes(answer.bytes) };
}

/** The snapshot from which a request or batch was answered: what the response headers say. */
export interface AnswerPosition {
  readonly block: number;
  readonly index: number;
  /** Milliseconds of the monotonic clock at which the snapshot was published. */
  readonly publishedAtMs: number;
}

/** The least position that a client accepts answers from: it has seen that much elsewhere. */
export interface LeastPosition {
  readonly block: number;
  readonly index: number;
}

/**
 * Bytes of a body: a buffer, or a part of one, that is borrowed for the time of a call, or long ones, which are the callee's
 * and released by it. A transport's buffer is taken as it is: a view of it costs 60 ns that plain reads do without.
 */
export type BodyBytes = ArrayBuffer | Uint8Array | LongBytes;

/** A view of a body that is a buffer; any other as it is. */
export function viewOf(body: BodyBytes): Uint8Array | LongBytes {
  return body instanceof ArrayBuffer ? new Uint8Array(body) : body;
}

/** All bytes of a body, which stays the caller's. */
export function bytesOf(body: BodyBytes): Uint8Array {
  const bytes = viewOf(body);
  return bytes instanceof Uint8Array ? bytes : bytes.toBytes();
}

/** The service behind every transport: decodes, runs and encodes one body. Synchronous where nothing must be waited for. */
export interface RpcService {
  /**
   * `asker`: whoever waits for the answer; what it has not begun is not begun once nobody waits any more. `least`: where the
   * newest snapshot is behind it, every call is refused.
   */
  answer(body: BodyBytes, asker: Asker, least?: LeastPosition | null): Answer | Promise<Answer>;
}
