// The reference build: its commit is in bench/pace.reference; it is cloned and built once. Runs in the bench.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PROJECT = fileURLToPath(new URL('../../../', import.meta.url));
const FILE = 'bench/pace.reference';

/** A built checkout. */
export interface ReferenceBuild {
  readonly commit: string;
  readonly folder: string;
}

/**
 * Builds the reference if necessary, which takes minutes and uses the registry. Throws a one-line message on failure.
 */
export function referenceBuild(say: (text: string) => void): ReferenceBuild {
  const commit = commitIn(readFileSync(join(PROJECT, FILE), 'utf8'));
  const folder = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'prestate', commit);
  if (!existsSync(folder)) build(commit, folder, say);
  return { commit, folder };
}

/** Parses a file with one commit and comment lines. Throws if there is none, or several. */
export function commitIn(text: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'));
  const [commit = ''] = lines;
  if (lines.length !== 1 || !/^[0-9a-f]{40}$/.test(commit))
    throw new Error(`${FILE}: one line with a whole commit, 40 hex digits, is required`);
  return commit;
}

/** The folder is renamed once it is complete: an interrupted build is restarted. */
function build(commit: string, folder: string, say: (text: string) => void): void {
  if (!succeeds('git', ['cat-file', '-e', `${commit}^{commit}`]))
    throw new Error(`no commit ${commit} in the history here: pace needs the project's clone (git fetch --unshallow)`);
  const partial = `${folder}.partial`;
  say(`building the reference, ${commit}, in ${folder}: takes minutes, once\n`);
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(dirname(folder), { recursive: true });
  for (const [command, ...args] of [
    ['git', 'clone', '--quiet', '--no-checkout', PROJECT, partial],
    ['git', '-C', partial, 'checkout', '--quiet', commit],
    ['npm', 'ci', '--prefix', partial, '--no-audit', '--no-fund'],
  ] as const)
    if (!succeeds(command, args)) throw new Error(`the reference cannot be built: ${command} ${args.join(' ')} failed`);
  renameSync(partial, folder);
}

function succeeds(command: string, args: readonly string[]): boolean {
  return spawnSync(command, args, { cwd: PROJECT, stdio: ['ignore', 'ignore', 'inherit'] }).status === 0;
}
