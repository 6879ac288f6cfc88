// Entry file of the watchdog thread, which makes sure that the process ends.
import { workerData } from 'node:worker_threads';
import { type WatchdogData, runWatchdogThread } from '../src/lib/threads/watchdog.js';

const data: WatchdogData = workerData;

runWatchdogThread(data);
