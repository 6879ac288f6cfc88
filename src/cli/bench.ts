// The load tester: programs of their own below `bench`, which the package has and an image has not. Runs on main, instead of serving.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Surroundings of a run of it. */
export interface BenchTerminal {
  /** Words that call it, for its report. */
  readonly name: string;
  readonly write: (text: string) => void;
  /** `null`: no terminal. */
  readonly columns: number | null;
  /** Once it is aborted, the run ends and keeps what there is. */
  readonly signal: AbortSignal;
}

interface Bench {
  readonly benchCommand: (args: readonly string[], terminal: BenchTerminal) => Promise<number>;
}

const COMMAND = new URL('../../bench/command.js', import.meta.url);

/** Runs it; the exit code. Throws one line where that cannot be done. */
export async function runBench(args: readonly string[], terminal: BenchTerminal): Promise<number> {
  if (!existsSync(fileURLToPath(COMMAND))) throw new Error('bench is part of the package, not of the image');
  const { benchCommand } = (await import(COMMAND.href)) as Bench;
  return benchCommand(args, terminal);
}
