// The watchdog: a thread that terminates the process when main hangs. `Watchdog` runs on main, `watch` on the watchdog.
import { writeSync } from 'node:fs';
import { Worker } from 'node:worker_threads';

/** Words of the shared memory. */
const WORD = { beats: 0, state: 1 } as const;
const WORDS = 2;
/** States of main: it serves, or it is shutting down. */
const STATE = { running: 0, stopping: 1 } as const;
const STDERR = 2;

/** Counted in checks rather than in time: a process that was suspended has not hung. */
export interface WatchdogOptions {
  /** Time between two checks. */
  readonly checkMs: number;
  /** Consecutive checks without a sign of life from main before it counts as hung. */
  readonly silentChecksMax: number;
  /** Checks that a shutdown may take. */
  readonly stoppingChecksMax: number;
}

/** Data that the thread is started with. */
export interface WatchdogData {
  readonly options: WatchdogOptions;
  readonly words: Int32Array;
}

/** Main's side. */
export class Watchdog {
  readonly #words = new Int32Array(new SharedArrayBuffer(WORDS * 4));

  /** Starts the thread in `file`, which passes its workerData to `watch`. */
  constructor(file: URL, options: WatchdogOptions) {
    const workerData: WatchdogData = { options, words: this.#words };
    new Worker(file, { workerData }).unref();
    setInterval(() => Atomics.add(this.#words, WORD.beats, 1), options.checkMs).unref();
  }

  /** Announces that main has started to shut down. */
  stopping(): void {
    Atomics.store(this.#words, WORD.state, STATE.stopping);
  }
}

/** The thread's function: checks main for as long as the process lives. */
export function watch({ options, words }: WatchdogData): void {
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
