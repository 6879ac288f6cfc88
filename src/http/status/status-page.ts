// The status page: page.html with its script inlined and a Content-Security-Policy. Also decides which clients get the
// page.

// The status page is one file that reads `/metrics` and `/readyz` each second. So it does not work behind a proxy that
// forwards only `/`. See DECISIONS.md.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createStaticResponse, type StaticResponse } from '../answers/responder.js';

/**
 * The HTML is read from `src`, so the npm package includes the file. The page's script is compiled like all
 * other modules.
 */
const PAGE = readFileSync(new URL('../../../../src/http/status/page.html', import.meta.url), 'utf8');
const SCRIPT = ['metric-math.js', 'page-script.js'].map(scriptText).join('\n');
const HTML = PAGE.replace('></script>', () => `>${SCRIPT}</script>`);

/**
 * The Content-Security-Policy allows the page's own style and script by hash, fetches from its origin, and no framing.
 */
const POLICY = [
  `default-src 'none'`,
  `script-src '${hashOf('script')}'`,
  `style-src '${hashOf('style')}'`,
  `connect-src 'self'`,
  `img-src data:`,
  `base-uri 'none'`,
  `form-action 'none'`,
  `frame-ancestors 'none'`,
].join('; ');

/** The response to clients that prefer HTML. */
export const STATUS_PAGE: StaticResponse = createStaticResponse(200, HTML, [
  ['Content-Type', 'text/html; charset=utf-8'],
  ['Content-Security-Policy', POLICY],
  ['X-Content-Type-Options', 'nosniff'],
  ['Referrer-Policy', 'no-referrer'],
  ['Cache-Control', 'no-cache'],
  ['Vary', 'Accept'],
]);

/** True if an `Accept` header gives HTML a higher quality than any other text type (RFC 9110, section 12.5.1). */
export function prefersHtml(accept: string): boolean {
  const ranges = accept.toLowerCase().split(',').map(readRange);
  const liked = (name: string): number => ranges.find((range) => range.name === name)?.quality ?? 0;
  return liked('text/html') > Math.max(liked('application/json'), liked('text/plain'));
}

function readRange(text: string): { readonly name: string; readonly quality: number } {
  const [name = '', ...parameters] = text.split(';').map((part) => part.trim());
  const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
  return { name, quality: Number(quality) || 0 };
}

/** Returns the text of a compiled module without imports and exports, to be inlined in the page's only script. */
function scriptText(file: string): string {
  const text = readFileSync(new URL(file, import.meta.url), 'utf8');
  return text.replaceAll(/^import .*\n|^export (?:\{\};\n)?|^\/\/# sourceMappingURL.*$/gm, '');
}

function hashOf(element: 'script' | 'style'): string {
  const [, text = ''] = new RegExp(`<${element}[^>]*>(.*?)</${element}>`, 's').exec(HTML) ?? [];
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
