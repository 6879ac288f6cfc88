// The machine that the bench runs on. Runs in the bench.
import { execFileSync } from 'node:child_process';
import { arch, availableParallelism, cpus, loadavg, release, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { packageVersion } from '../../src/observe/package-version.js';

export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryBytes: number;
  readonly system: string;
  readonly node: string;
  /** The program's version, in a clone with its commit; with `+` if files have changed since. */
  readonly version: string;
  /** Load average of the last minute before the run: above zero there is other work on the machine. */
  readonly loadBefore: number;
}

export function thisMachine(): Machine {
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    memoryBytes: totalmem(),
    system: `${process.platform} ${release()} ${arch()}`,
    node: process.version,
    version: `prestate ${packageVersion()}${commit()}`,
    loadBefore: Math.round(loadavg()[0]! * 10) / 10,
  };
}

function commit(): string {
  try {
    const isChanged = git('status', '--porcelain').trim() !== '';
    return `, commit ${git('rev-parse', '--short', 'HEAD').trim()}${isChanged ? '+' : ''}`;
  } catch {
    return '';
  }
}

/** Throws if the project is not a repository; a package may be inside another project's. */
function git(...args: readonly string[]): string {
  const cwd = fileURLToPath(new URL('../../../bench/', import.meta.url));
  return execFileSync('git', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
}
