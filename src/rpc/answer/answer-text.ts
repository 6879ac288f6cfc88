// One answer as text that is not joined yet: large results stay the bytes they are until they are written. Runs on main.
import { ERRORS, type RpcError } from '../../errors.js';
import { toHex } from '../../lib/bytes/hex.js';
import { type CallResult, JsonBytes, isError } from './call-result.js';

/** An answer in three parts: text, bytes that are written as hex digits or as they are, text. */
export interface AnswerText {
  readonly head: string;
  readonly bytes: Uint8Array;
  readonly form: 'hex' | 'text';
  readonly tail: string;
}

const NO_BYTES = new Uint8Array();

/** `id`: raw JSON text. */
export function answerText(id: string, result: CallResult): AnswerText {
  const open = `{"jsonrpc":"2.0","id":${id},`;
  if (typeof result === 'string') return plain(`${open}"result":${result}}`);
  if (result instanceof JsonBytes) return { head: `${open}"result":`, bytes: result.bytes, form: 'text', tail: '}' };
  if (!isError(result)) return { head: `${open}"result":"0x`, bytes: result, form: 'hex', tail: '"}' };
  const error = errorText(result);
  return { ...error, head: `${open}"error":${error.head}`, tail: `${error.tail}}` };
}

/** The `error` member of an answer. */
export function errorText(error: RpcError): AnswerText {
  const { code = ERRORS[error.error].code, message, data } = error;
  const source = error.error === 'passedOn' ? ',"source":"upstream"' : '';
  const head = `{"code":${code},"message":${JSON.stringify(message)}${source}`;
  if (data === undefined) return plain(`${head}}`);
  if (typeof data === 'string') return plain(`${head},"data":${JSON.stringify(data)}}`);
  return { head: `${head},"data":"0x`, bytes: data, form: 'hex', tail: '"}' };
}

function plain(head: string): AnswerText {
  return { head, bytes: NO_BYTES, form: 'text', tail: '' };
}

/** Bytes that the text takes, written as UTF-8. */
export function bytesOf(text: AnswerText): number {
  return Buffer.byteLength(text.head) + writtenBytes(text) + text.tail.length;
}

/** Bytes that the text's own bytes take, as they are written. */
export function writtenBytes({ bytes, form }: AnswerText): number {
  return form === 'hex' ? 2 * bytes.length : bytes.length;
}

/** The text in one piece. */
export function textIn({ head, bytes, form, tail }: AnswerText): string {
  if (bytes.length === 0) return `${head}${tail}`;
  return `${head}${form === 'hex' ? toHex(bytes).slice(2) : Buffer.from(bytes).toString()}${tail}`;
}
