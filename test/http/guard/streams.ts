// Random byte streams of connections: requests as in RFC 9112, near misses of every kind, single-byte errors, split
// anywhere.
import * as fc from 'fast-check';

const TARGETS = [
  '/',
  '/livez',
  '/?a=b',
  '*',
  'http://a/',
  'http://a/livez?x',
  'HTTPS://a:1',
  'http:///',
  'http://a?x',
  'a:1',
  '/\u007f',
];
const METHODS = ['POST', 'POST', 'POST', 'GET', 'HEAD', 'OPTIONS', 'PUT', 'CONNECT', 'post', 'FOO', 'P(ST', ''];
const VERSIONS = [
  'HTTP/1.1',
  'HTTP/1.1',
  'HTTP/1.1',
  'HTTP/1.0',
  'HTTP/1.2',
  'HTTP/2.0',
  'HTTP/1.1 ',
  'HTTP/1',
  'http/1.1',
];
const FIELDS = [
  'Content-Type: application/json',
  'Content-Length: 5',
  'content-length:5',
  'Content-Length: 0',
  'Content-Length: 005',
  'Content-Length: ',
  'Content-Length: +5',
  'Content-Length: 5, 5',
  'Content-Length: 9999999999999999',
  'Transfer-Encoding: chunked',
  'Transfer-Encoding: Chunked',
  'transfer-encoding:\tchunked ',
  'Transfer-Encoding: gzip, chunked',
  'Transfer-Encoding: identity',
  'Transfer-Encoding:',
  'Host: b',
  'Connection: close',
  'Connection: keep-alive',
  'Expect: 100-continue',
  'Expect: magic',
  'Upgrade: h2c',
  'Upgrade: h2c, WebSocket',
  'Connection: keep-alive, Upgrade',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Version: 8',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ',
  'X: y',
  'X:',
  ': x',
  'X : y',
  ' folded',
  '\tfolded: x',
  'no colon',
  'X: \u0001',
  'X: a\rb',
  'X: \u00e9',
  `X: ${'y'.repeat(1500)}`,
];
const SIZES = [
  '5',
  '05',
  '5;a=b',
  '5 ;a="b;c"',
  '5;',
  '5 ',
  '0x5',
  '-5',
  '',
  ';',
  'A',
  'fffffffffffffff',
  '5;\u0001',
  '5;a\rb',
];
const TRAILERS = [
  '',
  'a: b\r\n',
  'a:POST / HTTP/1.1\r\n',
  'a\r\n',
  ': b\r\n',
  ':b: c\r\n',
  'a: \u0001\r\n',
  ' a: b\r\n',
  `a: ${'b'.repeat(33_000)}\r\n`,
];
const LINE_ENDS = ['\r\n', '\r\n', '\r\n', '\r\n', '\r\n', '\r\n', '\r\n', '\n', '\r', '\r\r\n'];

function oneOf(...texts: readonly string[]): fc.Arbitrary<string> {
  return fc.constantFrom(...texts);
}

const lineEnd = fc.oneof({ weight: 8, arbitrary: fc.constant('\r\n') }, { weight: 1, arbitrary: oneOf(...LINE_ENDS) });
const host = fc.oneof(
  { weight: 12, arbitrary: fc.constant(['Host: a']) },
  { weight: 1, arbitrary: oneOf('Host:', 'host: b').map((line) => [line]) },
  { weight: 1, arbitrary: fc.constant([]) },
);
const requestLine = fc
  .tuple(
    oneOf(...METHODS),
    fc.oneof({ weight: 3, arbitrary: fc.constant('/') }, { weight: 1, arbitrary: oneOf(...TARGETS) }),
    oneOf(...VERSIONS),
  )
  .map((parts) => parts.join(' '));
const wellFormedLine = fc.constant('POST / HTTP/1.1');

const chunk = fc
  .tuple(
    fc.oneof(fc.constant('5'), oneOf(...SIZES)),
    fc.oneof({ weight: 6, arbitrary: fc.constant('hello') }, { weight: 1, arbitrary: oneOf('hell', 'hello!', '') }),
    lineEnd,
    lineEnd,
  )
  .map(([size, data, first, second]) => `${size}${first}${data}${second}`);
