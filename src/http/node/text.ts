// Text of the front end as node:http takes it.
import type { Text } from '../app.js';

/** A status line, a header's name or its value. */
export function decodeLatin1(text: Text): string {
  return typeof text === 'string' ? text : bufferOf(text).toString('latin1');
}

/** A body: a copy, because Node.js may send it when its memory serves the next answer. */
export function copyOf(body: Text): Buffer {
  return typeof body === 'string' ? Buffer.from(body) : Buffer.from(bufferOf(body));
}

function bufferOf(bytes: ArrayBuffer | Uint8Array): Buffer {
  return bytes instanceof Uint8Array ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length) : Buffer.from(bytes);
}
