// The JSON-RPC client over HTTP. Sends requests in batches, splits batches that are too large, and retries requests,
// all within limits.
import { ERRORS } from '../../rpc-errors.js';
import type { Clock } from '../../lib/clock.js';
import { LIMITS } from '../../limits/index.js';
import { METHODS } from '../../methods.table.js';
import { parseRetryAfterMs } from './back-off.js';
import { mapNodeError } from './error-mapping.js';
import type { CircuitBreaker } from './circuit-breaker.js';
import { UpstreamError, type RpcErrorObject } from './upstream-error.js';
import { Semaphore } from './semaphore.js';
import type { Redactor } from './redact-secrets.js';
import { decideRetry, type RequestFailure, type RetryInput } from './retry-decision.js';
import { malformedAnswer, parseResponseBody, type RpcAnswer } from './parse-rpc-response.js';
import type { UpstreamStats } from './upstream-stats.js';
import type { PostOutcome, HttpTransport } from './http-transport.js';
import type { UpstreamClientLimits } from './upstream-client-limits.js';

/** A request to the node. The parameters are JSON values. */
export interface UpstreamRequest {
  readonly method: string;
  readonly params: readonly unknown[];
}

export interface JsonRpcClientDeps {
  readonly transport: HttpTransport;
  readonly clock: Clock;
  /** Returns a random number from 0 to 1. */
  readonly random: () => number;
  readonly stats: UpstreamStats;
  readonly breaker: CircuitBreaker;
  readonly redact: Redactor;
}

/** A request that waits to be sent in a batch. */
interface Passenger extends UpstreamRequest {
  readonly untilMs: number;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: UpstreamError) => void;
}

export interface RequestRetryAndDeadline extends Pick<RetryInput, 'triesMax' | 'repeatable'> {
  /**
   * The time (monotonic clock) by which the response is needed. With `Infinity`, each attempt has the default timeout
   * and size limit instead.
   */
  readonly untilMs: number;
  /** True if the request is sent even while the node does not respond, to detect when it responds again. */
  readonly isProbe: boolean;
  /**
   * True if the node must execute whole blocks for the request. The response may then take longer, and the node does
   * not count as down meanwhile.
   */
  readonly isWork: boolean;
}

/** The result of one HTTP POST. */
type Delivery =
  | { readonly kind: 'answers'; readonly answers: readonly RpcAnswer[] }
  | { readonly kind: 'failed'; readonly failure: RequestFailure }
  /** The node supports batches, but this one is too large, or the response to it would be. */
  | { readonly kind: 'tooLarge' }
  | { readonly kind: 'error'; readonly error: UpstreamError };

const LIMIT_EXCEEDED = -32005;
const RESPONSE_TOO_LARGE = -32003;
const PAYLOAD_TOO_LARGE = 413;
/** Matches methods without side effects. Only used for methods that this program does not implement. */
const OTHER_READS = /^(eth_(get|call)|net_|web3_|debug_trace|trace_)/;

/**
 * Sends all HTTP requests to the node. Short reads that are made in one event-loop tick are sent together as batches.
 */
export class JsonRpcClient {
  readonly #tuning: UpstreamClientLimits;
  readonly #deps: JsonRpcClientDeps;
  readonly #gate: Semaphore;
  readonly #ending = new AbortController();
  /** Requests that will be sent after the current event-loop tick. */
  #boarding: Passenger[] = [];
  #batchMax: number;
  #nextId = 1;
  /** No request is sent before this time, because the node has requested a pause. */
  #pausedUntilMs = 0;

  constructor(tuning: UpstreamClientLimits, deps: JsonRpcClientDeps) {
    this.#tuning = tuning;
    this.#deps = deps;
    this.#gate = new Semaphore(tuning.connectionsMax, tuning.waitingMax);
    this.#batchMax = tuning.batchMax;
  }

