// Loads the native addon, and returns each of its parts or why it is missing. All other files load the addon through
// this one.
import { createRequire } from 'node:module';
import { binaryPath } from './locate-binary.js';
import type { AddonModules } from './addon-types.js';
import { errorMessage } from '../lib/error-message.js';

export interface LoadedModule<Module> {
  /** The part of the addon; `null` if its portable form must be used. */
  readonly part: Module | null;
  /** Why the part is missing; empty if it is not missing. */
  readonly reason: string;
}

interface Loaded {
  readonly addon: Partial<AddonModules>;
  readonly reason: string;
}

const { addon, reason } = load();

/** Returns a part of the addon for this thread. */
export function loadNativeModule<Name extends keyof AddonModules>(name: Name): LoadedModule<AddonModules[Name]> {
  const module = addon[name] ?? null;
  return { part: module, reason: module === null ? reason : '' };
}

function load(): Loaded {
  try {
    const loaded = createRequire(import.meta.url)(
      binaryPath(new URL('./native.node', import.meta.url)),
    ) as Partial<AddonModules>;
    return { addon: loaded, reason: 'the addon was built without it' };
  } catch (error) {
    const text = errorMessage(error);
    return { addon: {}, reason: `the addon cannot be loaded (${text.split('\n', 1)[0]})` };
  }
}
