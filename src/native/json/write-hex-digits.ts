// Writes bytes as hexadecimal digits. Long values are written by the simdjson addon, if it could be built.
import { HEX_PAIRS } from '../../lib/bytes/hex.js';
import { loadNativeModule } from '../load-addon.js';

/** Shorter values are written without the addon, because calling the addon takes longer than writing them. */
const NATIVE_BYTES_MIN = 64;
/**
 * The addon's function. It takes a thirtieth of the portable function's time, which was most of the time of a large
 * response.
 */
const NATIVE = loadNativeModule('json').part?.hex ?? null;

/** Writes two lower-case hex digits for each byte into `target`, from `at` on. */
export function writeHexDigits(bytes: Uint8Array, target: Buffer, at: number, native = NATIVE): void {
  if (native !== null && bytes.length >= NATIVE_BYTES_MIN) return native(bytes, target.subarray(at));
  for (let i = 0; i < bytes.length; i++, at += 2) {
    const pair = HEX_PAIRS[bytes[i]!]!;
    target[at] = pair & 0xff;
    target[at + 1] = pair >> 8;
  }
}
