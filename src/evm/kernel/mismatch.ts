// Two answers to the same question, the kernel's and the reference's, as plain text: for a log. Runs on main, publisher
// and estimators.
import { toHex } from '../../lib/bytes/hex.js';

/** A difference, with all that is needed to repeat the execution. Crosses threads. */
export interface KernelMismatch {
  readonly asked: unknown;
  /** Hash of the called account's code, or of init code; `null` where there is no account. */
  readonly codeHash: string | null;
  readonly kernel: unknown;
  readonly reference: unknown;
}

/** The value as JSON can hold it: integers in decimal, bytes as hex. */
export function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (value instanceof Uint8Array) return toHex(value);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]));
}
