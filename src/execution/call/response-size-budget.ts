// Limits the response size of a job with several results. Each result is counted when it is known.
import { ERRORS } from '../../rpc-errors.js';
import { LIMITS } from '../../limits/index.js';
import { failureOutcome } from '../../transaction/evm-job.js';

/** The outcome of a job whose results do not fit into one response. */
export const RESPONSE_TOO_LARGE = failureOutcome(ERRORS.responseTooLarge.message, 'responseTooLarge');

/**
 * Counts the characters that are left in a response. Estimates made before rendering are never too high, so no response
 * is refused that would fit.
 */
export class ResponseSizeBudget {
  #left: number = LIMITS.returnBytesMax;

  /** Reserves this many characters; returns false if fewer are left. */
  take(characters: number): boolean {
    this.#left -= characters;
    return this.#left >= 0;
  }
}
