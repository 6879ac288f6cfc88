// The archive's writer. It stores every confirmed block and the state after it, one LMDB transaction for each block.
// Other threads read through reader.ts.
import { ArchiveError } from './format/archive-error.js';
import {
  prepareBlockRollback,
  readChangedKeyValuesOfBlock,
  putBlockRecords,
  putChangedKeyList,
  putStateRecords,
} from './write-and-remove-block.js';
import { clearCreationMarker, assertArchiveUsable } from './file/check-archive.js';
import { messageIfDiskFull } from './file/disk-space.js';
import { SLOT_KEY_PREFIX_BYTES, decodeAccount } from './format/keys-and-values.js';
import { ADDRESS_BYTES, toWord } from '../../lib/bytes/big-endian.js';
import { lockArchive } from './file/writer-lock.js';
import { newestValueOfEachPrefix } from './format/read-newest-values.js';
import { ArchiveReader } from './reader.js';
import { encodeHeads } from './format/block-records.js';
import { type ArchiveStore, META_KEYS, withArchiveErrors, openForWriting } from './file/lmdb-environment.js';
import type { CompleteBlock, ChainHead } from '../complete-block.js';
import type { AccountChange, CodeChange, BlockTags, SlotChange, StateChanges, StateDiff } from '../state-diff.js';
import { readKeyValues } from '../views/state-view.js';
import { firstLineOfError } from '../../lib/error-message.js';

export { ArchiveError } from './format/archive-error.js';

/** The only writer of an archive. Only one write may run at a time. */
export class ArchiveWriter {
  /** Reads what the writer has committed. Uses the same LMDB environment. */
  readonly reader: ArchiveReader;
  readonly #store: ArchiveStore;
  readonly #unlock: () => void;
  #head: ChainHead | null;
  #writing = false;
  /** True if the last write has failed, for example because the disk is full. */
  #failed = false;

  private constructor(store: ArchiveStore, unlock: () => void) {
    this.#store = store;
    this.#unlock = unlock;
    this.reader = new ArchiveReader(store);
    this.#head = withArchiveErrors(store.dir, () => this.reader.head());
  }

  /**
   * Opens or creates the archive in `dir`, an existing folder. `chain` is a string that must be the same each time,
   * such as the chain's description and genesis as JSON. Throws ArchiveError if the folder cannot be used, the archive
   * has another format or chain, or there is another writer.
   */
  static open(dir: string, chain: string): ArchiveWriter {
    const unlock = lockArchive(dir);
    try {
      withArchiveErrors(dir, () => assertArchiveUsable(dir));
      const store = openForWriting(dir, chain);
      clearCreationMarker(dir);
      return new ArchiveWriter(store, unlock);
    } catch (error) {
      unlock();
      throw error;
    }
  }

  /** The newest block, after which a feed continues; `null` while the archive is empty. */
  head(): ChainHead | null {
    return this.#head;
  }