const chunks = fc
  .tuple(
    fc.array(chunk, { maxLength: 4 }),
    oneOf('0', '0', '00', '0;x', ''),
    fc.oneof(fc.constant(''), oneOf(...TRAILERS)),
    lineEnd,
  )
  .map(([all, last, trailers, end]) => `${all.join('')}${last}\r\n${trailers}${end}`);

const head = (fields: fc.Arbitrary<readonly string[]>): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.oneof({ weight: 4, arbitrary: wellFormedLine }, { weight: 1, arbitrary: requestLine }),
      host,
      fields,
      lineEnd,
    )
    .map(([first, hosts, others, end]) => [first, ...hosts, ...others].join('\r\n') + end + '\r\n');
const anyFields = fc.oneof(
  { weight: 6, arbitrary: fc.array(oneOf(...FIELDS), { maxLength: 4 }) },
  // About as many and as long as allowed.
  {
    weight: 1,
    arbitrary: fc
      .tuple(
        fc.oneof(fc.integer({ min: 93, max: 98 }), fc.integer({ min: 147, max: 152 })),
        oneOf('a:b', 'X-Real-IP: b'),
      )
      .map(([count, field]) => Array.from({ length: count }, () => field)),
  },
  { weight: 1, arbitrary: fc.integer({ min: 32_710, max: 32_750 }).map((length) => [`X: ${'y'.repeat(length)}`]) },
);
const HANDSHAKE = [
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
];
/** A handshake that may lack a field or have additional ones. */
const handshake = fc
  .tuple(fc.subarray(HANDSHAKE, { minLength: 3 }), fc.array(oneOf(...FIELDS), { maxLength: 2 }))
  .map(([own, others]) => `${['GET / HTTP/1.1', 'Host: a', ...own, ...others].join('\r\n')}\r\n\r\n`);

/** A valid or almost valid message. */
const message = fc.oneof(
  { weight: 4, arbitrary: head(fc.constant(['Content-Length: 5'])).map((text) => `${text}hello`) },
  {
    weight: 4,
    arbitrary: fc.tuple(head(fc.constant(['Transfer-Encoding: chunked'])), chunks).map((parts) => parts.join('')),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(head(anyFields), fc.oneof(fc.constant('hello'), chunks, fc.constant('')))
      .map((parts) => parts.join('')),
  },
  { weight: 2, arbitrary: handshake },
  { weight: 1, arbitrary: oneOf('\r\n', '\n', '\u0000', '\u0016\u0003\u0001', 'hello', '\r') },
);

/** One byte replaced, removed or duplicated. */
const slip = fc.record({
  at: fc.nat(),
  byte: fc.oneof(
    oneOf('\r', '\n', ' ', ':', '\u0000', '0'),
    fc.nat(255).map((n) => String.fromCharCode(n)),
  ),
  kind: fc.nat(2),
});

function slipped(text: string, { at, byte, kind }: { at: number; byte: string; kind: number }): string {
  const i = at % (text.length + 1);
  return text.slice(0, i) + (kind === 1 ? '' : byte) + text.slice(kind === 2 ? i : i + 1);
}

/** The bytes of a connection, one character per byte. */
export const stream: fc.Arbitrary<string> = fc
  .tuple(fc.array(message, { minLength: 1, maxLength: 4 }), fc.array(slip, { maxLength: 1 }))
  .map(([messages, slips]) => slips.reduce(slipped, messages.join('')));

/** Slightly less than the guard reads at a time. */
const PIECE_BYTES_MAX = 30_000;

/** The pieces of `text`, split at the given cuts and where a piece would be too long for one read. */
export function piecesOf(text: string, cuts: readonly number[]): Buffer[] {
  const bytes = Buffer.from(text, 'latin1');
  const reads = Array.from({ length: Math.floor(bytes.length / PIECE_BYTES_MAX) }, (_, i) => (i + 1) * PIECE_BYTES_MAX);
  const places = [...new Set([...reads, ...cuts.map((cut) => cut % (bytes.length + 1))])].sort((a, b) => a - b);
  return [...places, bytes.length]
    .map((end, i) => bytes.subarray(i === 0 ? 0 : places[i - 1], end))
    .filter(({ length }) => length > 0);
}

