// Runs the build steps that follow the TypeScript compiler, in parallel (`npm run build`). Each step does nothing if
// its inputs have not changed.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { METHODS } from './methods.table.js';
import { createOpenRpcDocument } from './rpc/methods/discover.js';

/** Folders with a build step. The slowest step is first. */
const STEPS = ['native', 'evm/kernel', '../workers', 'feed/dev/contracts', 'http/uws/native'];
/** Folder of the load tester's build step. Container images are built without it. */
const BENCH = '../bench/report';

writeFileSync(new URL('commit.txt', import.meta.url), commit());
writeFileSync(
  new URL('openrpc.json', import.meta.url),
  JSON.stringify(createOpenRpcDocument([...METHODS.values()], version())),
);

const codes = await Promise.all([...STEPS, ...(existsSync(programOf(BENCH)) ? [BENCH] : [])].map(run));
process.exitCode = Math.max(...codes);

/** Runs a build step and resolves with its exit code; 1 if a signal ended it. */
async function run(step: string): Promise<number> {
  const [code] = (await once(spawn(process.execPath, [programOf(step)], { stdio: 'inherit' }), 'exit')) as [
    number | null,
  ];
  return code ?? 1;
}

function programOf(step: string): string {
  return fileURLToPath(new URL(`${step}/build.js`, import.meta.url));
}

function version(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { readonly version: string }).version;
}

/**
 * Returns the commit of the sources, with a plus sign if they were modified. Without a repository, returns the
 * environment variable `GIT_COMMIT`.
 */
function commit(): string {
  try {
    const options = { cwd: fileURLToPath(new URL('.', import.meta.url)), encoding: 'utf8', stdio: 'pipe' } as const;
    return execFileSync('git', ['describe', '--always', '--abbrev=12', '--exclude=*', '--dirty=+'], options);
  } catch {
    return process.env['GIT_COMMIT'] ?? '';
  }
}
