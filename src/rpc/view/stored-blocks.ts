// Complete blocks of the chain as of the pinned state version: from the archive, or from the newest blocks of a live
// chain, which are in memory.
import { sameBytes } from '../../lib/bytes/byte-map.js';
import { toHex, toQuantity } from '../../lib/bytes/hex.js';
import type { ArchiveReader } from '../../state/archive/reader.js';
import type { LoggedTransaction } from '../../state/archive/format/decode-transaction-logs.js';
import type { BlockRecord } from '../../state/archive/format/block-records.js';
import type { TransactionLocation } from '../../state/archive/format/keys-and-values.js';
import type { CompleteBlock } from '../../state/complete-block.js';
import type { RecentBlocks, RecentTransactionLocation } from '../../state/recent-encoded-blocks.js';
import type { StateView } from '../../state/views/state-view.js';
import type { PinnedVersion } from './pinned-version.js';
import { EMPTY_BYTES } from '../../lib/bytes/big-endian.js';

/** Where blocks and old state are read: in the archive, or among the newest blocks of a live chain. */
export type CompleteBlockSource =
  | { readonly kind: 'archive'; readonly archive: ArchiveReader }
  | { readonly kind: 'live'; readonly recent: RecentBlocks };

/** A reference to a block for a request to the upstream node. */
export interface UpstreamBlockRef {
  readonly kind: 'upstream';
  /** Block number or EIP-1898 object. It is never a tag, because a tag might mean another block at the node. */
  readonly ref: string | { readonly blockHash: string; readonly requireCanonical?: true };
  /**
   * True if no canonical block with this hash is known: the node may be ahead, or may have retained a removed block.
   */
  readonly isUnknown?: true;
}

/** A block's header and access list, without its transactions. */
type HeaderRecord = Pick<BlockRecord, 'header' | 'accessList'>;

/** Reads one block at a later time. Its functions return `null` if the block is no longer stored. */
export interface SingleBlockReader {
  readonly block: () => CompleteBlock | null;
  /** Reads the block's transactions with the fields that log searches need. */
  readonly logged: () => readonly LoggedTransaction[] | null;
  readonly record: () => HeaderRecord | null;
}

/** The complete blocks up to `latest` in the pinned version that this process stores. */
export class StoredBlocks {
  readonly #pinned: PinnedVersion;
  readonly #source: CompleteBlockSource;

  constructor(pinned: PinnedVersion, source: CompleteBlockSource) {
    this.#pinned = pinned;
    this.#source = source;
  }

