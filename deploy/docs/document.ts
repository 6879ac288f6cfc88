// A document of the project: its tokens, its title, and its headings as link targets. Pure.
import { lexer, type Token, type Tokens, walkTokens } from 'marked';

/** A parsed Markdown file. */
export interface Document {
  /** Path from the root of the project. */
  readonly file: string;
  readonly title: string;
  readonly tokens: readonly Token[];
  /** Ids of its headings. */
  readonly ids: ReadonlyMap<Token, string>;
  /** Hrefs of its links and pictures. */
  readonly hrefs: readonly string[];
}

export function documentOf(file: string, text: string): Document {
  const tokens = lexer(text);
  const [headings, hrefs]: [Tokens.Heading[], string[]] = [[], []];
  void walkTokens(tokens, (token) => {
    if (token.type === 'heading') headings.push(token as Tokens.Heading);
    if (token.type === 'link' || token.type === 'image') hrefs.push((token as Tokens.Link).href);
  });
  const [first] = headings;
  return { file, title: first === undefined ? file : plain(first.tokens), tokens, ids: idsOf(headings), hrefs };
}

/** Ids as GitHub and npm generate them: duplicates get a number. */
function idsOf(headings: readonly Tokens.Heading[]): ReadonlyMap<Token, string> {
  const times = new Map<string, number>();
  return new Map(
    headings.map((heading) => {
      const slug = slugOf(plain(heading.tokens));
      const earlier = times.get(slug) ?? 0;
      times.set(slug, earlier + 1);
      return [heading, earlier === 0 ? slug : `${slug}-${earlier}`];
    }),
  );
}

function slugOf(heading: string): string {
  const kept = heading.toLowerCase().replaceAll(/[^\p{L}\d\s_-]/gu, '');
  return kept.replaceAll(' ', '-');
}

/** The text of a line without markup. */
function plain(tokens: readonly Token[]): string {
  return tokens.map((token) => ('tokens' in token ? plain(token.tokens) : (token as Tokens.Text).text)).join('');
}
