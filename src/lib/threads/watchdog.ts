// A thread that ends the process when the main thread hangs. `Watchdog` runs on the main thread, `runWatchdogThread` on
// the watchdog thread.
import { writeSync } from 'node:fs';
import { Worker } from 'node:worker_threads';

/** Indices of the words in shared memory. */
const WORD = { beats: 0, state: 1 } as const;
const WORDS = 2;
/** State of the main thread: it serves requests, or it is shutting down. */
const STATE = { running: 0, stopping: 1 } as const;
const STDERR = 2;

/**
 * How often the main thread is checked. Limits are numbers of checks, not times: a process that was suspended has not
 * hung.
 */
export interface WatchdogOptions {
  /** Time between two checks in milliseconds. */
  readonly checkMs: number;
  /** After so many checks in a row without a sign of life, the main thread counts as hanging. */
  readonly silentChecksMax: number;
  /** After so many checks, a shutdown counts as hanging. */
  readonly stoppingChecksMax: number;
}

/** What the watchdog thread is started with: its options, and the memory that it shares with the main thread. */
export interface WatchdogData {
  readonly options: WatchdogOptions;
  readonly words: Int32Array;
}

/** The main thread's side of the watchdog. */
export class Watchdog {
  readonly #words = new Int32Array(new SharedArrayBuffer(WORDS * 4));

  /** Starts the watchdog thread. Its entry `file` passes its workerData to `runWatchdogThread`. */
  constructor(file: URL, options: WatchdogOptions) {
    const workerData: WatchdogData = { options, words: this.#words };
    new Worker(file, { workerData }).unref();
    setInterval(() => Atomics.add(this.#words, WORD.beats, 1), options.checkMs).unref();
  }

  /** Must be called when the main thread begins to shut down. */
  stopping(): void {
    Atomics.store(this.#words, WORD.state, STATE.stopping);
  }
}

/** Runs on the watchdog thread: checks the main thread as long as the process lives. */
export function runWatchdogThread({ options, words }: WatchdogData): void {
  let beats = -1;
  let silent = 0;
  let stopping = 0;
  setInterval(() => {
    const now = Atomics.load(words, WORD.beats);
    silent = now === beats ? silent + 1 : 0;
    beats = now;
    if (Atomics.load(words, WORD.state) === STATE.stopping) stopping++;
    if (stopping > options.stoppingChecksMax) kill('it does not stop');
    else if (silent > options.silentChecksMax) kill('its main thread hangs');
  }, options.checkMs);
}

function kill(why: string): void {
  writeSync(STDERR, `prestate: ${why}; killed\n`);
  process.kill(process.pid, 'SIGKILL');
}
