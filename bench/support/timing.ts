// Timing of repeated steps, and printed tables. Runs in benches.

const ROUND_MS = 300;
const ROUNDS = 4;

/**
 * Processor time of a step in microseconds, best of several rounds; other load on the machine hardly affects it. The
 * first round is a warm-up. `step` gets its index.
 */
export async function cpuUs(step: (number: number) => Promise<void>): Promise<number> {
  const rounds: number[] = [];
  let number = 0;
  for (let round = 0; round <= ROUNDS; round++) {
    const [start, before] = [process.cpuUsage(), number];
    const end = performance.now() + ROUND_MS;
    while (performance.now() < end) await step(number++);
    const { user, system } = process.cpuUsage(start);
    rounds.push((user + system) / (number - before));
  }
  return Math.min(...rounds.slice(1));
}

/** Microseconds that one step takes. */
export async function wallUs(step: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await step();
  return (performance.now() - start) * 1000;
}

export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1]!;
}

/** Three significant digits; from 100 on without decimals. */
export function digits(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}

/** Prints the first lines of a Markdown table. */
export function printHead(...cells: string[]): void {
  process.stdout.write('\n');
  printRow(...cells);
  printRow(...cells.map(() => '---'));
}

export function printRow(...cells: string[]): void {
  process.stdout.write(`| ${cells.join(' | ')} |\n`);
}
