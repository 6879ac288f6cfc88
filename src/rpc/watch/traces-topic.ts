// The subscription topic `traces`: sends the traces of pre-confirmed transactions, increment by increment.
import { rpcError, type RpcError } from '../../rpc-errors.js';
import { LIMITS } from '../../limits/index.js';
import { PLACEHOLDER_CALL_REQUEST, type Job } from '../../transaction/evm-job.js';
import type { Coordinates } from '../../state/state-diff.js';
import { resultOrErrorMember } from '../answer/text-around-bytes.js';
import { encodeAnswerText } from '../answer/answer-writer.js';
import type { RpcCallOutcome } from '../answer/call-result.js';
import { callerWhile } from '../answer/request-response-types.js';
import type { CallSettings } from '../call/method-runner.js';
import { submitJob, type ExecutionDeps } from '../methods/call-and-estimate.js';
import type { TraceCriteria } from '../params/traces-subscription-params.js';
import type { ExecutedBlockLookup } from '../view/executed-block-lookup.js';
import { jobStartWithinBlock } from '../view/start-within-block.js';
import type { ReadView } from '../view/pinned-read-view.js';
import type { ChainEvent, ChainEvents } from '../push/chain-events.js';
import { topicWithOwnMessages, type TopicMessageSource, type SubscriptionTopic } from '../push/topic-delivery.js';
import { versionPosition } from '../push/subscription-topic-messages.js';

/** What is needed to trace increments. */
interface IncrementTracesDeps extends ExecutionDeps, Pick<CallSettings, 'onFault'> {
  readonly events: ChainEvents;
  readonly executed: ExecutedBlockLookup;
  readonly readView: () => ReadView;
}

type Increment = Extract<ChainEvent, { kind: 'increment' }>;

/** All subscriptions to traces. Subscriptions with the same criteria share their traces. */
export class TraceSubscriptions {
  /** Number of subscriptions with different criteria, by client. */
  readonly #open = new Map<string | undefined, number>();

  /** Returns the topic of these criteria. The worker time of its traces is charged to `client`. */
  topic(criteria: TraceCriteria, client: string | undefined, deps: IncrementTracesDeps): SubscriptionTopic | RpcError {
    const [own, all] = [this.#open.get(client) ?? 0, [...this.#open.values()].reduce((a, b) => a + b, 0)];
    if (own >= LIMITS.traceTopicsPerClientMax || all >= LIMITS.traceTopicsMax)
      return rpcError('overload', `too many different traces (max ${LIMITS.traceTopicsPerClientMax})`);
    return topicWithOwnMessages(`traces ${JSON.stringify(criteria)}`, (send) => {
      this.#count(client, 1);
      return new TraceUpdates(deps, { criteria, client, send, onEnd: () => this.#count(client, -1) });
    });
  }

  #count(client: string | undefined, more: number): void {
    const count = (this.#open.get(client) ?? 0) + more;
    if (count === 0) this.#open.delete(client);
    else this.#open.set(client, count);
  }
}

interface TraceUpdatesOptions {
  readonly criteria: TraceCriteria;
  readonly client: string | undefined;
  readonly send: (text: string) => void;
  readonly onEnd: () => void;
}

/**
 * Transactions of a block that are not traced yet: of one increment, or of several that arrived while others were
 * traced.
 */
interface Untraced {
  /** Index in the block of the first transaction that is not traced yet. */
  readonly first: number;
  /** The newest increment of the block. */
  readonly event: Increment;
  readonly coordinates: Coordinates;
}

/** Makes the messages of one topic: one for each increment that has a trace to show. */
class TraceUpdates implements TopicMessageSource {
  messageCount = 0;
  readonly #deps: IncrementTracesDeps;
  readonly #options: TraceUpdatesOptions;
  readonly #stopListening: () => void;
  /** Blocks with transactions that are not traced yet, oldest first. */
  readonly #untraced = new Map<number, Untraced>();
  /** Position of the newest state version. */
  #coordinates: Coordinates | null = null;
  #newest: string | null = null;
  #isRunning = false;
  #isOver = false;

  constructor(deps: IncrementTracesDeps, options: TraceUpdatesOptions) {
    this.#deps = deps;
    this.#options = options;
    this.#stopListening = deps.events.listen(({ event }) => this.#onEvent(event));
  }

  /** Returns the newest message, see `TopicMessageSource`. */
  whole(): string | null {
    return this.#newest;
  }

  end(): void {
    this.#isOver = true;
    this.#stopListening();
    this.#options.onEnd();
  }

  #onEvent(event: ChainEvent): void {
    if (event.kind === 'changed') this.#coordinates = event.message.coordinates;
    if (event.kind !== 'increment' || event.read().block.transactions.length <= event.first) return;
    const coordinates = this.#coordinates!;
    const { block } = coordinates;
    const first = Math.min(event.first, this.#untraced.get(block)?.first ?? Infinity);
    this.#untraced.delete(block);
    this.#untraced.set(block, { first, event, coordinates });
    void this.#run();
  }

  /** Traces the waiting blocks, one after the other. */
  async #run(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    // Wait until all other listeners have received the event.
    await Promise.resolve();
    for (const [block, untraced] of this.#untraced) {
      this.#untraced.delete(block);
      const isLate = this.#untraced.size >= LIMITS.tracedBlocksMax;
      const result = isLate ? rpcError('overload', LATE) : await this.#traced(untraced);
      if (this.#isOver) return;
      this.#send(result, untraced);
    }
    this.#isRunning = false;
  }

  async #traced(untraced: Untraced): Promise<RpcCallOutcome> {
    try {
      return await this.#submitted(untraced);
    } catch (fault) {
      this.#deps.onFault('eth_subscribe', fault);
      return rpcError('internal');
    }
  }

  /** Executes the untraced transactions again with a tracer, after the transactions before them in their block. */
  #submitted({ event, first }: Untraced): RpcCallOutcome | Promise<RpcCallOutcome> {
    const { events, executed } = this.#deps;
    const readView = this.#deps.readView();
    if (!readView.pinned.beginAt(event.version - events.versionOf(0))) return rpcError('stateNotKept');
    try {
      const position = readView.resolve({ kind: 'pending' });
      if ('error' in position || position.kind === 'upstream') return rpcError('stateNotKept');
      const start = jobStartWithinBlock(position, 'all', readView, executed);
      if ('error' in start) return start;
      if ('kind' in start) return rpcError('stateNotKept');
      const caller = callerWhile(() => !this.#isOver, this.#options.client);
      return submitJob(this.#job(start, first), this.#deps, caller);
    } finally {
      readView.pinned.end();
    }
  }

  #job(start: Pick<Job, 'position' | 'replay'>, first: number): Job {
    const { tracer, filter, timeoutMs } = this.#options.criteria;
    const trace = { of: 'block' as const, tracer, first, ...(filter !== null && { filter }) };
    const call = { call: PLACEHOLDER_CALL_REQUEST, stateOverride: [], blockOverride: null };
    return { kind: 'trace', ...call, ...start, trace, gasCap: this.#deps.gasCap, timeoutMs };
  }

  #send(result: RpcCallOutcome, { event: { version }, coordinates }: Untraced): void {
    const text = encodeAnswerText(resultOrErrorMember(result)).toString();
    if (text === NO_TRACES) return;
    const position = versionPosition({ ...coordinates, hash: null }, version);
    this.#newest = `{${text},"position":${JSON.stringify(position)}}`;
    this.messageCount++;
    this.#options.send(this.#newest);
  }
}

const NO_TRACES = '"result":[]';
const LATE = `traces are ${LIMITS.tracedBlocksMax} blocks behind`;