  /**
   * Returns a key that identifies complete block `number` for caches; `null` if the block is not stored. The key
   * contains the hash as long as the block may be replaced.
   */
  key(number: number): string | null {
    if (!this.#isComplete(number)) return null;
    const hash = this.#pinned.hashOf(number);
    if (hash !== null) return toHex(hash);
    return this.#source.kind === 'archive' ? `${number}` : null;
  }

  /** Returns a complete block; `null` if it is not stored. */
  at(number: number): CompleteBlock | null {
    return this.#readerOf(number)?.block() ?? null;
  }

  /** Returns the RLP header of a complete block; `null` if it is not stored. */
  header(number: number): Uint8Array | null {
    return this.record(number)?.header ?? null;
  }

  /** Returns header and access list of a complete block; `null` if it is not stored. */
  record(number: number): HeaderRecord | null {
    return this.#readerOf(number)?.record() ?? null;
  }

  /**
   * Returns a reader for complete block `number`, which still reads that block if the chain is reorganized; `null` if
   * the block is not stored now.
   */
  reader(number: number): SingleBlockReader | null {
    const reader = this.#readerOf(number);
    return this.#source.kind === 'archive' || reader?.record() ? reader : null;
  }

  /** Returns the archived state after a block; `null` if there is no archive or it does not contain the block. */
  archivedState(number: number): StateView | null {
    return this.#archived((archive) => archive.viewAt(number));
  }

  /** Returns block number and index of a confirmed transaction; `null` if it is unknown or not confirmed yet. */
  transaction(hash: Uint8Array): TransactionLocation | null {
    if (this.#source.kind === 'live') return this.#recentLocation(this.#source.recent.locations(hash));
    const location = this.#archived((archive) => archive.transaction(hash));
    return location !== null && this.#isComplete(location.block) ? location : null;
  }

  /** Returns the number of the complete block with this hash; `null` if there is none. */
  numberOf(hash: Uint8Array): number | null {
    if (this.#source.kind === 'live') return this.#pinned.numberOf(hash);
    const number = this.#archived((archive) => archive.numberOfHash(hash));
    return number !== null && this.#isComplete(number) && this.#isOurs(number, hash) ? number : null;
  }

  /**
   * Returns a reference, for the upstream node, to a block that is not stored; `null` if there is no node. The
   * reference is the block hash if that is known, because the chain may be reorganized before the request is sent.
   */
  upstream(number: number): UpstreamBlockRef | null {
    if (this.#source.kind === 'archive') return null;
    const hash = this.#pinned.hashOf(number);
    return hash === null ? { kind: 'upstream', ref: toQuantity(number) } : this.upstreamByHash(hash);
  }

  /**
   * Returns a reference, for the upstream node, to a block of which only the hash is known. `requireCanonical`: see
   * EIP-1898.
   */
  upstreamByHash(hash: Uint8Array, requireCanonical = false): UpstreamBlockRef | null {
    if (this.#source.kind === 'archive') return null;
    return { kind: 'upstream', ref: { blockHash: toHex(hash), ...(requireCanonical ? { requireCanonical } : {}) } };
  }

  /** Selects, of a transaction's locations, the one whose block is canonical as of the pinned version. */
  #recentLocation(locations: readonly RecentTransactionLocation[]): TransactionLocation | null {
    const isSeen = ({ block, hash }: RecentTransactionLocation): boolean =>
      this.#isComplete(block) && Buffer.compare(this.#pinned.hashOf(block) ?? EMPTY_BYTES, hash) === 0;
    return locations.find(isSeen) ?? null;
  }

  #isComplete(number: number): boolean {
    return number <= this.#pinned.record.heads.latest;
  }

  /** False if another block with this number is canonical as of the pinned version. */
  #isOurs(number: number, hash: Uint8Array): boolean {
    const own = this.#pinned.hashOf(number);
    return own === null || sameBytes(own, hash);
  }

  #readerOf(number: number): SingleBlockReader | null {
    if (!this.#isComplete(number)) return null;
    const hash = this.#pinned.hashOf(number);
    if (this.#source.kind === 'archive') return archivedBlockReader(this.#source.archive, number, hash);
    return hash === null ? null : recentBlockReader(this.#source.recent, hash);
  }

  /**
   * Reads the archive. A read transaction of LMDB sees a commit only from the next event-loop tick on, but the state
   * version that belongs to the commit is visible at once. So if something is missing, it is looked up again in the
   * newest commit.
   */
  #archived<T>(read: (archive: ArchiveReader) => T | null): T | null {
    if (this.#source.kind !== 'archive') return null;
    return newestOf(this.#source.archive, read);
  }
}

function newestOf<T>(archive: ArchiveReader, read: (archive: ArchiveReader) => T | null): T | null {
  const found = read(archive);
  if (found !== null) return found;
  archive.refresh();
  return read(archive);
}

/**
 * Creates a reader for a block in an archive. It finds the block only while the block is canonical. `hash` is `null` if
 * the block is too old to be replaced.
 */
export function archivedBlockReader(
  archive: ArchiveReader,
  number: number,
  hash: Uint8Array | null,
): SingleBlockReader {
  const record = (): HeaderRecord | null => {
    const found = archive.record(number);
    return found === null || hash === null || sameBytes(found.hash, hash) ? found : null;
  };
  const read = <T>(of: () => T | null): T | null =>
    newestOf(archive, () => (hash === null || record() !== null ? of() : null));
  return {
    block: () => read(() => archive.block(number)),
    logged: () => read(() => archive.logged(number)),
    record: () => newestOf(archive, record),
  };
}

/** Creates a reader for a recent block of a live chain. It finds the block only while the block is retained. */
export function recentBlockReader(recent: RecentBlocks, hash: Uint8Array): SingleBlockReader {
  return {
    block: () => recent.block(hash),
    logged: () => recent.logged(hash),
    record: () => recent.record(hash),
  };
}
