// Answers a body in five stages: admit, decode, view, run, encode.
import type { UsageLedger } from '../fairness/usage-ledger.js';
import type { TimeSlicer } from '../fairness/time-slicer.js';
import { ChunkedBuffer } from '../lib/bytes/chunked-buffer.js';
import {
  viewOf,
  type RpcResponse,
  type Caller,
  type BodyBytes,
  type LeastPosition,
  type RpcService,
} from './answer/response.js';
import type { AnswerMemory } from './answer/answer-memory.js';
import { AnswerWriter } from './answer/answer-writer.js';
import { ErrorCounts } from './answer/error-counts.js';
import { LargeAnswers } from './answer/large-answers.js';
import { REFUSED, type Latency, type Timing } from './answer/latency.js';
import { CallRunner, type CallCounts, type CallRunnerDeps, type CallSettings } from './call/call-runner.js';
import type { Method } from './call/method.js';
import type { PassesOn } from './call/passthrough.js';
import type { Decoder } from './decode/request-row.js';
import { AdmitStage } from './stages/admit.js';
import { DecodeStage } from './stages/decode.js';
import { EncodeStage } from './stages/encode.js';
import { RunStage } from './stages/run.js';
import { ViewStage } from './stages/view.js';
import type { ReadView } from './view/read-view.js';

/** The operator's settings for calls. */
export interface ServiceOptions {
  /** Most calls in one batch. */
  readonly callsMax: number;
  /** Decides whether a method that is not implemented here is forwarded to the upstream node. */
  readonly passesOn: PassesOn;
}

export interface ServiceDeps {
  readonly decoder: Decoder;
  readonly methods: readonly Method[];
  readonly sending: CallRunnerDeps['sending'];
  readonly terms: CallSettings;
  /** Returns the read view of the current table. */
  readonly readView: () => ReadView;
  readonly memory: AnswerMemory;
  readonly slices: TimeSlicer;
  readonly ledger: UsageLedger;
  /** Times requests; `null` if they are not timed. */
  readonly latency: Latency | null;
}

/** Every body of both transports passes through it. It keeps nothing of a request; see `RpcRequest`. */
export class Service implements RpcService {
  readonly #slices: TimeSlicer;
  readonly #latency: Latency | null;
  readonly #errors = new ErrorCounts();
  readonly #large: LargeAnswers;
  readonly #runner: CallRunner;
  readonly #admit: AdmitStage;
  readonly #run: RunStage;

  constructor({ callsMax, passesOn }: ServiceOptions, deps: ServiceDeps) {
    const { decoder, methods, sending, terms, readView, memory, slices, ledger, latency } = deps;
    const errors = this.#errors;
    this.#slices = slices;
    this.#latency = latency;
    this.#large = new LargeAnswers(ledger);
    const runner = (this.#runner = new CallRunner({ methods, terms, readView, passesOn, sending }));
    const shared = { writer: new AnswerWriter(), memory, slices, errors, large: this.#large, readView };
    const encode = new EncodeStage(shared);
    const run = (this.#run = new RunStage({ ...shared, callsMax, runner, encode }));
    const view = new ViewStage({ readView, isBacked: terms.backing !== null, run, encode });
    const decode = new DecodeStage({ decoder, runner, view });
    this.#admit = new AdmitStage({ memory, slices, errors, decode, run });
  }

  get counts(): CallCounts {
    return this.#runner.counts;
  }

  /** The errors with which calls ended. */
  get errors(): ErrorCounts['all'] {
    return this.#errors.all;
  }

  /** See `RpcService`. Bodies that contain only plain reads are answered before anything else. */
  answer(body: BodyBytes, caller: Caller, least: LeastPosition | null = null): RpcResponse | Promise<RpcResponse> {
    this.#slices.arrived();
    this.#large.arrived(caller);
    const timing = this.#latency?.begin() ?? null;
    const plain = least !== null || body instanceof ChunkedBuffer ? null : this.#run.plain(body, timing);
    const answer = plain ?? this.#admit.answer(viewOf(body), { caller, least, timing });
    return timing === null ? answer : timed(answer, timing);
  }
}

/** The response to a timed request. If it was refused for overload, it is not counted under its method. */
function timed(answer: RpcResponse | Promise<RpcResponse>, timing: Timing): RpcResponse | Promise<RpcResponse> {
  const mark = (ready: RpcResponse): RpcResponse => {
    if (ready.status === 429) timing.name = REFUSED;
    return { status: ready.status, bytes: ready.bytes, position: ready.position, timing };
  };
  if (!(answer instanceof Promise)) return mark(answer);
  return answer.then((ready) => {
    timing.waited();
    return mark(ready);
  });
}
