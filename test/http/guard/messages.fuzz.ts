// The addon and its portable equivalent emit the same messages for the same bytes, and how the bytes are split makes no
// difference.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { HTTP_GUARD } from '../../../src/http/uws/load-uws.js';
import { Lines } from './judge/lines.js';
import { Messages } from './judge/messages.js';
import { cuts, frames, piecesOf, sent, space, stream, values } from './streams.js';
import { rounds } from '../../support/rounds.js';

const RUNS = rounds(1200);
const SEED = Number(process.env['SEED'] ?? 1);
const NO_GUARD = HTTP_GUARD === null && 'there is no guard here: no Linux, or no C++ compiler';

/** Emitted in place of an unmasked frame. */
const PROTOCOL_ERROR = '\u0088\u0082\0\0\0\0\u0003\u00ea';

/** What the guard reads: a TCP connection, a WebSocket, or a Unix socket, where bare JSON needs no handshake. */
const CONNECTION_KINDS = { tcp: 0, frames: 1, local: 2 } as const;
type Kind = keyof typeof CONNECTION_KINDS;

/** Steps of the portable implementation for each piece. */
function portable(pieces: readonly Buffer[], kind: Kind = 'tcp'): string[][] {
  const messages = new Messages(kind === 'local');
  if (kind === 'frames') messages.upgrade();
  let rest: Buffer = Buffer.alloc(0);
  return pieces.map((piece) => {
    rest = Buffer.concat([rest, piece]);
    const steps: string[] = [];
    while (rest.length > 0) {
      const { consumed, emitted } = messages.step(rest);
      rest = rest.subarray(consumed);
      if (emitted.length === 0) break;
      if (messages.isBare && messages.isHandshake) messages.upgrade();
      steps.push(Buffer.concat(emitted).toString('latin1'));
    }
    return steps;
  });
}

function native(pieces: readonly Buffer[], kind: Kind = 'tcp'): string[][] {
  return HTTP_GUARD!
    .messages(pieces, CONNECTION_KINDS[kind])
    .map((steps) => steps.map((step) => step.toString('latin1')));
}

/** The messages in frames with a zero mask. */
function messagesOf(text: string): string[] {
  const bytes = Buffer.from(text, 'latin1');
  const messages: string[] = [];
  let message = '';
  for (let at = 0; at < bytes.length;) {
    const short = bytes[at + 1]! & 0x7f;
    const start = at + (short === 126 ? 8 : 6);
    const end = start + (short === 126 ? bytes.readUInt16BE(at + 2) : short);
    message += bytes.toString('latin1', start, end);
    if (bytes[at]! >= 0x80) {
      messages.push(message);
      message = '';
    }
    at = end;
  }
  return messages;
}

/** What a parser gets in total: the chunks of a body are joined. */
function parsed(steps: readonly (readonly string[])[]): string {
  return steps
    .flat()
    .join('')
    .replaceAll(/\r\n[0-9a-f]{5}\r\n/g, '');
}

void test('the addon and the JavaScript form emit the same steps', { skip: NO_GUARD }, () => {
  fc.assert(
    fc.property(stream, cuts, (text, at) => {
      const pieces = piecesOf(text, at);
      assert.deepEqual(portable(pieces), native(pieces));
    }),
    { seed: SEED, numRuns: RUNS },
  );
});

void test('a request split at any byte is read as if it arrived whole', () => {
  fc.assert(
    fc.property(stream, cuts, (text, at) => {
      const refusal = /GET \/!\d+ |z\r\n/;
      const [cut, whole] = [parsed(portable(piecesOf(text, at))), parsed(portable(piecesOf(text, [])))];
      // A head with two faults is refused for the one that is detected first.
      assert.equal(refusal.test(cut), refusal.test(whole));
      if (!refusal.test(cut)) assert.equal(cut, whole);
    }),
    { seed: SEED, numRuns: RUNS },
  );
});

void test('both forms find the same ends of WebSocket frames', { skip: NO_GUARD }, () => {
  fc.assert(
    fc.property(frames, cuts, (text, at) => {
      const pieces = piecesOf(text, at);
      const steps = portable(pieces, 'frames');
      assert.deepEqual(native(pieces, 'frames'), steps);
      const passed = steps.flat().join('');
      assert.ok(text.startsWith(passed.replace(PROTOCOL_ERROR, '')), 'frames are passed on as they came');
    }),
    { seed: SEED, numRuns: RUNS },
  );
});

void test(
  'both forms turn JSON values of a Unix socket into the same frames, and leave HTTP unchanged',
  { skip: NO_GUARD },
  () => {
    fc.assert(
      fc.property(fc.oneof(values, stream), cuts, (text, at) => {
        const pieces = piecesOf(text, at);
        assert.deepEqual(native(pieces, 'local'), portable(pieces, 'local'));
      }),
      { seed: SEED, numRuns: RUNS },
    );
  },
);

void test('each JSON value of a Unix socket is one message, byte for byte, wherever it is split', () => {
  fc.assert(
    fc.property(fc.array(fc.json()), space, cuts, (texts, between, at) => {
      const wanted = texts.map((text) => `[${text}]`);
      const pieces = piecesOf(between + wanted.map((text) => text + between).join(''), at);
      const [handshake = '', ...emitted] = portable(pieces, 'local').flat();
      assert.equal(handshake.startsWith('GET / HTTP/1.1\r\n'), wanted.length > 0);
      assert.deepEqual(messagesOf(emitted.join('')), wanted);
    }),
    { seed: SEED, numRuns: RUNS },
  );
});

void test('both forms send the same lines, however few bytes the kernel accepts at a time', { skip: NO_GUARD }, () => {
  fc.assert(
    fc.property(sent, cuts, fc.array(fc.nat(20), { maxLength: 50 }), (bytes, at, rooms) => {
      const lines = new Lines({ pinged: () => undefined, closed: () => undefined });
      const emitted = piecesOf(bytes.toString('latin1'), at).flatMap((piece) => lines.take(piece));
      assert.deepEqual(HTTP_GUARD!.lines(bytes, [...rooms, 1_000_000]), Buffer.concat(emitted));
    }),
    { seed: SEED, numRuns: RUNS },
  );
});
