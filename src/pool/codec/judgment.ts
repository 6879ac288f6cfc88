// Encodes results of the reference engine as compact bytes. Runs on main and on the estimators.
//
//   judgment  bytes code hash, empty for none, outcome
import type { ByteReader, ByteWriter } from '../../lib/bytes/bytes.js';
import type { Outcome } from '../../transaction/call-request.js';
import { packOutcome, unpackOutcome } from './outcome.js';

const NO_BYTES = new Uint8Array(0);

/** The reference's result for a job that the kernel has executed. */
export interface Judgment {
  readonly outcome: Outcome;
  /** Hash of the called account's code, or of the init code; `null` when there is no account. */
  readonly codeHash: Uint8Array | null;
}

/** Appends a reference result. */
export function packJudgment({ outcome, codeHash }: Judgment, to: ByteWriter): void {
  to.bytes(codeHash ?? NO_BYTES);
  packOutcome(outcome, to);
}

/** Decodes the next reference result. */
export function unpackJudgment(from: ByteReader): Judgment {
  const codeHash = from.bytes();
  return { codeHash: codeHash.length === 0 ? null : codeHash.slice(), outcome: unpackOutcome(from) };
}
