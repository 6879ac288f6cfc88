// Cross-origin rules: which web pages may ask, and what they are told. Runs on main.
import type { Request } from './app.js';
import { headerBlock, headerName } from './head.js';
import type { HeaderBlock } from './head.js';
import { BEHIND_HEADER, POSITION_HEADERS } from './headers.js';

const ORIGIN = headerName('origin');
const EXPOSE = [
  'Access-Control-Expose-Headers',
  [...POSITION_HEADERS, BEHIND_HEADER, 'retry-after'].join(', '),
] as const;
const PREFLIGHT = [
  ['Access-Control-Allow-Methods', 'POST, GET, OPTIONS'],
  ['Access-Control-Allow-Headers', 'Content-Type, *'],
  ['Access-Control-Max-Age', '600'],
] as const;
const VARY = ['Vary', 'Origin'] as const;

type Header = readonly [name: string, value: string];

/** The rules for a list of origins (`https://host:port`, or `*` for any); the empty list allows none. */
export class Cors {
  readonly #any: boolean;
  /** Answer and preflight headers by allowed origin: made here, because text of a request never enters a block. */
  readonly #answers: ReadonlyMap<string, HeaderBlock>;
  readonly #preflights: ReadonlyMap<string, HeaderBlock>;
  readonly #vary: HeaderBlock | null;
  readonly #anyPreflight = headerBlock([['Access-Control-Allow-Origin', '*'], ...PREFLIGHT]);

  constructor(origins: readonly string[]) {
    this.#any = origins.includes('*');
    this.#answers = blocks(origins, [EXPOSE, VARY]);
    this.#preflights = blocks(origins, [...PREFLIGHT, VARY]);
    this.#vary = origins.length === 0 || this.#any ? null : headerBlock([VARY]);
  }

  /** Headers of every answer, whoever asks. */
  get always(): readonly Header[] {
    return this.#any ? [['Access-Control-Allow-Origin', '*'], EXPOSE] : [];
  }

  /** Further headers for this request's origin; `null`, without a look at the request, where there can be none. */
  answer(request: Request): HeaderBlock | null {
    if (this.#vary === null) return null;
    return this.#answers.get(request.getHeader(ORIGIN)) ?? this.#vary;
  }

  /** Headers of the answer to a preflight. */
  preflight(request: Request): HeaderBlock | null {
    if (this.#any) return this.#anyPreflight;
    return this.#preflights.get(request.getHeader(ORIGIN)) ?? this.#vary;
  }

  /** Browsers do not protect WebSockets across origins: a page of another origin is refused here. */
  allowsSocket(request: Request): boolean {
    const origin = request.getHeader(ORIGIN);
    return origin === '' || this.#any || this.#answers.has(origin);
  }
}

function blocks(origins: readonly string[], further: readonly Header[]): ReadonlyMap<string, HeaderBlock> {
  return new Map(origins.map((origin) => [origin, headerBlock([['Access-Control-Allow-Origin', origin], ...further])]));
}
