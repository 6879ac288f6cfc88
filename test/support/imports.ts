// Imports of the files of `src` and `workers`, and the threads that load each of them.
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));

function sources(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(folder, file));
}

/** Every TypeScript file of `src` and `workers`, as paths of the repository. */
export const FILES = [...sources('src'), ...sources('workers')];

/** One import: paths of the repository, or the name of a package. */
export interface Import {
  readonly from: string;
  readonly to: string;
  readonly isType: boolean;
}

/** Imports of a file, also those made later by `import()`. */
export function importsOf(file: string): Import[] {
  const text = readFileSync(join(root, file), 'utf8');
  const statements = text.matchAll(/^(?:import|export)\s+(type\s+)?(?:[^'";]*?from\s+)?'([^']+)'/gm);
  const later = text.matchAll(/\bimport\((type )?'([^']+)'\)/g);
  return [...statements, ...later].map(([, type, target]) => {
    const to = target!.startsWith('.') ? normalize(join(dirname(file), target!)).replace(/\.js$/, '.ts') : target!;
    return { from: file, to, isType: type !== undefined };
  });
}

/** Files that a thread loads: everything that its entry file reaches through imports of values. */
export function loadedBy(entry: string): Set<string> {
  const loaded = new Set<string>();
  const visit = (file: string): void => {
    if (loaded.has(file)) return;
    loaded.add(file);
    for (const { to, isType } of importsOf(file)) if (!isType && to.startsWith('src/')) visit(to);
  };
  visit(entry);
  return loaded;
}

/** The threads of the program, by the file that each begins with. */
export const THREADS = {
  main: 'src/program.ts',
  publisher: 'workers/publisher.ts',
  estimator: 'workers/estimator.ts',
  sender: 'workers/sender-recovery.ts',
  watchdog: 'workers/watchdog.ts',
} as const;
