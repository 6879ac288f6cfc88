// A page of the site: a document and the list of all documents. It has no script. Pure.
import { parser, Renderer, type Tokens } from 'marked';
import type { Document } from './document.js';
import { hrefOnSite, pathBetween } from './links.js';
import { STYLE } from './style.js';

/** Documents by audience; all others belong to the last group. */
const GROUPS: readonly (readonly [name: string, files: readonly string[]])[] = [
  ['Use', ['README.md', 'src/API.md', 'src/rpc/METHODS.md', 'src/rpc/push/README.md', 'CHANGELOG.md']],
  ['Operate', ['deploy/README.md', 'deploy/RECIPES.md', 'deploy/LIMITS.md', 'SECURITY.md']],
  ['Measure', ['bench/README.md', 'bench/RESULTS.md']],
  ['Contribute', ['CONTRIBUTING.md', 'test/README.md', 'CODE_OF_CONDUCT.md']],
];
const LAST_GROUP = 'Inside';

/** The page of a document. `all`: every document of the site. */
export function documentPage(document: Document, all: readonly Document[]): string {
  const { file, title, tokens } = document;
  return pageOf(file, title, parser([...tokens], { renderer: new PageRenderer(document) }), all);
}

/** The page of a text that a document links to. */
export function textPage(file: string, text: string, all: readonly Document[]): string {
  return pageOf(file, file, `<h1>${escaped(file)}</h1>\n<pre><code>${escaped(text)}</code></pre>\n`, all);
}

/** Adds ids to headings, maps links to pages, and makes wide tables scrollable. */
class PageRenderer extends Renderer {
  readonly #document: Document;

  constructor(document: Document) {
    super();
    this.#document = document;
  }

  override heading(token: Tokens.Heading): string {
    const { depth, tokens } = token;
    return `<h${depth} id="${this.#document.ids.get(token)!}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
  }

  override link(token: Tokens.Link): string {
    return super.link({ ...token, href: hrefOnSite(this.#document.file, token.href) });
  }

  override image(token: Tokens.Image): string {
    return super.image({ ...token, href: hrefOnSite(this.#document.file, token.href) });
  }

  override table(token: Tokens.Table): string {
    return `<div class="wide">${super.table(token)}</div>\n`;
  }
}

function pageOf(file: string, title: string, content: string, all: readonly Document[]): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}${title === 'prestate' ? '' : ' - prestate'}</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<details class="menu"><summary>prestate</summary>${listOf(file, all)}</details>
<nav>${listOf(file, all)}</nav>
<main>
${content}</main>
</body>
</html>
`;
}

/** All documents by group; the current one is marked. */
function listOf(from: string, all: readonly Document[]): string {
  const named = new Set(GROUPS.flatMap(([, files]) => files));
  const others = all.map(({ file }) => file).filter((file) => !named.has(file));
  return [...GROUPS, [LAST_GROUP, others] as const]
    .map(([name, files]) => {
      const links = files.flatMap((file) => all.filter((one) => one.file === file).map((one) => linkTo(from, one)));
      return `<p>${name}</p><ul>${links.join('')}</ul>`;
    })
    .join('');
}

function linkTo(from: string, { file, title }: Document): string {
  const isHere = file === from ? ' aria-current="page"' : '';
  return `<li><a href="${escaped(pathBetween(from, file))}"${isHere}>${escaped(title)}</a></li>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
