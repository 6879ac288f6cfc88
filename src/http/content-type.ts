// Content types that carry a JSON-RPC request.

const JSON_TYPES: ReadonlySet<string> = new Set([
  'application/json',
  'application/json-rpc',
  'application/jsonrequest',
]);

/**
 * True if a body with this `Content-Type` is read: one of JSON's three names, in any case and with any parameters, or
 * no type at all. Types that a web page can send without a preflight (`text/plain`, forms) are refused, as is a page
 * that sends no type; see `Cors`.
 */
export function isJsonContentType(value: string): boolean {
  if (value === '' || value === 'application/json') return true;
  const semicolon = value.indexOf(';');
  const type = semicolon < 0 ? value : value.slice(0, semicolon);
  return JSON_TYPES.has(type.trim().toLowerCase());
}
