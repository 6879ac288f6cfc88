// Complete blocks of the chain as of the pinned version, from the archive or from a live chain's newest blocks.
import { sameBytes } from '../../lib/bytes/byte-map.js';
import { toHex, toQuantity } from '../../lib/bytes/hex.js';
import type { ArchiveReader } from '../../state/archive/reader.js';
import type { LoggedTransaction } from '../../state/archive/format/logged-transaction.js';
import type { BlockRecord } from '../../state/archive/format/records.js';
import type { TransactionLocation } from '../../state/archive/format/keys.js';
import type { CompleteBlock } from '../../state/complete-block.js';
import type { RecentBlocks, RecentTransactionLocation } from '../../state/recent-blocks.js';
import type { StateView } from '../../state/views/state-view.js';
import type { PinnedVersion } from './pinned-version.js';

/** Where blocks and old state come from: an archive here, or the newest blocks of a live chain. */
export type CompleteBlockSource =
  | { readonly kind: 'archive'; readonly archive: ArchiveReader }
  | { readonly kind: 'live'; readonly recent: RecentBlocks };

/** A reference to a block that has to be requested from the upstream node. */
export interface UpstreamPosition {
  readonly kind: 'upstream';
  /** A reference as in EIP-1898. It is never a tag, which might mean another block there. */
  readonly ref: string | { readonly blockHash: string; readonly requireCanonical?: true };
  /** True if no block with this hash was ever here, so that it may be a future one. */
  readonly isUnknown?: true;
}

const NO_HASH = new Uint8Array(0);

/** A block without its transactions. */
type HeaderRecord = Pick<BlockRecord, 'header' | 'accessList'>;

/** Reads one block later; `null` if it is no longer here. */
export interface BlockReader {
  readonly block: () => CompleteBlock | null;
  /** Its transactions, as far as log searches need them. */
  readonly logged: () => readonly LoggedTransaction[] | null;
  readonly record: () => HeaderRecord | null;
}

/** The blocks that are available here, up to the pinned version's `latest`. */
export class ChainBlocks {
  readonly #pinned: PinnedVersion;
  readonly #source: CompleteBlockSource;

  constructor(pinned: PinnedVersion, source: CompleteBlockSource) {
    this.#pinned = pinned;
    this.#source = source;
  }

  /** A key of a complete block and no other, with its hash while it may be replaced; `null` if not here. */
  key(number: number): string | null {
    if (!this.#isComplete(number)) return null;
    const hash = this.#pinned.hashOf(number);
    if (hash !== null) return toHex(hash);
    return this.#source.kind === 'archive' ? `${number}` : null;
  }

  /** A complete block; `null` if it is not here. */
  at(number: number): CompleteBlock | null {
    return this.#readerOf(number)?.block() ?? null;
  }

  /** RLP header of a complete block; `null` if it is not here. */
  header(number: number): Uint8Array | null {
    return this.record(number)?.header ?? null;
  }

  /** A complete block without its transactions; `null` if it is not here. */
  record(number: number): HeaderRecord | null {
    return this.#readerOf(number)?.record() ?? null;
  }

  /** A reader for complete block `number` that works whatever happens to the chain; `null` if not here now. */
  reader(number: number): BlockReader | null {
    const reader = this.#readerOf(number);
    return this.#source.kind === 'archive' || reader?.record() ? reader : null;
  }

  /** The archived state after a block; `null` if there is no archive or it does not have the block. */
  archivedState(number: number): StateView | null {
    return this.#archived((archive) => archive.viewAt(number));
  }

  /** Position of a confirmed transaction; `null` if it is unknown or not confirmed yet. */
  transaction(hash: Uint8Array): TransactionLocation | null {
    if (this.#source.kind === 'live') return this.#recentLocation(this.#source.recent.locations(hash));
    const location = this.#archived((archive) => archive.transaction(hash));
    return location !== null && this.#isComplete(location.block) ? location : null;
  }

  /** Number of the complete block with this hash; `null` if it is not here. */
  numberOf(hash: Uint8Array): number | null {
    if (this.#source.kind === 'live') return this.#pinned.numberOf(hash);
    const number = this.#archived((archive) => archive.numberOfHash(hash));
    return number !== null && this.#isComplete(number) && this.#isOurs(number, hash) ? number : null;
  }

  /**
   * A reference for the upstream node to a block that is not here; `null` if there is no node. It has the hash if that
   * is known, because the chain may be reorganized before the node is asked.
   */
  upstream(number: number): UpstreamPosition | null {
    if (this.#source.kind === 'archive') return null;
    const hash = this.#pinned.hashOf(number);
    return hash === null ? { kind: 'upstream', ref: toQuantity(number) } : this.upstreamByHash(hash);
  }

  /** The node's reference to a block of which only the hash is known. `requireCanonical`: see EIP-1898. */
  upstreamByHash(hash: Uint8Array, requireCanonical = false): UpstreamPosition | null {
    if (this.#source.kind === 'archive') return null;
    return { kind: 'upstream', ref: { blockHash: toHex(hash), ...(requireCanonical ? { requireCanonical } : {}) } };
  }

  /** The position in the block that is canonical as of the pinned version. */
  #recentLocation(locations: readonly RecentTransactionLocation[]): TransactionLocation | null {
    const isSeen = ({ block, hash }: RecentTransactionLocation): boolean =>
      this.#isComplete(block) && Buffer.compare(this.#pinned.hashOf(block) ?? NO_HASH, hash) === 0;
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

  #readerOf(number: number): BlockReader | null {
    if (!this.#isComplete(number)) return null;
    const hash = this.#pinned.hashOf(number);
    if (this.#source.kind === 'archive') return archivedBlockReader(this.#source.archive, number, hash);
    return hash === null ? null : recentBlockReader(this.#source.recent, hash);
  }

  /**
   * Reads the archive. A transaction of LMDB sees a commit only from the next event-loop tick on, but the version that
   * belongs to it is visible at once. So what is missing is looked up again in the newest commit.
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

/** Reads a block of an archive as long as it is canonical. `hash` is `null` if the block is too old to be replaced. */
export function archivedBlockReader(archive: ArchiveReader, number: number, hash: Uint8Array | null): BlockReader {
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

/** Reads a block of a live chain as long as it is retained. */
export function recentBlockReader(recent: RecentBlocks, hash: Uint8Array): BlockReader {
  return {
    block: () => recent.block(hash),
    logged: () => recent.logged(hash),
    record: () => recent.record(hash),
  };
}
