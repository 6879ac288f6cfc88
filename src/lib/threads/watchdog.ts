// A thread that ends the process when main hangs. `Watchdog` runs on main, `watch` on the watchdog thread.
import { writeSync } from 'node:fs';
import { Worker } from 'node:worker_threads';

/** Indices of the words in shared memory. */
const WORD = { beats: 0, state: 1 } as const;
const WORDS = 2;
/** The state of main: it serves, or it is shutting down. */
const STATE = { running: 0, stopping: 1 } as const;
const STDERR = 2;

/** How often main is checked. Limits are numbers of checks: a process that was suspended has not hung. */
export interface WatchdogOptions {
  /** Time between two checks. */
  readonly checkMs: number;
  /** Checks in a row without a sign of life from main after which it counts as hanging. */
  readonly silentChecksMax: number;
  /** Checks after which a shutdown counts as hanging. */
  readonly stoppingChecksMax: number;
}

/** Data that the thread is started with. */
export interface WatchdogData {
  readonly options: WatchdogOptions;
  readonly words: Int32Array;
}

/** Main's side of the watchdog. */
export class Watchdog {
  readonly #words = new Int32Array(new SharedArrayBuffer(WORDS * 4));

  /** Starts the thread; its entry `file` passes its workerData to `watch`. */
  constructor(file: URL, options: WatchdogOptions) {
    const workerData: WatchdogData = { options, words: this.#words };
    new Worker(file, { workerData }).unref();
    setInterval(() => Atomics.add(this.#words, WORD.beats, 1), options.checkMs).unref();
  }

  /** Called by main when it begins to shut down. */
  stopping(): void {
    Atomics.store(this.#words, WORD.state, STATE.stopping);
  }
}

/** The watchdog thread's function: checks main as long as the process lives. */
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
