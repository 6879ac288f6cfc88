// Starts the load tester: separate programs under `bench`, which the package contains and the container image does not.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** What the load tester needs to know about the terminal. */
interface BenchTerminal {
  /** The command as the user typed it, for the load tester's report. */
  readonly name: string;
  readonly write: (text: string) => void;
  /** Columns of the terminal; `null` if the output is not one. */
  readonly columns: number | null;
  /** Aborting this signal ends the load test. The results measured so far are reported. */
  readonly signal: AbortSignal;
}

interface Bench {
  readonly benchCommand: (args: readonly string[], terminal: BenchTerminal) => Promise<number>;
}

const COMMAND = new URL('../../bench/command.js', import.meta.url);

/** Runs the load tester and returns its exit code. Throws an error with a one-line message if it is not installed. */
export async function runBench(args: readonly string[], terminal: BenchTerminal): Promise<number> {
  if (!existsSync(fileURLToPath(COMMAND))) throw new Error('bench is part of the package, not of the image');
  const { benchCommand } = (await import(COMMAND.href)) as Bench;
  return benchCommand(args, terminal);
}
