// Converts network addresses from text to bytes.
import { isIPv4, isIPv6 } from 'node:net';

/**
 * Returns the 4 or 16 bytes of an IP address in Node.js's text form. Returns an empty buffer if there is no address.
 */
export function addressBytes(text: string | undefined): ArrayBuffer {
  if (text === undefined) return new ArrayBuffer(0);
  if (isIPv4(text)) return Uint8Array.from(text.split('.'), Number).buffer;
  return isIPv6(text) ? groupsOf(text) : new ArrayBuffer(0);
}

/**
 * Returns the 16 bytes of an IPv6 address: eight groups of 16 bits. `::` means as many groups of zeros as are missing.
 * The last two groups may be written as an IPv4 address.
 */
function groupsOf(text: string): ArrayBuffer {
  const [plain = ''] = text.split('%', 1);
  const hex = plain.replace(
    /(\d+)\.(\d+)\.(\d+)\.(\d+)$/,
    (_, a: string, b: string, c: string, d: string) => `${inHex(a, b)}:${inHex(c, d)}`,
  );
  const [front = '', back = ''] = hex.split('::');
  const [before, after] = [groups(front), groups(back)];
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => 0);
  const bytes = new DataView(new ArrayBuffer(16));
  [...before, ...zeros, ...after].forEach((group, i) => bytes.setUint16(2 * i, group));
  return bytes.buffer;
}

function inHex(high: string, low: string): string {
  return (Number(high) * 256 + Number(low)).toString(16);
}

function groups(text: string): number[] {
  return text === '' ? [] : text.split(':').map((group) => parseInt(group, 16));
}
