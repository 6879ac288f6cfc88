// Locates the entry files of threads and processes: in the bundle, or among the modules.
import { BUNDLE_FOLDER, isBundleCurrent } from './bundle-check.js';

/** URL of the bundle that contains this module; declared at the top of each bundle file (workers/build.ts). */
declare const BUNDLE_URL: string | undefined;

/** Threads inherit what is preloaded, which may change modules, and nothing that is in the bundle. */
const isPreloaded = process.execArgv.some((flag) => flag.startsWith('--import'));
const isInBundle = typeof BUNDLE_URL !== 'undefined' || (isBundleCurrent() && !isPreloaded);
const FOLDER = isInBundle ? BUNDLE_FOLDER : new URL('../../../workers/', import.meta.url);

/** The entry file of this name in `workers`. */
export function workerFileUrl(name: string): URL {
  return new URL(`${name}.js`, FOLDER);
}
