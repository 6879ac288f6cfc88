// Removes secrets from messages that come from outside: an upstream's address may contain keys, and its errors may
// repeat the address. Pure.
import { LIMITS } from '../../limits/index.js';

/** Returns a message in a form that may be shown: without secrets, and no longer than LIMITS.upstreamErrorCharsMax. */
export type Redactor = (text: string) => string;

const SHOWN = '***';
/** Path segments and query values from this length on are treated as keys. */
const KEY_CHARS_MIN = 8;

/** For messages that may contain these URLs: removes user, password, host, and whatever may be a key. */
export function createRedactor(...addresses: readonly (string | null)[]): Redactor {
  const secrets = new Set(addresses.flatMap((address) => (address === null ? [] : secretsOf(new URL(address)))));
  // The longest secret is first, because one may contain another.
  const patterns = [...secrets].sort((a, b) => b.length - a.length).map(patternOf);
  const pattern = new RegExp(patterns.join('|') || NOTHING, 'giu');
  return (text) => text.replace(pattern, SHOWN).slice(0, LIMITS.upstreamErrorCharsMax);
}

/** An address in a form that may be shown: host and path, with logins and possible keys replaced by `***`. */
export function redactAddress(address: string): string {
  const { protocol, username, password, host, pathname, search } = new URL(address);
  const login = username === '' && password === '' ? '' : `${SHOWN}@`;
  const path = pathname.split('/').map((part) => (part.length >= KEY_CHARS_MIN ? SHOWN : part));
  return `${protocol}//${login}${host}${path.join('/').replace(/^\/$/, '')}${search === '' ? '' : `?${SHOWN}`}`;
}

/** A pattern that never matches. */
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

/** The pattern of a secret. A short one is only removed as a whole word, as it may be part of others. */
function patternOf(secret: string): string {
  const literal = secret.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
  return secret.length >= KEY_CHARS_MIN ? literal : String.raw`(?<![\p{L}\p{N}])${literal}(?![\p{L}\p{N}])`;
}
