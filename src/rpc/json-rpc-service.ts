// Answers a request body in five stages: schedule, decode, view, run, encode.
import type { UsageLedger } from '../fairness/usage-ledger.js';
import type { TimeSlicer } from '../fairness/time-slicer.js';
import { ChunkedBuffer } from '../lib/bytes/chunked-buffer.js';
import {
  bodyViewOf,
  type RpcResponse,
  type Caller,
  type BodyBytes,
  type MinimumPosition,
  type RpcHandler,
} from './answer/request-response-types.js';
import type { AnswerMemory } from './answer/answer-memory-budget.js';
import { AnswerWriter } from './answer/answer-writer.js';
import { ErrorCounts } from './answer/error-counts.js';
import { LargeAnswerScheduler } from './answer/large-answer-scheduler.js';
import { REFUSED_LABEL, type RequestLatency, type RequestTiming } from './answer/request-latency.js';
import { MethodRunner, type CallCounts, type MethodRunnerDeps, type CallSettings } from './call/method-runner.js';
import type { RpcMethod } from './call/method-types.js';
import type { PassthroughFilter } from './call/passthrough-filter.js';
import type { BodyDecoder } from './decode/decoded-call-row.js';
import { LargeBodySlicingStage } from './stages/large-body-time-slicing.js';
import { DecodeStage } from './stages/decode-body.js';
import { EncodeStage } from './stages/encode-response.js';
import { RunCallsStage } from './stages/run-calls.js';
import { PinStateVersionStage } from './stages/pin-state-version.js';
import type { ReadView } from './view/pinned-read-view.js';

export interface ServiceOptions {
  /** Maximum number of calls in one batch. */
  readonly callsMax: number;
  /** Decides whether a method that is not implemented here is forwarded to the upstream node. */
  readonly passesOn: PassthroughFilter;
}

interface ServiceDeps {
  readonly decoder: BodyDecoder;
  readonly methods: readonly RpcMethod[];
  readonly sending: MethodRunnerDeps['sending'];
  readonly terms: CallSettings;
  /** Returns the read view of the current table. */
  readonly readView: () => ReadView;
  readonly memory: AnswerMemory;
  readonly slices: TimeSlicer;
  readonly ledger: UsageLedger;
  /** Times requests; `null` if they are not timed. */
  readonly latency: RequestLatency | null;
}

/**
 * Answers every body that arrives over HTTP or WebSocket. It holds no state of a request; that is in
 * `RequestInProgress`.
 */
export class JsonRpcService implements RpcHandler {
  readonly #slices: TimeSlicer;
  readonly #latency: RequestLatency | null;
  readonly #errors = new ErrorCounts();
  readonly #large: LargeAnswerScheduler;
  readonly #runner: MethodRunner;
  readonly #schedule: LargeBodySlicingStage;
  readonly #run: RunCallsStage;

  constructor({ callsMax, passesOn }: ServiceOptions, deps: ServiceDeps) {
    const { decoder, methods, sending, terms, readView, memory, slices, ledger, latency } = deps;
    const errors = this.#errors;
    this.#slices = slices;
    this.#latency = latency;
    this.#large = new LargeAnswerScheduler(ledger);
    const runner = (this.#runner = new MethodRunner({ methods, terms, readView, passesOn, sending }));
    const shared = { writer: new AnswerWriter(), memory, slices, errors, large: this.#large, readView };
    const encode = new EncodeStage(shared);
    const run = (this.#run = new RunCallsStage({ ...shared, callsMax, runner, encode }));
    const view = new PinStateVersionStage({ readView, isBacked: terms.backing !== null, run, encode });
    const decode = new DecodeStage({ decoder, runner, view });
    this.#schedule = new LargeBodySlicingStage({ memory, slices, errors, decode, run });
  }

  get counts(): CallCounts {
    return this.#runner.counts;
  }

  /** Counts of the errors with which calls ended. */
  get errors(): ErrorCounts['all'] {
    return this.#errors.all;
  }

  /**
   * Answers a body, see `RpcHandler`. A body whose calls are all plain reads (reads that the addon answers without
   * JavaScript) is answered before anything else.
   */
  answer(body: BodyBytes, caller: Caller, least: MinimumPosition | null = null): RpcResponse | Promise<RpcResponse> {
    this.#slices.arrived();
    this.#large.arrived(caller);
    const timing = this.#latency?.begin() ?? null;
    const plain = least !== null || body instanceof ChunkedBuffer ? null : this.#run.plain(body, timing);
    const answer = plain ?? this.#schedule.answer(bodyViewOf(body), { caller, least, timing });
    return timing === null ? answer : timed(answer, timing);
  }
}

/** Adds the timing to a response. A request that was refused for overload is not counted under its method. */
function timed(answer: RpcResponse | Promise<RpcResponse>, timing: RequestTiming): RpcResponse | Promise<RpcResponse> {
  const mark = (ready: RpcResponse): RpcResponse => {
    if (ready.status === 429) timing.name = REFUSED_LABEL;
    return { status: ready.status, bytes: ready.bytes, position: ready.position, timing };
  };
  if (!(answer instanceof Promise)) return mark(answer);
  return answer.then((ready) => {
    timing.waited();
    return mark(ready);
  });
}
