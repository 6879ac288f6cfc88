// Bodies that arrive in more than one piece. Runs on main.
import { BufferPool } from '../lib/buffer-pool.js';
import { Shares } from './shares.js';

/** Bounds of all bodies being received, and of those of one client; their reasons in limits.ts. */
export interface BodiesOptions {
  readonly bodyBytesMax: number;
  readonly bodiesBytesMax: number;
  readonly bodiesBytesPerClientMax: number;
  readonly bodiesKeptBytesMax: number;
  readonly bodiesMax: number;
  readonly bodiesPerClientMax: number;
}

/** A body so far. */
export interface Body {
  readonly client: string;
  bytes: Uint8Array;
  length: number;
}

/** Holds bodies and charges each client for the memory that they take, which is at most twice what has come. */
export class Bodies {
  readonly #bodyBytesMax: number;
  readonly #bytes: Shares;
  readonly #count: Shares;
  readonly #buffers: BufferPool;

  constructor(options: BodiesOptions) {
    this.#bodyBytesMax = options.bodyBytesMax;
    this.#bytes = new Shares(options.bodiesBytesMax, options.bodiesBytesPerClientMax);
    this.#count = new Shares(options.bodiesMax, options.bodiesPerClientMax);
    this.#buffers = new BufferPool(options.bodiesKeptBytesMax);
  }

  /** A new, empty body; `null` when there are too many. */
  open(client: string): Body | null {
    return this.#count.take(client, 1) ? { client, bytes: NO_BYTES, length: 0 } : null;
  }

  /** Appends `chunk`; says which bound it passed, if one. */
  append(body: Body, chunk: Uint8Array): 'appended' | 'too large' | 'no memory' {
    const length = body.length + chunk.length;
    if (length > this.#bodyBytesMax) return 'too large';
    if (length > body.bytes.length && !this.#grow(body, length)) return 'no memory';
    body.bytes.set(chunk, body.length);
    body.length = length;
    return 'appended';
  }

  /** Ends a body, once; it must not be used any more. */
  close(body: Body): void {
    this.#bytes.give(body.client, body.bytes.length);
    this.#count.give(body.client, 1);
    this.#buffers.give(body.bytes);
    body.bytes = NO_BYTES;
    body.length = 0;
  }

  /** Moves the body to a buffer of the next power of two, so that all copying together is linear in its length. */
  #grow(body: Body, length: number): boolean {
    const size = Math.min(this.#bodyBytesMax, 2 ** Math.ceil(Math.log2(length)));
    if (!this.#bytes.take(body.client, size)) return false;
    const larger = this.#buffers.take(size);
    larger.set(body.bytes.subarray(0, body.length));
    this.#bytes.give(body.client, body.bytes.length);
    this.#buffers.give(body.bytes);
    body.bytes = larger;
    return true;
  }
}

const NO_BYTES = new Uint8Array(0);
