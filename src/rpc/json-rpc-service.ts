// Answers a request body in five stages: schedule, decode, view, run, encode.
import type { UsageLedger } from '../fairness/usage-ledger.js';
import type { TimeSlicer } from '../fairness/time-slicer.js';
import type { ErrorName } from '../rpc-errors.js';
import { ChunkedBuffer } from '../lib/bytes/chunked-buffer.js';
import type {
  EncodedRpcResponse,
  Caller,
  BodyBytes,
  MinimumPosition,
  SyncOrAsyncResponse,
  RpcService,
} from './answer/request-response-types.js';
import type { AnswerMemory } from './answer/answer-memory-budget.js';
import { AnswerWriter } from './answer/answer-writer.js';
import { ErrorCounts } from './answer/error-counts.js';
import { LargeAnswerScheduler } from './answer/large-answer-scheduler.js';
import { REFUSED_LABEL, type RequestLatency, type RequestTiming } from './answer/request-latency.js';
import { MethodRunner, type CallCounts, type MethodRunnerDeps } from './call/method-runner.js';
import type { BodyDecoder } from './decode/decoded-call-row.js';
import { answerBody, answerPlainReads, type StageDeps } from './stages/answer-request-body.js';
import { EncodeStage } from './stages/encode-response.js';

interface ServiceDeps extends MethodRunnerDeps {
  readonly decoder: BodyDecoder;
  /** Maximum number of calls in one batch. */
  readonly callsMax: number;
  readonly memory: AnswerMemory;
  readonly slices: TimeSlicer;
  readonly ledger: UsageLedger;
  /** Measures how long requests take; `null` if this is not measured. */
  readonly latency: RequestLatency | null;
}

/**
 * Answers every body that arrives over HTTP or WebSocket. It has no state of its own for a request; that is in
 * `RequestBodyInProgress`.
 */
export class JsonRpcService implements RpcService {
  readonly #latency: RequestLatency | null;
  readonly #stages: StageDeps;

  constructor(deps: ServiceDeps) {
    const { decoder, callsMax, terms, readView, memory, slices, ledger } = deps;
    this.#latency = deps.latency;
    const [errors, large] = [new ErrorCounts(), new LargeAnswerScheduler(ledger)];
    const shared = { writer: new AnswerWriter(), memory, slices, errors, large, readView };
    const [runner, encode] = [new MethodRunner(deps), new EncodeStage(shared)];
    this.#stages = { ...shared, callsMax, runner, encode, decoder, isBacked: terms.backing !== null };
  }

  get counts(): CallCounts {
    return this.#stages.runner.counts;
  }

  /** Counts of the errors with which calls ended. */
  get errors(): ReadonlyMap<ErrorName, number> {
    return this.#stages.errors.all;
  }

  /**
   * Answers a body, see `RpcService`. A body whose calls are all plain reads (reads that the addon answers without
   * JavaScript) is answered without going through the five stages.
   */
  answer(body: BodyBytes, caller: Caller, least: MinimumPosition | null = null): SyncOrAsyncResponse {
    this.#stages.slices.arrived();
    this.#stages.large.arrived(caller);
    const timing = this.#latency?.begin() ?? null;
    const plain = least !== null || body instanceof ChunkedBuffer ? null : answerPlainReads(body, timing, this.#stages);
    const answer = plain ?? answerBody(body, { caller, least, timing }, this.#stages);
    return timing === null ? answer : timed(answer, timing);
  }
}

/** Adds the timing to a response. A request that was refused for overload is not counted under its method. */
function timed(answer: SyncOrAsyncResponse, timing: RequestTiming): SyncOrAsyncResponse {
  const mark = (ready: EncodedRpcResponse): EncodedRpcResponse => {
    if (ready.status === 429) timing.name = REFUSED_LABEL;
    return { status: ready.status, bytes: ready.bytes, position: ready.position, timing };
  };
  if (!(answer instanceof Promise)) return mark(answer);
  return answer.then((ready) => {
    timing.waited();
    return mark(ready);
  });
}
