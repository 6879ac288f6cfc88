// Writes all responses: encodes texts one after the other into a buffer that is reused.

// Every result is first converted to a common form (`text-around-bytes.ts`). One writer then encodes it: in one go, or
// part by part if it is long. See DECISIONS.md.
import type { RpcError } from '../../rpc-errors.js';
import { answerText, type TextAroundBytes } from './text-around-bytes.js';
import { TextWriter } from '../../native/json/text-writer.js';

/**
 * Writes synchronous responses. Asynchronous responses use another instance (`encodeAnswerText`, `encodeAnswerPiece`).
 */
export class AnswerWriter extends TextWriter {
  /** Writes all parts of an `TextAroundBytes`. */
  write({ head, bytes, form, tail }: TextAroundBytes): void {
    this.text(head);
    if (form === 'hex') this.hex(bytes);
    else if (bytes.length > 0) this.append(bytes);
    if (tail !== '') this.text(tail);
  }
}

const WRITER = new AnswerWriter();

/** Encodes a short `TextAroundBytes`. */
export function encodeAnswerText(text: TextAroundBytes): Buffer {
  return Buffer.from(encodeAnswerPiece(text));
}

/** Encodes a response with only this error, for a request whose id is not known. */
export function encodeErrorWithoutId(error: RpcError): Buffer {
  return encodeAnswerText(answerText('null', error));
}

/** Encodes one part of a long `TextAroundBytes`. The bytes are valid until anything else is encoded. */
export function encodeAnswerPiece(piece: TextAroundBytes): Uint8Array {
  WRITER.reset();
  WRITER.write(piece);
  return WRITER.bytes();
}

/** Encodes short texts one after the other. Pieces that are bytes are copied as they are. */
export function concatAnswerPieces(pieces: readonly (TextAroundBytes | Uint8Array)[]): Buffer {
  WRITER.reset();
  for (const piece of pieces)
    if (piece instanceof Uint8Array) WRITER.append(piece);
    else WRITER.write(piece);
  return Buffer.from(WRITER.bytes());
}
