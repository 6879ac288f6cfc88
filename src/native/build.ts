// Builds the native addon with all parts that this system can compile, if its sources have changed. Never fails the
// build: a missing part is replaced by its portable form in JavaScript. Used only by `npm run build`.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inputsDigest, buildIfChanged } from '../lib/skip-up-to-date-builds.js';
import { compileAddon } from './compile-addon.js';
import { ADDON_MODULES, modulesForPlatform, selfTestScript, type ModuleName } from './functions.table.js';

const SOURCES = fileURLToPath(new URL('../../../src/native/', import.meta.url));
const TARGET = fileURLToPath(new URL('.', import.meta.url));
const FILE = join(TARGET, 'native.node');
/** npm packages whose C or C++ sources are compiled into the addon. */
const PACKAGES = ['c-kzg', 'secp256k1', 'simdjson'];
/** Libraries that are compiled in: the npm package that contains each, and the path of its licence in that package. */
const LIBRARIES = [
  ['blst', 'c-kzg', 'deps/blst/LICENSE'],
  ['libsecp256k1', 'secp256k1', 'src/secp256k1/COPYING'],
  ['simdjson', 'simdjson', 'LICENSE'],
] as const;

const require = createRequire(import.meta.url);

// The Node.js version is not part of the digest: Node-API is the same in all versions.
const made = inputsDigest([...PACKAGES.map(versionOf), process.platform, process.arch], [SOURCES]);
try {
  buildIfChanged([FILE], made, make);
} catch (error) {
  rmSync(FILE, { force: true });
  console.warn(`addon not built (${(error as Error).message}); JavaScript and node:http serve`);
}
const installed = LIBRARIES.filter(([, name]) => versionOf(name) !== 'none');
writeFileSync(join(TARGET, 'LICENSES.txt'), installed.map(licenceOf).join('\n'));

function licenceOf([library, name, file]: (typeof LIBRARIES)[number]): string {
  const text = readFileSync(join(dirname(require.resolve(`${name}/package.json`)), file), 'utf8').trim();
  return `# ${library}\n\n${text}\n`;
}

/**
 * Builds all parts together. If that fails, builds each part alone to find out which of them work; throws if none does.
 */
function make(): void {
  const wanted = modulesForPlatform(process.platform);
  const problem = build(wanted);
  if (problem === null) return;
  const there = wanted.filter((module) => {
    const own = build([module]);
    if (own !== null)
      console.warn(`part ${module} of the addon not built (${own}); ${ADDON_MODULES[module].without} serves`);
    return own === null;
  });
  const left = there.length === 0 ? problem : build(there);
  if (left !== null) throw new Error(left);
}

function build(modules: readonly ModuleName[]): string | null {
  return compileAddon({
    name: 'native',
    sources: SOURCES,
    target: TARGET,
    variables: { parts: modules.join(' ') },
    proof: selfTestScript(modules),
  });
}

/** Returns the version of an npm package; `none` if an optional package is not installed. */
function versionOf(name: string): string {
  try {
    return (require(`${name}/package.json`) as { readonly version: string }).version;
  } catch {
    return 'none';
  }
}
