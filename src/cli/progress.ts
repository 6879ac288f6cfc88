// Progress of long work: a bar on a terminal, elsewhere a line from time to time.

/** How often progress is written. */
export interface ProgressOptions {
  /** Time between two lines about the same work, in milliseconds. */
  readonly lineMs: number;
}

/** Where progress is written, and the clock. */
export interface ProgressDeps {
  /** Writes a permanent line. */
  readonly line: (text: string) => void;
  /** Draws the bottom row; `null` if there is no terminal. */
  readonly drawRow: ((row: string | null) => void) | null;
  /** Columns of the terminal. */
  readonly columns: () => number;
  readonly nowMs: () => number;
}

/** Cells of a bar. */
const BAR_CELLS = 24;

/** Reports one piece of long work at a time. After `end` only permanent lines are still written. */
export class ProgressReport {
  readonly #options: ProgressOptions;
  readonly #deps: ProgressDeps;
  /** When a line was last written about the current work; `null`: there is none. */
  #linedMs: number | null = null;
  #isEnded = false;

  constructor(options: ProgressOptions, deps: ProgressDeps) {
    this.#options = options;
    this.#deps = deps;
  }

  /** `share` of the work that is done, 0 to 1; `null`: unknown; without it the text is a permanent line. */
  report(text: string, share?: number | null): void {
    if (share === undefined) {
      this.#clear();
      this.#deps.line(text);
    } else if (this.#isEnded) return;
    else if (this.#deps.drawRow !== null) this.#deps.drawRow(progressRow(text, share, this.#deps.columns()));
    else this.#line(text);
  }

  /** Work is complete or aborted: later reports of it are ignored. */
  end(): void {
    this.#isEnded = true;
    this.#clear();
  }

  #clear(): void {
    this.#linedMs = null;
    this.#deps.drawRow?.(null);
  }

  /** Work that takes less than the time between two lines gets no line. */
  #line(text: string): void {
    const now = this.#deps.nowMs();
    this.#linedMs ??= now;
    if (now - this.#linedMs < this.#options.lineMs) return;
    this.#linedMs = now;
    this.#deps.line(text);
  }
}

/** Columns left free at the end of a row: a terminal echoes `^C` there, and wraps a full row. */
const COLUMNS_FREE = 3;

/** A row that fits into `columns`. */
export function progressRow(text: string, share: number | null, columns: number): string {
  const row = share === null ? text : `[${bar(share)}] ${text}`;
  return row.slice(0, Math.max(columns - COLUMNS_FREE, 0));
}

function bar(share: number): string {
  return '#'.repeat(Math.floor(share * BAR_CELLS)).padEnd(BAR_CELLS, '-');
}
