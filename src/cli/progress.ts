// Long work, as it is shown: a bar at a terminal, elsewhere a line from time to time. Runs on main.

/** The pace at which progress is written. */
export interface ProgressOptions {
  /** Time between two lines about the same work. */
  readonly lineMs: number;
}

/** The output of progress, and the clock. */
export interface ProgressParts {
  /** Writes a line that stays. */
  readonly line: (text: string) => void;
  /** Draws the bottom row; `null` where there is none to draw in. */
  readonly drawRow: ((row: string | null) => void) | null;
  /** Columns of the terminal. */
  readonly columns: () => number;
  readonly nowMs: () => number;
}

/** Cells of a bar. */
const BAR_CELLS = 24;

/** One piece of long work at a time. After `end` only lines without a share are still written. */
export class ProgressReport {
  readonly #options: ProgressOptions;
  readonly #parts: ProgressParts;
  /** When a line was last written about the work at hand; `null`: none is. */
  #linedMs: number | null = null;
  #isEnded = false;

  constructor(options: ProgressOptions, parts: ProgressParts) {
    this.#options = options;
    this.#parts = parts;
  }

  /** `share` of the work that is done, 0 to 1; `null`: not known; without it the text is a line of its own. */
  report(text: string, share?: number | null): void {
    if (share === undefined) {
      this.#clear();
      this.#parts.line(text);
    } else if (this.#isEnded) return;
    else if (this.#parts.drawRow !== null) this.#parts.drawRow(progressRow(text, share, this.#parts.columns()));
    else this.#line(text);
  }

  /** The work is done, or given up: what still comes of it is not shown. */
  end(): void {
    this.#isEnded = true;
    this.#clear();
  }

  #clear(): void {
    this.#linedMs = null;
    this.#parts.drawRow?.(null);
  }

  /** Work that takes less than the time between two lines is not worth one. */
  #line(text: string): void {
    const now = this.#parts.nowMs();
    this.#linedMs ??= now;
    if (now - this.#linedMs < this.#options.lineMs) return;
    this.#linedMs = now;
    this.#parts.line(text);
  }
}

/** Columns that stay free behind a row: a terminal writes `^C` there, and goes on to the next row when it is full. */
const COLUMNS_FREE = 3;

/** A row that fits `columns`. */
export function progressRow(text: string, share: number | null, columns: number): string {
  const row = share === null ? text : `[${bar(share)}] ${text}`;
  return row.slice(0, Math.max(columns - COLUMNS_FREE, 0));
}

function bar(share: number): string {
  return '#'.repeat(Math.floor(share * BAR_CELLS)).padEnd(BAR_CELLS, '-');
}
