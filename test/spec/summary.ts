// Results of all tests, counted by fork. Runs on the main thread of the command.
import type { Result } from './fixture.js';

interface Counts {
  passed: number;
  failed: number;
  known: number;
  skipped: number;
}

/** Collects results; `deviationOf` returns why a failure is known, or `null` if it is not. */
export class Summary {
  readonly #deviationOf: (failure: string) => string | null;
  readonly #forks = new Map<string, Counts>();
  /** Tests by the reason why they were skipped, or may fail. */
  readonly #reasons = new Map<string, number>();
  readonly #failures: string[] = [];

  constructor(deviationOf: (failure: string) => string | null) {
    this.#deviationOf = deviationOf;
  }

  /** No test has failed except known failures. */
  get isGreen(): boolean {
    return this.#failures.length === 0;
  }

  /** Adds the tests of a file; `error`: it could not be read. */
  add({ file, results, error }: { file: string; results: readonly Result[]; error: string | null }): void {
    if (error !== null) this.#failures.push(`${file}: ${error}`);
    for (const result of results) this.#count(file, result);
  }

  /** A line for each fork, the reasons, and the first failures. */
  text(failuresMax: number): string {
    const forks = [...this.#forks].toSorted(([a], [b]) => (a < b ? -1 : 1));
    const lines = forks.map(([fork, counts]) => `${fork}: ${lineOf(counts)}`);
    const reasons = [...this.#reasons].map(([reason, count]) => `${count} ${reason}`);
    const total: Counts = { passed: 0, failed: 0, known: 0, skipped: 0 };
    for (const [, counts] of forks) for (const key of KEYS) total[key] += counts[key];
    const failures = this.#failures.slice(0, failuresMax);
    return `${[...failures, ...lines, ...reasons, `all: ${lineOf(total)}`].join('\n')}\n`;
  }

  #count(file: string, { name, fork, verdict }: Result): void {
    const counts = this.#countsOf(fork);
    if (verdict.status === 'passed') return void counts.passed++;
    if (verdict.status === 'skipped') {
      counts.skipped++;
      return this.#because(`skipped: ${verdict.reason}`);
    }
    const known = this.#deviationOf(verdict.reason);
    if (known !== null) {
      counts.known++;
      return this.#because(`known to fail: ${known}`);
    }
    counts.failed++;
    this.#failures.push(`failed: ${name} at ${fork} (${file}): ${verdict.reason}`);
  }

  #countsOf(fork: string): Counts {
    let counts = this.#forks.get(fork);
    if (counts === undefined) this.#forks.set(fork, (counts = { passed: 0, failed: 0, known: 0, skipped: 0 }));
    return counts;
  }

  #because(reason: string): void {
    this.#reasons.set(reason, (this.#reasons.get(reason) ?? 0) + 1);
  }
}

const KEYS = ['passed', 'failed', 'known', 'skipped'] as const;

function lineOf({ passed, failed, known, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed, ${known} known to fail, ${skipped} skipped`;
}
