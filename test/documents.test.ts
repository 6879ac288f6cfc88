// Names in the documents exist: flags, methods, limits, metrics, files, folders; links resolve, in the project and on
// the documents' site; the README stays short.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import test from 'node:test';
import { PROJECT } from '../deploy/docs/run.js';
import { siteOf } from '../deploy/docs/site.js';
import { LIMITS } from '../src/limits/index.js';
import { metricNames } from '../src/observe/metrics/metrics.js';
import { METHODS } from '../src/methods.table.js';
import { methodsDocument } from './generated.js';

const README_WORDS_MAX = 1000;
const ARCHITECTURE_WORDS_MAX = 3500;
/** A path in the project; compiled files do not count. */
const NAMED_PATH = /(?<![\w./-])((?:src|test|bench|workers|deploy)\/[\w/-]*(?:\.[\w-]+)*)/g;
/** A test file and the names of tests in it, with `…` for omitted text. */
const NAMED_TESTS = /`(test\/[\w./-]+)`: ((?:\*[^*]+\*(?:, )?)+)/g;

const root = new URL('../../', import.meta.url);
const SITE = siteOf(PROJECT);
/** Documents about the current state; the changelog names things of the past. */
const CURRENT = PROJECT.documents.filter((file) => file !== 'CHANGELOG.md');
const readme = documentOf('README.md');
const limits = documentOf('deploy/LIMITS.md');

/** Those of `paths` that do not exist relative to `base`. */
function missing(paths: Iterable<RegExpMatchArray>, base: URL): readonly string[] {
  return [...paths].map(([, path]) => path!).filter((path) => !existsSync(new URL(path, base)));
}

function documentOf(name: string): string {
  return readFileSync(new URL(name, root), 'utf8');
}

/** Counts words as a person does: everything with a letter or a digit, including code and tables. */
function wordsOf(document: string): number {
  return document.match(/\S*[\p{L}\d]\S*/gu)!.length;
}

test('the document of methods is made from the tables of methods and errors', () => {
  assert.equal(documentOf('src/rpc/METHODS.md'), methodsDocument(), 'npm run documents writes it');
});

/** Its result is a whole document, a file of the package that test/rpc/methods/discover.test.ts compares. */
const WITHOUT_EXAMPLE = ['rpc.discover'];

test('the method reference has an example of each method, except those that return a document', () => {
  const sections = methodsDocument().split('\n### ').slice(1);
  const without = [...METHODS.keys()].filter((name) => {
    return !sections.find((section) => section.startsWith(`${name}\n`))!.includes('```json');
  });
  assert.deepEqual(without, WITHOUT_EXAMPLE);
});

test('CONTRIBUTING.md explains every package', () => {
  const listed = documentOf('CONTRIBUTING.md');
  const all = JSON.parse(documentOf('package.json')) as Readonly<Record<string, Readonly<Record<string, string>>>>;
  const names = ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap((kind) => Object.keys(all[kind]!));
  for (const name of names) {
    const short = name.split('/').at(-1)!;
    assert.ok(listed.includes(`\`${name}\``) || listed.includes(`\`${short}\``), name);
  }
});

test('every limit that LIMITS.md names exists', () => {
  const named = [...limits.matchAll(/`([a-z]+[A-Z]\w*(?:Max|Min|Ms|Bytes)\w*)`/g)].map(([, name]) => name!);
  assert.ok(named.length > 20);
  for (const name of named) assert.ok(name in LIMITS, name);
});

test('every metric that a document names exists', () => {
  const metrics = metricNames().join(' ');
  for (const document of CURRENT) {
    for (const [, name] of documentOf(document).matchAll(/`prestate_(\w+?)(?:_total)?(?:\{\w+\})?`/g)) {
      assert.ok(metrics.includes(name!), `${document}: ${name}`);
    }
  }
});

test('the architecture has at most 3500 words', () => {
  assert.ok(wordsOf(documentOf('src/ARCHITECTURE.md')) <= ARCHITECTURE_WORDS_MAX);
});

test('the README has at most 1000 words', () => {
  assert.ok(wordsOf(readme) <= README_WORDS_MAX);
});

test('every link of a document leads to a file, and to a heading in it', () => {
  assert.deepEqual(SITE.deadLinks, []);
});

test('pages of the site lead to one another and to its pictures by files', () => {
  const places = new Set([...SITE.pages.keys(), ...SITE.pictures]);
  for (const [place, html] of SITE.pages)
    for (const [, href] of html.matchAll(/(?:href|src)="(?!https?:|data:)([^"#]+)/g))
      assert.ok(places.has(posix.join(posix.dirname(place), href!)), `${place}: ${href}`);
  assert.match(SITE.pages.get('src/API.html')!, /<h1 id="prestate-as-a-package">/);
});

test('a link that leads nowhere is named with its document', () => {
  const texts: Readonly<Record<string, string>> = {
    'README.md':
      '# A\n\n[b](docs/b.md#two-words-1) [gone](c.md) [no heading](docs/b.md#three) [own](#a) [out](https://a.example)',
    'docs/b.md': '## Two `words`\n\n## Two words\n\n[up](../README.md) [code](../a.ts) ![picture](../p.svg)',
    'a.ts': 'const a = 1 < 2;',
    'p.svg': '',
  };
  const documents = Object.keys(texts).filter((file) => file.endsWith('.md'));
  const site = siteOf({ documents, has: (file) => file in texts, read: (file) => texts[file]! });
  assert.deepEqual(site.deadLinks, ['README.md: c.md', 'README.md: docs/b.md#three']);
  assert.deepEqual([...site.pages.keys()], ['index.html', 'docs/b.html', 'a.ts.html']);
  assert.deepEqual(site.pictures, ['p.svg']);
  assert.match(site.pages.get('docs/b.html')!, /<h2 id="two-words-1">.*href="\.\.\/a\.ts\.html"/s);
});

test('every path of the project that a document names exists', () => {
  for (const document of CURRENT) {
    assert.deepEqual(missing(documentOf(document).matchAll(NAMED_PATH), root), [], document);
  }
});

test('every decision belongs to a file that exists', () => {
  for (const file of CURRENT.filter((each) => each.endsWith('/DECISIONS.md')))
    assert.deepEqual(missing(documentOf(file).matchAll(/^## (.*)$/gm), new URL(file, root)), [], file);
});

test('every test that the architecture names exists', () => {
  const rows = [...documentOf('src/ARCHITECTURE.md').matchAll(NAMED_TESTS)];
  assert.ok(rows.length > 2);
  for (const [, file, names] of rows) {
    const text = documentOf(file!);
    for (const [, name] of names!.matchAll(/\*(?:… )?([^*…]+?)(?: …)?\*/g))
      assert.ok(text.includes(name!), `${file}: ${name}`);
  }
});
