// The bench suite's command line: measures, compares two runs, or runs the micro benches. `npm run bench -- --help` tells how.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { bench } from './suite/bench-run.js';
import { changesOf } from './suite/comparison.js';
import { HELP, type Options, readCommand } from './suite/options.js';
import { writeReadmes } from './suite/readme.js';
import { readResults, writeResults } from './suite/result-files.js';
import { writeOwnGenesis } from './suite/still-stage.js';
import { changeTable, tableOf } from './suite/table.js';
import { trustAnyCertificate } from './suite/target.js';

const say = (text: string): void => void process.stdout.write(text);

async function main(args: readonly string[]): Promise<void> {
  const command = readCommand(args);
  switch (command.kind) {
    case 'help':
      return say(HELP);
    case 'micro':
      return micro(command.names);
    case 'compare':
      return compare(command.files);
    case 'genesis':
      await writeOwnGenesis(command.file, command.accounts);
      return say(`${command.file}: the suite's genesis with ${command.accounts} accounts\n`);
    case 'run':
      return run(command.options, args);
  }
}

async function run(options: Options, args: readonly string[]): Promise<void> {
  if (options.insecure) trustAnyCertificate();
  const results = await bench(options, ['npm run bench --', ...args].join(' ').replace(/ --$/, ''), say);
  const files = writeResults(results);
  if (options.readme) writeReadmes(results);
  say(`\n${tableOf(results)}\n${results.skipped.map((line) => `skipped ${line}\n`).join('')}`);
  say(`${results.seconds} s; ${files.json}\nreport: ${files.html}\n`);
  // Wrong answers have to be noticed by whoever runs it in a script, too.
  const isVoid = results.rows.some(({ sides }) => sides.some((side) => side.void !== null));
  if (isVoid || results.rows.length === 0) process.exitCode = 1;
}

function compare([older, newer]: readonly [string, string]): void {
  say(changeTable(changesOf(readResults(older), readResults(newer))));
}

/** Each in a process of its own, one after the other. */
function micro(names: readonly string[]): void {
  const folder = fileURLToPath(new URL('.', import.meta.url));
  const files = readdirSync(folder).filter((file) => file.endsWith('.bench.js'));
  const wanted = files.filter((file) => names.length === 0 || names.some((name) => file === `${name}.bench.js`));
  if (wanted.length === 0)
    throw new Error(`no such bench; there are ${files.map((file) => file.split('.')[0]!).join(', ')}`);
  for (const file of wanted) {
    say(`\n${file.replace('.js', '')}\n`);
    if (spawnSync(process.execPath, [folder + file], { stdio: 'inherit' }).status !== 0) process.exitCode = 1;
  }
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
