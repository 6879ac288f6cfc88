// Decodes the body of a request to rows of 32-bit words (see decoded-call-row.ts). The simdjson addon does this, or the
// byte decoder in TypeScript if the addon could not be built.

// Uses simdjson's first stage and our own traversal instead of its DOM: responses need the raw text of ids, such as
// numbers of 30 digits, which the DOM does not keep. See DECISIONS.md.
import { LIMITS } from '../../limits/index.js';
import { loadNativeModule } from '../../native/load-addon.js';
import type { JsonModule, NativeBodyDecoder } from '../../native/addon-types.js';
import { PortableBodyDecoder } from './portable-body-decoder.js';
import { BODY_KIND, type BodyDecoder, ROW_WORDS } from './decoded-call-row.js';

/** Creates the addon's decoder if the addon can be loaded, otherwise the byte decoder. Both produce the same rows. */
export function createBodyDecoder(): BodyDecoder {
  const { part: module, reason } = loadNativeModule('json');
  if (module === null) return new PortableBodyDecoder(`byte decoder: ${reason}`);
  try {
    return new SimdjsonDecoder(module);
  } catch (error) {
    // The processor lacks the SIMD instructions that the addon needs.
    return new PortableBodyDecoder(`byte decoder: ${(error as Error).message}`);
  }
}

class SimdjsonDecoder implements BodyDecoder {
  readonly name = 'simdjson';
  readonly reason: string;
  rows: Uint32Array = new Uint32Array(LIMITS.batchCallsMax * ROW_WORDS);
  count = 0;
  readonly #keptRows = this.rows;
  readonly #native: NativeBodyDecoder;

  constructor(addon: JsonModule) {
    this.reason = `simdjson addon (${addon.simd()})`;
    this.#native = addon.create(LIMITS.bodyBytesMax, LIMITS.jsonDepthMax, LIMITS.batchCallsMax, LIMITS.batchIdsMax);
  }

  decode(body: Uint8Array): number {
    this.rows = this.#keptRows;
    const answer = this.#native(body, this.rows);
    if (answer < BODY_KIND.malformed) return this.#decodeTooLarge(body, -answer);
    this.count = answer === BODY_KIND.malformed ? 0 : answer >> 2;
    return answer === BODY_KIND.malformed ? BODY_KIND.malformed : answer & 3;
  }

  /**
   * Decodes a batch a second time if it is too large, into an array that has space for all its ids and is dropped by
   * the next `decode`. If the batch has LIMITS.batchIdsMax ids or more, the rows of the first decoding are used.
   */
  #decodeTooLarge(body: Uint8Array, rows: number): number {
    this.count = rows;
    if (rows >= LIMITS.batchIdsMax) return BODY_KIND.batchTooLarge;
    this.rows = new Uint32Array(rows * ROW_WORDS);
    this.#native(body, this.rows);
    return BODY_KIND.batchTooLarge;
  }
}
