// The look at an archive before it is opened for writing: every page and every record, as far as the time goes; what comes
// later is checked when it is read. Runs on the publisher, at start-up.
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { LIMITS } from '../../limits.js';
import { ArchiveError, errorText } from './error.js';
import { type Tree, checkFile, extendFile, isFileBegun } from './file.js';
import { ArchivePages } from './pages.js';
import { DATA_FILE, FORMAT, META } from './store.js';
import { checked } from './checksum.js';

/**
 * Throws when the data file in `dir` must not be opened: an Error when it is not LMDB's, an ArchiveError when it is damaged.
 * One that does not exist yet is fine, one that ends too early is made longer.
 */
export function checkArchive(dir: string): void {
  const file = join(dir, DATA_FILE);
  if (!isFileBegun(file)) return;
  checkFile(file);
  try {
    checkPages(file);
  } catch (error) {
    throw new ArchiveError(`${file} is damaged: ${errorText(error)}; begin again with another folder`, 1);
  }
  extendFile(file);
}

function checkPages(file: string): void {
  const endMs = performance.now() + LIMITS.archiveCheckMsMax;
  const pages = new ArchivePages(file, () => performance.now() > endMs);
  try {
    checkTables(pages);
  } finally {
    pages.close();
  }
}

function checkTables(pages: ArchivePages): void {
  const { meta, ...tables } = Object.fromEntries(pages.tables());
  // Not an archive, one that was never written, or one of another format: left to who opens it.
  if (meta === undefined || !checkMeta(pages, meta)) return;
  const smallestFirst = Object.entries(tables).toSorted(([, a], [, b]) => a.entries - b.entries);
  for (const [name, tree] of smallestFirst) {
    pages.entries(tree, (key, value) => expectChecked(name, key, value));
  }
  pages.free();
}

/** Whether the format is the one at hand, or there is none yet. */
function checkMeta(pages: ArchivePages, tree: Tree): boolean {
  const records: [key: Buffer, value: Buffer][] = [];
  pages.entries(tree, (key, value) => records.push([Buffer.from(key), Buffer.from(value)]));
  const format = records.find(([key]) => key.equals(META.format))?.[1].toString();
  if (format !== undefined && format !== FORMAT) return false;
  for (const [key, value] of records) if (!key.equals(META.format)) expectChecked('meta', key, value);
  return true;
}

function expectChecked(table: string, key: Buffer, value: Buffer): void {
  if (checked(key, value) === null) throw new Error(`record ${table} ${key.toString('hex')} is not what was written`);
}
