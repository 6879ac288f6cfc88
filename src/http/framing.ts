// Where a request's body ends, when two readers of its headers could differ about that. Runs on main.
import type { Request } from './app.js';

/**
 * `none`: no body is announced. `ambiguous`: a reader in front of us may see another end of the body than uWebSockets.js
 * does, and take for a second request what is part of the first, or the other way round (RFC 9112, sections 6.3 and 11.2).
 */
export type Framing = 'clear' | 'none' | 'ambiguous';

/**
 * Whether uWebSockets.js may have misread the length of a body with this `Content-Length` (the first one, `''` where
 * absent): it takes an empty one and zero for no body and overlooks what follows, and takes any `Transfer-Encoding` for
 * `chunked`. Of two lengths that are not zero it uses the first; seeing the second costs a look at all headers, 0.8 us a
 * request, and is left to the proxy in front, which has to refuse it.
 */
export function needsLook(contentLength: string): boolean {
  return contentLength === '' || contentLength.startsWith('0');
}

/** Looks at all headers. */
export function framingOf(request: Request): Framing {
  const lengths: string[] = [];
  const encodings: string[] = [];
  request.forEach((name, value) => {
    if (name === 'content-length') lengths.push(value);
    else if (name === 'transfer-encoding') encodings.push(value);
  });
  if (lengths.length + encodings.length > 1) return 'ambiguous';
  const [[length], [encoding]] = [lengths, encodings];
  if (length !== undefined) return DECIMAL.test(length) ? 'clear' : 'ambiguous';
  if (encoding === undefined) return 'none';
  return encoding.toLowerCase() === 'chunked' ? 'clear' : 'ambiguous';
}

const DECIMAL = /^\d+$/;
