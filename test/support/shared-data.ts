// Locates the test data that are not part of the project.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = process.env['SHARED_DATA'] ?? fileURLToPath(new URL('../../../../shared/data', import.meta.url));

/** Full path of a file or folder of the shared data. */
export function sharedData(path: string): string {
  return join(folder, path);
}

/** For `test(name, {skip})`: why a test that needs `path` cannot run, or false. */
export function withoutData(path: string): string | false {
  return existsSync(sharedData(path)) ? false : `needs ${path} of the shared test data (set SHARED_DATA)`;
}
