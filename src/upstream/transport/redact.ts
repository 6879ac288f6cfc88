// Takes what must not be shown out of foreign texts: an upstream's address carries keys, and its errors may repeat it.
// Pure. Runs on main and publisher.
import { LIMITS } from '../../limits/index.js';

/** A foreign text as it may be shown: without the secrets, and no longer than LIMITS.upstreamErrorCharsMax. */
export type Redact = (text: string) => string;

const SHOWN = '***';
/** Path segments and query values from this length on are taken for keys. */
const KEY_CHARS_MIN = 8;

/** For what comes from behind these addresses (URLs): user, password, host, and everything in them that may be a key. */
export function redactor(...addresses: readonly (string | null)[]): Redact {
  const secrets = new Set(addresses.flatMap((address) => (address === null ? [] : secretsOf(new URL(address)))));
  // The longest first: one may be a part of another.
  const patterns = [...secrets].sort((a, b) => b.length - a.length).map(patternOf);
  const pattern = new RegExp(patterns.join('|') || NOTHING, 'giu');
  return (text) => text.replace(pattern, SHOWN).slice(0, LIMITS.upstreamErrorCharsMax);
}

/** An address as it may be shown: where it leads, with what may be a login or a key as `***`. */
export function shownAddress(address: string): string {
  const { protocol, username, password, host, pathname, search } = new URL(address);
  const login = username === '' && password === '' ? '' : `${SHOWN}@`;
  const path = pathname.split('/').map((part) => (part.length >= KEY_CHARS_MIN ? SHOWN : part));
  return `${protocol}//${login}${host}${path.join('/').replace(/^\/$/, '')}${search === '' ? '' : `?${SHOWN}`}`;
}

/** Matches nowhere. */
const NOTHING = '(?!)';

function secretsOf({ username, password, host, hostname, pathname, search }: URL): string[] {
  const values = search
    .slice(1)
    .split('&')
    .map((pair) => pair.slice(pair.indexOf('=') + 1));
  const keys = [...pathname.split('/'), ...values].filter((part) => part.length >= KEY_CHARS_MIN);
  const basic = Buffer.from(`${decoded(username)}:${decoded(password)}`).toString('base64');
  const login = username === '' && password === '' ? [] : [username, password, basic];
  const written = [...login, host, hostname, ...keys].filter((secret) => secret !== '');
  return [...written, ...written.map(decoded)];
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** A short secret counts as a whole word only: it may be a part of any other. */
function patternOf(secret: string): string {
  const literal = secret.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
  return secret.length >= KEY_CHARS_MIN ? literal : String.raw`(?<![\p{L}\p{N}])${literal}(?![\p{L}\p{N}])`;
}
