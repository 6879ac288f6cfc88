// The only loader of the addon: returns each part, or why it is missing.
import { createRequire } from 'node:module';
import { binaryPath } from './binary.js';
import type { Parts } from './addon-types.js';

/** A part of the addon. */
export interface NativePart<Part> {
  /** `null`: the portable form is used. */
  readonly part: Part | null;
  /** Why the part is missing; '' if it is not. */
  readonly reason: string;
}

interface Loaded {
  readonly addon: Partial<Parts>;
  readonly reason: string;
}

const { addon, reason } = load();

/** Returns that part, for this thread. */
export function nativePart<Name extends keyof Parts>(name: Name): NativePart<Parts[Name]> {
  const part = addon[name] ?? null;
  return { part, reason: part === null ? reason : '' };
}

function load(): Loaded {
  try {
    const loaded = createRequire(import.meta.url)(
      binaryPath(new URL('./native.node', import.meta.url)),
    ) as Partial<Parts>;
    return { addon: loaded, reason: 'the addon was built without it' };
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    return { addon: {}, reason: `the addon cannot be loaded (${text.split('\n', 1)[0]})` };
  }
}
