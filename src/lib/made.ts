// Products of the build that are there already, made of the same sources: their step is passed over. Runs in `npm run
// build` only.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Digest of texts, such as versions and settings, and of the files in these folders, those further below included. */
export function digestOf(texts: readonly string[], folders: readonly string[]): string {
  const hash = createHash('sha256').update(JSON.stringify(texts));
  for (const folder of folders) {
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
    for (const name of names)
      if (statSync(join(folder, name)).isFile()) hash.update(name).update(readFileSync(join(folder, name)));
  }
  return hash.digest('hex');
}

/** Runs `make` unless all of `files` are there and were made of what has this digest. What throws is made anew next time. */
export function makeOnce(files: readonly string[], digest: string, make: () => void): void {
  const note = `${files[0]!}.digest`;
  if ([...files, note].every((file) => existsSync(file)) && readFileSync(note, 'utf8') === digest) return;
  rmSync(note, { force: true });
  make();
  writeFileSync(note, digest);
}
