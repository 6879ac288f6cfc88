// The program for tests of its responses rather than its deadlines: an execution may wait and run as long as the
// machine needs (both engines, one after the other, take seconds for some simulations). The main thread, which gives
// every job its timeout, runs from its modules; the other threads are the program's.
import { LIMITS } from '../../src/limits/index.js';
import { UNLIMITED_MS } from './patience.js';

Object.assign(LIMITS, { estimateMsMax: UNLIMITED_MS, queuedJobMsMax: UNLIMITED_MS });
await import('../../src/program.js');
