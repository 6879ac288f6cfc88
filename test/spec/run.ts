// Runs folders of official tests: `npm run spec -- DIR...`. Distributes files to worker threads; prints a summary by
// fork, and exits with 1 if there is an unknown failure.
import { readdirSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { deviationOf } from './deviations.js';
import { Summary } from './summary.js';
import type { Result } from './fixture.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    jobs: { type: 'string', default: String(availableParallelism()) },
    /** Number of failed tests to show. */
    show: { type: 'string', default: '20' },
  },
});
if (positionals.length === 0) throw new Error('which folders? npm run spec -- DIR...');

interface Report {
  readonly file: string;
  readonly results: readonly Result[];
  readonly error: string | null;
}

const files = positionals.flatMap(filesIn);
const summary = new Summary(deviationOf);
const jobs = Math.min(Number(values.jobs), Math.max(files.length, 1));
await Promise.all(Array.from({ length: jobs }, work));
process.stdout.write(summary.text(Number(values.show)));
process.exitCode = summary.isGreen ? 0 : 1;

function filesIn(path: string): string[] {
  if (statSync(path).isFile()) return [path];
  return readdirSync(path, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.json'))
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Runs one worker until no file is left. */
function work(): Promise<void> {
  const worker = new Worker(new URL('./worker.js', import.meta.url));
  return new Promise((resolve, reject) => {
    worker.on('error', reject);
    worker.on('exit', () => resolve());
    worker.on('message', (report: Report | null) => {
      if (report !== null) summary.add(report);
      worker.postMessage(files.pop() ?? null);
    });
  });
}
