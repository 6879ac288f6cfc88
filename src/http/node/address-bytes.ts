// Converts addresses of the system to bytes.
import { isIPv4, isIPv6 } from 'node:net';

/** The 4 or 16 bytes of an address that Node.js has written as text; none if there is no address. */
export function addressBytes(text: string | undefined): ArrayBuffer {
  if (text === undefined) return new ArrayBuffer(0);
  if (isIPv4(text)) return Uint8Array.from(text.split('.'), Number).buffer;
  return isIPv6(text) ? groupsOf(text) : new ArrayBuffer(0);
}

/** Eight groups of 16 bits. `::` stands for the missing zeros, and the last two groups may be an IPv4 address. */
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
