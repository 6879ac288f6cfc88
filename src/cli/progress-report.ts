// Reports the progress of long work: as a bar on a terminal, elsewhere as a line from time to time.
import { LIMITS } from '../limits/index.js';

export interface ProgressDeps {
  /** Writes a permanent line, such as a log line. */
  readonly line: (text: string) => void;
  /** Draws the bottom row of the terminal; `null` if the output is not a terminal. */
  readonly drawRow: ((row: string | null) => void) | null;
  /** Returns the columns of the terminal. */
  readonly columns: () => number;
  readonly nowMs: () => number;
}

/** Width of the progress bar in characters. */
const BAR_CELLS = 24;

/**
 * Reports the progress of one piece of long work at a time. After `end`, no bar is drawn; only permanent lines are
 * written.
 */
export class ProgressReport {
  readonly #deps: ProgressDeps;
  /** When the last line about the current work was written, or the work was first reported; `null` before that. */
  #linedMs: number | null = null;
  #isEnded = false;

  constructor(deps: ProgressDeps) {
    this.#deps = deps;
  }

  /**
   * Reports that `share` (0 to 1) of the work is done, or `null` if that is unknown. Without `share`, writes a
   * permanent line.
   */
  report(text: string, share?: number | null): void {
    if (share === undefined) {
      this.#clear();
      this.#deps.line(text);
    } else if (this.#isEnded) return;
    else if (this.#deps.drawRow !== null) this.#deps.drawRow(progressRow(text, share, this.#deps.columns()));
    else this.#line(text);
  }

  /** Removes the progress bar. Later reports of progress are ignored; only permanent lines are still written. */
  end(): void {
    this.#isEnded = true;
    this.#clear();
  }

  #clear(): void {
    this.#linedMs = null;
    this.#deps.drawRow?.(null);
  }

  /** Writes a permanent line at most every `progressLineMs`. Work that takes less time than that is never mentioned. */
  #line(text: string): void {
    const now = this.#deps.nowMs();
    this.#linedMs ??= now;
    if (now - this.#linedMs < LIMITS.progressLineMs) return;
    this.#linedMs = now;
    this.#deps.line(text);
  }
}

/** Columns that stay free at the end of a row, because a terminal writes `^C` there and wraps a full row. */
const COLUMNS_FREE = 3;

/** Formats the bar and the text, shortened to fit into `columns`. */
export function progressRow(text: string, share: number | null, columns: number): string {
  const row = share === null ? text : `[${bar(share)}] ${text}`;
  return row.slice(0, Math.max(columns - COLUMNS_FREE, 0));
}

function bar(share: number): string {
  return '#'.repeat(Math.floor(share * BAR_CELLS)).padEnd(BAR_CELLS, '-');
}
