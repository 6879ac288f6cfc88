// The response to a request body in which some calls complete asynchronously. The size of each result is checked when
// it arrives, and the pieces of the response are joined at the end.
import { rpcError } from '../../rpc-errors.js';
import {
  CHUNKED_BYTES_MIN,
  copyIntoChunksIfLong,
  ChunkedBuffer,
  releaseChunks,
  flattenIfShort,
} from '../../lib/bytes/chunked-buffer.js';
import type { TimeSlicer } from '../../fairness/time-slicer.js';
import { LIMITS } from '../../limits/index.js';
import type { Caller } from './request-response-types.js';
import type { AnswerMemory } from './answer-memory-budget.js';
import {
  answerText,
  encodedDataSizeOf,
  splitAnswerText,
  encodedSizeOf,
  type TextAroundBytes,
} from './text-around-bytes.js';
import { encodeAnswerPiece, concatAnswerPieces } from './answer-writer.js';
import type { ErrorCounts } from './error-counts.js';
import type { LargeAnswerScheduler } from './large-answer-scheduler.js';
import { type RpcCallOutcome, isError } from './call-result.js';
import { EMPTY_BYTES } from '../../lib/bytes/big-endian.js';

/** Components that limit the size and rate of responses, and counters that every response updates. */
export interface AsyncAnswerDeps {
  readonly memory: AnswerMemory;
  readonly slices: TimeSlicer;
  readonly large: LargeAnswerScheduler;
  readonly errors: ErrorCounts;
}

/** A call whose result may not have arrived yet. `text` is `null` until it has. */
interface OpenPiece {
  readonly id: string;
  /** Text that comes before the response to this call: the `[` or `,` of a batch. */
  readonly lead: string;
  text: TextAroundBytes | null;
}

type Piece = Uint8Array | ChunkedBuffer | OpenPiece;

/**
 * The pieces of a response, in order. Calls with equal results share the bytes until the pieces are joined. Before the
 * pieces of a large response are joined, it waits for its turn (see `LargeAnswerScheduler`).
 */
export class AsyncAnswer {
  /** Size of the response so far. */
  bytes = 0;
  /** True if a result did not fit into the response. */
  isFull = false;
  /** Number of asynchronous calls that were refused for overload. */
  overloads = 0;
  readonly #deps: AsyncAnswerDeps;
  readonly #caller: Caller;
  readonly #client: string | undefined;
  readonly #pieces: Piece[] = [];
  readonly #open: Promise<void>[] = [];
  #reserved = 0;

  /** The time that the main thread spends on this response is charged to `caller`'s client. */
  constructor(deps: AsyncAnswerDeps, caller: Caller) {
    this.#deps = deps;
    this.#caller = caller;
    this.#client = caller.client;
  }

  /** Appends a copy of bytes that are already encoded. */
  add(bytes: Uint8Array): void {
    const last = this.#pieces.at(-1);
    if (last instanceof ChunkedBuffer) last.append(bytes);
    else this.#pieces.push(copyIntoChunksIfLong(bytes));
    this.#reserve(bytes.length);
    this.bytes += bytes.length;
  }

  /**
   * Appends a call: `lead`, and then the response to the call with this id when its result arrives. `result` never
   * rejects.
   */
  wait(id: string, result: Promise<RpcCallOutcome>, lead = ''): void {
    const piece: OpenPiece = { id, lead, text: null };
    this.#pieces.push(piece);
    this.#open.push(result.then((settled) => this.#settle(piece, settled)));
  }

