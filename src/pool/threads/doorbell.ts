// An estimator's call to main to look into a mailbox: by a bell of main's event loop where the addon is there, else by
// Atomics. Runs on main (Doorbell) and on the estimators (ring).
//
// Gain: see sleep.ts. Atomics.notify wakes main while it holds a lock of the whole process that main needs next, and an
// estimator, which has the lower priority, may lose its core just then. Price: native code.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { WakePart } from '../../native/parts.js';
import { WAKE } from './wake-addon.js';

/** A thread hears here that others have changed words of shared memory. */
export interface Doorbell {
  /** Numbers that `ring` needs. */
  readonly number: number;
  /** Resolves when it has been rung for `words[at]` and that is not `value` any more, in a later turn of the event loop. */
  readonly heard: (words: Int32Array, at: number, value: number) => Promise<void>;
}

/** Number of no bell: it is rung by Atomics. */
const NO_NUMBER = 0;

/** The way of JavaScript. */
export const ATOMICS_DOORBELL: Doorbell = {
  number: NO_NUMBER,
  heard: async (words, at, value) => {
    const { async: waits, value: changed } = Atomics.waitAsync(words, at, value);
    await (waits ? changed : nextTurn());
  },
};

/** A word that is waited for. */
interface Awaited {
  readonly words: Int32Array;
  readonly at: number;
  readonly value: number;
  readonly resolve: () => void;
}

class BellDoorbell implements Doorbell {
  readonly number: number;
  readonly #addon: WakePart;
  #awaited: Awaited[] = [];

  constructor(addon: WakePart) {
    this.#addon = addon;
    this.number = addon.open(() => this.#look());
  }

  heard(words: Int32Array, at: number, value: number): Promise<void> {
    if (Atomics.load(words, at) !== value) return nextTurn();
    if (this.#awaited.length === 0) this.#addon.hold(this.number, true);
    return new Promise((resolve) => {
      this.#awaited.push({ words, at, value, resolve });
    });
  }

  #look(): void {
    const awaited = this.#awaited;
    if (awaited.length === 0) return;
    this.#awaited = awaited.filter((one) => !resolved(one));
    if (this.#awaited.length === 0) this.#addon.hold(this.number, false);
  }
}

/** Resolves what is changed; answers whether it was. */
function resolved({ words, at, value, resolve }: Awaited): boolean {
  if (Atomics.load(words, at) === value) return false;
  resolve();
  return true;
}

let own: Doorbell | null = null;

/** Doorbell of this thread. */
export function ownDoorbell(): Doorbell {
  return (own ??= WAKE.addon === null ? ATOMICS_DOORBELL : new BellDoorbell(WAKE.addon));
}

/** Rings the doorbell `number` for `words[at]`, once that is changed. */
export function ring(number: number, words: Int32Array, at: number): void {
  if (number === NO_NUMBER) Atomics.notify(words, at);
  else WAKE.addon!.ring(number);
}
