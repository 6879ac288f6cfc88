// The LMDB environment of the archive: its databases, and how they are opened. All threads of one process share the
// environment, and the writer opens it first.
//
// Durability: a committed transaction is in the operating system's page cache, so nothing is lost if the process is
// killed. LMDB syncs to disk in the background after each commit; after a reboot it returns to the newest commit that
// was synced (`overlappingSync`). So a power cut may lose the last few blocks, but only whole blocks, which the feed
// delivers again. Waiting for the disk would make each block about 10 ms slower.

// A commit does not wait until the disk has flushed its write cache. See DECISIONS.md.
import { type RootDatabase, open } from 'lmdb';
import { rlimit } from '../../../lib/memory/rlimits.js';
import { LIMITS } from '../../../limits/index.js';
import { ArchiveError } from '../format/archive-error.js';
import { ChecksummedDb, type LmdbDatabase } from '../format/checksummed-db.js';
import { firstLineOfError } from '../../../lib/error-message.js';

/** The LMDB databases of an archive. keys-and-values.ts and block-records.ts define their keys and values. */
export interface ArchiveStore extends Readonly<Record<TableName, ChecksummedDb>> {
  readonly dir: string;
  readonly root: RootDatabase<Uint8Array, Uint8Array>;
}

/** Keys of the database `meta`. */
export const META_KEYS = {
  /** Version of the formats in keys-and-values.ts and block-records.ts. */
  format: Buffer.from('format'),
  /** The string that describes the chain, with which the archive was first opened. */
  chain: Buffer.from('chain'),
  /** Block numbers of the tags `latest`, `safe` and `finalized`. `latest` is the archive's newest block. */
  heads: Buffer.from('heads'),
} as const;

/**
 * Names the format of the archive. It must change whenever keys-and-values.ts, block-records.ts or the checksum
 * changes.
 */
const FORMAT = 'prestate archive 2';
/** Name of LMDB's file in the data folder. */
export const LMDB_DATA_FILE = 'data.mdb';
/** Databases in the order in which they are checked: the largest last, because the time limit may end the check. */
const CHECKED_TABLES = [
  /** Block key -> block record. */
  'blocks',
  /** Block hash -> block key. */
  'hashes',
  /**
   * Block key -> list of the accounts and slots that the block has changed. The list is needed to remove the block
   * after a reorganization, so only the newest blocks have one.
   */
  'changes',
  /** Code hash -> code. */
  'codes',
  /** Account key (address and block) -> account after that block. */
  'accounts',
  /** Place key (block, and index in the block) -> transaction record. */
  'transactions',
  /** Transaction hash -> place key (block, and index in the block). */
  'places',
  /** Slot key (address, slot and block) -> word after that block. */
  'slots',
] as const;
/** All databases. `meta` contains the values of the keys in `META_KEYS`. */
const TABLES = ['meta', ...CHECKED_TABLES] as const;
type TableName = (typeof TABLES)[number];
const BINARY = { encoding: 'binary', keyEncoding: 'binary' } as const;

/** Opens the archive in a data folder that `assertArchiveUsable` has checked, or creates it. Throws ArchiveError. */
export function openForWriting(dir: string, chain: string): ArchiveStore {
  const store = openStore(dir, false);
  try {
    withArchiveErrors(dir, () => checkChain(store, chain));
    return store;
  } catch (error) {
    void store.root.close();
    throw error;
  }
}

/** Opens an existing archive for reading. Throws ArchiveError. */
export function openForReading(dir: string): ArchiveStore {
  const store = openStore(dir, true);
  if (withArchiveErrors(dir, () => hasCurrentFormat(store))) return store;
  void store.root.close();
  throw unreadable(dir, 'it is not an archive of this version');
}

/** Opens the databases, and creates missing ones unless `readOnly`. Throws ArchiveError. */
export function openStore(dir: string, readOnly: boolean): ArchiveStore {
  return withArchiveErrors(dir, () => {
    const maxDbs = TABLES.length;
    const root = open<Uint8Array, Uint8Array>({
      path: dir,
      noSubdir: false,
      readOnly,
      maxDbs,
      mapSize: mapBytes(),
      // Off, because lmdb creates a promise for it that nobody handles, and that is rejected if a commit fails. `batch`
      // works without it.
      eventTurnBatching: false,
      ...BINARY,
    });
    const table = (name: TableName): ChecksummedDb => {
      // In a read-only environment a missing database is undefined, although the types do not say so.
      const opened = root.openDB<Uint8Array, Uint8Array>(name, BINARY) as LmdbDatabase | undefined;
      if (opened === undefined) throw new Error('it is not an archive');
      return new ChecksummedDb(dir, name, opened);
    };
    checkTables(root);
    const tables = Object.fromEntries(TABLES.map((name) => [name, table(name)])) as Record<TableName, ChecksummedDb>;
    return { dir, root, ...tables };
  });
}

/**
 * Returns the largest size of the archive in bytes, a multiple of the page size. It is smaller if the process's address
 * space is limited.
 */
function mapBytes(): number {
  const allowed = rlimit('addressBytes') * LIMITS.archiveAddressShare;
  return Math.min(LIMITS.archiveBytesMax, allowed - (allowed % 2 ** 20));
}

/** Throws if the file contains a database with an unknown name: the file then belongs to another program. */
function checkTables(root: RootDatabase<Uint8Array, Uint8Array>): void {
  const known = new Set<string>(TABLES);
  for (const key of root.getKeys()) {
    if (!known.has(nameOf(key))) throw new Error('it holds another LMDB database');
  }
}

function nameOf(key: Uint8Array): string {
  const name = Buffer.from(key).toString('latin1');
  return name.endsWith('\0') ? name.slice(0, -1) : name;
}

/** Stores format and chain in a new archive. Throws ArchiveError if an existing archive has another format or chain. */
function checkChain(store: ArchiveStore, chain: string): void {
  const format = formatOf(store);
  if (format === null) return initialise(store, chain);
  if (format !== FORMAT)
    throw unreadable(store.dir, `its format is "${format}", not "${FORMAT}"; begin with another folder`);
  const known = store.meta.get(META_KEYS.chain);
  if (known !== undefined && Buffer.from(known).toString() === chain) return;
  throw new ArchiveError(`data folder ${store.dir} belongs to another chain or another genesis`, 2);
}

function initialise(store: ArchiveStore, chain: string): void {
  store.root.transactionSync(() => {
    store.meta.putPlain(META_KEYS.format, Buffer.from(FORMAT));
    store.meta.put(META_KEYS.chain, Buffer.from(chain));
  });
}

/** Returns the databases in which every value has a checksum: all but `meta`, whose format record has none. */
export function listChecksummedTables(store: ArchiveStore): readonly ChecksummedDb[] {
  return CHECKED_TABLES.map((name) => store[name]);
}

/** Returns true if the archive has the current format; false if it has another one, or none yet. */
export function hasCurrentFormat(store: ArchiveStore): boolean {
  return formatOf(store) === FORMAT;
}

/** Returns the archive's format. It is read without a checksum, because the first formats had no checksums. */
function formatOf(store: ArchiveStore): string | null {
  const value = store.meta.getPlain(META_KEYS.format);
  return value === undefined ? null : Buffer.from(value).toString();
}

/** Runs `action`, and converts any error that it throws into an ArchiveError that names the folder. */
export function withArchiveErrors<T>(dir: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw error instanceof ArchiveError ? error : unreadable(dir, firstLineOfError(error));
  }
}

function unreadable(dir: string, why: string): ArchiveError {
  return new ArchiveError(`cannot open the archive in ${dir}: ${why}`, 2);
}
