// Locates the entry files of threads and child processes: in the bundle, or among the single modules.
import { BUNDLE_FOLDER, isBundleCurrent } from './bundle-freshness.js';

/** URL of the bundle that contains this module; declared at the top of each bundle file (workers/build.ts). */
declare const BUNDLE_URL: string | undefined;

/**
 * True if a module is preloaded (`--import`). Threads inherit the preloaded module. It may replace other modules, which
 * is impossible in a bundle.
 */
const isPreloaded = process.execArgv.some((flag) => flag.startsWith('--import'));
const isInBundle = typeof BUNDLE_URL !== 'undefined' || (isBundleCurrent() && !isPreloaded);
const FOLDER = isInBundle ? BUNDLE_FOLDER : new URL('../../../workers/', import.meta.url);

/** Returns the URL of the entry file with this name in `workers`. */
export function workerFileUrl(name: string): URL {
  return new URL(`${name}.js`, FOLDER);
}