  /**
   * Waits until all calls are complete, and returns the whole response, whose memory is then no longer counted. Empty
   * after a disconnect.
   */
  async join(): Promise<Uint8Array | ChunkedBuffer> {
    await Promise.all(this.#open);
    const whole = this.bytes >= LIMITS.largeAnswerBytesMin ? await this.#joinInSlices() : await this.#joinOrLetGo();
    this.#deps.memory.give(this.#reserved);
    return whole;
  }

  async #joinInSlices(): Promise<Uint8Array | ChunkedBuffer> {
    const { large } = this.#deps;
    await large.waitTurn(this.#client);
    let bytes = 0;
    try {
      const whole = await this.#joinOrLetGo();
      bytes = whole.length;
      return whole;
    } finally {
      large.done(this.#client, bytes);
    }
  }

  async #joinOrLetGo(): Promise<Uint8Array | ChunkedBuffer> {
    if (this.#caller.aborted) return this.#letGo();
    return this.bytes < CHUNKED_BYTES_MIN ? this.#joinAtOnce() : await this.#joinPieces();
  }

  #letGo(): Uint8Array {
    for (const piece of this.#pieces) {
      if (!('text' in piece)) releaseChunks(piece);
      else if (isLong(piece.text!.bytes)) this.#deps.memory.releaseData(piece.text!.bytes);
    }
    return EMPTY_BYTES;
  }

  /**
   * Adds the result of a call. If it exceeds the limit of this response or of all responses together, an error replaces
   * it.
   */
  #settle(piece: OpenPiece, result: RpcCallOutcome): void {
    this.#deps.errors.note(result);
    if (isError(result) && result.error === 'overload') this.overloads++;
    const text = answerText(piece.id, result, piece.lead);
    const bytes = encodedSizeOf(text);
    if (this.bytes + bytes > LIMITS.responseBytesMax) {
      this.isFull = true;
      return this.#refuse(piece, 'responseTooLarge');
    }
    if (!this.#take(text.bytes, bytes)) {
      this.overloads++;
      return this.#refuse(piece, 'overload');
    }
    piece.text = text;
    this.bytes += bytes;
  }

  /**
   * Reserves memory for a result; returns whether it fits. Long data are counted once for all responses that share
   * them; the length of their text is added when the text is written.
   */
  #take(data: Uint8Array, bytes: number): boolean {
    if (isLong(data)) return this.#deps.memory.takeData(data);
    if (!this.#deps.memory.take(bytes)) return false;
    this.#reserved += bytes;
    return true;
  }

  #refuse(piece: OpenPiece, reason: 'responseTooLarge' | 'overload'): void {
    this.#deps.errors.add(reason);
    piece.text = answerText(piece.id, rpcError(reason), piece.lead);
    const bytes = encodedSizeOf(piece.text);
    this.#reserve(bytes);
    this.bytes += bytes;
  }

  #reserve(bytes: number): void {
    this.#deps.memory.reserve(bytes);
    this.#reserved += bytes;
  }

  /**
   * Joins the pieces of a short response, none of which is a `ChunkedBuffer` or has long result data. If each piece and
   * each comma were written separately, a batch of 20 estimates would take 1.2 times as much main-thread time.
   */
  #joinAtOnce(): Uint8Array {
    return concatAnswerPieces(this.#pieces.map((piece) => ('text' in piece ? piece.text! : (piece as Uint8Array))));
  }

  async #joinPieces(): Promise<Uint8Array | ChunkedBuffer> {
    const [first] = this.#pieces;
    if (this.#pieces.length === 1 && first instanceof ChunkedBuffer) return first;
    const joined = new ChunkedBuffer();
    for (const piece of this.#pieces) {
      if (piece instanceof Uint8Array) joined.append(piece);
      else if (piece instanceof ChunkedBuffer) await this.#move(piece, joined);
      else await this.#write(piece.text!, joined);
    }
    return flattenIfShort(joined);
  }

  async #move(piece: ChunkedBuffer, target: ChunkedBuffer): Promise<void> {
    const { slices } = this.#deps;
    for (const chunk of piece.chunks) {
      target.append(chunk);
      if (slices.isOver()) await slices.turn(this.#client);
    }
    piece.release();
  }

  async #write(text: TextAroundBytes, target: ChunkedBuffer): Promise<void> {
    const { bytes } = text;
    const { slices, memory } = this.#deps;
    if (isLong(bytes)) this.#reserve(encodedDataSizeOf(text));
    for (const piece of splitAnswerText(text)) {
      target.append(encodeAnswerPiece(piece));
      if (slices.isOver()) await slices.turn(this.#client);
    }
    if (isLong(bytes)) memory.releaseData(bytes);
  }
}

function isLong(data: Uint8Array): boolean {
  return data.length >= LIMITS.longDataBytesMin;
}
