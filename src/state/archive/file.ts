// The first page of LMDB's data file, before LMDB maps it: the library ends the whole process (SIGSEGV, SIGBUS) on a file
// that is not its own or that was cut short. Runs on every thread, once.
//
// Three records describe the database: one on each of the first two pages, written in turns, and one in the middle of the
// first, written when the disk has everything (lmdb's `overlappingSync`). liblmdb, mdb.c: MDB_page_header, MDB_meta, MDB_db.
import {
  closeSync,
  existsSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';

const META_BYTES = 168;
const PAGE_FLAGS_AT = 18;
const MAGIC_AT = 24;
const FREE_TREE_AT = 48;
const MAIN_TREE_AT = 96;
const LAST_PAGE_AT = 144;
const TRANSACTION_AT = 152;
const BOOT_AT = 160;
const PAGE_BYTES = new Set([512, 1024, 2048, 4096, 8192, 16_384, 32_768, 65_536]);
/** Page flag of the first two pages. */
const IS_META = 0x08;
/** Flag of the tree of free pages: the transaction had not been synced to the disk when it was committed. */
const IS_UNSYNCED = 0x1000;
const NO_PAGE = 2n ** 64n - 1n;
const NOT_LMDB = 'its data file is not one of LMDB';
const BOOT_ID_FILE = '/proc/sys/kernel/random/boot_id';

/** `0xBEEFC0DE` and data format 2, little endian. */
const MAGIC = Buffer.from('dec0efbe02000000', 'hex');

/** A B+ tree of the file. */
export interface Tree {
  readonly flags: number;
  /** Levels down to the leaves; 0: empty. */
  readonly depth: number;
  readonly branches: number;
  readonly leaves: number;
  readonly overflowPages: number;
  readonly entries: number;
  /** `null`: empty. */
  readonly root: number | null;
}

/** The database as one transaction left it. */
export interface Meta {
  readonly pageBytes: number;
  readonly lastPage: number;
  readonly transaction: number;
  /** Lists of free pages by transaction. */
  readonly free: Tree;
  /** The other trees by name. */
  readonly main: Tree;
  readonly isSynced: boolean;
  /** Of the machine's boot during which it was written. */
  readonly boot: bigint;
}

/** Bytes of a tree's record. */
export const TREE_BYTES = 48;

/** Reads a tree's record. */
export function readTree(bytes: Buffer, at: number): Tree {
  const root = bytes.readBigUInt64LE(at + 40);
  return {
    flags: bytes.readUInt16LE(at + 4),
    depth: bytes.readUInt16LE(at + 6),
    branches: Number(bytes.readBigUInt64LE(at + 8)),
    leaves: Number(bytes.readBigUInt64LE(at + 16)),
    overflowPages: Number(bytes.readBigUInt64LE(at + 24)),
    entries: Number(bytes.readBigUInt64LE(at + 32)),
    root: root === NO_PAGE ? null : Number(root),
  };
}

/** The transaction that LMDB opens the file at. Throws when the file is not LMDB's, or names no such one. */
export function readMeta(handle: number): Meta {
  const [first, second] = pageMetas(handle);
  const synced = metaOf(readAt(handle, first.pageBytes / 2));
  const boot = bootId();
  if (!isSequence(first, second, synced)) throw new Error('its newest transaction is not known');
  return chosen(chosen(first, second, boot), synced, boot);
}

/** The pages are written in turns. Only a machine that went down may have lost one of them. */
function isSequence(first: Meta, second: Meta, synced: Meta): boolean {
  const [even, odd] = [first.transaction, second.transaction];
  if (even % 2 !== 0 || (odd !== 0 && odd % 2 !== 1)) return false;
  if (first.boot === second.boot && Math.abs(even - odd) > 1) return false;
  return synced.boot !== first.boot || synced.boot !== second.boot || synced.transaction <= Math.max(even, odd);
}

/**
 * Whether there is a data file. Where there is none a mark is made, which `fileIsMade` removes: an empty file beside it is
 * that of a writer who was killed at once, without it is one that has lost everything.
 */
export function isFileBegun(file: string): boolean {
  if (existsSync(file) && (statSync(file).size > 0 || !existsSync(markOf(file)))) return true;
  writeFileSync(markOf(file), '');
  return false;
}

/** LMDB has written the file. */
export function fileIsMade(file: string): void {
  rmSync(markOf(file), { force: true });
}

/** Throws when LMDB must not be given this file. */
export function checkFile(file: string): void {
  withFile(file, 'r', usedBytes);
}

/**
 * A sound file may end before its last page, when nothing was ever written there. Made as long as it says it is, reading
 * beyond its end is not the end of the process.
 */
export function extendFile(file: string): void {
  withFile(file, 'r+', (handle) => {
    const bytes = usedBytes(handle);
    if (fstatSync(handle).size < bytes) ftruncateSync(handle, bytes);
  });
}

function withFile(file: string, flags: string, use: (handle: number) => void): void {
  const handle = openSync(file, flags);
  try {
    use(handle);
  } finally {
    closeSync(handle);
  }
}

function markOf(file: string): string {
  return `${file}.new`;
}

/** How long the file should be. Throws when it is not LMDB's. */
function usedBytes(handle: number): number {
  if (fstatSync(handle).size === 0) throw new Error('its data file is empty');
  const [first, second] = pageMetas(handle);
  return (Math.max(first.lastPage, second.lastPage) + 1) * first.pageBytes;
}

/** LMDB's rule: the newest, or what was synced where the machine has been started anew since. */
function chosen(a: Meta, b: Meta, boot: bigint): Meta {
  if (b.transaction === 0) return a;
  const [newer, older] = a.transaction >= b.transaction ? [a, b] : [b, a];
  return newer.isSynced || newer.boot === boot ? newer : older;
}

function pageMetas(handle: number): [first: Meta, second: Meta] {
  const first = metaOf(ownPage(readAt(handle, 0)));
  if (!PAGE_BYTES.has(first.pageBytes)) throw new Error(NOT_LMDB);
  return [first, metaOf(ownPage(readAt(handle, first.pageBytes)))];
}

function readAt(handle: number, at: number): Buffer {
  const bytes = Buffer.alloc(META_BYTES);
  readSync(handle, bytes, 0, META_BYTES, at);
  return bytes;
}

function ownPage(bytes: Buffer): Buffer {
  const isOwn = bytes.subarray(MAGIC_AT, MAGIC_AT + MAGIC.length).equals(MAGIC);
  if (isOwn && (bytes.readUInt16LE(PAGE_FLAGS_AT) & IS_META) !== 0) return bytes;
  throw new Error(NOT_LMDB);
}

function metaOf(bytes: Buffer): Meta {
  const free = readTree(bytes, FREE_TREE_AT);
  return {
    pageBytes: bytes.readUInt32LE(FREE_TREE_AT),
    lastPage: Number(bytes.readBigUInt64LE(LAST_PAGE_AT)),
    transaction: Number(bytes.readBigUInt64LE(TRANSACTION_AT)),
    free,
    main: readTree(bytes, MAIN_TREE_AT),
    isSynced: (free.flags & IS_UNSYNCED) === 0,
    boot: bytes.readBigUInt64LE(BOOT_AT),
  };
}

/** As lmdb keeps it: the first group of hex digits. 0 where the system does not tell. */
function bootId(): bigint {
  try {
    return BigInt(`0x${readFileSync(BOOT_ID_FILE, 'utf8').split('-', 1)[0]}`);
  } catch {
    return 0n;
  }
}
