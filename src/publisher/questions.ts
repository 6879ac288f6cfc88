// Main's questions to the publisher that have not been answered yet. Runs on main.
import { ERRORS, rpcError, type RpcError } from '../errors.js';
import { monotonicMs } from '../lib/time/clock.js';
import { fromHex } from '../lib/bytes/hex.js';
import { LIMITS } from '../limits/index.js';
import { meaningOf } from '../upstream/transport/meaning.js';
import type { RpcErrorObject } from '../upstream/upstream.js';
import type { Answer, Ask, Question } from './protocol.js';

/** JSON text of the result, or why there is none. */
export type Settled = string | RpcError;

const LATE = rpcError('upstream', 'the upstream node does not answer in time');

/** Each question is settled once: by its answer, by its time, or because the publisher has ended. */
export class Questions {
  readonly #send: (question: Question) => void;
  readonly #open = new Map<number, (result: Settled) => void>();
  #asked = 0;

  constructor(send: (question: Question) => void) {
    this.#send = send;
  }

  /** Asks, and waits for the answer as long as the publisher lives. */
  ask(ask: Ask): Promise<Settled> {
    const id = this.#asked++;
    return new Promise((resolve) => {
      this.#open.set(id, resolve);
      this.#send({ ...ask, id });
    });
  }

  /**
   * Asks, and waits until `untilMs` of the monotonic clock at most: the publisher may be busy. Refuses when
   * LIMITS.upstreamQuestionsMax are open.
   */
  async askUntil(untilMs: number, ask: Ask): Promise<Settled> {
    if (this.#open.size >= LIMITS.upstreamQuestionsMax) return rpcError('overload');
    const id = this.#asked;
    const timer = setTimeout(() => this.#settle(id, LATE), untilMs - monotonicMs());
    const result = await this.ask(ask);
    clearTimeout(timer);
    return result;
  }

  /** Takes an answer; one that comes too late is dropped. */
  answer(message: Answer): void {
    this.#settle(message.id, resultOf(message));
  }

  /** The publisher has died: it answers nothing more. */
  fail(): void {
    for (const id of this.#open.keys()) this.#settle(id, rpcError('internal'));
  }

  #settle(id: number, result: Settled): void {
    this.#open.get(id)?.(result);
    this.#open.delete(id);
  }
}

function resultOf(message: Answer): Settled {
  switch (message.kind) {
    case 'response':
      return message.result;
    case 'rejected':
      return rpcError('transactionRejected', message.message);
    case 'refusal':
      return message.rpc === null ? rpcError('upstream', message.message) : refusalOf(message.rpc);
  }
}

/** An error that has a meaning of ours gets our code and text, as if it had been answered here; anything else is the node's word. */
function refusalOf(rpc: RpcErrorObject): RpcError {
  const means = meaningOf(rpc);
  switch (means) {
    case null:
    case 'methodNotFound':
      return passedOn(rpc);
    case 'revert':
      return rpc.data === undefined ? passedOn(rpc) : rpcError(means, undefined, fromHex(rpc.data));
    case 'timeout':
      return rpcError(means, rpc.message.startsWith('execution aborted') ? rpc.message : undefined);
    case 'tooManyResults':
      // The node alone knows how many they are, and which range would do.
      return rpcError(means, `${ERRORS[means].message}: ${rpc.message}`);
    default:
      return rpcError(means);
  }
}

function passedOn(rpc: RpcErrorObject): RpcError {
  return { error: 'passedOn', ...rpc };
}
