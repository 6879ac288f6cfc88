// State that a replica does not hold, asked of its executor, and whatever else that can answer. Runs on the publisher.
import { monotonicMs } from '../../lib/clock.js';
import { LIMITS } from '../../limits.js';
import { decodeReply, encodeAsk, type Ask, type Reply } from '../../replication/ask.js';
import type { ChainBus } from '../../replication/bus.js';
import type { StateChanges } from '../../state/diff.js';
import { isEmpty, type Wants } from '../../state/recording-view.js';
import { UpstreamError, type StateFill, type Upstream } from '../../upstream/upstream.js';
import type { Submission } from '../feed.js';

/** Reads a node, or an executor, by block hash. */
export type StateSource = Pick<Upstream, 'read' | 'request'>;

/** Asks the executor that leads. Rejects as an upstream does. */
export class RemoteState implements StateSource {
  readonly #bus: Pick<ChainBus, 'ask'>;

  constructor(bus: Pick<ChainBus, 'ask'>) {
    this.#bus = bus;
  }

  /** As Upstream: never rejects. An answer that does not fit a message is asked for in several. */
  async read(block: Uint8Array, wants: Wants): Promise<StateFill> {
    const found = { accounts: [...NOTHING.accounts], slots: [...NOTHING.slots], codes: [...NOTHING.codes] };
    let left = wants;
    try {
      while (!isEmpty(left)) {
        const { accounts, slots, codes } = await this.#part(block, left);
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

  /** As Upstream. */
  async request(method: string, params: readonly unknown[], untilMs?: number): Promise<unknown> {
    const timeoutMs = Math.min(LIMITS.passedOnMsMax, (untilMs ?? Infinity) - monotonicMs());
    const reply = await this.#ask({ kind: 'request', method, params, timeoutMs }, timeoutMs);
    if (reply.kind === 'result') return JSON.parse(reply.text) as unknown;
    throw malformed();
  }

  /** Hands a raw transaction to the executor's chain. Rejects with UpstreamError where nobody answers. */
  async submit(raw: Uint8Array): Promise<Submission> {
    try {
      const reply = await this.#ask({ kind: 'transaction', raw }, LIMITS.fillMsMax);
      if (reply.kind === 'hash') return { accepted: true, hash: reply.hash };
      throw malformed();
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      return { accepted: false, message: error.message };
    }
  }

  /** In the order in which they were wanted, as many as fitted. */
  async #part(block: Uint8Array, wants: Wants): Promise<StateChanges> {
    const reply = await this.#ask({ kind: 'read', block, wants }, LIMITS.fillMsMax);
    if (reply.kind !== 'state') throw malformed();
    const { accounts, slots } = reply.state;
    if (accounts.length + slots.length === 0) throw new UpstreamError('notFound', 'the executor gives nothing of it');
    return reply.state;
  }

  async #ask(ask: Ask, timeoutMs: number): Promise<Reply> {
    const bytes = await this.#bus.ask(encodeAsk(ask), timeoutMs).catch((error: Error) => {
      throw new UpstreamError('unreachable', `the executor does not answer: ${error.message}`);
    });
    const reply = decodeReply(bytes);
    if (reply === null) throw malformed();
    if (reply.kind === 'refused')
      throw new UpstreamError(reply.rpc === null ? 'notFound' : 'rpc', reply.message, reply.rpc);
    return reply;
  }
}

const NOTHING: StateChanges = { accounts: [], slots: [], codes: [] };

function malformed(): UpstreamError {
  return new UpstreamError('malformed', 'the executor answers something else than was asked');
}

function refusedOf({ accounts, slots }: Wants, error: UpstreamError): StateFill['refused'] {
  return [...accounts.map((address) => ({ address, slot: null, error })), ...slots.map((key) => ({ ...key, error }))];
}
