// Builds the head of a response: status, content type, and the position of the state snapshot from which it was read
// (block number, pre-confirmation index, age).
import type { EncodedRpcResponse, AnsweredStatePosition } from '../../rpc/answer/request-response-types.js';
import { encodeResponseHead, type HeaderField, type ResponseHead } from '../encoded-heads.js';
import { statusLineOf } from '../http-counters.js';

/** Response headers that say from which state snapshot the response was read. */
export const POSITION_HEADERS = ['x-block-number', 'x-preconf-index', 'x-snapshot-age-ms'] as const;
/** Response header that says how many state versions a replica is behind its executor. */
export const VERSIONS_BEHIND_HEADER = 'x-versions-behind';

const CONTENT_TYPE: HeaderField = ['Content-Type', 'application/json'];
const RETRY_AFTER: HeaderField = ['Retry-After', '1'];

/** The response heads by HTTP status. */
export type ResponseHeadsByStatus = Readonly<Record<EncodedRpcResponse['status'], CachedResponseHead>>;

/** Sources of header values that change from response to response, except those of the block that was read. */
export interface ResponseHeadDeps {
  /** Monotonic clock in milliseconds. */
  readonly nowMs: () => number;
  /**
   * Returns how many state versions a replica is behind its executor; `unknown` if it cannot tell, `null` if this is no
   * replica.
   */
  readonly versionsBehind: () => number | 'unknown' | null;
}

/**
 * Encodes one head for each status. `idleSMax`: seconds until an idle connection is closed; `further`: headers of each
 * response.
 */
export function createResponseHeads(
  idleSMax: number,
  further: readonly HeaderField[],
  deps: ResponseHeadDeps,
): ResponseHeadsByStatus {
  // This header announces the idle time-out, so that clients do not send a request just as the connection is closed.
  const keepAlive: HeaderField = ['Keep-Alive', `timeout=${idleSMax}`];
  return {
    200: new CachedResponseHead(statusLineOf(200), [CONTENT_TYPE, keepAlive, ...further], deps),
    204: new CachedResponseHead(statusLineOf(204), [keepAlive, ...further], deps),
    429: new CachedResponseHead(statusLineOf(429), [CONTENT_TYPE, RETRY_AFTER, keepAlive, ...further], deps),
  };
}

/**
 * Caches the encoded head for the newest snapshot and the current millisecond, since building one takes about a
 * microsecond. From one millisecond to the next, usually only the snapshot's age changes, and its digits are
 * overwritten in place. Under load, some hundred responses in the same millisecond share the head.
 */
export class CachedResponseHead {
  readonly #statusLine: string;
  readonly #always: readonly HeaderField[];
  readonly #deps: ResponseHeadDeps;
  readonly #bare: ResponseHead;
  #position: AnsweredStatePosition | null = null;
  #behind: ReturnType<ResponseHeadDeps['versionsBehind']> = null;
  #atMs = -1;
  /** The encoded head. Its last bytes are the digits of the snapshot's age, which `#age` overwrites. */
  #current: ArrayBuffer;
  #age: Uint8Array;

  constructor(statusLine: string, always: readonly HeaderField[], deps: ResponseHeadDeps) {
    this.#statusLine = statusLine;
    this.#always = always;
    this.#deps = deps;
    this.#current = encodeResponseHead(statusLine, always);
    this.#age = new Uint8Array();
    this.#bare = this.#current;
  }

  /**
   * Returns the head of a response that was answered from the state at `position`. It must be written before the next
   * call, which reuses the buffer.
   */
  at(position: AnsweredStatePosition | null): ResponseHead {
    if (position === null) return this.#bare;
    const nowMs = this.#deps.nowMs();
    if (nowMs !== this.#atMs || position !== this.#position) this.#move(position, nowMs);
    return this.#current;
  }

  #move(position: AnsweredStatePosition, nowMs: number): void {
    const behind = this.#deps.versionsBehind();
    const age = `${Math.max(0, Math.round(nowMs - position.publishedAtMs))}`;
    const isSame = position === this.#position && behind === this.#behind && age.length === this.#age.length;
    this.#atMs = nowMs;
    if (isSame) this.#setAge(age);
    else this.#make(position, behind, age);
  }

  #setAge(age: string): void {
    for (let i = 0; i < age.length; i++) this.#age[i] = age.charCodeAt(i);
  }

  #make(position: AnsweredStatePosition, behind: ReturnType<ResponseHeadDeps['versionsBehind']>, age: string): void {
    this.#position = position;
    this.#behind = behind;
    const [block, index, ageMs] = POSITION_HEADERS;
    const lag: readonly HeaderField[] = behind === null ? [] : [[VERSIONS_BEHIND_HEADER, `${behind}`]];
    const place: readonly HeaderField[] = [
      [block, `${position.block}`],
      [index, `${position.index}`],
    ];
    this.#current = encodeResponseHead(this.#statusLine, [...this.#always, ...place, ...lag, [ageMs, age]]);
    this.#age = new Uint8Array(this.#current, this.#current.byteLength - age.length);
  }
}