  /**
   * Sends one request, not in a batch, and returns its result. The response is needed by `untilMs` on the monotonic
   * clock. Rejects with UpstreamError.
   */
  async call(method: string, params: readonly unknown[], untilMs = Infinity): Promise<unknown> {
    const isWork = isWorkFor(method) && untilMs === Infinity;
    const care = { triesMax: this.#tuning.triesMax, repeatable: isRead(method), untilMs, isProbe: false, isWork };
    const [answer] = await this.#deliver([{ method, params }], care, 1);
    if (!answer!.ok) throw answer!.error;
    return answer!.result;
  }

  /**
   * Sends one request and returns its result, as `call` does. Short reads that are made in one event-loop tick are sent
   * together as a batch.
   */
  request(method: string, params: readonly unknown[], untilMs = Infinity): Promise<unknown> {
    if (!isShort(method, params)) return this.call(method, params, untilMs);
    return new Promise((resolve, reject) => {
      if (this.#boarding.length === 0) setImmediate(() => this.#depart());
      this.#boarding.push({ method, params, untilMs, resolve, reject });
    });
  }

  /**
   * Sends read requests and returns the answers in order, in as few round trips as the node's limits allow. Never
   * rejects.
   */
  batch(requests: readonly UpstreamRequest[], care: Partial<RequestRetryAndDeadline> = {}): Promise<RpcAnswer[]> {
    const usual = {
      triesMax: this.#tuning.triesMax,
      repeatable: true,
      untilMs: Infinity,
      isProbe: false,
      isWork: requests.some(({ method }) => isWorkFor(method)),
    };
    return this.#split(requests, { ...usual, ...care }, 1);
  }

  /** Closes the client. Requests in flight end with `closed`. */
  async close(): Promise<void> {
    this.#ending.abort();
    await this.#deps.transport.close();
  }

  /**
   * Sends the collected requests as several small batches in parallel, because a node may process the requests of a
   * batch one after the other.
   */
  #depart(): void {
    const all = this.#boarding;
    const { requestBatchMax } = this.#tuning;
    this.#boarding = [];
    for (let at = 0; at < all.length; at += requestBatchMax) void this.#carry(all.slice(at, at + requestBatchMax));
  }

  async #carry(some: readonly Passenger[]): Promise<void> {
    const untilMs = Math.max(...some.map((passenger) => passenger.untilMs));
    const answers = await this.batch(
      some.map(({ method, params }) => ({ method, params })),
      { untilMs },
    );
    for (const [i, { resolve, reject }] of some.entries()) {
      const answer = answers[i]!;
      if (answer.ok) resolve(answer.result);
      else reject(answer.error);
    }
  }

