// Cross-origin rules: which web pages may send requests, and which CORS headers the responses have.
import { isIP } from 'node:net';
import type { HttpRequest } from '../server-interface.js';
import { encodeHeaderBlock, encodeLatin1, type HeaderBlock, type HeaderField } from '../encoded-heads.js';
import { VERSIONS_BEHIND_HEADER, POSITION_HEADERS } from '../answers/response-heads.js';

const ORIGIN = encodeLatin1('origin');
const HOST = encodeLatin1('host');
const EXPOSE = [
  'Access-Control-Expose-Headers',
  [...POSITION_HEADERS, VERSIONS_BEHIND_HEADER, 'retry-after'].join(', '),
] as const;
const PREFLIGHT = [
  ['Access-Control-Allow-Methods', 'POST, GET, OPTIONS'],
  ['Access-Control-Allow-Headers', 'Content-Type, *'],
  ['Access-Control-Max-Age', '600'],
] as const;
const VARY = ['Vary', 'Origin'] as const;
/** Matches the origins of web pages that are served by this machine. */
const LOCAL = /^https?:\/\/(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/;

/** The cross-origin rules for a list of origins (`https://host:port`, or `*` for any). An empty list allows none. */
export class Cors {
  readonly #any: boolean;
  readonly #localPages: boolean;
  /**
   * Response headers by allowed origin. They are encoded in advance, because text from a request must never enter a
   * header block.
   */
  readonly #answers: ReadonlyMap<string, HeaderBlock>;
  readonly #preflights: ReadonlyMap<string, HeaderBlock>;
  readonly #vary: HeaderBlock | null;
  readonly #anyPreflight = encodeHeaderBlock([['Access-Control-Allow-Origin', '*'], ...PREFLIGHT]);

  /** `localPages`: true if web pages that are served by this machine may do what `allowsUnasked` checks. */
  constructor(origins: readonly string[], localPages: boolean) {
    this.#any = origins.includes('*');
    this.#localPages = localPages;
    this.#answers = blocks(origins, [EXPOSE, VARY]);
    this.#preflights = blocks(origins, [...PREFLIGHT, VARY]);
    this.#vary = origins.length === 0 || this.#any ? null : encodeHeaderBlock([VARY]);
  }

  /** Headers that every response has, whatever the origin of the request. */
  get always(): readonly HeaderField[] {
    return this.#any ? [['Access-Control-Allow-Origin', '*'], EXPOSE] : [];
  }

  /**
   * Returns response headers in addition to `always`, which depend on the origin of this request. Returns `null` if no
   * headers depend on the origin; the `Origin` header is then not read.
   */
  answer(request: HttpRequest): HeaderBlock | null {
    if (this.#vary === null) return null;
    return this.#answers.get(request.getHeader(ORIGIN)) ?? this.#vary;
  }

  /** Returns the headers of the response to a preflight request. */
  preflight(request: HttpRequest): HeaderBlock | null {
    if (this.#any) return this.#anyPreflight;
    return this.#preflights.get(request.getHeader(ORIGIN)) ?? this.#vary;
  }

  /**
   * True if the caller may open a WebSocket, or send a body without a content type. Browsers let any web page do this
   * without a preflight, so the server has to check it. Allowed are:
   * - callers that are no web page (they send no `Origin`)
   * - web pages of an allowed origin, and with `localPages` those that this machine serves
   * - web pages of the same host as this server, if the host is an IP address or localhost. A host name is not
   *   sufficient, because the author of any page can point a host name at this address (DNS rebinding).
   */
  allowsUnasked(request: HttpRequest): boolean {
    const origin = request.getHeader(ORIGIN);
    if (origin === '' || this.#any || this.#answers.has(origin)) return true;
    return (this.#localPages && LOCAL.test(origin)) || (isOwnPage(request) && isAddress(request.getHeader(HOST)));
  }
}

/** True if the web page comes from the host to which it sends the request. */
function isOwnPage(request: HttpRequest): boolean {
  const [origin, host] = [request.getHeader(ORIGIN), request.getHeader(HOST)];
  return origin === `http://${host}` || origin === `https://${host}`;
}

/** True if a host (`name` or `name:port`) is an IP address or `localhost`. */
function isAddress(host: string): boolean {
  const name = host.replace(/:\d*$/, '');
  return name === 'localhost' || isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0;
}

function blocks(origins: readonly string[], further: readonly HeaderField[]): ReadonlyMap<string, HeaderBlock> {
  return new Map(
    origins.map((origin) => [origin, encodeHeaderBlock([['Access-Control-Allow-Origin', origin], ...further])]),
  );
}
