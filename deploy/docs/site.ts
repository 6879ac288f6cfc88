// The documents as a static site that needs no server: a page for each Markdown file and each linked text file, and the
// pictures. Pure.
import { documentOf, type Document } from './document.js';
import { isPicture, placeOf, targetOf, type Target } from './links.js';
import { documentPage, textPage } from './page.js';

/** Files of the project, by their paths from its root. */
export interface Files {
  /** All Markdown files. */
  readonly documents: readonly string[];
  has(file: string): boolean;
  read(file: string): string;
}

export interface Site {
  /** Pages by their paths. */
  readonly pages: ReadonlyMap<string, string>;
  /** Files that are copied unchanged. */
  readonly pictures: readonly string[];
  /** Dead links, one line each. */
  readonly deadLinks: readonly string[];
}

/** The site of these files. */
export function siteOf(files: Files): Site {
  const all = files.documents.map((file) => documentOf(file, files.read(file)));
  const others = [...new Set(all.flatMap((document) => targetsIn(document).map(({ file }) => file)))].filter(
    (file) => files.has(file) && !files.documents.includes(file),
  );
  const texts = others.filter((file) => !isPicture(file));
  return {
    pages: new Map([
      ...all.map((one) => [placeOf(one.file), documentPage(one, all)] as const),
      ...texts.map((file) => [placeOf(file), textPage(file, files.read(file), all)] as const),
    ]),
    pictures: others.filter(isPicture),
    deadLinks: all.flatMap((document) => deadLinksOf(document, files, all)),
  };
}

function targetsIn({ file, hrefs }: Document): readonly Target[] {
  return hrefs.flatMap((href) => targetOf(file, href) ?? []);
}

function deadLinksOf({ file, hrefs }: Document, files: Files, all: readonly Document[]): readonly string[] {
  const isDead = (href: string): boolean => {
    const target = targetOf(file, href);
    if (target === null) return false;
    const { id } = target;
    if (id === null) return !files.has(target.file);
    return !all.some((one) => one.file === target.file && [...one.ids.values()].includes(id));
  };
  return hrefs.filter(isDead).map((href) => `${file}: ${href}`);
}
