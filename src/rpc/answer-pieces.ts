// The answer to a body some of whose calls are answered elsewhere: its bytes are bounded as they come in, and joined at the
// end. Runs on main.
import { rpcError } from '../errors.js';
import { allocateBytes, type KeptBytes } from '../lib/kept-bytes.js';
import type { TimeSlices } from '../lib/time-slices.js';
import { LIMITS } from '../limits.js';
import type { AnswerMemory } from './answer-memory.js';
import { answerText, bytesOf, type AnswerText } from './answer-text.js';
import { isError, type CallResult } from './methods/method.js';

export interface AnswerPiecesParts {
  readonly memory: AnswerMemory;
  readonly slices: TimeSlices;
}

/** A call that is answered elsewhere; `null` until it is. */
interface OpenPiece {
  text: AnswerText | null;
}

type Piece = Uint8Array | OpenPiece;

/** Bytes written as hex at a time, between two looks at the clock: some 0.2 ms. */
const HEX_CHUNK_BYTES = 128 * 1024;

/** Pieces of one body's answer in their order. Equal results share their bytes until they are joined. */
export class AnswerPieces {
  readonly #parts: AnswerPiecesParts;
  readonly #pieces: Piece[] = [];
  readonly #open: Promise<void>[] = [];
  #bytes = 0;
  #held = 0;
  #overloads = 0;

  constructor(parts: AnswerPiecesParts) {
    this.#parts = parts;
  }

  /** Bytes of the answer so far. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Calls among those waited for that were refused for overload. */
  get overloads(): number {
    return this.#overloads;
  }

  /** Appends a copy of finished bytes. */
  add(bytes: Uint8Array): void {
    this.#pieces.push(new Uint8Array(bytes));
    this.#hold(bytes.length);
  }

  /** Appends the answer to the call with this id, once it is there. `result` never rejects. */
  wait(id: string, result: Promise<CallResult>): void {
    const piece: OpenPiece = { text: null };
    this.#pieces.push(piece);
    this.#open.push(result.then((settled) => this.#settle(piece, id, settled)));
  }

  /** The whole answer once all calls are answered; its memory is no longer counted then. */
  async join(): Promise<KeptBytes> {
    await Promise.all(this.#open);
    const kept = allocateBytes(this.#bytes);
    const joined = Buffer.from(kept.bytes.buffer);
    let at = 0;
    for (const piece of this.#pieces) {
      at = piece instanceof Uint8Array ? at + copy(piece, joined, at) : await this.#write(piece.text!, joined, at);
    }
    this.#parts.memory.give(this.#held);
    return kept;
  }

  /** What does not fit, into this answer or into all of them together, is refused at once. */
  #settle(piece: OpenPiece, id: string, result: CallResult): void {
    if (isError(result) && result.error === 'overload') this.#overloads++;
    const text = answerText(id, result);
    const bytes = bytesOf(text);
    if (this.#bytes + bytes > LIMITS.responseBytesMax) return this.#refuse(piece, id, 'responseTooLarge');
    if (!this.#parts.memory.take(bytes)) {
      this.#overloads++;
      return this.#refuse(piece, id, 'overload');
    }
    piece.text = text;
    this.#count(bytes);
  }

  #refuse(piece: OpenPiece, id: string, reason: 'responseTooLarge' | 'overload'): void {
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

  async #write({ head, hex, tail }: AnswerText, target: Buffer, start: number): Promise<number> {
    let at = start + target.write(head, start);
    for (let from = 0; from < hex.length; from += HEX_CHUNK_BYTES) {
      const chunk = Buffer.from(hex.buffer, hex.byteOffset + from, Math.min(HEX_CHUNK_BYTES, hex.length - from));
      at += target.write(chunk.toString('hex'), at, 'latin1');
      if (this.#parts.slices.isOver()) await this.#parts.slices.turn();
    }
    return at + target.write(tail, at);
  }
}

function copy(bytes: Uint8Array, target: Uint8Array, at: number): number {
  target.set(bytes, at);
  return bytes.length;
}