/** Positions of cuts. */
export const cuts = fc.array(fc.nat(), { maxLength: 6 });

/** A WebSocket frame: its length in each of the three encodings, masked or not. */
const frame = fc
  .tuple(fc.constantFrom(0, 1, 5, 125, 126, 300, 65_535, 65_536), fc.boolean(), fc.boolean())
  .map(([length, isMasked, isLong]) => {
    const mask = isMasked ? 0x80 : 0;
    const header = Buffer.alloc(isLong || length > 65_535 ? 10 : length > 125 ? 4 : 2);
    header[0] = 0x81;
    header[1] = mask | (header.length === 10 ? 127 : header.length === 4 ? 126 : length);
    if (header.length === 10) header.writeBigUInt64BE(BigInt(length), 2);
    if (header.length === 4) header.writeUInt16BE(length, 2);
    return header.toString('latin1') + 'm'.repeat(isMasked ? 4 : 0) + 'p'.repeat(length);
  });

/** WebSocket bytes after the handshake, some with many short frames; the last frame may be incomplete. */
export const frames = fc
  .tuple(
    fc.oneof(
      fc.array(frame, { minLength: 1, maxLength: 80 }),
      fc.array(fc.constantFrom('\u0081\u0001x', '\u0081\u0080mmmm'), { minLength: 30, maxLength: 80 }),
    ),
    fc.nat(3),
  )
  .map(([all, missing]) =>
    all
      .join('')
      .slice(0, 30_000)
      .slice(0, -missing || undefined),
  );

const TOKENS = [
  '{',
  '[',
  '}',
  ']',
  '"',
  '\\',
  '\\"',
  ' ',
  '\n',
  '\r\n',
  'a',
  '{}',
  '{"a":"\\"}"}',
  '[{}]',
  'GET / HTTP/1.1\r\n',
];

/** White space, which means nothing between two values. */
export const space = fc.array(fc.constantFrom(' ', '\n', '\r', '\t'), { maxLength: 4 }).map((all) => all.join(''));

/** Bytes on a Unix socket, mostly starting as JSON; a value may be longer than a frame. */
export const values = fc
  .tuple(
    fc.oneof(space, fc.constant(' '.repeat(32_769))),
    fc.array(fc.oneof(fc.constantFrom(...TOKENS), fc.constantFrom(125, 126, 20_000).map(quoted)), { maxLength: 90 }),
  )
  .map(([first, all]) => (first + all.join('')).slice(0, 60_000));

/** A JSON string of this length. */
function quoted(length: number): string {
  return `"${'x'.repeat(length)}"`;
}

const sentParts = fc.tuple(
  fc.constantFrom(0, 1, 2, 8, 9, 10),
  fc.boolean(),
  fc.constantFrom(0, 1, 5, 125, 126, 300, 65_536),
);

/** Bytes sent to a WebSocket after the response to its handshake. */
export const sent = fc
  .tuple(
    fc.constantFrom('HTTP/1.1 101 Switching\r\na: b\r\n\r\n', 'HTTP/1.1 503 No\r\n\r\n', 'HTTP/1.1 1', ''),
    fc.array(sentParts, { maxLength: 20 }),
  )
  .map(([first, all]) => Buffer.concat([Buffer.from(first), ...all.map((each) => sentFrame(...each))]));

function sentFrame(opcode: number, isLast: boolean, length: number): Buffer {
  const size = length > 65_535 ? 10 : length > 125 ? 4 : 2;
  const header = Buffer.alloc(size);
  header[0] = (isLast ? 0x80 : 0) | opcode;
  header[1] = size === 10 ? 127 : size === 4 ? 126 : length;
  if (size === 10) header.writeBigUInt64BE(BigInt(length), 2);
  if (size === 4) header.writeUInt16BE(length, 2);
  return Buffer.concat([header, Buffer.alloc(length, 'p')]);
}
