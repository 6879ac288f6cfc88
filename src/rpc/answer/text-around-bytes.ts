// Converts every kind of call result to one form. Result bytes become text only when they are written.
import { ERRORS, type RpcError } from '../../rpc-errors.js';
import { type RpcCallOutcome, JsonBytes } from './call-result.js';
import { EMPTY_BYTES } from '../../lib/bytes/big-endian.js';

/**
 * The text of a response: a string (`head`), bytes that are written as hex digits or as they are, and another string
 * (`tail`).
 */
export interface TextAroundBytes {
  readonly head: string;
  readonly bytes: Uint8Array;
  readonly form: 'hex' | 'text';
  readonly tail: string;
}

/** Characters of a long text that are written at a time, which takes some 0.1 ms. */
const CHARACTERS_MAX = 64 * 1024;
/** Bytes that are written at a time, so few that their hex digits stay in the processor's cache. */
const BYTES_MAX = 16 * 1024;

/** Builds a JSON-RPC response. `id` is raw JSON; `lead` is text that comes before the response. */
export function answerText(id: string, result: RpcCallOutcome, lead = ''): TextAroundBytes {
  return resultOrErrorMember(result, `${lead}{"jsonrpc":"2.0","id":${id},`, '}');
}

/** Builds the `result` or `error` member of a response, between the texts `open` and `close`. */
export function resultOrErrorMember(result: RpcCallOutcome, open = '', close = ''): TextAroundBytes {
  if (typeof result === 'string') return plain(`${open}"result":${result}${close}`);
  if (result instanceof JsonBytes) return { head: `${open}"result":`, bytes: result.bytes, form: 'text', tail: close };
  if (result instanceof Uint8Array)
    return { head: `${open}"result":"0x`, bytes: result, form: 'hex', tail: `"${close}` };
  return errorText(result, open, close);
}

function errorText(error: RpcError, open: string, close: string): TextAroundBytes {
  const { code = ERRORS[error.error].code, message, data } = error;
  const source = error.error === 'passedOn' ? ',"source":"upstream"' : '';
  const head = `${open}"error":{"code":${code},"message":${JSON.stringify(message)}${source}`;
  if (data === undefined) return plain(`${head}}${close}`);
  if (typeof data === 'string') return plain(`${head},"data":${JSON.stringify(data)}}${close}`);
  return { head: `${head},"data":"0x`, bytes: data, form: 'hex', tail: `"}${close}` };
}

function plain(head: string): TextAroundBytes {
  return { head, bytes: EMPTY_BYTES, form: 'text', tail: '' };
}

/** Returns the size of the text in UTF-8 bytes. */
export function encodedSizeOf(text: TextAroundBytes): number {
  return Buffer.byteLength(text.head) + encodedDataSizeOf(text) + text.tail.length;
}

/** Returns the size of the `bytes` part in the form in which it is written. */
export function encodedDataSizeOf({ bytes, form }: TextAroundBytes): number {
  return form === 'hex' ? 2 * bytes.length : bytes.length;
}

/** Splits a text into parts, each of which is written in one go. A short text is not split. */
export function splitAnswerText(text: TextAroundBytes): Iterable<TextAroundBytes> {
  const isShort = text.head.length <= CHARACTERS_MAX && text.bytes.length <= BYTES_MAX;
  return isShort ? [text] : longPieces(text);
}

function* longPieces({ head, bytes, form, tail }: TextAroundBytes): Generator<TextAroundBytes> {
  for (let from = 0, end = 0; from < head.length; from = end) {
    end = endOfPiece(head, from);
    yield plain(head.slice(from, end));
  }
  for (let from = 0; from < bytes.length; from += BYTES_MAX)
    yield { head: '', bytes: bytes.subarray(from, from + BYTES_MAX), form, tail: '' };
  yield plain(tail);
}

/**
 * Returns the end of the part of a text that starts at `from`. It is never between the two units of a surrogate pair.
 */
function endOfPiece(text: string, from: number): number {
  const end = from + CHARACTERS_MAX;
  const isHalf = end < text.length && (text.charCodeAt(end - 1) & 0xfc00) === 0xd800;
  return isHalf ? end - 1 : Math.min(end, text.length);
}
