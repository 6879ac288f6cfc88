// Fourth stage of answering a body: runs its call, or the calls of a batch. Bodies that contain only plain reads skip
// the stages before.
import { rpcError } from '../../rpc-errors.js';
import { LIMITS } from '../../limits/index.js';
import type { RpcResponse } from '../answer/request-response-types.js';
import { BATCH_LABEL, type RequestTiming } from '../answer/request-latency.js';
import type { RequestInProgress } from '../call/request-in-progress.js';
import { BODY_KIND } from '../decode/decoded-call-row.js';
import { PLAIN_METHODS } from '../reads/plain-reads.js';
import type { ReadView } from '../view/pinned-read-view.js';
import { BatchRun, type BatchRunDeps } from './run-batch.js';

export interface RunStageDeps extends BatchRunDeps {
  /** Maximum number of calls in one batch. */
  readonly callsMax: number;
}

const OPEN_BRACKET = 0x5b;

/** Runs the calls of bodies. It holds no state of a request; that is in `RequestInProgress`. */
export class RunCallsStage {
  readonly #deps: RunStageDeps;

  constructor(deps: RunStageDeps) {
    this.#deps = deps;
  }

  /** Answers a body that contains only plain reads, in one call of the addon. Returns `null` for any other body. */
  plain(body: ArrayBuffer | Uint8Array, timing: RequestTiming | null): RpcResponse | null {
    const { readView, runner } = this.#deps;
    const { plainReads, pinned } = readView();
    if (plainReads === null || body.byteLength > LIMITS.plainBodyBytesMax) return null;
    pinned.refresh();
    const bytes = plainReads.answer(body, pinned);
    if (bytes === null) return null;
    runner.countPlain(plainReads.counts);
    timing?.end('read');
    if (timing !== null) timing.name = nameOfPlain(bytes, plainReads.counts);
    return { status: 200, bytes, position: pinned.position };
  }

  /** Answers a decoded body. `readView` is pinned until this function returns. */
  answer(request: RequestInProgress, readView: ReadView): RpcResponse | Promise<RpcResponse> {
    switch (request.kind) {
      case BODY_KIND.single:
        return this.#single(request, readView);
      case BODY_KIND.batch:
        return this.#batch(request, readView);
      case BODY_KIND.batchTooLarge:
        return this.#deps.encode.refuse(request, readView, rpcError('batchTooLarge'));
      default:
        return this.#deps.encode.refuse(request, readView, rpcError('parse'));
    }
  }

  #single(request: RequestInProgress, readView: ReadView): RpcResponse | Promise<RpcResponse> {
    const { runner, encode } = this.#deps;
    const result = runner.run(request, 0, readView);
    if (result instanceof Promise) return encode.later(request, result, readView.pinned.position);
    encode.respond(request, 0, result);
    return encode.finished(request, readView);
  }

  #batch(request: RequestInProgress, readView: ReadView): RpcResponse | Promise<RpcResponse> {
    const { callsMax, encode } = this.#deps;
    if (request.count === 0) return encode.refuseWhole(request, readView, rpcError('emptyBatch'));
    if (request.count > callsMax) return encode.refuse(request, readView, rpcError('batchTooLarge'));
    return new BatchRun(request, this.#deps).answer(readView) ?? encode.finished(request, readView);
  }
}

/**
 * Returns the label under which the time of a body of plain reads is counted: the name of its method, or BATCH_LABEL if
 * the response is a list.
 */
function nameOfPlain(answer: Uint8Array, counts: ArrayLike<number>): string {
  return answer[0] === OPEN_BRACKET ? BATCH_LABEL : PLAIN_METHODS[Array.from(counts).findIndex((count) => count > 0)]!;
}
