// Starts the load tester: separate programs under `bench`, which the package contains and the container image does not.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** What the load tester needs to know of the terminal. */
interface BenchTerminal {
  /** The command as it was typed, for its report. */
  readonly name: string;
  readonly write: (text: string) => void;
  /** Columns of the terminal; `null` if the output is not one. */
  readonly columns: number | null;
  /** Aborting this signal ends the run. Its results so far are kept. */
  readonly signal: AbortSignal;
}

interface Bench {
  readonly benchCommand: (args: readonly string[], terminal: BenchTerminal) => Promise<number>;
}

const COMMAND = new URL('../../bench/command.js', import.meta.url);

/** Runs the load tester and returns its exit code. Throws an error of one line if that is impossible. */
export async function runBench(args: readonly string[], terminal: BenchTerminal): Promise<number> {
  if (!existsSync(fileURLToPath(COMMAND))) throw new Error('bench is part of the package, not of the image');
  const { benchCommand } = (await import(COMMAND.href)) as Bench;
  return benchCommand(args, terminal);
}
