// uWebSockets.js behind its guard responds to bytes, legal or not and in any pieces, as node:http responds to the
// messages that the guard's reference implementation extracts from them.
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { nodeBackend } from '../../../src/http/node/node-app.js';
import { Messages } from './judge/messages.js';
import { backendTest, echo, serve, type Served } from '../server.js';
import { Wire } from '../wire.js';
import { cuts, piecesOf, stream } from './streams.js';
import { rounds } from '../../support/rounds.js';

const RUNS = rounds(150);
const SEED = Number(process.env['SEED'] ?? 1);
/** A request after all other bytes: its response, or the end of the connection, shows that nothing more will come. */
const LAST = 'GET /livez?last HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';

/** What the reference implementation emits for an invalid chunk. */
const FAULTY_CHUNK = Buffer.from('z\r\n');

/**
 * The received responses. A connection that is closed while more data arrive is reset, and its last response may be
 * lost.
 */
interface Conversation {
  readonly answers: readonly string[];
  readonly certain: number;
}

/** Statuses and bodies of all responses until the connection ends. */
async function converse({ port }: Served, pieces: readonly Buffer[]): Promise<Conversation> {
  const wire = await Wire.open(port);
  let isReset = false;
  wire.socket.on('error', () => (isReset = true));
  for (const piece of pieces) {
    wire.send(piece);
    await new Promise((resolve) => setImmediate(resolve));
  }
  wire.socket.end(LAST);
  const received = await wire.ended();
  wire.close();
  const answers = received
    .replaceAll('HTTP/1.1 100 Continue\r\n\r\n', '')
    .replaceAll(/(HTTP\/1\.1 \d+)[^]*?\r\n\r\n/g, '$1\n')
    .split(/(?=HTTP)/);
  return { answers, certain: isReset ? answers.length - 1 : Infinity };
}

/** The messages in these bytes, up to one with an invalid body, a truncated one, or a handshake. */
function messagesOf(pieces: readonly Buffer[]): readonly Buffer[] {
  const messages = new Messages();
  const whole: Buffer[] = [];
  let [rest, message] = [Buffer.concat(pieces), Buffer.alloc(0)];
  while (rest.length > 0) {
    const { consumed, emitted, isWhole } = messages.step(rest);
    // With an invalid chunk the request is refused, or its response did not wait for the body, or both.
    if (emitted.length === 0 || messages.isHandshake || emitted.at(-1)?.equals(FAULTY_CHUNK)) break;
    rest = rest.subarray(consumed);
    message = Buffer.concat([message, ...emitted]);
    if (isWhole) whole.push(message);
    if (isWhole) message = Buffer.alloc(0);
  }
  return whole;
}

backendTest('uWebSockets.js answers what node:http answers to the same messages', async (t) => {
  if (!t.isNative) return;
  const [native, portable] = [await serve(t, echo()), await serve({ ...t, backend: nodeBackend }, echo())];
  await fc.assert(
    fc.asyncProperty(stream, cuts, async (text, at) => {
      const pieces = piecesOf(text, at);
      const messages = messagesOf([...pieces, Buffer.from(LAST)]);
      const [one, other] = await Promise.all([converse(native, pieces), converse(portable, messages)]);
      const count = Math.min(messages.length, one.certain, other.certain);
      assert.deepEqual(one.answers.slice(0, count), other.answers.slice(0, count));
    }),
    { seed: SEED, numRuns: RUNS },
  );
});
