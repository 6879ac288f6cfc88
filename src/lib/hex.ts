// Hexadecimal text to and from bytes and numbers. Runs on every thread.

/** Bytes to lower-case hex with `0x`. */
export function toHex(bytes: Uint8Array): string {
  return `0x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')}`;
}

/** A JSON-RPC quantity: `0x`, no leading zeros. */
export function toQuantity(value: bigint | number): string {
  return `0x${value.toString(16)}`;
}

/** Bytes of trusted hex text, with or without `0x`. Input from outside goes through rpc/params instead. */
export function fromHex(text: string): Uint8Array {
  const digits = text.startsWith('0x') ? text.slice(2) : text;
  if (digits.length % 2 !== 0 || !/^[0-9a-fA-F]*$/.test(digits)) throw new Error(`not hex: ${text.slice(0, 80)}`);
  return new Uint8Array(Buffer.from(digits, 'hex'));
}
