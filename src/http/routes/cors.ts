// Cross-origin rules: which web pages may ask, and what they are told. Runs on main.
import { isIP } from 'node:net';
import type { Request } from '../app.js';
import { headerBlock, headerName } from '../head.js';
import type { HeaderBlock } from '../head.js';
import { BEHIND_HEADER, POSITION_HEADERS } from '../answers/headers.js';

const ORIGIN = headerName('origin');
const HOST = headerName('host');
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
/** Origins of pages that come from this machine. */
const LOCAL = /^https?:\/\/(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/;

type Header = readonly [name: string, value: string];

/** The rules for a list of origins (`https://host:port`, or `*` for any); the empty list allows none. */
export class Cors {
  readonly #any: boolean;
  readonly #localPages: boolean;
  /** Answer and preflight headers by allowed origin: made here, because text of a request never enters a block. */
  readonly #answers: ReadonlyMap<string, HeaderBlock>;
  readonly #preflights: ReadonlyMap<string, HeaderBlock>;
  readonly #vary: HeaderBlock | null;
  readonly #anyPreflight = headerBlock([['Access-Control-Allow-Origin', '*'], ...PREFLIGHT]);

  /** `localPages`: pages that come from this machine may do what browsers do not ask for. */
  constructor(origins: readonly string[], localPages: boolean) {
    this.#any = origins.includes('*');
    this.#localPages = localPages;
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

  /**
   * True if the asker may do what browsers let every page do without asking here first: open a WebSocket, and send a body
   * without a content type. No page does it (there is no `Origin`), or one that is allowed, or one that comes from here. Of
   * the last the host has to be an address: a name may be bound to this address by whoever has made the page.
   */
  allowsUnasked(request: Request): boolean {
    const origin = request.getHeader(ORIGIN);
    if (origin === '' || this.#any || this.#answers.has(origin)) return true;
    return (this.#localPages && LOCAL.test(origin)) || (isOwnPage(request) && isAddress(request.getHeader(HOST)));
  }
}

/** True if the page that asks has come from the host that it asks. */
export function isOwnPage(request: Request): boolean {
  const [origin, host] = [request.getHeader(ORIGIN), request.getHeader(HOST)];
  return origin === `http://${host}` || origin === `https://${host}`;
}

/** True if a host (`name` or `name:port`) is named by an address, or as this machine. */
function isAddress(host: string): boolean {
  const name = host.replace(/:\d*$/, '');
  return name === 'localhost' || isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0;
}

function blocks(origins: readonly string[], further: readonly Header[]): ReadonlyMap<string, HeaderBlock> {
  return new Map(origins.map((origin) => [origin, headerBlock([['Access-Control-Allow-Origin', origin], ...further])]));
}
