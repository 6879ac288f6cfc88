// Whether the bundle (workers/build.ts) may be run in place of the modules.
import { statSync } from 'node:fs';

export const BUNDLE_FOLDER = new URL('../../../bundle/', import.meta.url);
/** Updated by each run of the compiler that changes something; not part of the package. */
const COMPILED = new URL('../../../tsconfig.tsbuildinfo', import.meta.url);

function modifiedMs(file: URL): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs;
}

/** True if there is a bundle, made since the compiler has last run. */
export function isBundleCurrent(): boolean {
  const bundledMs = modifiedMs(new URL('program.js', BUNDLE_FOLDER));
  return bundledMs !== undefined && bundledMs >= (modifiedMs(COMPILED) ?? 0);
}
