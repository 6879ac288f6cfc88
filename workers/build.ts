// Bundles the program and the entry files of its threads, with the packages that they use and the licences of these
// packages. A start then reads a few files instead of hundreds per thread. Runs in `npm run build` only.
import { build } from 'esbuild';
import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const DIST = fileURLToPath(new URL('..', import.meta.url));
const BUNDLE = join(DIST, 'bundle');
const WORKERS = ['estimator', 'publisher', 'sender-recovery', 'watchdog', 'archive-integrity-probe'];
/** Packages that are not bundled, because they load files from their own folder or are rarely needed. */
const EXTERNAL = ['lmdb', 'piscina', 'undici', '*.node'];
/** Defines `require`, which bundled CommonJS modules call and ES modules do not have. */
const BANNER = `import { createRequire as requireOf } from 'node:module';
const BUNDLE_URL = import.meta.url, require = requireOf(BUNDLE_URL);`;

rmSync(BUNDLE, { recursive: true, force: true });
const { metafile } = await build({
  entryPoints: {
    program: join(DIST, 'src/program.js'),
    ...Object.fromEntries(WORKERS.map((name) => [name, join(DIST, `workers/${name}.js`)])),
  },
  outdir: BUNDLE,
  absWorkingDir: DIST,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  // A thread parses its whole bundle when it starts. Names are not minified, so that stack traces stay readable.
  minifyWhitespace: true,
  minifySyntax: true,
  external: EXTERNAL,
  banner: { js: BANNER },
  sourcemap: 'linked',
  sourcesContent: false,
  metafile: true,
  logLevel: 'warning',
  plugins: [{ name: 'urls', setup: (esbuild) => esbuild.onLoad({ filter: /\/dist\/(src|workers)\/.*\.js$/ }, load) }],
});
writeFileSync(join(BUNDLE, 'LICENSES.txt'), licences());

/**
 * Gives each bundled module its own `import.meta.url`, because it loads binaries, pages and tables that are next to its
 * source file.
 */
function load({ path }: { readonly path: string }): { contents: string } {
  const url = `new URL(${JSON.stringify(relative(BUNDLE, path))}, BUNDLE_URL).href`;
  return { contents: readFileSync(path, 'utf8').replaceAll('import.meta.url', url) };
}

function licences(): string {
  const packages = new Set<string>();
  for (const input of Object.keys(metafile.inputs)) {
    const folder = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0];
    if (folder !== undefined) packages.add(join(DIST, folder));
  }
  return [...packages].toSorted().map(licenceOf).join('\n');
}

function licenceOf(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    readonly name: string;
    readonly version: string;
    readonly license: string;
  };
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|notice)/i.test(file));
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim());
  return [`# ${name} ${version} (${license})`, ...texts, ''].join('\n\n');
}
