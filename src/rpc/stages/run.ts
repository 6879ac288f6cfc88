// Fourth stage of a body: runs its calls, one or a batch; bodies with only plain reads come here first. Runs on main.
import { rpcError } from '../../errors.js';
import { LIMITS } from '../../limits/index.js';
import type { Answer } from '../answer/answer.js';
import { BATCH, type Timing } from '../answer/latency.js';
import type { Request } from '../call/request.js';
import { BODY } from '../decode/request-row.js';
import { PLAIN_METHODS } from '../reads/plain-reads.js';
import type { ReadView } from '../view/read-view.js';
import { Batch, type BatchParts } from './batch.js';

/** What a batch needs, and how long it may be. */
export interface RunParts extends BatchParts {
  /** Most calls in one batch. */
  readonly callsMax: number;
}

const OPEN_BRACKET = 0x5b;

/** Runs the calls of bodies; has no state of a request, see `Request`. */
export class RunStage {
  readonly #parts: RunParts;

  constructor(parts: RunParts) {
    this.#parts = parts;
  }

  /** Answers a body with only plain reads by one native call; `null` for any other. */
  plain(body: ArrayBuffer | Uint8Array, timing: Timing | null): Answer | null {
    const { readView, runner } = this.#parts;
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

  /** `readView` is pinned during the synchronous part. */
  answer(request: Request, readView: ReadView): Answer | Promise<Answer> {
    switch (request.kind) {
      case BODY.single:
        return this.#single(request, readView);
      case BODY.batch:
        return this.#batch(request, readView);
      case BODY.batchTooLarge:
        return this.#parts.encode.refuse(request, readView, rpcError('batchTooLarge'));
      default:
        return this.#parts.encode.refuse(request, readView, rpcError('parse'));
    }
  }

  #single(request: Request, readView: ReadView): Answer | Promise<Answer> {
    const { runner, encode } = this.#parts;
    const result = runner.run(request, 0, readView);
    if (result instanceof Promise) return encode.later(request, result, readView.pinned.position);
    encode.tell(request, 0, result);
    return encode.finished(request, readView);
  }

  #batch(request: Request, readView: ReadView): Answer | Promise<Answer> {
    const { callsMax, encode } = this.#parts;
    if (request.count === 0) return encode.refuseWhole(request, readView, rpcError('emptyBatch'));
    if (request.count > callsMax) return encode.refuse(request, readView, rpcError('batchTooLarge'));
    return new Batch(request, this.#parts).answer(readView) ?? encode.finished(request, readView);
  }
}

/** Name under which the times of a body of plain reads are counted; the answer to a batch is a list. */
function nameOfPlain(answer: Uint8Array, counts: ArrayLike<number>): string {
  return answer[0] === OPEN_BRACKET ? BATCH : PLAIN_METHODS[Array.from(counts).findIndex((count) => count > 0)]!;
}
