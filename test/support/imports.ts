// Imports of the files in `src` and `workers`, and which threads load each of them.
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));

function sources(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(folder, file));
}

/** Every TypeScript file in `src` and `workers`, relative to the repository. */
export const FILES = [...sources('src'), ...sources('workers')];

/** One import, as a path relative to the repository or a package name. */
export interface Import {
  readonly from: string;
  readonly to: string;
  readonly isType: boolean;
}

/** Imports of a file, including dynamic `import()`. */
export function importsOf(file: string): Import[] {
  const text = readFileSync(join(root, file), 'utf8');
  const statements = text.matchAll(/^(?:import|export)\s+(type\s+)?(?:[^'";]*?from\s+)?'([^']+)'/gm);
  const later = text.matchAll(/\bimport\((type )?'([^']+)'\)/g);
  return [...statements, ...later].map(([, type, target]) => {
    const to = target!.startsWith('.') ? normalize(join(dirname(file), target!)).replace(/\.js$/, '.ts') : target!;
    return { from: file, to, isType: type !== undefined };
  });
}

/** All files that a thread loads: those reachable from its entry file by imports of values. */
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

/** The program's threads by their entry files. */
export const THREADS = {
  main: 'src/program.ts',
  publisher: 'workers/publisher.ts',
  estimator: 'workers/estimator.ts',
  sender: 'workers/sender-recovery.ts',
  watchdog: 'workers/watchdog.ts',
} as const;
