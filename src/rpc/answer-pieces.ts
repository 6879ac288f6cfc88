// The answer to a body some of whose calls are answered elsewhere: its bytes are bounded as they come in, and joined at the
// end. Runs on main.
import { rpcError } from '../errors.js';
import { hold, release } from '../lib/lent-bytes.js';
import { copyBytes, LongBytes, shrinkBytes } from '../lib/long-bytes.js';
import type { TimeSlices } from '../lib/time-slices.js';
import { LIMITS } from '../limits.js';
import type { AnswerMemory } from './answer-memory.js';
import { answerText, bytesOf, type AnswerText } from './answer-text.js';
import type { ErrorCounts } from './error-counts.js';
import { HEX_BYTES_MAX, hexDigits } from './hex-digits.js';
import { isError, type CallResult } from './methods/method.js';

/** What the pieces are bounded by, memory and main's time, and what they count in. */
export interface AnswerPiecesParts {
  readonly memory: AnswerMemory;
  readonly slices: TimeSlices;
  /** Counts the errors among results. */
  readonly errors: ErrorCounts;
}

/** A call that is answered elsewhere; `null` until it is. */
interface OpenPiece {
  text: AnswerText | null;
}

type Piece = Uint8Array | LongBytes | OpenPiece;

/** Pieces of one body's answer in their order. Equal results share their bytes until they are joined. */
export class AnswerPieces {
  readonly #parts: AnswerPiecesParts;
  readonly #client: string | undefined;
  readonly #pieces: Piece[] = [];
  readonly #open: Promise<void>[] = [];
  #bytes = 0;
  #held = 0;
  #overloads = 0;
  #isFull = false;

  /** `client`: whose share of main's time is used. */
  constructor(parts: AnswerPiecesParts, client: string | undefined) {
    this.#parts = parts;
    this.#client = client;
  }

  /** Bytes of the answer so far. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Whether an answer did not fit. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /** Calls among those waited for that were refused for overload. */
  get overloads(): number {
    return this.#overloads;
  }

  /** Appends a copy of finished bytes. */
  add(bytes: Uint8Array): void {
    const last = this.#pieces.at(-1);
    if (last instanceof LongBytes) last.append(bytes);
    else this.#pieces.push(copyBytes(bytes));
    this.#hold(bytes.length);
  }

  /** Appends the answer to the call with this id, once it is there. `result` never rejects. */
  wait(id: string, result: Promise<CallResult>): void {
    const piece: OpenPiece = { text: null };
    this.#pieces.push(piece);
    this.#open.push(result.then((settled) => this.#settle(piece, id, settled)));
  }

  /** The whole answer once all calls are answered; its memory is no longer counted then. */
  async join(): Promise<Uint8Array | LongBytes> {
    await Promise.all(this.#open);
    const [first] = this.#pieces;
    const whole = this.#pieces.length === 1 && first instanceof LongBytes ? first : await this.#joinPieces();
    this.#parts.memory.give(this.#held);
    return whole;
  }

  /** What does not fit, into this answer or into all of them together, is refused at once. */
  #settle(piece: OpenPiece, id: string, result: CallResult): void {
    if (isError(result)) this.#parts.errors.add(result.error);
    if (isError(result) && result.error === 'overload') this.#overloads++;
    const text = answerText(id, result);
    const bytes = bytesOf(text);
    if (this.#bytes + bytes > LIMITS.responseBytesMax) {
      this.#isFull = true;
      return this.#refuse(piece, id, 'responseTooLarge');
    }
    if (!this.#parts.memory.take(bytes)) {
      this.#overloads++;
      return this.#refuse(piece, id, 'overload');
    }
    hold(text.hex);
    piece.text = text;
    this.#count(bytes);
  }

  #refuse(piece: OpenPiece, id: string, reason: 'responseTooLarge' | 'overload'): void {
    this.#parts.errors.add(reason);
    piece.text = answerText(id, rpcError(reason));
    this.#hold(bytesOf(piece.text));
  }

  #hold(bytes: number): void {
    this.#parts.memory.hold(bytes);
    this.#count(bytes);
  }

  #count(bytes: number): void {
    this.#held += bytes;
    this.#bytes += bytes;
  }

  async #joinPieces(): Promise<Uint8Array | LongBytes> {
    const joined = new LongBytes();
    for (const piece of this.#pieces) {
      if (piece instanceof Uint8Array) joined.append(piece);
      else if (piece instanceof LongBytes) await this.#move(piece, joined);
      else await this.#write(piece.text!, joined);
    }
    return shrinkBytes(joined);
  }

  async #move(piece: LongBytes, target: LongBytes): Promise<void> {
    for (const part of piece.parts) {
      target.append(part);
      await this.#rest();
    }
    piece.release();
  }

  async #write({ head, hex, tail }: AnswerText, target: LongBytes): Promise<void> {
    target.append(Buffer.from(head));
    for (let from = 0; from < hex.length; from += HEX_BYTES_MAX) {
      target.append(hexDigits(hex.subarray(from, from + HEX_BYTES_MAX)));
      await this.#rest();
    }
    release(hex);
    target.append(Buffer.from(tail));
  }

  async #rest(): Promise<void> {
    if (this.#parts.slices.isOver()) await this.#parts.slices.turn(this.#client);
  }
}