  /**
   * Writes a block with its environment and tags, and everything that has changed since its parent (`diff`). Resolves
   * when it is committed: the block then survives a kill of the process, and readers see it from their next event-loop
   * tick on. The first block may have any number; later ones must follow without gaps. Rejects with ArchiveError if the
   * disk refuses the write; nothing of the block is then stored. The caller must not change the byte arrays until the
   * promise settles.
   */
  async write(block: CompleteBlock, diff: StateDiff): Promise<void> {
    if (this.#head !== null && block.number !== this.#head.number + 1) {
      throw new Error(`block ${block.number} does not follow block ${this.#head.number}`);
    }
    await this.#commit(`block ${block.number}`, () => {
      putStateRecords(this.#store, block.number, diff);
      putBlockRecords(this.#store, block, diff.env);
      if (this.#head !== null) putChangedKeyList(this.#store, block.number, diff);
      this.#store.meta.put(META_KEYS.heads, encodeHeads({ ...diff.heads, latest: block.number }));
    });
    this.#head = { number: block.number, hash: block.hash, header: block.header };
  }

  /**
   * Returns the lists of changes that revert the state to the one after block `number`. All of them contain values of
   * that state, so they may be applied in any order. `open` has the changes since the archive's newest block, of which
   * only the keys are used. Throws ArchiveError if block `number` is too old.
   */
  undone(number: number, open: StateChanges): StateChanges[] {
    const view = this.reader.viewAt(number);
    if (view === null) throw new ArchiveError(`block ${number} is not in the archive`, 1);
    const all = [readKeyValues(view, open)];
    for (let block = number + 1; block <= (this.#head?.number ?? -1); block++) {
      const changes = readChangedKeyValuesOfBlock(this.#store, view, block);
      if (changes === null) throw new ArchiveError(`block ${block} lies too deep to be replaced`, 1);
      all.push(changes);
    }
    return all;
  }

  /**
   * Removes block `number` and all later blocks with their state, in one transaction, so that the block before becomes
   * the newest. Codes are not removed, because they do not belong to a block. Rejects with ArchiveError for the
   * archive's first block, and for blocks more than `LIMITS.archiveReorgBlocksMax` below the newest.
   */
  async replaceFrom(number: number): Promise<void> {
    const last = this.#head?.number ?? -1;
    if (number > last) return;
    const removals: (() => void)[] = [];
    for (let block = last; block >= number; block--) {
      const removal = prepareBlockRollback(this.#store, this.reader, block);
      if (removal === null) throw new ArchiveError(`block ${block} lies too deep to be replaced`, 1);
      removals.push(removal);
    }
    const heads = headsBelow(number, this.reader.heads());
    await this.#commit(`the removal of block ${number}`, () => {
      for (const remove of removals) remove();
      this.#store.meta.put(META_KEYS.heads, encodeHeads(heads));
    });
    this.#head = this.reader.head();
  }

  /**
   * Yields every account after the newest block, in no particular order. Nothing may be written during the iteration.
   */
  *accounts(): IterableIterator<AccountChange> {
    for (const { prefix, value } of newestValueOfEachPrefix(this.#store.accounts, ADDRESS_BYTES)) {
      const account = decodeAccount(value);
      if (account !== null) yield { address: prefix, account };
    }
  }

  /** Yields every non-zero slot after the newest block. */
  *slots(): IterableIterator<SlotChange> {
    for (const { prefix, value } of newestValueOfEachPrefix(this.#store.slots, SLOT_KEY_PREFIX_BYTES)) {
      if (value.length === 0) continue;
      yield {
        address: prefix.subarray(0, ADDRESS_BYTES),
        slot: prefix.subarray(ADDRESS_BYTES),
        value: toWord(value),
      };
    }
  }

  /** Yields every code that was ever deployed. */
  *codes(): IterableIterator<CodeChange> {
    for (const { key, value } of this.#store.codes.entries({})) yield { hash: key, bytes: value };
  }

  /**
   * Waits until everything is on disk, closes the archive and unlocks the folder. After a failed write, only unlocks
   * the folder, because lmdb would wait forever.
   */
  async close(): Promise<void> {
    if (!this.#failed) {
      await this.#store.root.flushed;
      await this.#store.root.close();
    }
    this.#unlock();
  }

  /**
   * Runs one transaction. `batch` only encodes the writes on this thread; lmdb's own thread executes them. So 10,000
   * changes block this thread for 3 ms instead of 90. The drawback is that `puts` cannot read what it has written.
   */
  async #commit(what: string, puts: () => void): Promise<void> {
    if (this.#writing) throw new Error('the archive is being written already');
    const full = messageIfDiskFull(this.#store.dir);
    if (full !== null) throw this.#refused(what, full);
    this.#writing = true;
    try {
      await this.#store.root.batch(puts);
      this.#failed = false;
      this.reader.refresh();
    } catch (error) {
      this.#failed = true;
      throw this.#refused(what, await commitError(error));
    } finally {
      this.#writing = false;
    }
  }

  #refused(what: string, why: string): ArchiveError {
    return new ArchiveError(`cannot write ${what} to the archive in ${this.#store.dir}: ${why}`, 1);
  }
}

/**
 * Returns the cause of a failed commit. lmdb rejects the error's `commitError` promise with the cause, of which only
 * the part before the first colon is returned.
 */
async function commitError(error: unknown): Promise<string> {
  try {
    if (error instanceof Error && 'commitError' in error) await error.commitError;
  } catch (reason) {
    return firstLineOfError(reason).split(': ', 1)[0] ?? '';
  }
  return firstLineOfError(error);
}

/** Lowers the tags so that none of them refers to block `number` or a later block, which are removed. */
function headsBelow(number: number, heads: BlockTags | null): BlockTags {
  const latest = number - 1;
  const lower = (head: number | null | undefined): number | null => (head == null ? null : Math.min(head, latest));
  return { latest, safe: lower(heads?.safe), finalized: lower(heads?.finalized) };
}
