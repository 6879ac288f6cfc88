// The command `prestate bench`: measures, or compares two runs. Runs in its own process.
import type { RunMeans } from './suite/bench-run.js';
import { bench } from './suite/bench-run.js';
import { changesOf, lossesOf } from './suite/comparison.js';
import { type Command, helpText, type Options, readCommandAndConfig } from './suite/options.js';
import { Progress } from './suite/progress.js';
import type { Results } from './suite/results.js';
import { readResults, writeResults } from './suite/result-files.js';
import { changeTable, terminalTable } from './suite/table.js';
import { trustAnyCertificate } from './suite/target.js';

/** Environment of the command. */
export interface Terminal {
  /** The command's name for the report: `prestate bench`. */
  readonly name: string;
  readonly write: (text: string) => void;
  /** `null`: not a terminal, so the last line cannot be overwritten. */
  readonly columns: number | null;
  /** When aborted, the command keeps the results so far and ends. */
  readonly signal: AbortSignal;
}

/** Returns the exit code. Throws a one-line message for the user if the command cannot be executed. */
export async function benchCommand(args: readonly string[], terminal: Terminal): Promise<number> {
  const command = readCommandAndConfig(args);
  if (command.kind === 'run' && command.options.targets.length === 0)
    throw new Error('--target NAME=URL is required: the endpoint under test (see --help)');
  if (command.kind === 'micro' || command.kind === 'genesis' || (command.kind === 'run' && command.options.readme))
    throw new Error("only available in the project's clone: npm run bench");
  return commonCommand(command, args, terminal, false);
}

/** Commands common to the package and the project's clone. */
export async function commonCommand(
  command: Extract<Command, { readonly kind: 'help' | 'compare' | 'run' }>,
  args: readonly string[],
  terminal: Terminal,
  isClone: boolean,
): Promise<number> {
  switch (command.kind) {
    case 'help':
      terminal.write(helpText(isClone));
      return 0;
    case 'compare':
      return compare(command.files, terminal);
    case 'run':
      return codeOf(await run(command.options, args, terminal));
  }
}

/** Measures, writes the files and prints a summary. */
export async function run(options: Options, args: readonly string[], terminal: Terminal): Promise<Results> {
  const { write, columns, signal, name } = terminal;
  if (options.insecure) trustAnyCertificate();
  const progress = new Progress({ write, nowMs: () => performance.now(), columns });
  const command = [name, ...args.map(quoted)].join(' ');
  const means: RunMeans = { command, progress, signal, keep: writeResults };
  const results = await bench(options, means);
  const files = writeResults(results);
  write(`\n${terminalTable(results, columns ?? 100)}\n`);
  for (const line of results.skipped) write(`not measured, ${line}\n`);
  for (const line of results.failures) write(`failed, ${line}\n`);
  write(
    `${results.isCut ? 'interrupted after ' : ''}${results.seconds} s; ${files.json}, ${files.csv}\nreport: ${files.html}\n`,
  );
  return results;
}

/** The exit code lets scripts detect wrong responses, missing figures and exceeded thresholds. */
export function codeOf({ rows, failures, isCut }: Results): number {
  const isBad = rows.some(
    ({ sides, differences }) => differences.length > 0 || sides.some((side) => side.void !== null),
  );
  return isBad || rows.length === 0 || failures.length > 0 || isCut ? 1 : 0;
}

/** Exit code 1 if a row got worse. */
function compare([older, newer]: readonly [string, string], { write }: Terminal): number {
  const [before, after] = [readResults(older), readResults(newer)];
  write(changeTable(changesOf(before, after)));
  const losses = lossesOf(before, after);
  for (const line of losses) write(`lost, ${line}\n`);
  return losses.length > 0 ? 1 : 0;
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word);
}
