// Checks an archive that nobody has opened yet, in a process of its own. LMDB reads every page that a reader may reach,
// as far as the time limit allows, and the lists of free pages. Not used on any thread of the program itself.
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
} from './lmdb-store.js';

/** Page counts of the file, as LMDB reports them. */
interface Stats {
  readonly pageSize: number;
  readonly lastPageNumber: number;
}

/** Throws ArchiveError, exit code 1 if damaged, 2 if it is no archive. A bad page kills the process. */
export async function probeIntegrity(dir: string): Promise<void> {
  // If the archive has another format, this returns normally, and the caller that opens it reports the format.
  if (await use(dir, true, readAll)) await use(dir, false, writeSome);
}

/** Opens the archive for `action`. Returns false, without touching it, if it has another format. */
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
  // As a writer does, allocates and copies pages, and aborts, so the file does not change.
  store.root.transactionSync(() => {
    for (const table of checksummedTables(store)) table.crowd(LIMITS.archiveTrialBytes);
    checkAll(store, LIMITS.archiveTrialMsMax);
    return ABORT;
  });
  // The lists of free pages and of tables are only written by a commit.
  store.root.transactionSync(() => store.meta.rewritePlain(META_KEYS.format));
}

function checkAll(store: ArchiveStore, msMax: number): void {
  const endMs = performance.now() + msMax;
  for (const table of checksummedTables(store)) table.check(() => performance.now() > endMs);
}

/** Extends the file to its stated size: a sound one may be shorter, and a read beyond its end is fatal. */
function extendFile(file: string, bytes: number): void {
  if (statSync(file).size < bytes) truncateSync(file, bytes);
}
