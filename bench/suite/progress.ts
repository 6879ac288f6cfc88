// Progress output: one line per row with the remaining time, and a live line of the running load. Runs in the bench.
import type { Live } from '../load/job.js';
import { digits, ratioText } from './comparison.js';
import type { Row, Side } from './results.js';

/** Destination of lines. */
export interface ProgressOutput {
  readonly write: (text: string) => void;
  readonly nowMs: () => number;
  /** Columns of a terminal, whose last line can be overwritten; `null`: not a terminal. */
  readonly columns: number | null;
}

const CLEAR_LINE = '\r\x1b[K';

/** Estimates the remaining time by rows, which take about the same time each. */
export class Progress {
  readonly #output: ProgressOutput;
  readonly #startMs: number;
  #rows = 0;
  #finished = 0;
  #measured = 0;

  constructor(output: ProgressOutput) {
    this.#output = output;
    this.#startMs = output.nowMs();
  }

  /** Adds to the number of expected rows. */
  expect(rows: number): void {
    this.#rows += rows;
  }

  /** Counts rows that will not be measured. */
  skip(rows: number): void {
    this.#finished += rows;
  }

  /** Reports a finished row. */
  row(row: Row): void {
    this.#finished++;
    this.#measured++;
    const counter = `[${String(this.#finished).padStart(2)}/${this.#rows}]`;
    const sides = row.sides.map(sideText).join(', ');
    this.#line(`${counter} ${this.#left()} left  ${row.scenario}: ${row.run} - ${sides}${gain(row)}`);
  }

  /** Reports a failed row. */
  failed(name: string, reason: string): void {
    this.#line(`${name} ${reason}`);
  }

  /** Shows live figures of the running load. */
  live(name: string, target: string, { perSecond, errors, p50, p99 }: Live): void {
    const { columns, write } = this.#output;
    const rate = Math.round(perSecond).toLocaleString('en');
    const text = `${name}, ${target}: ${rate}/s, ${errors} errors, p50 ${digits(p50)} p99 ${digits(p99)} ms`;
    if (columns === null) this.#line(text);
    else write(`${CLEAR_LINE}${text.slice(0, columns - 1)}`);
  }

  /** Reports that a target is not responding yet. */
  waiting(target: string, reason: string): void {
    this.#line(`waiting for ${target}, which does not answer yet: ${reason}`);
  }

  #line(text: string): void {
    this.#output.write(`${this.#output.columns === null ? '' : CLEAR_LINE}${text}\n`);
  }

  #left(): string {
    const perRowMs = (this.#output.nowMs() - this.#startMs) / Math.max(1, this.#measured);
    const seconds = Math.round((perRowMs * (this.#rows - this.#finished)) / 1000);
    return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  }
}

function sideText({ target, void: reason, figures }: Side): string {
  if (reason !== null || figures === null) return `${target}: no numbers (${reason})`;
  const { callsPerSecond, latency } = figures;
  return `${target} ${Math.round(callsPerSecond.median).toLocaleString('en')}/s p50 ${digits(latency.p50)} p99 ${digits(latency.p99)} ms`;
}

function gain({ comparisons: [first], loadKind }: Row): string {
  if (first === undefined) return '';
  const text = loadKind === 'closed' ? ratioText(first.callsPerSecond) : ratioText(first.p99);
  return text === '' ? '' : ` -> ${text}${loadKind === 'closed' ? '' : ' (p99)'}`;
}
