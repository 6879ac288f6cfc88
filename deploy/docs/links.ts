// Resolves links of the documents, and maps their targets to the site. Pure.
import { posix } from 'node:path';

/** A file of the project, by its path from the root, and optionally a heading in it. */
export interface Target {
  readonly file: string;
  readonly id: string | null;
}

const PICTURE = /\.(svg|png)$/;

export function isPicture(file: string): boolean {
  return PICTURE.test(file);
}

/** The target of `href` in the document `from`; `null`: outside the project. */
export function targetOf(from: string, href: string): Target | null {
  if (/^[a-z]+:/.test(href)) return null;
  const [path = '', id = null] = href.split('#', 2);
  return { file: path === '' ? from : posix.join(posix.dirname(from), decodeURI(path)), id };
}

/** The same href between pages. */
export function hrefOnSite(from: string, href: string): string {
  const target = targetOf(from, href);
  if (target === null || href.startsWith('#')) return href;
  return `${pathBetween(from, target.file)}${target.id === null ? '' : `#${target.id}`}`;
}

/** Path from the page of one file to that of another. */
export function pathBetween(from: string, to: string): string {
  return posix.relative(posix.dirname(placeOf(from)), placeOf(to));
}

/** The page of a file: a folder's README is its index. Pictures keep their path. */
export function placeOf(file: string): string {
  if (isPicture(file)) return file;
  if (posix.basename(file) === 'README.md') return posix.join(posix.dirname(file), 'index.html');
  return file.endsWith('.md') ? file.replace(/\.md$/, '.html') : `${file}.html`;
}
