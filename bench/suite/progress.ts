// Progress for a person while it runs: a line for each row, with the time that is left, and one that changes with the
// load that runs. Runs in the bench.
import type { Live } from '../load/job.js';
import { digits, ratioText } from './comparison.js';
import type { Row, Side } from './results.js';

/** Receiver of lines. */
export interface ProgressOutput {
  readonly write: (text: string) => void;
  readonly nowMs: () => number;
  /** Columns of a terminal, whose last line can be written anew; `null`: every line stays. */
  readonly columns: number | null;
}

const CLEAR_LINE = '\r\x1b[K';

/** Counts rows, as they take about the same time each. */
export class Progress {
  readonly #output: ProgressOutput;
  readonly #startMs: number;
  #rows = 0;
  #through = 0;
  #measured = 0;

  constructor(output: ProgressOutput) {
    this.#output = output;
    this.#startMs = output.nowMs();
  }

  /** So many rows are to come. */
  expect(rows: number): void {
    this.#rows += rows;
  }

  /** So many rows will not be measured. */
  skip(rows: number): void {
    this.#through += rows;
  }

  /** A row is through. */
  row(row: Row): void {
    this.#through++;
    this.#measured++;
    const place = `[${String(this.#through).padStart(2)}/${this.#rows}]`;
    const sides = row.sides.map(sideText).join(', ');
    this.#line(`${place} ${this.#left()} left  ${row.scenario}: ${row.run} - ${sides}${gain(row)}`);
  }

  /** A row could not be measured. */
  failed(name: string, reason: string): void {
    this.#line(`${name} ${reason}`);
  }

  /** The load that runs, as it is by now. */
  live(name: string, target: string, { perSecond, errors, p50, p99 }: Live): void {
    const { columns, write } = this.#output;
    const rate = Math.round(perSecond).toLocaleString('en');
    const text = `${name}, ${target}: ${rate}/s, ${errors} errors, p50 ${digits(p50)} p99 ${digits(p99)} ms`;
    if (columns === null) this.#line(text);
    else write(`${CLEAR_LINE}${text.slice(0, columns - 1)}`);
  }

  /** A target that does not answer yet is waited for. */
  waiting(target: string, reason: string): void {
    this.#line(`waiting for ${target}, which does not answer yet: ${reason}`);
  }

  #line(text: string): void {
    this.#output.write(`${this.#output.columns === null ? '' : CLEAR_LINE}${text}\n`);
  }

  #left(): string {
    const perRowMs = (this.#output.nowMs() - this.#startMs) / Math.max(1, this.#measured);
    const seconds = Math.round((perRowMs * (this.#rows - this.#through)) / 1000);
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
