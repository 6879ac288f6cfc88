// Fourth stage of a body: runs its calls, one or a batch. Bodies with only plain reads come here first.
import { rpcError } from '../../errors.js';
import { LIMITS } from '../../limits/index.js';
import type { RpcResponse } from '../answer/rpc-handler-types.js';
import { BATCH_LABEL, type RequestTiming } from '../answer/latency.js';
import type { RequestInProgress } from '../call/request-in-progress.js';
import { BODY_KIND } from '../decode/decoded-call-row.js';
import { PLAIN_METHODS } from '../reads/plain-reads.js';
import type { ReadView } from '../view/read-view.js';
import { BatchRun, type BatchRunDeps } from './batch.js';

export interface RunStageDeps extends BatchRunDeps {
  /** Most calls in one batch. */
  readonly callsMax: number;
}

const OPEN_BRACKET = 0x5b;

/** Runs the calls of bodies. It keeps nothing of a request; see `RequestInProgress`. */
export class RunStage {
  readonly #deps: RunStageDeps;

  constructor(deps: RunStageDeps) {
    this.#deps = deps;
  }

  /** Answers a body that has only plain reads by one native call; `null` for any other body. */
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

  /** Answers a body. `readView` is pinned during the synchronous part. */
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

/** Name under which the times of a body of plain reads are counted. The response to a batch is a list. */
function nameOfPlain(answer: Uint8Array, counts: ArrayLike<number>): string {
  return answer[0] === OPEN_BRACKET ? BATCH_LABEL : PLAIN_METHODS[Array.from(counts).findIndex((count) => count > 0)]!;
}
