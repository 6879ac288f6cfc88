// Checks an archive that nobody has opened yet, in a process of its own: LMDB reads every page that a reader may reach,
// as far as the time limit allows, and the lists of free pages. Runs in that process alone, on no thread of the
// program.
import { statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { ABORT } from 'lmdb';
import { LIMITS } from '../../../limits/index.js';
import { type ArchiveStore, DATA_FILE, META, attemptOpen, checkedTables, isOwnFormat, openStore } from './store.js';

/** Pages of the file as LMDB counts them. */
interface Stats {
  readonly pageSize: number;
  readonly lastPageNumber: number;
}

/**
 * Throws ArchiveError, with exit code 1 if the archive is damaged and 2 if it is not an archive; a bad page kills the
 * process.
 */
export async function probeIntegrity(dir: string): Promise<void> {
  // An archive of another format is left to the caller that opens it, which names the format.
  if (await use(dir, true, readAll)) await use(dir, false, writeSome);
}

/** False if the archive has another format: it is then left untouched. */
async function use(dir: string, readOnly: boolean, action: (store: ArchiveStore) => void): Promise<boolean> {
  const store = openStore(dir, readOnly);
  const isOwn = attemptOpen(dir, () => isOwnFormat(store));
  if (isOwn) attemptOpen(dir, () => action(store));
  await store.root.flushed;
  await store.root.close();
  return isOwn;
}

function readAll(store: ArchiveStore): void {
  for (const key of [META.chain, META.heads]) store.meta.get(key);
  checkAll(store, LIMITS.archiveCheckMsMax);
}

function writeSome(store: ArchiveStore): void {
  const { pageSize, lastPageNumber } = store.root.getStats() as Stats;
  extendFile(join(store.dir, DATA_FILE), (lastPageNumber + 1) * pageSize);
  // Exercises what a writer does: allocating free pages and copying others. The transaction is aborted, so the file
  // stays as it was.
  store.root.transactionSync(() => {
    for (const table of checkedTables(store)) table.crowd(LIMITS.archiveTrialBytes);
    checkAll(store, LIMITS.archiveTrialMsMax);
    return ABORT;
  });
  // Only a commit writes the lists of free pages and of tables.
  store.root.transactionSync(() => store.meta.rewritePlain(META.format));
}

function checkAll(store: ArchiveStore, msMax: number): void {
  const endMs = performance.now() + msMax;
  for (const table of checkedTables(store)) table.check(() => performance.now() > endMs);
}

/**
 * A sound file may end before its last page if nothing was ever written there. Extending the file to its stated size
 * makes a read beyond its end harmless instead of fatal.
 */
function extendFile(file: string, bytes: number): void {
  if (statSync(file).size < bytes) truncateSync(file, bytes);
}
