// What jobs in flight leave behind. Runs on main.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getHeapSpaceStatistics } from 'node:v8';
import { collectYoung } from '../../../src/lib/garbage.js';
import { ClientShares } from '../../../src/pool/estimator/client-shares.js';
import { createCounts } from '../../../src/pool/estimator/counts.js';
import { JobsInFlight } from '../../../src/pool/estimator/jobs-in-flight.js';
import type { PoolJob } from '../../../src/pool/estimator/pool-job.js';
import { jobWith } from './jobs.js';

const IN_FLIGHT = 64;
const JOBS_A_COLLECTION = 1500;
const COLLECTIONS = 40;
const PACKED_BYTES = 200;
/** A job in flight when young objects are collected is moved; of all others hardly anything is. */
const BYTES_LEFT_MAX = 60;

function oldSpaceBytes(): number {
  return getHeapSpaceStatistics().find(({ space_name: name }) => name === 'old_space')!.space_used_size;
}

test('jobs that are answered do not outlast a collection of young objects', () => {
  const shares = new ClientShares({ jobsMax: 2 * IN_FLIGHT, bytesMax: Infinity });
  const pin = { pin: () => true, unpin: () => undefined };
  const jobs = new JobsInFlight({ shares, counts: createCounts(), pinOn: () => pin });
  const asked = jobWith(new Uint8Array());
  const inFlight: PoolJob[] = [];
  let count = 0;
  const goOn = (): void => {
    for (let i = 0; i < JOBS_A_COLLECTION; i++) {
      const packed = Buffer.alloc(PACKED_BYTES, `${count++} `).toString('latin1');
      inFlight.push(
        jobs.admit(asked, { packed, client: shares.of(undefined), costKey: 1, isWatched: false }, undefined, 0),
      );
      if (inFlight.length > IN_FLIGHT) jobs.answer(inFlight.shift()!, { kind: 'gas', gas: 21_000n });
    }
    collectYoung();
  };
  for (let i = 0; i < 10; i++) goOn();
  // What a collection of the whole heap frees meanwhile does not count.
  let moved = 0;
  for (let i = 0; i < COLLECTIONS; i++) {
    const before = oldSpaceBytes();
    goOn();
    moved += Math.max(0, oldSpaceBytes() - before);
  }
  const movedPerJob = moved / (COLLECTIONS * JOBS_A_COLLECTION);
  assert.ok(movedPerJob < BYTES_LEFT_MAX, `${movedPerJob.toFixed(0)} bytes of each job outlast it`);
});
