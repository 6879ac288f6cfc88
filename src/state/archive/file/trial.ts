// Trial of an archive that nobody has opened yet, in a process of its own: LMDB comes to every page that somebody may
// read, as far as the time goes, and to the lists of free pages. Runs in that process alone, on no thread of the
// program.
import { statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { ABORT } from 'lmdb';
import { LIMITS } from '../../../limits/index.js';
import { type ArchiveStore, DATA_FILE, META, attempt, checkedTables, isOwnFormat, openStore } from './store.js';

/** Pages of the file as LMDB counts them. */
interface Stats {
  readonly pageSize: number;
  readonly lastPageNumber: number;
}

/** Throws ArchiveError, exit code 1 where the archive is damaged, 2 where it is none; or ends the process. */
export async function tryArchive(dir: string): Promise<void> {
  // One of another format is left to the opener, who names it.
  if (await use(dir, true, readAll)) await use(dir, false, writeSome);
}

/** False where the archive has another format: it is left as it is. */
async function use(dir: string, readOnly: boolean, action: (store: ArchiveStore) => void): Promise<boolean> {
  const store = openStore(dir, readOnly);
  const isOwn = attempt(dir, () => isOwnFormat(store));
  if (isOwn) attempt(dir, () => action(store));
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
  // A writer asks for free pages and copies others. Given up, the transaction leaves the file as it was.
  store.root.transactionSync(() => {
    for (const table of checkedTables(store)) table.crowd(LIMITS.archiveTrialBytes);
    checkAll(store, LIMITS.archiveTrialMsMax);
    return ABORT;
  });
  // The lists of free pages and that of the tables are written by a commit alone.
  store.root.transactionSync(() => store.meta.rewritePlain(META.format));
}

function checkAll(store: ArchiveStore, msMax: number): void {
  const endMs = performance.now() + msMax;
  for (const table of checkedTables(store)) table.check(() => performance.now() > endMs);
}

/**
 * A sound file may end before its last page, when nothing was ever written there. Made as long as it says it is, reading
 * beyond its end is not the end of the process.
 */
function extendFile(file: string, bytes: number): void {
  if (statSync(file).size < bytes) truncateSync(file, bytes);
}
