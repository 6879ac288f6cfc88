// Creates the archive's folder at start-up if it is missing, and checks that it is writable.
import { randomUUID } from 'node:crypto';
import { mkdir, open, rename, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { LIMITS } from '../../../limits/index.js';
import { messageIfDiskFull } from './disk-space.js';
import { ArchiveError } from '../format/archive-error.js';
import { firstLineOfError } from '../../../lib/error-message.js';

const PROBE_BYTES = 4096;

/**
 * Creates the folder, and tests that a file can be written, synced, renamed and removed in it. Rejects with
 * ArchiveError if that fails, or if the disk does not respond within LIMITS.folderProbeMsMax.
 */
export async function prepareDataDir(dir: string): Promise<void> {
  const abandon = new AbortController();
  const late = sleep(LIMITS.folderProbeMsMax, undefined, { signal: abandon.signal, ref: false }).then(() => {
    throw new Error(`the disk does not answer within ${LIMITS.folderProbeMsMax / 1000} s`);
  });
  try {
    await Promise.race([tryFolder(dir), late]);
  } catch (error) {
    throw new ArchiveError(`cannot use the data folder ${dir}: ${firstLineOfError(error)}`, 2);
  } finally {
    abandon.abort();
    late.catch(() => undefined);
  }
}

async function tryFolder(dir: string): Promise<void> {
  await makeFolder(dir);
  // The name is random instead of the process id, because a process in another container may have the same id.
  const file = join(dir, `probe.${randomUUID()}`);
  const renamed = `${file}.renamed`;
  try {
    const handle = await open(file, 'w');
    try {
      await handle.writeFile(Buffer.alloc(PROBE_BYTES));
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(file, renamed);
    await unlink(renamed);
    const full = messageIfDiskFull(dir);
    if (full !== null) throw new Error(full);
  } catch (error) {
    await unlink(file).catch(() => undefined);
    throw error;
  }
}

/**
 * Creates the folder and its parents. Node's `recursive` option is not used, because it would retry forever in /proc
 * and similar file systems, in which folders cannot be created.
 */
async function makeFolder(dir: string): Promise<void> {
  try {
    await mkdir(dir);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return;
    if (code !== 'ENOENT' || dirname(dir) === dir) throw error;
    await makeFolder(dirname(dir));
    await mkdir(dir);
  }
}
