// Preloaded into the program where its responses are tested and not its deadlines: an execution may wait and take as
// long as the machine needs. (Both engines, one after the other, take seconds for some simulations.) Main gives every
// job its timeout; the other threads load nothing here.
import { isMainThread } from 'node:worker_threads';
import { UNLIMITED_MS } from './patience.js';

if (isMainThread) {
  const { LIMITS } = await import('../../src/limits/index.js');
  Object.assign(LIMITS, { estimateMsMax: UNLIMITED_MS, queuedJobMsMax: UNLIMITED_MS });
}
