// Temporary folders and files of tests, deleted in one place.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folders: string[] = [];
process.once('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/**
 * A new, empty folder, which is deleted with its contents when the process or worker thread ends. Every test file runs
 * in a process of its own, which ends after all hooks: what they stop no longer uses the folder.
 */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'prestate-test-'));
  folders.push(folder);
  return folder;
}

/** A path in a new temporary folder. The file exists only if there is `content`. */
export function temporaryFile(name: string, content?: string | Uint8Array): string {
  const path = join(temporaryFolder(), name);
  if (content !== undefined) writeFileSync(path, content);
  return path;
}
