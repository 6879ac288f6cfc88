// The addon by which threads wake each other, or why there is none. Runs on main and on the estimators.
import { createRequire } from 'node:module';

/** See wake/addon.cpp. */
export interface WakeAddon {
  /** Sleeps while `words[at]` is `value`, `ms` milliseconds at most. */
  readonly wait: (words: Int32Array, at: number, value: number, ms: number) => void;
  /** Wakes the thread that sleeps there, if any. */
  readonly wake: (words: Int32Array, at: number) => void;
  /** Opens a bell of this thread's event loop and answers its number. */
  readonly open: (callback: () => void) => number;
  /** Whether a bell of this thread keeps the event loop alive. */
  readonly hold: (bell: number, isHeld: boolean) => void;
  /** Rings the bell of any thread. */
  readonly ring: (bell: number) => void;
}

/** That of this process; all of its threads have it, or none has. */
export const WAKE: { readonly addon: WakeAddon | null; readonly reason: string } = load();

function load(): typeof WAKE {
  try {
    return { addon: createRequire(import.meta.url)('./wake/wake.node') as WakeAddon, reason: 'futex' };
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    return { addon: null, reason: `Atomics: the addon cannot be loaded (${text.split('\n', 1)[0]})` };
  }
}
