// One answer as text that is not joined yet: large results stay the bytes they are until they are written. Runs on main.
import { ERRORS, type RpcError } from '../errors.js';
import { isError, type CallResult } from './methods/method.js';

/** An answer in three parts: text, bytes that are written as hex digits, text. */
export interface AnswerText {
  readonly head: string;
  readonly hex: Uint8Array;
  readonly tail: string;
}

const NO_BYTES = new Uint8Array();

/** `id`: raw JSON text. */
export function answerText(id: string, result: CallResult): AnswerText {
  const open = `{"jsonrpc":"2.0","id":${id},`;
  if (typeof result === 'string') return { head: `${open}"result":${result}}`, hex: NO_BYTES, tail: '' };
  if (!isError(result)) return { head: `${open}"result":"0x`, hex: result, tail: '"}' };
  const { head, hex, tail } = errorText(result);
  return { head: `${open}"error":${head}`, hex, tail: `${tail}}` };
}

/** The `error` member of an answer. */
export function errorText(error: RpcError): AnswerText {
  const { code = ERRORS[error.error].code, message, data } = error;
  const head = `{"code":${code},"message":${JSON.stringify(message)}`;
  if (data === undefined) return { head: `${head}}`, hex: NO_BYTES, tail: '' };
  if (typeof data === 'string') return { head: `${head},"data":${JSON.stringify(data)}}`, hex: NO_BYTES, tail: '' };
  return { head: `${head},"data":"0x`, hex: data, tail: '"}' };
}

/** Bytes that the text takes, written as UTF-8. */
export function bytesOf({ head, hex, tail }: AnswerText): number {
  return Buffer.byteLength(head) + 2 * hex.length + tail.length;
}
