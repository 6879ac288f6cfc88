// The load tester: separate programs under `bench`, which the package contains and the image does not.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** What the load tester gets from the terminal. */
export interface BenchTerminal {
  /** The command as it was typed, for its report. */
  readonly name: string;
  readonly write: (text: string) => void;
  /** `null`: not a terminal. */
  readonly columns: number | null;
  /** Aborting it ends the run, which keeps its results so far. */
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
