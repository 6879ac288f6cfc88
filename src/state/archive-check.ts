// The look at an archive before it is opened for writing: every page and every record, as far as the time goes; what comes
// later is checked when it is read. Runs on the publisher, at start-up.
import { performance } from 'node:perf_hooks';
import { LIMITS } from '../limits.js';
import { ArchiveError, errorText } from './archive-error.js';
import { type Tree } from './archive-file.js';
import { ArchivePages } from './archive-pages.js';
import { checked } from './checksum.js';

/** What is told of a record without a checksum: the format. */
export interface PlainRecord {
  readonly table: string;
  readonly key: Buffer;
  /** An archive with another value is left to who opens it. */
  readonly value: string;
}

/**
 * Throws ArchiveError when the file is damaged. `plain`: the record that has no checksum and must have this value for the
 * others to have one.
 */
export function checkArchive(file: string, plain: PlainRecord): void {
  const endMs = performance.now() + LIMITS.archiveCheckMsMax;
  try {
    const pages = new ArchivePages(file, () => performance.now() > endMs);
    try {
      checkTables(pages, plain);
    } finally {
      pages.close();
    }
  } catch (error) {
    throw new ArchiveError(`${file} is damaged: ${errorText(error)}; begin again with another folder`, 1);
  }
}

function checkTables(pages: ArchivePages, plain: PlainRecord): void {
  const tables = pages.tables();
  // Not an archive, or one that was never written: left to who opens it.
  if (!tables.has(plain.table)) return;
  // The one with the format first, the small ones before the large ones.
  const inOrder = [...tables].toSorted(([a, { entries }], [b, other]) =>
    a === plain.table ? -1 : b === plain.table ? 1 : entries - other.entries,
  );
  let isKnown = true;
  for (const [name, tree] of inOrder) {
    if (name === plain.table) isKnown = checkPlain(pages, name, tree, plain);
    else if (isKnown) pages.entries(tree, (key, value) => expectChecked(name, key, value));
  }
  if (isKnown) pages.free();
}

/** Whether the plain record has its value, or there is none yet. */
function checkPlain(pages: ArchivePages, name: string, tree: Tree, plain: PlainRecord): boolean {
  const records: [key: Buffer, value: Buffer][] = [];
  pages.entries(tree, (key, value) => records.push([Buffer.from(key), Buffer.from(value)]));
  const found = records.find(([key]) => key.equals(plain.key));
  if (found !== undefined && found[1].toString() !== plain.value) return false;
  for (const [key, value] of records) if (!key.equals(plain.key)) expectChecked(name, key, value);
  return true;
}

function expectChecked(table: string, key: Buffer, value: Buffer): void {
  if (checked(key, value) === null) throw new Error(`record ${table} ${key.toString('hex')} is not what was written`);
}
