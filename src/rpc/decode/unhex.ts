// Decodes hexadecimal text in a body directly to bytes, without making a string. The simdjson addon does this, or
// TypeScript, digit by digit, if the addon could not be built.
import { loadNativeModule } from '../../native/load-addon.js';
import { hexDigit } from './json-scanner.js';

/**
 * Decodes ASCII hex digits, upper or lower case, into `bytes`, which is half as long as `digits`. Returns false if a
 * character is not a hex digit.
 */
type Unhex = (digits: Uint8Array, bytes: Uint8Array) => boolean;

/**
 * Decodes hex digits; by the addon, if it can be loaded. From some kilobytes on, the addon takes a tenth of the time
 * that the portable function takes.
 */
export const unhex: Unhex = loadNativeModule('json').part?.unhex ?? unhexPortable;

export function unhexPortable(digits: Uint8Array, bytes: Uint8Array): boolean {
  let seen = 0;
  for (let i = 0; i < bytes.length; i++) {
    const high = hexDigit(digits[2 * i]!);
    const low = hexDigit(digits[2 * i + 1]!);
    seen |= high | low;
    bytes[i] = (high << 4) | low;
  }
  return seen < 16;
}
