// A look at LMDB's data file before LMDB maps it: the library ends the whole process (SIGSEGV, SIGBUS) on a file that is
// not its own or that was cut short. Runs on every thread, once.
import { closeSync, fstatSync, ftruncateSync, openSync, readSync } from 'node:fs';

// Each of the first two pages describes the database, the newer one counts (liblmdb, mdb.c: MDB_page_header, MDB_meta).
const META_BYTES = 168;
const MAGIC_AT = 24;
const PAGE_BYTES_AT = 48;
const LAST_PAGE_AT = 144;

/** `0xBEEFC0DE` and data format 2, little endian. */
const MAGIC = Buffer.from('dec0efbe02000000', 'hex');

/** Throws when LMDB must not be given this file. A file that does not exist yet or is empty is fine for a writer. */
export function checkFileForWriting(file: string): void {
  const handle = openSync(file, 'a+');
  try {
    if (fstatSync(handle).size > 0) extend(handle, usedBytes(handle));
  } finally {
    closeSync(handle);
  }
}

/** The same for a reader, who also needs a file that a writer has begun. */
export function checkFileForReading(file: string): void {
  const handle = openSync(file, 'r');
  try {
    usedBytes(handle);
  } finally {
    closeSync(handle);
  }
}

/**
 * A sound file may end before its last page, when nothing was ever written there. So might one that was cut short: made
 * as long as it says it is, reading what is missing becomes an error that LMDB reports instead of the end of the process.
 */
function extend(handle: number, bytes: number): void {
  if (fstatSync(handle).size < bytes) ftruncateSync(handle, bytes);
}

/** How long the file should be. Throws when it is not LMDB's. */
function usedBytes(handle: number): number {
  const first = readMeta(handle, 0);
  const pageBytes = first.readUInt32LE(PAGE_BYTES_AT);
  const second = readMeta(handle, pageBytes);
  const lastPage = Math.max(lastPageOf(first), lastPageOf(second));
  return (lastPage + 1) * pageBytes;
}

function readMeta(handle: number, at: number): Buffer {
  const meta = Buffer.alloc(META_BYTES);
  readSync(handle, meta, 0, META_BYTES, at);
  if (!meta.subarray(MAGIC_AT, MAGIC_AT + MAGIC.length).equals(MAGIC))
    throw new Error('its data file is not one of LMDB');
  return meta;
}

function lastPageOf(meta: Buffer): number {
  return Number(meta.readBigUInt64LE(LAST_PAGE_AT));
}
