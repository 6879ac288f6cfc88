// Third stage of answering a body: pins one version of the state for all its calls.
import { rpcError, type RpcError } from '../../rpc-errors.js';
import { releaseChunks } from '../../lib/bytes/chunked-buffer.js';
import { LIMITS } from '../../limits/index.js';
import {
  copyResponseBytes,
  type RpcResponse,
  type RequestContext,
  type MinimumPosition,
} from '../answer/request-response-types.js';
import type { RequestInProgress } from '../call/request-in-progress.js';
import type { ReadView } from '../view/pinned-read-view.js';
import type { EncodeStage } from './encode-response.js';
import type { RunCallsStage } from './run-calls.js';

export interface PinStateVersionStageDeps {
  readonly readView: () => ReadView;
  /**
   * True if an upstream node has the state that is missing here, so that the state table may be reset while a call
   * runs.
   */
  readonly isBacked: boolean;
  readonly run: RunCallsStage;
  readonly encode: EncodeStage;
}

/** Answers bodies from the newest state version. */
export class PinStateVersionStage {
  readonly #deps: PinStateVersionStageDeps;

  constructor(deps: PinStateVersionStageDeps) {
    this.#deps = deps;
  }

  /**
   * Answers a body. If the state table was reset meanwhile, the whole body is decoded by `again` and answered again.
   */
  answer(
    request: RequestInProgress,
    { least, timing }: RequestContext,
    again: () => RequestInProgress,
  ): RpcResponse | Promise<RpcResponse> {
    const answer = this.#once(request, least);
    timing?.end('read');
    if (!(answer instanceof Promise) || !this.#deps.isBacked) return answer;
    return this.#retryAfterReset(answer, request, least, again);
  }

  /** Runs no call, and answers each id with the error. */
  refuse(request: RequestInProgress, error: RpcError): RpcResponse {
    return this.#pinned((readView) => this.#deps.encode.refuse(request, readView, error));
  }

  async #retryAfterReset(
    first: Promise<RpcResponse>,
    failed: RequestInProgress,
    least: MinimumPosition | null,
    again: () => RequestInProgress,
  ): Promise<RpcResponse> {
    let request = failed;
    request.keep();
    let answer = await first;
    for (let tries = 1; request.wasReset && !request.isPassedOn && tries < LIMITS.fillTriesMax; tries++) {
      releaseChunks(answer.bytes);
      request = again();
      answer = await copyResponseBytes(this.#once(request, least));
    }
    return answer;
  }

  #once(request: RequestInProgress, least: MinimumPosition | null): RpcResponse | Promise<RpcResponse> {
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

/**
 * True if the pinned version is older than the position `least`. A complete block is newer than all of its increments.
 */
function isBehind({ pinned }: ReadView, least: MinimumPosition): boolean {
  const { block, index, hash } = pinned.record.coordinates;
  return block < least.block || (block === least.block && index < least.index && hash === null);
}

/** Creates the error for a client that has already seen a newer position at another server. */
function behind({ pinned }: ReadView, least: MinimumPosition): RpcError {
  const { block, index } = pinned.position;
  return rpcError('behind', `at block ${block} index ${index}, behind block ${least.block} index ${least.index}`);
}
