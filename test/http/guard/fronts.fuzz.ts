// Both servers give the same answers to the same bytes, legal or not, however they come.
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { nodeBackend } from '../../../src/http/node/app.js';
import { Messages } from '../../../src/http/node/messages.js';
import { backendTest, echo, serve, type Served } from '../server.js';
import { Wire } from '../wire.js';
import { cuts, piecesOf, stream } from './streams.js';
import { rounds } from '../../support/rounds.js';

const RUNS = rounds(150);
const SEED = Number(process.env['SEED'] ?? 1);
/** A request behind all bytes: its answer, or the end of the connection, says that nothing more comes. */
const LAST = 'GET /livez?last HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';

/** Answers that came back. A connection that is closed while more comes is reset, and its last answer may be lost. */
interface Conversation {
  readonly answers: readonly string[];
  readonly certain: number;
}

/** Statuses and bodies of all answers, until the connection ends. */
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

/**
 * Answers that do not depend on when a faulty chunk comes: with it the request is refused, or has had an answer that waits for no
 * body, or both.
 */
function certainAnswers(pieces: readonly Buffer[]): number {
  const messages = new Messages();
  let [rest, count] = [Buffer.concat(pieces), 0];
  while (rest.length > 0) {
    const { taken, made, isWhole } = messages.step(rest);
    if (made.at(-1)?.equals(Buffer.from('z\r\n'))) return count;
    if (made.length === 0) break;
    rest = rest.subarray(taken);
    if (isWhole) count++;
  }
  return Infinity;
}

backendTest('both servers answer alike', async (t) => {
  if (!t.isNative) return;
  const [native, portable] = [await serve(t, echo()), await serve({ ...t, backend: nodeBackend }, echo())];
  await fc.assert(
    fc.asyncProperty(stream, cuts, async (text, at) => {
      const pieces = piecesOf(text, at);
      const [one, other] = await Promise.all([converse(native, pieces), converse(portable, pieces)]);
      const count = Math.min(certainAnswers([...pieces, Buffer.from(LAST)]), one.certain, other.certain);
      assert.deepEqual(one.answers.slice(0, count), other.answers.slice(0, count));
    }),
    { seed: SEED, numRuns: RUNS },
  );
});