  async #split(
    requests: readonly UpstreamRequest[],
    care: RequestRetryAndDeadline,
    tries: number,
  ): Promise<RpcAnswer[]> {
    const parts: Promise<RpcAnswer[]>[] = [];
    for (let at = 0; at < requests.length; at += this.#batchMax)
      parts.push(this.#deliver(requests.slice(at, at + this.#batchMax), care, tries));
    return (await Promise.all(parts)).flat();
  }

  async #deliver(
    requests: readonly UpstreamRequest[],
    care: RequestRetryAndDeadline,
    tries: number,
  ): Promise<RpcAnswer[]> {
    const delivery = await this.#post(requests, care);
    switch (delivery.kind) {
      case 'answers':
        return this.#again(requests, delivery.answers, care, tries);
      case 'tooLarge':
        return this.#halve(requests, care, tries);
      case 'error':
        return this.#fail(requests, delivery.error);
      case 'failed': {
        const refused = await this.#pause(delivery.failure, care, tries);
        return refused === null ? this.#deliver(requests, care, tries + 1) : this.#fail(requests, refused);
      }
    }
  }

  /**
   * Halves the batch size from now on, and sends the requests again. The second half is sent only after the first: if
   * the first is still too large, the batch size is halved further before the second is sent. With a node that accepts
   * only single requests, this costs ten refusals instead of a thousand.
   */
  async #halve(
    requests: readonly UpstreamRequest[],
    care: RequestRetryAndDeadline,
    tries: number,
  ): Promise<RpcAnswer[]> {
    if (requests.length === 1) return this.#fail(requests, tooLong());
    const half = Math.ceil(requests.length / 2);
    this.#batchMax = Math.min(this.#batchMax, half);
    const first = await this.#deliver(requests.slice(0, half), care, tries);
    return [...first, ...(await this.#split(requests.slice(half), care, tries))];
  }

  /** Sends those requests of a batch again to which the node has responded with "rate limited" or "too long". */
  async #again(
    requests: readonly UpstreamRequest[],
    answers: readonly RpcAnswer[],
    care: RequestRetryAndDeadline,
    tries: number,
  ): Promise<RpcAnswer[]> {
    const limited = answers.find(isLimited);
    const isOpen = (answer: RpcAnswer): boolean =>
      isLimited(answer) || (rpcOf(answer)?.code === RESPONSE_TOO_LARGE && requests.length > 1);
    const open = requests.filter((_, i) => isOpen(answers[i]!));
    if (open.length === 0) return this.#count(answers);
    if (limited !== undefined) {
      const refused = await this.#pause({ kind: 'limited', rpc: rpcOf(limited)! }, care, tries);
      if (refused !== null) return answers.map((answer) => (isOpen(answer) ? { ok: false, error: refused } : answer));
    } else if (open.length === requests.length) return this.#halve(requests, care, tries);
    const rest = (await this.#split(open, care, limited === undefined ? tries : tries + 1)).values();
    return answers.map((answer) => (isOpen(answer) ? rest.next().value! : answer));
  }

  /** Waits until a failed request may be sent again. Returns an error if it must not be sent again. */
  async #pause(failure: RequestFailure, care: RequestRetryAndDeadline, tries: number): Promise<UpstreamError | null> {
    const { clock, random, stats, breaker } = this.#deps;
    const retryAfter = failure.kind === 'status' ? failure.retryAfterMs : null;
    if (retryAfter !== null) this.#pausedUntilMs = Math.max(this.#pausedUntilMs, clock.now() + retryAfter);
    const leftMs = breaker.isOpen ? 0 : care.untilMs - clock.now();
    const decision = decideRetry(failure, { ...care, tries, leftMs, random: random() }, this.#tuning);
    if (decision.kind === 'giveUp') return decision.error;
    await clock.sleepUntil(clock.now() + decision.afterMs, this.#ending.signal);
    stats.retries++;
    return null;
  }

  async #post(requests: readonly UpstreamRequest[], care: RequestRetryAndDeadline): Promise<Delivery> {
    const error = await this.#admission(requests.length, care);
    if (error !== null) return { kind: 'error', error };
    const firstId = this.#nextId;
    this.#nextId += requests.length;
    const texts = requests.map(({ method, params }, i) =>
      JSON.stringify({ jsonrpc: '2.0', id: firstId + i, method, params }),
    );
    if (!this.#gate.isOpen)
      return { kind: 'error', error: new UpstreamError('unreachable', 'too many requests wait for the upstream node') };
    const outcome = await this.#gate.pass(async () => this.#refusal(requests.length, care) ?? this.#send(texts, care));
    if (this.#ending.signal.aborted) return { kind: 'error', error: closed() };
    return outcome instanceof UpstreamError
      ? { kind: 'error', error: outcome }
      : this.#read(outcome, firstId, requests.length);
  }

  /** If the node has requested a pause, waits for its end. Returns an error if requests cannot be sent at all. */
  async #admission(count: number, care: RequestRetryAndDeadline): Promise<UpstreamError | null> {
    const { clock } = this.#deps;
    const refusal = this.#refusal(count, care);
    if (refusal !== null) return refusal;
    const waitMs = this.#pausedUntilMs - clock.now();
    if (waitMs > this.#tuning.retryAfterMsMax)
      return new UpstreamError('unreachable', `the upstream node wants no requests for ${Math.ceil(waitMs / 1000)} s`);
    if (waitMs > 0) await clock.sleepUntil(this.#pausedUntilMs, this.#ending.signal);
    return this.#ending.signal.aborted ? closed() : null;
  }

  /** Returns why `count` requests must not be sent now: it is too late, or the node is down. Otherwise `null`. */
  #refusal(count: number, { untilMs, isProbe }: RequestRetryAndDeadline): UpstreamError | null {
    const { clock, stats, breaker } = this.#deps;
    const nowMs = clock.now();
    if (nowMs >= untilMs) return new UpstreamError('unreachable', 'the upstream node does not answer in time');
    if (isProbe || !breaker.refuses) return null;
    stats.refused += count;
    return new UpstreamError(
      'unreachable',
      `the upstream node has not answered for ${nowMs - breaker.silentSinceMs!} ms`,
    );
  }

  async #send(texts: readonly string[], { untilMs, isWork }: RequestRetryAndDeadline): Promise<PostOutcome> {
    const { transport, stats, breaker, clock } = this.#deps;
    stats.roundTrips++;
    stats.requests += texts.length;
    if (texts.length > 1) stats.batches++;
    const { answerBytesMax } = this.#tuning;
    const timeoutMs = isWork ? this.#tuning.traceTimeoutMs : this.#tuning.timeoutMs;
    const bounds =
      untilMs === Infinity
        ? { timeoutMs, bytesMax: answerBytesMax }
        : { timeoutMs: untilMs - clock.now(), bytesMax: LIMITS.responseBytesMax };
    if (!isWork) breaker.sent();
    const outcome = await transport.post(texts.length === 1 ? texts[0]! : `[${texts.join(',')}]`, bounds);
    if (!isWork) breaker.ended(isAnswer(outcome));
    return outcome;
  }

  #read(outcome: PostOutcome, firstId: number, count: number): Delivery {
    if (outcome.kind === 'oversized') return { kind: 'tooLarge' };
    if (outcome.kind !== 'answer') return { kind: 'failed', failure: outcome };
    const { status, body } = outcome;
    const isFine = status >= 200 && status < 300;
    if (status === PAYLOAD_TOO_LARGE) return { kind: 'tooLarge' };
    const parsed = parseResponseBody(body, firstId, count, this.#deps.redact);
    // Some nodes return a JSON-RPC error with status 400, so a body is used even if the status is not 2xx. But with
    // status 408, 429, or 500 and above, only the status counts.
    if (!isFine && (parsed.kind === 'malformed' || status === 429 || status === 408 || status >= 500))
      return {
        kind: 'failed',
        failure: {
          kind: 'status',
          status,
          retryAfterMs: parseRetryAfterMs(outcome.retryAfter, this.#deps.clock.wall()),
        },
      };
    switch (parsed.kind) {
      case 'answers':
        return parsed;
      case 'whole':
        return wholeBatch(parsed.rpc);
      case 'malformed':
        return { kind: 'answers', answers: Array.from({ length: count }, () => malformedAnswer(parsed.reason)) };
    }
  }

  #fail(requests: readonly UpstreamRequest[], error: UpstreamError): RpcAnswer[] {
    this.#deps.stats.failures += requests.length;
    return requests.map(() => ({ ok: false, error }));
  }

  #count(answers: readonly RpcAnswer[]): RpcAnswer[] {
    const bad = answers.filter((answer) => !answer.ok && answer.error.kind === 'malformed').length;
    this.#deps.stats.failures += bad;
    return [...answers];
  }
}

/**
 * Returns true if the node has responded. A status of 500 or above may come from a proxy in front of a node that does
 * not respond.
 */
function isAnswer(outcome: PostOutcome): boolean {
  return outcome.kind === 'oversized' || (outcome.kind === 'answer' && outcome.status < 500);
}

/** Returns true for a short read. Reads of blocks with full transactions are not short. */
function isShort(method: string, params: readonly unknown[]): boolean {
  return METHODS.get(method)?.cost === 'short' && params.at(-1) !== true;
}

/** Returns true if the node must execute whole blocks for this method. */
function isWorkFor(method: string): boolean {
  return METHODS.get(method)?.cost === 'work';
}

/** Returns true if this method has no side effects, so that it may be sent again. */
function isRead(method: string): boolean {
  const row = METHODS.get(method);
  return row === undefined ? OTHER_READS.test(method) : row.needsSubmit !== true;
}

/** Handles an error that the node has returned for a whole batch: the batch was rate limited or too large. */
function wholeBatch(rpc: RpcErrorObject): Delivery {
  return rpc.code === LIMIT_EXCEEDED ? { kind: 'failed', failure: { kind: 'limited', rpc } } : { kind: 'tooLarge' };
}

function rpcOf(answer: RpcAnswer): RpcErrorObject | null {
  return answer.ok ? null : answer.error.rpc;
}

/**
 * Returns true for a rate limit. Some nodes use the same code for a request that is too large, for which a retry would
 * be useless.
 */
function isLimited(answer: RpcAnswer): boolean {
  const rpc = rpcOf(answer);
  return rpc?.code === LIMIT_EXCEEDED && mapNodeError(rpc) === 'overload';
}

function tooLong(): UpstreamError {
  const { code, message } = ERRORS.responseTooLarge;
  return new UpstreamError('rpc', 'the answer of the upstream node is too long', { code, message });
}

function closed(): UpstreamError {
  return new UpstreamError('closed', 'the connection to the upstream node has been closed');
}
