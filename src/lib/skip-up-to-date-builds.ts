// Skips build steps whose outputs are up to date. Used by `npm run build` only.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Returns a digest of strings, such as versions and settings, and of all files in these folders. */
export function inputsDigest(texts: readonly string[], folders: readonly string[]): string {
  const hash = createHash('sha256').update(JSON.stringify(texts));
  for (const folder of folders) {
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
    for (const name of names)
      if (statSync(join(folder, name)).isFile()) hash.update(name).update(readFileSync(join(folder, name)));
  }
  return hash.digest('hex');
}

/**
 * Runs `make` unless all `files` exist and were made from inputs with this digest. If `make` throws, it runs again the
 * next time.
 */
export function buildIfChanged(files: readonly string[], digest: string, make: () => void): void {
  const note = `${files[0]!}.digest`;
  if ([...files, note].every((file) => existsSync(file)) && readFileSync(note, 'utf8') === digest) return;
  rmSync(note, { force: true });
  make();
  writeFileSync(note, digest);
}
