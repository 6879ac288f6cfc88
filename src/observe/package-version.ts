// The version of the program, from its package.
import { readFileSync } from 'node:fs';

/** Returns the version in package.json, such as `0.1.0`. */
export function packageVersion(): string {
  const file = new URL('../../../package.json', import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
