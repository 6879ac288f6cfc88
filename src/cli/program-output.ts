// Output of the program to stdout: its log, the banner, and progress.
import { pino, type DestinationStream, type Logger } from 'pino';
import { formatBanner, type BannerFacts } from './banner.js';
import { PAINT_COLOURED, PAINT_PLAIN } from './terminal-colours.js';
import { formatLogLine } from './format-log-line.js';
import { ProgressReport } from './progress-report.js';

/** How lines are written: minimum log level, format, colours, width, and the clock in ms. */
export interface ProgramOutputOptions {
  readonly level: string;
  /** Readable lines (`pretty`), or one JSON object a line. */
  readonly format: 'pretty' | 'json';
  readonly hasColours: boolean;
  /** Returns the columns of the terminal; `null` if the output is not a terminal, so that no row can be redrawn. */
  readonly columns: (() => number) | null;
  readonly nowMs: () => number;
}

/** What the program writes to stdout: log, progress and banner. */
export interface ProgramOutput {
  readonly log: Logger;
  readonly progress: ProgressReport;
  /** Prints the banner, unless the format is JSON or the log level hides it. */
  readonly showBanner: (facts: BannerFacts) => void;
}

/** The methods of the log that progress reports need. */
interface ProgressLog {
  info(text: string): void;
}

const STDOUT = 1;

/** Opens the output. Writes are synchronous, so that a killed process has written its last line. */
export function openProgramOutput(options: ProgramOutputOptions): ProgramOutput {
  const stdout = pino.destination({ dest: STDOUT, sync: true });
  // The error is ignored: a closed terminal or a full disk is no reason to stop serving.
  stdout.on('error', () => undefined);
  return options.format === 'json' ? jsonOutput(options, stdout) : prettyOutput(options, stdout);
}

function jsonOutput({ level, nowMs }: ProgramOutputOptions, stdout: DestinationStream): ProgramOutput {
  const log = pino({ level }, stdout);
  return { log, progress: progressToLog(log, nowMs), showBanner: () => undefined };
}

function prettyOutput(options: ProgramOutputOptions, stdout: DestinationStream): ProgramOutput {
  const { level, hasColours, columns, nowMs } = options;
  const paint = hasColours ? PAINT_COLOURED : PAINT_PLAIN;
  const screen = new ScreenWithBottomRow((text) => stdout.write(text));
  const log = pino({ level }, { write: (json) => screen.print(formatLogLine(json, paint)) });
  const line = (text: string): void => log.info(text);
  const drawRow = log.isLevelEnabled('info') ? (row: string | null) => screen.drawRow(row) : null;
  return {
    log,
    progress: columns === null ? progressToLog(log, nowMs) : new ProgressReport({ line, drawRow, columns, nowMs }),
    showBanner: (facts) => {
      if (log.isLevelEnabled('info')) screen.print(formatBanner(facts, paint).join('\n'));
    },
  };
}

/** Creates a progress report that writes only log lines, and draws no bar. */
export function progressToLog(log: ProgressLog, nowMs: () => number): ProgressReport {
  const line = (text: string): void => log.info(text);
  return new ProgressReport({ line, drawRow: null, columns: () => Infinity, nowMs });
}

/** Escape sequence that returns to the start of the bottom row and erases it. */
const ERASE_ROW = '\r\u001b[K';

/**
 * Writes permanent lines and the bottom row. Everything on the terminal goes through it, so that the two do not mix.
 */
export class ScreenWithBottomRow {
  readonly #write: (text: string) => void;
  #row: string | null = null;

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  /** Prints lines above the bottom row. */
  print(lines: string): void {
    if (this.#row === null) this.#write(`${lines}\n`);
    else this.#write(`${ERASE_ROW}${lines}\n${this.#row}`);
  }

  /** Draws the bottom row, which must be narrower than the terminal; `null` removes it. */
  drawRow(row: string | null): void {
    if (row === this.#row) return;
    this.#row = row;
    this.#write(ERASE_ROW + (row ?? ''));
  }
}
