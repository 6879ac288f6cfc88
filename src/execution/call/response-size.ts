// Room for the results of a job that has several: they are counted as they come.
import { ERRORS } from '../../errors.js';
import { LIMITS } from '../../limits/index.js';
import type { JobOutcome } from '../../transaction/call-request.js';

/** The outcome of a job whose results do not fit an answer. */
export const TOO_LARGE: Extract<JobOutcome, { kind: 'failure' }> = {
  kind: 'failure',
  error: 'responseTooLarge',
  message: ERRORS.responseTooLarge.message,
};

/** Characters that an answer has left. What is counted before it is text counts no more than its text has. */
export class ResponseSize {
  #left: number = LIMITS.returnBytesMax;

  /** Takes room for so many characters; false when there is less. */
  take(characters: number): boolean {
    this.#left -= characters;
    return this.#left >= 0;
  }
}
