// Redacts secrets in messages from outside: an upstream's address carries keys, and its errors may repeat it. Pure.
import { LIMITS } from '../../limits/index.js';

/** Returns a message as it may be shown: without secrets, and no longer than LIMITS.upstreamErrorCharsMax. */
export type Redact = (text: string) => string;

const SHOWN = '***';
/** Path segments and query values from this length on are considered keys. */
const KEY_CHARS_MIN = 8;

/** For messages from these addresses (URLs): redacts user, password, host, and everything in them that may be a key. */
export function redactor(...addresses: readonly (string | null)[]): Redact {
  const secrets = new Set(addresses.flatMap((address) => (address === null ? [] : secretsOf(new URL(address)))));
  // The longest first: one may be contained in another.
  const patterns = [...secrets].sort((a, b) => b.length - a.length).map(patternOf);
  const pattern = new RegExp(patterns.join('|') || NOTHING, 'giu');
  return (text) => text.replace(pattern, SHOWN).slice(0, LIMITS.upstreamErrorCharsMax);
}

/** An address as it may be shown: host and path, with logins and possible keys replaced by `***`. */
export function shownAddress(address: string): string {
  const { protocol, username, password, host, pathname, search } = new URL(address);
  const login = username === '' && password === '' ? '' : `${SHOWN}@`;
  const path = pathname.split('/').map((part) => (part.length >= KEY_CHARS_MIN ? SHOWN : part));
  return `${protocol}//${login}${host}${path.join('/').replace(/^\/$/, '')}${search === '' ? '' : `?${SHOWN}`}`;
}

/** Never matches. */
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

/** A short secret is only redacted as a whole word: it may be contained in any other. */
function patternOf(secret: string): string {
  const literal = secret.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
  return secret.length >= KEY_CHARS_MIN ? literal : String.raw`(?<![\p{L}\p{N}])${literal}(?![\p{L}\p{N}])`;
}
