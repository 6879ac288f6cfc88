// Encodes results of the reference EVM as compact bytes.
//
//   reference result  bytes code hash, empty for none, outcome
import type { ByteReader, ByteWriter } from '../../lib/bytes/byte-reader-writer.js';
import type { JobOutcome } from '../../transaction/evm-job.js';
import { packOutcome, unpackOutcome } from './outcome.js';
import { EMPTY_BYTES } from '../../lib/bytes/big-endian.js';

/** The result of the reference EVM for a job that the kernel has executed, too. */
export interface ReferenceResult {
  readonly outcome: JobOutcome;
  /** Hash of the called account's code, or of the init code; `null` if the job calls no single account. */
  readonly codeHash: Uint8Array | null;
}

export function packReferenceResult({ outcome, codeHash }: ReferenceResult, to: ByteWriter): void {
  to.bytes(codeHash ?? EMPTY_BYTES);
  packOutcome(outcome, to);
}

export function unpackReferenceResult(from: ByteReader): ReferenceResult {
  const codeHash = from.bytes();
  return { codeHash: codeHash.length === 0 ? null : codeHash.slice(), outcome: unpackOutcome(from) };
}
