// Limits the response of a job with several results, which are counted as they come.
import { ERRORS } from '../../errors.js';
import { LIMITS } from '../../limits/index.js';
import type { JobOutcome } from '../../transaction/evm-job.js';

/** The outcome of a job whose results do not fit a response. */
export const RESPONSE_TOO_LARGE: Extract<JobOutcome, { kind: 'failure' }> = {
  kind: 'failure',
  error: 'responseTooLarge',
  message: ERRORS.responseTooLarge.message,
};

/** Counts the characters left in a response. What is counted before rendering never counts as too long. */
export class ResponseSizeBudget {
  #left: number = LIMITS.returnBytesMax;

  /** Reserves this many characters; returns false if fewer are left. */
  take(characters: number): boolean {
    this.#left -= characters;
    return this.#left >= 0;
  }
}
