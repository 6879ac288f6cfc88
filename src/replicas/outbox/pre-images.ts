// Pre-images: the values that keys had before a state version changed them, and the codes that replicas need for those
// values. They are sent with the version, so that a replica that lacked these keys knows them at every version that it
// retains.
import { LIMITS } from '../../limits/index.js';
import type { AccountChange, CodeChange, StateChanges, StateDiff } from '../../state/state-diff.js';
import { TableReader, type Snapshot } from '../../state/table/read/table-reader-and-snapshot.js';
import { hasCode, readKeyValues } from '../../state/views/state-view.js';
import { latin1Key } from '../../lib/bytes/latin1-key.js';

/**
 * Collects the pre-images of the state versions in one epoch of the stream. Each contract code is sent once per epoch.
 */
export class PreImages {
  readonly #codes = new Set<string>();

  /**
   * Returns the previous values of the keys in `diff` (`null` for a complete state), and the codes of the old and new
   * accounts that were not sent in this epoch. Throws `StateMiss` or `VersionNotKept` if the table no longer has the
   * state version or the one before it.
   */
  of(
    buffer: SharedArrayBuffer,
    version: number,
    diff: StateDiff,
  ): { readonly before: StateChanges | null; readonly codes: readonly CodeChange[] } {
    const reader = new TableReader(buffer);
    const before = reader.isComplete ? null : readKeyValues(reader.snapshot(version - 1), diff);
    const accounts = [...diff.accounts, ...(before?.accounts ?? [])];
    return { before, codes: this.#newCodes(accounts, reader.snapshot(version)) };
  }

  #newCodes(accounts: readonly AccountChange[], snapshot: Snapshot): CodeChange[] {
    if (this.#codes.size > LIMITS.replicationCodesSentMax) this.#codes.clear();
    return accounts.flatMap(({ account }) => {
      if (account === null || !hasCode(account)) return [];
      const { codeHash: hash } = account;
      const name = latin1Key(hash);
      if (this.#codes.has(name)) return [];
      this.#codes.add(name);
      return [{ hash, bytes: snapshot.code(hash).slice() }];
    });
  }
}
