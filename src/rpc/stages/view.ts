// Third stage of a body: pins one version of the state for all its calls.
import { rpcError, type RpcError } from '../../errors.js';
import { releaseChunks } from '../../lib/bytes/chunked-buffer.js';
import { LIMITS } from '../../limits/index.js';
import { lasting, type RpcResponse, type CallContext, type LeastPosition } from '../answer/response.js';
import type { RpcRequest } from '../call/request.js';
import type { ReadView } from '../view/read-view.js';
import type { EncodeStage } from './encode.js';
import type { RunStage } from './run.js';

/** The read view, and the next stages. */
export interface ViewDeps {
  readonly readView: () => ReadView;
  /** False if all state is stored here, so that the table is never reset while a call runs. */
  readonly isBacked: boolean;
  readonly run: RunStage;
  readonly encode: EncodeStage;
}

/** Answers bodies from the newest version. */
export class ViewStage {
  readonly #deps: ViewDeps;

  constructor(deps: ViewDeps) {
    this.#deps = deps;
  }

  /** Answers a body; again as a whole, decoded by `again`, if its table was reset while it ran. */
  answer(
    request: RpcRequest,
    { least, timing }: CallContext,
    again: () => RpcRequest,
  ): RpcResponse | Promise<RpcResponse> {
    const answer = this.#once(request, least);
    timing?.end('read');
    if (!(answer instanceof Promise) || !this.#deps.isBacked) return answer;
    return this.#retryAfterReset(answer, request, least, again);
  }

  /** Runs nothing and answers every id with the error. */
  refuse(request: RpcRequest, error: RpcError): RpcResponse {
    return this.#pinned((readView) => this.#deps.encode.refuse(request, readView, error));
  }

  async #retryAfterReset(
    first: Promise<RpcResponse>,
    failed: RpcRequest,
    least: LeastPosition | null,
    again: () => RpcRequest,
  ): Promise<RpcResponse> {
    let request = failed;
    request.keep();
    let answer = await first;
    for (let tries = 1; request.wasReset && !request.isPassedOn && tries < LIMITS.fillTriesMax; tries++) {
      releaseChunks(answer.bytes);
      request = again();
      answer = await lasting(this.#once(request, least));
    }
    return answer;
  }

  #once(request: RpcRequest, least: LeastPosition | null): RpcResponse | Promise<RpcResponse> {
    return this.#pinned((readView) => {
      if (least === null || !isBehind(readView, least)) return this.#deps.run.answer(request, readView);
      return this.#deps.encode.refuse(request, readView, behind(readView, least));
    });
  }

  #pinned<Made>(make: (readView: ReadView) => Made): Made {
    const { readView: current, encode } = this.#deps;
    encode.begin();
    const readView = current();
    readView.pinned.begin();
    try {
      return make(readView);
    } finally {
      readView.pinned.end();
    }
  }
}

/** True if the version is older than `least`. A complete block comes after all of its increments. */
function isBehind({ pinned }: ReadView, least: LeastPosition): boolean {
  const { block, index, hash } = pinned.record.coordinates;
  return block < least.block || (block === least.block && index < least.index && hash === null);
}

/** The error for a client that has already seen a newer position elsewhere. */
function behind({ pinned }: ReadView, least: LeastPosition): RpcError {
  const { block, index } = pinned.position;
  return rpcError('behind', `at block ${block} index ${index}, behind block ${least.block} index ${least.index}`);
}
