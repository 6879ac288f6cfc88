// The pin that protects the versions of all jobs in flight.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { VersionPins, type VersionPin } from '../../src/state/version-pins.js';

/** A pin that refuses versions below `floor`, as the table's does. */
class FakePin implements VersionPin {
  /** 0: nothing is pinned. */
  pinned = 0;
  readonly #floor: number;

  constructor(floor: number) {
    this.#floor = floor;
  }

  pin(version: number): boolean {
    if (version < this.#floor) return false;
    this.pinned = version;
    return true;
  }

  unpin(): void {
    this.pinned = 0;
  }
}

void test('the lowest version in use is pinned, in whatever order versions are acquired and released', () => {
  const step = fc.record({ version: fc.integer({ min: 1, max: 9 }), letGo: fc.option(fc.nat(20)) });
  fc.assert(
    fc.property(fc.array(step, { size: 'large' }), fc.integer({ min: 1, max: 5 }), (steps, floor) => {
      const pin = new FakePin(floor);
      const pins = new VersionPins(pin);
      const jobs: { version: number; release: () => void }[] = [];
      for (const { version, letGo } of steps) {
        jobs.push({ version, release: pins.retain(version) });
        if (letGo !== null && letGo < jobs.length) jobs.splice(letGo, 1)[0]!.release();
        const kept = jobs.map((job) => job.version).filter((one) => one >= floor);
        assert.equal(pin.pinned, kept.length === 0 ? 0 : Math.min(...kept));
      }
      for (const { release } of jobs) release();
      assert.equal(pin.pinned, 0);
    }),
    { seed: 5, numRuns: 500 },
  );
});
