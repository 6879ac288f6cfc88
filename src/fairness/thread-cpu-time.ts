// Processor time of the calling thread: the time that it has actually run, without waiting for a processor.
import { loadNativeModule } from '../native/load-addon.js';

/** The wall clock, which also counts waiting: used if the system does not report a thread's processor time. */
const clockMs = (): number => performance.now();

/** Milliseconds of processor time that this thread has used. A call takes 0.3 us. */
export const threadCpuMs: () => number = loadNativeModule('wake').part?.cpuMs ?? clockMs;
