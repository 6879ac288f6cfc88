// Describes results of the kernel and of the reference for the same request as plain values for a log.
import { toHex } from '../../lib/bytes/hex.js';

/** A mismatch, with everything that is needed to repeat the execution. It is sent between threads. */
export interface KernelMismatch {
  readonly asked: unknown;
  /** Hash of the called account's code, or of the init code; `null` if the account does not exist. */
  readonly codeHash: string | null;
  readonly kernel: unknown;
  readonly reference: unknown;
}

/** Converts a value so that JSON can represent it: integers in decimal, bytes as hex. */
export function toJsonValue(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (value instanceof Uint8Array) return toHex(value);
  if (Array.isArray(value)) return value.map(toJsonValue);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, toJsonValue(member)]));
}
