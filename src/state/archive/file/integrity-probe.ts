// Checks an archive in a process of its own, before the program opens it. It reads every page that a reader may reach,
// as far as the time limit allows, and the lists of free pages. The program's own threads do not use this file.
import { statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { ABORT } from 'lmdb';
import { LIMITS } from '../../../limits/index.js';
import {
  type ArchiveStore,
  LMDB_DATA_FILE,
  META_KEYS,
  withArchiveErrors,
  checksummedTables,
  hasCurrentFormat,
  openStore,
} from './lmdb-environment.js';

/** Page size and page count of LMDB's file, as LMDB reports them. */
interface Stats {
  readonly pageSize: number;
  readonly lastPageNumber: number;
}

/**
 * Throws ArchiveError with exit code 1 if the archive is damaged, 2 if it is not an archive. A damaged page may also
 * crash this process inside LMDB, so this must be a process of its own.
 */
export async function probeIntegrity(dir: string): Promise<void> {
  // For an archive of another format this returns normally. The caller reports that when it opens the archive.
  if (await use(dir, true, readAll)) await use(dir, false, writeSome);
}

/** Opens the archive and runs `action`. If it has another format, only returns false. */
async function use(dir: string, readOnly: boolean, action: (store: ArchiveStore) => void): Promise<boolean> {
  const store = openStore(dir, readOnly);
  const isOwn = withArchiveErrors(dir, () => hasCurrentFormat(store));
  if (isOwn) withArchiveErrors(dir, () => action(store));
  await store.root.flushed;
  await store.root.close();
  return isOwn;
}

function readAll(store: ArchiveStore): void {
  for (const key of [META_KEYS.chain, META_KEYS.heads]) store.meta.get(key);
  checkAll(store, LIMITS.archiveCheckMsMax);
}

function writeSome(store: ArchiveStore): void {
  const { pageSize, lastPageNumber } = store.root.getStats() as Stats;
  extendFile(join(store.dir, LMDB_DATA_FILE), (lastPageNumber + 1) * pageSize);
  // Allocates and copies pages as a writer does, and then aborts, so that the file does not change.
  store.root.transactionSync(() => {
    for (const table of checksummedTables(store)) table.crowd(LIMITS.archiveTrialBytes);
    checkAll(store, LIMITS.archiveTrialMsMax);
    return ABORT;
  });
  // A commit is needed, because only a commit writes the lists of free pages and of databases.
  store.root.transactionSync(() => store.meta.rewritePlain(META_KEYS.format));
}

function checkAll(store: ArchiveStore, msMax: number): void {
  const endMs = performance.now() + msMax;
  for (const table of checksummedTables(store)) table.check(() => performance.now() > endMs);
}

/**
 * Extends the file to the size that LMDB states. An undamaged file may be shorter, but a read beyond its end would kill
 * the process.
 */
function extendFile(file: string, bytes: number): void {
  if (statSync(file).size < bytes) truncateSync(file, bytes);
}
