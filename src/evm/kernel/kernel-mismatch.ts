// Describes a request for which kernel and reference engine have given different results, as plain values for the
// program's log.
import { toHex } from '../../lib/bytes/hex.js';

/** A request with different results, and everything that is needed to repeat it. It is sent between threads. */
export interface KernelMismatch {
  readonly asked: unknown;
  /** Hash of the recipient's code, or of the init code; `null` if the account does not exist. */
  readonly codeHash: string | null;
  readonly kernel: unknown;
  readonly reference: unknown;
}

/** Converts a value to one that JSON can represent: integers in decimal, bytes as hex. */
export function toJsonValue(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (value instanceof Uint8Array) return toHex(value);
  if (Array.isArray(value)) return value.map(toJsonValue);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, toJsonValue(member)]));
}
