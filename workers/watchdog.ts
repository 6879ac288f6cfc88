// Entry file of the watchdog thread, which ends the process if the main thread hangs or does not stop.
import { workerData } from 'node:worker_threads';
import { type WatchdogData, runWatchdogThread } from '../src/lib/threads/watchdog.js';

const data: WatchdogData = workerData;

runWatchdogThread(data);
