// Checks an archive in a process of its own, before the program opens it. Within a time limit, it reads every page that
// a reader may reach, and the lists of free pages. Only that process uses this file.
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
  listChecksummedTables,
  hasCurrentFormat,
  openStore,
} from './lmdb-environment.js';

/** Page size and page count of LMDB's file, as LMDB reports them. */
interface Stats {
  readonly pageSize: number;
  readonly lastPageNumber: number;
}

/**
 * Throws ArchiveError with exit code 1 if the archive is damaged, 2 if it is not an archive. Must be called in a
 * process of its own, because a damaged page may crash the process inside LMDB.
 */
export async function probeIntegrity(dir: string): Promise<void> {
  // Returns normally if the archive has another format. That error is reported later, when the archive is opened.
  if (await use(dir, true, readAll)) await use(dir, false, writeSome);
}

/** Opens the archive, runs `action` and returns true. For an archive of another format, only returns false. */
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
  // Allocates and copies pages as a writer does, and then aborts the transaction, so that the file does not change.
  store.root.transactionSync(() => {
    for (const table of listChecksummedTables(store)) table.crowd(LIMITS.archiveTrialBytes);
    checkAll(store, LIMITS.archiveTrialMsMax);
    return ABORT;
  });
  // Also tests a commit, because only a commit writes the list of free pages and the list of databases.
  store.root.transactionSync(() => store.meta.rewritePlain(META_KEYS.format));
}

function checkAll(store: ArchiveStore, msMax: number): void {
  const endMs = performance.now() + msMax;
  for (const table of listChecksummedTables(store)) table.check(() => performance.now() > endMs);
}

/**
 * Extends the file to the size that LMDB reports. An undamaged file may be shorter, but reading mapped memory beyond
 * the file's end would kill the process.
 */
function extendFile(file: string, bytes: number): void {
  if (statSync(file).size < bytes) truncateSync(file, bytes);
}
