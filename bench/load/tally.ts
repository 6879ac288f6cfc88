// Tally of responses: successful calls, and errors by code - a quick error is not a fast result. Runs in the generator
// and in the bench.

import type { Verdict } from './timeline.js';

const ERROR = Buffer.from('"error"');
const RESULT = Buffer.from('"result"');

/** Errors by code: `-32005`, `HTTP 503`, `no JSON`, `lost` (the connection), `unanswered` (at the turn's end). */
export type Errors = Readonly<Record<string, number>>;

/** Codes of an overloaded target. */
const REFUSALS: ReadonlySet<string> = new Set(['-32005', 'HTTP 429', 'HTTP 503']);

/** True if the code means a rejection for overload. */
export function isRefusal(code: string): boolean {
  return REFUSALS.has(code);
}

export class Tally {
  /** Calls with a result. */
  succeeded = 0;
  readonly #errors = new Map<string, number>();

  /** Counts a response to `calls` calls. */
  add(status: number, body: Buffer, calls: number): Verdict {
    // Nearly all responses lack this string; the others are parsed, as a result may contain it as well.
    if (status === 200 && body.indexOf(ERROR) < 0 && body.indexOf(RESULT) >= 0) {
      this.succeeded += calls;
      return 'result';
    }
    const codes = codesOf(status, body, calls);
    for (const code of codes) this.fail(code);
    this.succeeded += calls - codes.length;
    if (codes.length === 0) return 'result';
    return codes.length === calls && codes.every(isRefusal) ? 'refusal' : 'failure';
  }

  fail(code: string, calls = 1): void {
    this.#errors.set(code, (this.#errors.get(code) ?? 0) + calls);
  }

  get errors(): Errors {
    return Object.fromEntries(this.#errors);
  }
}

/** The sum of several. */
export function sumErrors(parts: readonly Errors[]): Errors {
  const sum = new Map<string, number>();
  for (const [code, calls] of parts.flatMap((part) => Object.entries(part)))
    sum.set(code, (sum.get(code) ?? 0) + calls);
  return Object.fromEntries(sum);
}

/** Number of calls that failed. */
export function countErrors(errors: Errors): number {
  return Object.values(errors).reduce((sum, calls) => sum + calls, 0);
}

/** The code of each failed call. JSON-RPC codes take precedence over HTTP's. */
function codesOf(status: number, body: Buffer, calls: number): string[] {
  const answers = parsed(body);
  const all = (code: string): string[] => Array.from({ length: calls }, () => code);
  if (answers === null) return all(status === 200 ? 'no JSON' : `HTTP ${status}`);
  const codes = answers.flatMap((answer) => codeOf(answer) ?? []);
  // A batch may be rejected with one error for all; calls without a response have failed, too.
  if (answers.length < calls) return all(codes[0] ?? 'missing');
  return codes.slice(0, calls);
}

function parsed(body: Buffer): readonly unknown[] | null {
  try {
    const answer: unknown = JSON.parse(body.toString());
    return Array.isArray(answer) ? answer : [answer];
  } catch {
    return null;
  }
}

function codeOf(answer: unknown): string | null {
  if (typeof answer !== 'object' || answer === null) return 'no answer';
  if ('error' in answer && answer.error !== null) {
    const { error } = answer;
    return typeof error === 'object' && 'code' in error ? String(error.code) : 'no code';
  }
  return 'result' in answer ? null : 'no answer';
}
