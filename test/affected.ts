// Selects the test files that a change affects: those in the folder of `test` nearest to a changed file's, and those
// that import it, directly or through test helpers.
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

const IMPORT = /(?:from|import) '(\.[^']+)'/g;

/** Those of `files` (compiled tests below `dist/test`) that a change to the paths `changed` affects. */
export function affectedTests(dist: string, files: readonly string[], changed: readonly string[]): ReadonlySet<string> {
  const folders = changed.flatMap((file) => nearestFolder(file, files) ?? []);
  const importing = importersOf(dist, new Set(changed.map((file) => file.replace(/\.ts$/, '.js'))));
  return new Set(
    files.filter((file) => importing.has(`test/${file}`) || folders.some((folder) => file.startsWith(folder))),
  );
}

/** The test folder, such as `state/table/`, nearest to that of a file in `src` or `test`; `null` if there is none. */
function nearestFolder(file: string, files: readonly string[]): string | null {
  if (!/^(src|test)\//.test(file)) return null;
  let folder = dirname(file).replace(/^(src|test)\/?/, '');
  while (folder !== '' && folder !== '.' && !files.some((test) => test.startsWith(`${folder}/`)))
    folder = dirname(folder);
  return folder === '' || folder === '.' ? null : `${folder}/`;
}

/** Compiled files of `test` that import one of `changed`, directly or indirectly. */
function importersOf(dist: string, changed: ReadonlySet<string>): ReadonlySet<string> {
  const imports = importsOfTests(dist);
  const found = new Set(changed);
  for (let before = -1; before !== found.size;) {
    before = found.size;
    for (const [file, imported] of imports) if (imported.some((name) => found.has(name))) found.add(file);
  }
  return found;
}

/** Imports of every compiled file of `test`, as paths below `dist`. */
function importsOfTests(dist: string): ReadonlyMap<string, readonly string[]> {
  const names = readdirSync(join(dist, 'test'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.js'),
  );
  return new Map(
    names.map((name) => {
      const file = join('test', name);
      const imported = [...readFileSync(join(dist, file), 'utf8').matchAll(IMPORT)];
      return [file, imported.map(([, to]) => normalize(join(dirname(file), to!)))] as const;
    }),
  );
}
