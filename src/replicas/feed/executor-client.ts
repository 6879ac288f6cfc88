// A replica's client of its executor: reads missing state, and forwards other requests.
import type { Clock } from '../../lib/clock.js';
import { LIMITS } from '../../limits/index.js';
import { decodeRecord, recordBytes, type LeaderRequest, type LeaderReply } from '../messages/control-messages-json.js';
import type { ChainBus } from '../bus/chain-bus.js';
import type { AccountChange, CodeChange, SlotChange, StateChanges } from '../../state/state-diff.js';
import { isEmptyKeySet, type MissingKeys } from '../../state/views/miss-recording-view.js';
import { UpstreamError, type FetchedState, type Upstream } from '../../upstream/upstream.js';
import type { SubmissionResult } from '../../feed/feed.js';

/** The executor's response to a submitted transaction, with its newest state version at that time. */
export type ExecutorSubmissionResult =
  | (Extract<SubmissionResult, { accepted: true }> & { readonly version: number })
  | Extract<SubmissionResult, { accepted: false }>;

/** Provides state by block hash: a node or an executor. */
export type MissingStateSource = Pick<Upstream, 'read' | 'request'>;

/**
 * Sends requests to the leading executor until the connection is closed. Rejects with the same errors as an upstream
 * node. It rejects at once while no heartbeats arrive, which the executor sends several times a second.
 */
export class ExecutorClient implements MissingStateSource {
  readonly #bus: Pick<ChainBus, 'request' | 'listen'>;
  readonly #clock: Clock;
  #heartbeatAtMs: number;

  constructor(bus: Pick<ChainBus, 'request' | 'listen'>, clock: Clock) {
    this.#bus = bus;
    this.#clock = clock;
    this.#heartbeatAtMs = clock.now();
    bus.listen(() => (this.#heartbeatAtMs = clock.now()));
  }

  /** Reads state; see `Upstream`. Never rejects. State that does not fit one message is requested in several. */
  async read(block: Uint8Array, missing: MissingKeys): Promise<FetchedState> {
    const found = { accounts: [] as AccountChange[], slots: [] as SlotChange[], codes: [] as CodeChange[] };
    const untilMs = this.#clock.now() + LIMITS.fillMsMax;
    let left = missing;
    try {
      while (!isEmptyKeySet(left)) {
        const { accounts, slots, codes } = await this.#readPage(block, left, untilMs);
        found.accounts.push(...accounts);
        found.slots.push(...slots);
        found.codes.push(...codes);
        left = { accounts: left.accounts.slice(accounts.length), slots: left.slots.slice(slots.length) };
      }
      return { ...found, refused: [] };
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      return { ...found, refused: refusedOf(left, error) };
    }
  }

  async request(method: string, params: readonly unknown[], untilMs?: number): Promise<unknown> {
    const endMs = Math.min(this.#clock.now() + LIMITS.passedOnMsMax, untilMs ?? Infinity);
    const timeoutMs = endMs - this.#clock.now();
    const reply = await this.#request({ kind: 'request', method, params, timeoutMs }, endMs);
    if (reply.kind === 'result') return JSON.parse(reply.text) as unknown;
    throw malformed();
  }

  /** Submits a raw transaction to the executor's chain. If the executor does not respond, the result is a refusal. */
  async submit(raw: Uint8Array): Promise<ExecutorSubmissionResult> {
    try {
      const reply = await this.#request({ kind: 'transaction', raw }, this.#clock.now() + LIMITS.fillMsMax);
      if (reply.kind === 'hash') return { accepted: true, hash: reply.hash, version: reply.version };
      throw malformed();
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      return { accepted: false, message: error.message };
    }
  }

  /** Requests keys, and returns the values of the first ones, as many as fit one response. */
  async #readPage(block: Uint8Array, missing: MissingKeys, untilMs: number): Promise<StateChanges> {
    const reply = await this.#request({ kind: 'read', block, missing }, untilMs);
    if (reply.kind !== 'state') throw malformed();
    const { accounts, slots } = reply.state;
    if (accounts.length + slots.length === 0) throw new UpstreamError('notFound', 'the executor gives nothing of it');
    return reply.state;
  }

  /** Sends a request. After `untilMs` the response is useless. */
  async #request(request: LeaderRequest, untilMs: number): Promise<LeaderReply> {
    const reply = decodeRecord('reply', await this.#answerTo(recordBytes('request', request), untilMs));
    if (reply === null) throw malformed();
    if (reply.kind === 'refused')
      throw new UpstreamError(reply.rpc === null ? 'notFound' : 'rpc', reply.message, reply.rpc);
    return reply;
  }

  async #answerTo(question: Uint8Array, untilMs: number): Promise<Uint8Array> {
    if (this.#isSilent) throw this.#silence();
    const ended = new AbortController();
    const timeoutMs = untilMs - LIMITS.replicationRequestSpareMs - this.#clock.now();
    const reply = this.#bus.request(question, timeoutMs).catch((error: Error) => {
      throw new UpstreamError('unreachable', `the executor gives no answer: ${error.message}`);
    });
    try {
      return await Promise.race([reply, this.#fallSilent(ended.signal)]);
    } finally {
      ended.abort();
    }
  }

  get #isSilent(): boolean {
    return this.#clock.now() - this.#heartbeatAtMs >= LIMITS.replicationSilenceMsMax;
  }

  /** Rejects when the executor has sent no heartbeat for too long. */
  async #fallSilent(signal: AbortSignal): Promise<never> {
    while (!this.#isSilent && !signal.aborted) {
      await this.#clock.sleepUntil(this.#heartbeatAtMs + LIMITS.replicationSilenceMsMax, signal);
    }
    throw this.#silence();
  }

  #silence(): UpstreamError {
    const silentMs = this.#clock.now() - this.#heartbeatAtMs;
    return new UpstreamError('unreachable', `the executor has not been heard of for ${silentMs} ms`);
  }
}

function malformed(): UpstreamError {
  return new UpstreamError('malformed', 'the response of the executor does not match the request');
}

function refusedOf({ accounts, slots }: MissingKeys, error: UpstreamError): FetchedState['refused'] {
  return [...accounts.map((address) => ({ address, slot: null, error })), ...slots.map((key) => ({ ...key, error }))];
}
