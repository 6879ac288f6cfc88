// Locates the entry files of threads and processes, among the modules or in the bundle.

/** URL of the bundle that contains this module. It is declared at the top of each bundle file (workers/build.ts). */
declare const BUNDLE_URL: string | undefined;

const FOLDER =
  typeof BUNDLE_URL === 'undefined' ? new URL('../../../workers/', import.meta.url) : new URL('./', BUNDLE_URL);

/** URL of the entry file with this name in `workers`. */
export function workerFile(name: string): URL {
  return new URL(`${name}.js`, FOLDER);
}
