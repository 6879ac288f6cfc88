// Imports go down only, as the folders say; and a file that names its threads is loaded on those alone.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Folders a folder may import from, beside itself. Files at the top of src that everything may use are left out. */
const BELOW: Readonly<Record<string, readonly string[]>> = {
  'src/lib': [],
  'src/state': ['src/lib'],
  'src/evm': ['src/lib', 'src/state'],
  'src/upstream': ['src/lib', 'src/state', 'src/evm'],
  'src/feed': ['src/lib', 'src/state', 'src/evm', 'src/upstream'],
  'src/pool': ['src/lib', 'src/state', 'src/evm'],
  'src/rpc': ['src/lib', 'src/state', 'src/evm', 'src/pool', 'src/feed'],
  'src/http': ['src/lib', 'src/rpc'],
  workers: ['src/lib', 'src/state', 'src/evm', 'src/upstream', 'src/feed', 'src/pool'],
};
const EVERYWHERE = new Set(['src/errors.ts', 'src/limits.ts', 'src/start-error.ts']);
/** The only files that may import these packages. */
const DOORS: readonly (readonly [packages: RegExp, allowed: RegExp])[] = [
  [/^uWebSockets\.js$/, /^src\/http\/door\.ts$/],
  [/^piscina$/, /^src\/pool\//],
  [/^lmdb$/, /^src\/state\/archive/],
  [/^@ethereumjs\/(evm|vm|statemanager|common|tx|block)$/, /^src\/evm\//],
  [/^undici$/, /^src\/upstream\//],
  [/^prom-client$/, /^src\/metrics\.ts$/],
];

function sources(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(folder, file));
}

const files = [...sources('src'), ...sources('workers')];

interface Import {
  readonly from: string;
  readonly to: string;
  readonly isType: boolean;
}

function importsOf(file: string): Import[] {
  const text = readFileSync(join(root, file), 'utf8');
  const statements = text.matchAll(/^(?:import|export)\s+(type\s+)?(?:[^'";]*?from\s+)?'([^']+)'/gm);
  const later = text.matchAll(/\bimport\((type )?'([^']+)'\)/g);
  return [...statements, ...later].map(([, type, target]) => {
    const to = target!.startsWith('.') ? normalize(join(dirname(file), target!)).replace(/\.js$/, '.ts') : target!;
    return { from: file, to, isType: type !== undefined };
  });
}

const layerOf = (file: string): string | undefined =>
  Object.keys(BELOW).find((layer) => file === layer || file.startsWith(`${layer}/`));

test('every folder of src has a layer', () => {
  const folders = readdirSync(join(root, 'src'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  for (const { name } of folders) assert.ok(BELOW[`src/${name}`], `src/${name} has no place in the order of layers`);
});

test('imports go down only', () => {
  const upward = files.flatMap(importsOf).filter(({ from, to }) => {
    const layer = layerOf(from);
    if (layer === undefined || !to.startsWith('src/') || EVERYWHERE.has(to)) return false;
    const target = layerOf(to);
    return target !== layer && (target === undefined || !BELOW[layer]!.includes(target));
  });
  assert.deepEqual(upward, []);
});

test('a package with a door is imported there only', () => {
  for (const { from, to, isType } of files.flatMap(importsOf)) {
    for (const [packages, allowed] of DOORS) {
      if (packages.test(to)) assert.ok(isType || allowed.test(from), `${from} imports ${to}`);
    }
  }
});

test('only main.ts touches the process', () => {
  const touching = files.filter((file) => {
    return /\bprocess\.(argv|env|exit|on|once|stdout|stderr)\b/.test(readFileSync(join(root, file), 'utf8'));
  });
  const builds = touching.filter((file) => !file.endsWith('/build.ts'));
  assert.deepEqual(builds, ['src/main.ts']);
});

/** What a thread loads: everything that its entry file reaches through imports of values. */
function loadedBy(entry: string): Set<string> {
  const loaded = new Set<string>();
  const visit = (file: string): void => {
    if (loaded.has(file)) return;
    loaded.add(file);
    for (const { to, isType } of importsOf(file)) if (!isType && to.startsWith('src/')) visit(to);
  };
  visit(entry);
  return loaded;
}

const THREADS = {
  main: 'src/main.ts',
  publisher: 'workers/publisher.ts',
  estimator: 'workers/estimator.ts',
  sender: 'workers/senders.ts',
  watchdog: 'workers/watchdog.ts',
} as const;

test('a file runs on the threads that its first comment names', () => {
  const wrong: string[] = [];
  for (const [thread, entry] of Object.entries(THREADS)) {
    for (const file of loadedBy(entry)) {
      const lines = readFileSync(join(root, file), 'utf8').split('\n');
      const head = lines
        .slice(
          0,
          lines.findIndex((line) => !/^(\/\/|#!)/.test(line)),
        )
        .join('\n');
      const runs = /(?:Runs?|run|may read it|sees?)[^.]*\./g;
      const said = (head.replaceAll(/\n\/\/ ?/g, ' ').match(runs) ?? []).join(' ');
      const named = said.includes(thread) || /every thread|any thread/i.test(said);
      if (!named) wrong.push(`${relative('.', file)} is loaded on ${thread}, but says: ${said || 'nothing'}`);
    }
  }
  assert.deepEqual(wrong, []);
});
