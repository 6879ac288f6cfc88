// Bounds the response of a job with several results: they are counted as they come.
import { ERRORS } from '../../errors.js';
import { LIMITS } from '../../limits/index.js';
import type { JobOutcome } from '../../transaction/call-request.js';

/** The outcome of a job whose results do not fit a response. */
export const TOO_LARGE: Extract<JobOutcome, { kind: 'failure' }> = {
  kind: 'failure',
  error: 'responseTooLarge',
  message: ERRORS.responseTooLarge.message,
};

/**
 * Characters that a response has left. What is counted before it is rendered is never counted longer than its
 * rendering.
 */
export class ResponseSize {
  #left: number = LIMITS.returnBytesMax;

  /** Reserves so many characters; false if fewer are left. */
  take(characters: number): boolean {
    this.#left -= characters;
    return this.#left >= 0;
  }
}
