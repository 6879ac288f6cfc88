// `npm run docs`: writes the documents into dist/docs for offline reading. A dead link is an error.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { siteOf, type Files } from './site.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const FOLDERS = ['src', 'test', 'bench', 'workers', 'deploy'];

/** Files of this project. */
export const PROJECT: Files = {
  documents: ['.', ...FOLDERS].flatMap(documentsIn),
  has: (file) => existsSync(join(ROOT, file)) && statSync(join(ROOT, file)).isFile(),
  read: (file) => readFileSync(join(ROOT, file), 'utf8'),
};

/** Markdown files of a folder and its subfolders; for the root only its own. */
function documentsIn(folder: string): readonly string[] {
  const names = readdirSync(join(ROOT, folder), { recursive: folder !== '.', encoding: 'utf8' });
  return names
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name))
    .toSorted();
}

function main(): number {
  const folder = join(ROOT, 'dist', 'docs');
  const { pages, pictures, deadLinks } = siteOf(PROJECT);
  rmSync(folder, { recursive: true, force: true });
  for (const [place, html] of pages) {
    mkdirSync(dirname(join(folder, place)), { recursive: true });
    writeFileSync(join(folder, place), html);
  }
  for (const file of pictures) cpSync(join(ROOT, file), join(folder, file));
  for (const line of deadLinks) process.stderr.write(`dead link, ${line}\n`);
  process.stdout.write(`${pages.size} pages: dist/docs/index.html\n`);
  return deadLinks.length > 0 ? 1 : 0;
}

if (import.meta.url === pathToFileURL(process.argv[1]!).href) process.exitCode = main();
