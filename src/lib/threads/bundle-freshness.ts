// Decides whether the bundle (workers/build.ts) may be run in place of the single modules.
import { statSync } from 'node:fs';

export const BUNDLE_FOLDER = new URL('../../../bundle/', import.meta.url);
/** File that each run of the compiler updates if something has changed. It is not part of the package. */
const COMPILED = new URL('../../../tsconfig.tsbuildinfo', import.meta.url);

function modifiedMs(file: URL): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs;
}

/** True if there is a bundle that was made after the compiler last ran. */
export function isBundleCurrent(): boolean {
  const bundledMs = modifiedMs(new URL('program.js', BUNDLE_FOLDER));
  return bundledMs !== undefined && bundledMs >= (modifiedMs(COMPILED) ?? 0);
}
