// Where the entries of threads and processes lie: among the modules, or in the bundle. Runs on every thread.

/** URL of the bundle that this module is part of; declared at the top of each of its files (workers/build.ts). */
declare const BUNDLE_URL: string | undefined;

const FOLDER =
  typeof BUNDLE_URL === 'undefined' ? new URL('../../../workers/', import.meta.url) : new URL('./', BUNDLE_URL);

/** The file of that entry below `workers`. */
export function workerFile(name: string): URL {
  return new URL(`${name}.js`, FOLDER);
}
