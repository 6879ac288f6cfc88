// Samples results of the kernel for the shadow check: the reference EVM repeats the job on an idle estimator thread,
// and the results are compared.

// If the check of a job with several calls fails, no code is added to the denylist, because any of them may be wrong.
// See DECISIONS.md.
import type { Job, JobOutcome } from '../transaction/evm-job.js';
import type { KernelCounters } from '../evm/kernel/kernel-counters-and-code-denylist.js';
import { toJsonValue, type KernelMismatch } from '../evm/kernel/kernel-mismatch.js';
import { toHex } from '../lib/bytes/hex.js';
import { LIMITS } from '../limits/index.js';
import { ByteReader, ByteWriter } from '../lib/bytes/byte-reader-writer.js';
import { packOutcome } from './codec/outcome.js';
import { unpackJob } from './codec/job.js';
import { unpackReferenceResult, type ReferenceResult } from './codec/reference-result.js';
import { copyPackedJob } from './packed-job.js';
import type { AdmittedJob } from './admitted-job.js';

/** What the shadow checks update and call. */
export interface ShadowSamplerDeps {
  /** Counts the checks, and contains the denylist of codes that the kernel must not run. */
  readonly counters: KernelCounters;
  /** Called with each of the first LIMITS.kernelMismatchReportsMax differences between kernel and reference. */
  readonly onMismatch: (mismatch: KernelMismatch) => void;
}

/** A job and its result. */
export interface AnsweredJob {
  readonly job: AdmittedJob;
  readonly outcome: JobOutcome;
}

const SCRATCH_BYTES = 1024;
/** Execution times in results of base_meterBundle. They differ from run to run, so they are not compared. */
const TIMES = /"(e|totalE)xecutionTimeUs":[0-9]+/g;

/**
 * Chooses every n-th result, so that tests are reproducible. Holds the newest chosen result until an idle worker
 * compares it with the reference EVM's.
 */
export class ShadowSampler {
  readonly #share: number;
  readonly #deps: ShadowSamplerDeps;
  #due = 0;
  #kept: AnsweredJob | null = null;

  /** `share` is the share of results that is chosen, 0 to 1. */
  constructor(share: number, deps: ShadowSamplerDeps) {
    this.#share = share;
    this.#deps = deps;
  }

  /**
   * Must be called with every result of an estimator thread. Large jobs and results with long data are not checked,
   * because their memory is reused.
   */
  offer(job: AdmittedJob, outcome: JobOutcome): void {
    if (!isCheckable(outcome)) return;
    this.#due += this.#share;
    if (this.#due < 1) return;
    this.#due -= 1;
    const isKept = typeof job.packed === 'string' && !isLong(outcome);
    if (this.#kept !== null || !isKept) this.skip();
    if (isKept) this.#kept = { job, outcome };
  }

  /** True if a result waits for its check. */
  get isDue(): boolean {
    return this.#kept !== null;
  }

  /** Removes and returns the result that is to be checked; `null` if there is none. */
  take(): AnsweredJob | null {
    const kept = this.#kept;
    this.#kept = null;
    return kept;
  }

  /** Counts a chosen result that cannot be checked. */
  skip(): void {
    this.#deps.counters.add('skipped');
  }

  /** Compares a result with the encoded result of the reference EVM, which is `null` if the reference has none. */
  compare(answered: AnsweredJob, packed: ArrayBuffer | null): void {
    const reference = packed === null ? null : unpackReferenceResult(new ByteReader(new Uint8Array(packed)));
    if (reference === null || !isCheckable(reference.outcome)) return this.skip();
    const { counters, onMismatch } = this.#deps;
    counters.add('checks');
    if (isSameOutcome(answered.outcome, reference.outcome)) return;
    if (reference.codeHash !== null) counters.denylist(reference.codeHash);
    if (counters.add('mismatches') <= LIMITS.kernelMismatchReportsMax) onMismatch(mismatch(answered, reference));
  }
}

/** Decodes the job that led to the result. */
export function unpackAnsweredJob({ job }: AnsweredJob): Job {
  return unpackJob(new ByteReader(copyPackedJob(job.packed)));
}

/**
 * True if every correct EVM produces the same outcome: it depends neither on time nor on missing state, and contains no
 * recorded reads.
 */
function isCheckable(outcome: JobOutcome): boolean {
  if (outcome.kind === 'failure') return outcome.error === 'execution';
  return outcome.kind !== 'missing' && outcome.kind !== 'watched';
}

function isLong(outcome: JobOutcome): boolean {
  if ('data' in outcome) return outcome.data.length >= LIMITS.longDataBytesMin;
  if (outcome.kind === 'json') return outcome.text.length >= LIMITS.longDataBytesMin;
  return outcome.kind === 'gas' && outcome.gas > LIMITS.kernelCheckGasMax;
}

function isSameOutcome(first: JobOutcome, second: JobOutcome): boolean {
  return packUntimed(first).equals(packUntimed(second));
}

function packUntimed(outcome: JobOutcome): Buffer {
  const writer = new ByteWriter(SCRATCH_BYTES);
  packOutcome(withoutTimes(outcome), writer);
  return writer.written;
}

function withoutTimes(outcome: JobOutcome): JobOutcome {
  if (outcome.kind !== 'json' || typeof outcome.text !== 'string') return outcome;
  return { ...outcome, text: outcome.text.replaceAll(TIMES, '') };
}

function mismatch(answered: AnsweredJob, { outcome, codeHash }: ReferenceResult): KernelMismatch {
  const { kind, position } = unpackAnsweredJob(answered);
  return {
    asked: { kind, position, job: toHex(copyPackedJob(answered.job.packed)) },
    codeHash: codeHash === null ? null : toHex(codeHash),
    kernel: toJsonValue(answered.outcome),
    reference: toJsonValue(outcome),
  };
}
