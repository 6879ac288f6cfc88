// The suite in the project's clone: `prestate bench`, and in addition this build against anvil or peers, the READMEs'
// tables and the micro benches. See `npm run bench -- --help`.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { codeOf, commonCommand, run, type Terminal } from './command.js';
import { buildSockets } from './load/sockets/build.js';
import { writeReadmes } from './own/readme.js';
import { writeOwnGenesis } from './own/still-stage.js';
import { readCommandAndConfig } from './suite/options.js';

const EXIT_INTERRUPTED = 130;
const say = (text: string): void => void process.stdout.write(text);

async function main(args: readonly string[], terminal: Terminal): Promise<number> {
  const command = readCommandAndConfig(args);
  if (command.kind === 'micro') return micro(command.names);
  if (command.kind === 'genesis') {
    await writeOwnGenesis(command.file, command.accounts);
    say(`${command.file}: the suite's genesis with ${command.accounts} accounts\n`);
    return 0;
  }
  if (command.kind === 'run') buildSockets();
  if (command.kind !== 'run' || !command.options.readme) return commonCommand(command, args, terminal, true);
  const results = await run(command.options, args, terminal);
  writeReadmes(results);
  return codeOf(results);
}

/** Runs them sequentially, each in its own process. */
function micro(names: readonly string[]): number {
  const folder = fileURLToPath(new URL('.', import.meta.url));
  const files = readdirSync(folder).filter((file) => file.endsWith('.bench.js'));
  const wanted = files.filter((file) => names.length === 0 || names.some((name) => file === `${name}.bench.js`));
  if (wanted.length === 0)
    throw new Error(`no such bench; there are ${files.map((file) => file.split('.')[0]!).join(', ')}`);
  const codes = wanted.map((file) => {
    say(`\n${file.replace('.js', '')}\n`);
    return spawnSync(process.execPath, [folder + file], { stdio: 'inherit' }).status ?? 1;
  });
  return Math.max(...codes);
}

const ending = new AbortController();
process.on('SIGINT', () => {
  if (ending.signal.aborted) process.exit(EXIT_INTERRUPTED);
  ending.abort();
});
const columns = process.stdout.isTTY ? process.stdout.columns : null;
try {
  const terminal = { name: 'npm run bench --', write: say, columns, signal: ending.signal };
  process.exitCode = await main(process.argv.slice(2), terminal);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
