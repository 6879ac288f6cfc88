// Progress for a person while it runs: a line for each row, with the time that is left. Runs in the bench.
import { digits, ratioText } from './comparison.js';
import type { Row, Side } from './results.js';

/** Counts rows, as they take about the same time each. */
export class Progress {
  readonly #rows: number;
  readonly #write: (text: string) => void;
  readonly #nowMs: () => number;
  readonly #startMs: number;
  #through = 0;
  #measured = 0;

  constructor(rows: number, write: (text: string) => void, nowMs: () => number) {
    this.#rows = rows;
    this.#write = write;
    this.#nowMs = nowMs;
    this.#startMs = nowMs();
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
    this.#write(`${place} ${this.#left()} left  ${row.scenario}: ${row.run} - ${sides}${gain(row)}\n`);
  }

  /** A row could not be measured. */
  failed(name: string, error: unknown): void {
    this.#through++;
    this.#write(`${name} failed: ${String(error)}\n`);
  }

  #left(): string {
    const perRowMs = (this.#nowMs() - this.#startMs) / Math.max(1, this.#measured);
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
