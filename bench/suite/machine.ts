// Machine that the bench runs on. Runs in the bench.
import { execFileSync } from 'node:child_process';
import { arch, availableParallelism, cpus, loadavg, release, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';

export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryBytes: number;
  readonly system: string;
  readonly node: string;
  /** The project's commit; with `+` where files have been changed since. */
  readonly commit: string;
  /** Processes that wanted to run in the last minute before: more than none is other work on the machine. */
  readonly loadBefore: number;
}

export function thisMachine(): Machine {
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    memoryBytes: totalmem(),
    system: `${process.platform} ${release()} ${arch()}`,
    node: process.version,
    commit: commit(),
    loadBefore: Math.round(loadavg()[0]! * 10) / 10,
  };
}

function commit(): string {
  try {
    const isChanged = git('status', '--porcelain').trim() !== '';
    return git('rev-parse', '--short', 'HEAD').trim() + (isChanged ? '+' : '');
  } catch {
    return 'unknown';
  }
}

/** Throws where the project is no repository. */
function git(...args: readonly string[]): string {
  const cwd = fileURLToPath(new URL('.', import.meta.url));
  return execFileSync('git', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
}
