// The addon by which threads wake each other, or why there is none. Runs on main and on the estimators.
import { createRequire } from 'node:module';

/** See wake/addon.cpp. */
export interface WakeAddon {
  readonly wait: (words: Int32Array, at: number, value: number, ms: number) => void;
  readonly wake: (words: Int32Array, at: number) => void;
  readonly open: (callback: () => void) => number;
  readonly hold: (bell: number, isHeld: boolean) => void;
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
