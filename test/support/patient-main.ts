// The program where its responses are tested and not its deadlines: an execution may wait and take as long as the
// machine needs. (Both engines, one after the other, take seconds for some simulations.) Main gives every job its
// timeout, and runs from its modules; the other threads are the program's.
import { LIMITS } from '../../src/limits/index.js';
import { UNLIMITED_MS } from './patience.js';

Object.assign(LIMITS, { estimateMsMax: UNLIMITED_MS, queuedJobMsMax: UNLIMITED_MS });
await import('../../src/program.js');
