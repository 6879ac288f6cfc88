// Loaded into the program before anything else where what is tested is what it answers and not its deadlines: an execution may
// wait and take as long as the machine needs for it. (Both engines, one after the other, take seconds for some simulations.) Main gives
// every job its time; the other threads load nothing here.
import { isMainThread } from 'node:worker_threads';
import { UNLIMITED_MS } from './patience.js';

if (isMainThread) {
  const { LIMITS } = await import('../../src/limits/index.js');
  Object.assign(LIMITS, { estimateMsMax: UNLIMITED_MS, queuedJobMsMax: UNLIMITED_MS });
}
