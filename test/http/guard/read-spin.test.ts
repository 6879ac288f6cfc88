// When the main thread polls for the next request instead of sleeping.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HTTP_GUARD } from '../../../src/http/uws/load-uws.js';

const skip = HTTP_GUARD === null && 'there is no guard here: no Linux, or no C++ compiler';
/** Gaps in nanoseconds that a spin of 60 us covers, and that it does not. */
const SHORT = 30_000;
const LONG = 5_000_000;

/** Number of gaps in which the main thread polls. */
function spinsIn(gaps: readonly number[]): number {
  return HTTP_GUARD!.spins(gaps).filter((isSpinning) => isSpinning).length;
}

test('main polls in every gap of a client that sends its next request at once', { skip }, () => {
  assert.equal(spinsIn(Array.from({ length: 1000 }, () => SHORT)), 1000);
});

test('main polls ever more rarely for a client that pauses, down to once in 256 requests', { skip }, () => {
  assert.deepEqual(HTTP_GUARD!.spins([LONG, LONG, LONG, LONG]), [true, false, true, false]);
  const doublings = Array.from({ length: 8 }, (_, i) => 2 ** (i + 1)).reduce((sum, gap) => sum + gap, 0);
  assert.equal(spinsIn(Array.from({ length: doublings }, () => LONG)), 8);
  assert.equal(spinsIn(Array.from({ length: doublings + 2560 }, () => LONG)), 18);
});

test('a spin that a request ends makes main poll in every gap again', { skip }, () => {
  const pauses = Array.from({ length: 3 }, () => LONG);
  const spins = HTTP_GUARD!.spins([...pauses, ...Array.from({ length: 8 }, () => SHORT)]);
  const last = spins.indexOf(true, pauses.length);
  assert.ok(last >= 0 && spins.slice(last).every((isSpinning) => isSpinning), spins.join());
});
