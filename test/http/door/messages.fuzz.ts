// The door's two forms make the same messages of the same bytes, however they are cut; and what they make never depends on that.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { DOOR } from '../../../src/http/door/door.js';
import { Messages } from '../../../src/http/node/messages.js';
import { cuts, frames, piecesOf, stream } from './streams.js';

const RUNS = 3000 * Number(process.env['FUZZ_SCALE'] ?? 1);
const SEED = Number(process.env['SEED'] ?? 1);
const NO_DOOR = DOOR === null && 'there is no door here: no Linux, or no C++ compiler';

/** The steps of the portable form for each piece. */
function portable(pieces: readonly Buffer[], isUpgraded = false): string[][] {
  const messages = new Messages();
  if (isUpgraded) messages.upgrade();
  let rest: Buffer = Buffer.alloc(0);
  return pieces.map((piece) => {
    rest = Buffer.concat([rest, piece]);
    const steps: string[] = [];
    while (rest.length > 0) {
      const { taken, made } = messages.step(rest);
      rest = rest.subarray(taken);
      if (made.length === 0) break;
      steps.push(Buffer.concat(made).toString('latin1'));
    }
    return steps;
  });
}

function native(pieces: readonly Buffer[], isUpgraded = false): string[][] {
  return DOOR!.messages(pieces, isUpgraded).map((steps) => steps.map((step) => step.toString('latin1')));
}

/** What a parser has in the end: the chunks of a body are one. */
function parsed(steps: readonly (readonly string[])[]): string {
  return steps
    .flat()
    .join('')
    .replaceAll(/([^\r\n]*)\r\n[0-9a-f]{5}\r\n/g, '$1');
}

void test('both forms make the same steps', { skip: NO_DOOR }, () => {
  fc.assert(
    fc.property(stream, cuts, (text, at) => {
      const pieces = piecesOf(text, at);
      assert.deepEqual(portable(pieces), native(pieces));
    }),
    { seed: SEED, numRuns: RUNS },
  );
});

void test('where the bytes are cut is not seen, once they are there', () => {
  fc.assert(
    fc.property(stream, cuts, (text, at) => {
      const refusal = /GET \/!\d+ |z\r\n/;
      const [cut, whole] = [parsed(portable(piecesOf(text, at))), parsed(portable(piecesOf(text, [])))];
      // A head with two faults is refused for the one that is seen first.
      assert.equal(refusal.test(cut), refusal.test(whole));
      if (!refusal.test(cut)) assert.equal(cut, whole);
    }),
    { seed: SEED, numRuns: RUNS },
  );
});

void test('frames of a WebSocket end at the same places', { skip: NO_DOOR }, () => {
  fc.assert(
    fc.property(frames, cuts, (text, at) => {
      const pieces = piecesOf(text, at);
      const steps = portable(pieces, true);
      assert.deepEqual(native(pieces, true), steps);
      assert.ok(text.startsWith(steps.flat().join('')), 'frames go on as they came');
    }),
    { seed: SEED, numRuns: RUNS },
  );
});
