// Processor time of the calling thread: what it has worked, however often it had to wait for a processor. Runs on main.
import { nativePart } from '../native/load.js';

/** The clock counts the waits, too: it serves where the system does not tell the time of a thread. */
const clockMs = (): number => performance.now();

/** Milliseconds of processor time that this thread has used; costs 0.3 us. */
export const cpuMs: () => number = nativePart('wake').part?.cpuMs ?? clockMs;
