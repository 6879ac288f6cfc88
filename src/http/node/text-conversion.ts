// Converts text of the HTTP routes to types that node:http accepts.
import type { TextOrBytes } from '../server-interface.js';

/** Decodes a status line, a header's name or its value to a string. */
export function decodeLatin1(text: TextOrBytes): string {
  return typeof text === 'string' ? text : bufferOf(text).toString('latin1');
}

/** Copies a body, because Node.js may send it when its memory is already used for the next response. */
export function copyResponseBody(body: TextOrBytes): Buffer {
  return typeof body === 'string' ? Buffer.from(body) : Buffer.from(bufferOf(body));
}

function bufferOf(bytes: ArrayBuffer | Uint8Array): Buffer {
  return bytes instanceof Uint8Array ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length) : Buffer.from(bytes);
}
