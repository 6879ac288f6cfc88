// Removes secrets from messages of the node and of libraries. The configured URLs may contain API keys, and an error
// message may repeat the URL. Pure.
import { LIMITS } from '../../limits/index.js';

/** Makes a message safe to show: removes secrets, and cuts it to LIMITS.upstreamErrorCharsMax characters. */
export type Redactor = (text: string) => string;

const SHOWN = '***';
/** Path segments and query values of at least this length are treated as API keys. */
const KEY_CHARS_MIN = 8;

/**
 * Returns a function that removes the secrets of these URLs from a message: user, password, host, and everything that
 * may be an API key.
 */
export function createRedactor(...addresses: readonly (string | null)[]): Redactor {
  const secrets = new Set(addresses.flatMap((address) => (address === null ? [] : secretsOf(new URL(address)))));
  // The longest secret is matched first, because one secret may contain another.
  const patterns = [...secrets].sort((a, b) => b.length - a.length).map(patternOf);
  const pattern = new RegExp(patterns.join('|') || NOTHING, 'giu');
  return (text) => text.replace(pattern, SHOWN).slice(0, LIMITS.upstreamErrorCharsMax);
}

/** Returns a URL in a form that may be shown: user, password and possible API keys are replaced by `***`. */
export function redactAddress(address: string): string {
  const { protocol, username, password, host, pathname, search } = new URL(address);
  const login = username === '' && password === '' ? '' : `${SHOWN}@`;
  const path = pathname.split('/').map((part) => (part.length >= KEY_CHARS_MIN ? SHOWN : part));
  return `${protocol}//${login}${host}${path.join('/').replace(/^\/$/, '')}${search === '' ? '' : `?${SHOWN}`}`;
}

/** A regular expression that never matches. */
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

/**
 * Returns the regular expression for a secret. A short secret is removed only where it is a whole word, because it may
 * occur in other words by chance.
 */
function patternOf(secret: string): string {
  const literal = secret.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
  return secret.length >= KEY_CHARS_MIN ? literal : String.raw`(?<![\p{L}\p{N}])${literal}(?![\p{L}\p{N}])`;
}
