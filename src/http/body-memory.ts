// Memory for request bodies that arrive in more than one piece.
import { CHUNKED_BYTES_MIN, ChunkedBuffer, releaseChunks } from '../lib/bytes/chunked-buffer.js';
import type { UsageLedger } from '../fairness/usage-ledger.js';
import { TotalAndClientLimit } from '../fairness/total-and-client-limit.js';
import { EMPTY_BYTES } from '../lib/bytes/big-endian.js';
import type { HttpLimits } from '../limits/http.js';

/** A request body that has partly arrived. */
export interface IncomingBody {
  readonly client: string;
  /** Memory with the received bytes. As long as the body is short, the memory can be larger than `length`. */
  bytes: Uint8Array | ChunkedBuffer;
  length: number;
  /** Bytes of memory that are charged to the client. */
  chargedBytes: number;
}

/** Buffers request bodies, and charges each client for their memory, which is at most twice the bytes received. */
export class BodyMemory {
  readonly #bodyBytesMax: number;
  readonly #bytes: TotalAndClientLimit;
  readonly #count: TotalAndClientLimit;

  constructor(options: HttpLimits, ledger: UsageLedger) {
    this.#bodyBytesMax = options.bodyBytesMax;
    this.#bytes = new TotalAndClientLimit(ledger, 'bodyBytes', options.bodiesBytesMax, options.bodiesBytesPerClientMax);
    this.#count = new TotalAndClientLimit(ledger, 'bodies', options.bodiesMax, options.bodiesPerClientMax);
  }

  /** Opens an empty body; `null` if too many bodies are being received. */
  open(client: string): IncomingBody | null {
    return this.#count.take(client, 1) ? { client, bytes: EMPTY_BYTES, length: 0, chargedBytes: 0 } : null;
  }

  /** Appends `chunk` to a body, or returns which limit it would exceed. */
  append(body: IncomingBody, chunk: Uint8Array): 'appended' | 'too large' | 'no memory' {
    const length = body.length + chunk.length;
    if (length > this.#bodyBytesMax) return 'too large';
    if (!this.#charge(body, bytesFor(length))) return 'no memory';
    if (body.bytes instanceof ChunkedBuffer) body.bytes.append(chunk);
    else body.bytes = appended(body.bytes, body.length, chunk);
    body.length = length;
    return 'appended';
  }

  /** Removes and returns the bytes of a body, which then belong to the caller. */
  take(body: IncomingBody): Uint8Array | ChunkedBuffer {
    const { bytes, length } = body;
    body.bytes = EMPTY_BYTES;
    return bytes instanceof ChunkedBuffer ? bytes : bytes.subarray(0, length);
  }

  /** Releases the memory of a body. Must be called once, and the body must not be used afterwards. */
  close(body: IncomingBody): void {
    this.#bytes.release(body.client, body.chargedBytes);
    this.#count.release(body.client, 1);
    releaseChunks(body.bytes);
    body.bytes = EMPTY_BYTES;
  }

  #charge(body: IncomingBody, chargedBytes: number): boolean {
    if (!this.#bytes.take(body.client, chargedBytes - body.chargedBytes)) return false;
    body.chargedBytes = chargedBytes;
    return true;
  }
}

/**
 * Returns the bytes of memory to allocate for a body of this length. The memory of a short body grows in powers of two,
 * so that the total cost of copying stays proportional to the length.
 */
function bytesFor(length: number): number {
  if (length === 0) return 0;
  return length < CHUNKED_BYTES_MIN ? 2 ** Math.ceil(Math.log2(length)) : ChunkedBuffer.allocatedBytes(length);
}

/** Returns the first `used` bytes of `bytes`, followed by `chunk`. Uses the memory of `bytes` if it is large enough. */
function appended(bytes: Uint8Array, used: number, chunk: Uint8Array): Uint8Array | ChunkedBuffer {
  const length = used + chunk.length;
  if (length >= CHUNKED_BYTES_MIN) {
    const long = new ChunkedBuffer();
    long.append(bytes.subarray(0, used));
    long.append(chunk);
    return long;
  }
  const roomy = length <= bytes.length ? bytes : new Uint8Array(bytesFor(length));
  if (roomy !== bytes) roomy.set(bytes.subarray(0, used));
  roomy.set(chunk, used);
  return roomy;
}
