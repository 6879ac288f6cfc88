// All watched calls, with the memory that they take and an index by the accounts and slots that they have read.
import { LIMITS } from '../../limits/index.js';
import { ANYTHING_READ, readKeysOf } from '../../state/views/recorded-read-keys.js';
import { DependencyIndex } from './dependency-index.js';
import { RESPONSE_TOO_LARGE_JSON, type WatchedAnswer, type WatchedCall } from './run-watched-call.js';
import { WatchEntry } from './watched-call-entry.js';
import type { TagState } from './watched-version.js';

/** The watched calls, by a key that equal calls share. */
export class WatchEntries {
  readonly #entries = new Map<string, WatchEntry>();
  /** The watched calls by the names of the accounts and slots on which their results depend. */
  readonly index = new DependencyIndex<WatchEntry>();
  /** Bytes of memory that all watched calls take. */
  #bytes = 0;

  /** Number of different watched calls. */
  get count(): number {
    return this.#entries.size;
  }

  all(): Iterable<WatchEntry> {
    return this.#entries.values();
  }

  /** True if there is capacity for those of `calls` that are not watched yet. */
  hasCapacityFor(calls: readonly WatchedCall[]): boolean {
    const added = calls.filter(({ key }) => !this.#entries.has(key));
    const bytes = added.reduce((sum, { key }) => sum + key.length, this.#bytes);
    return this.#entries.size + added.length <= LIMITS.watchedCallsMax && bytes <= LIMITS.watchedBytesMax;
  }

  /** Returns the entry of a call. It is created if the call is not watched yet. */
  entryOf(call: WatchedCall): WatchEntry {
    const known = this.#entries.get(call.key);
    if (known !== undefined) return known;
    const entry = new WatchEntry(call);
    this.#entries.set(call.key, entry);
    this.#bytes += entry.bytes;
    return entry;
  }

  /** Removes the entry of a call that is in no list any more. */
  remove(entry: WatchEntry): void {
    if (!this.#entries.delete(entry.call.key)) return;
    this.forget(entry);
    this.#bytes -= entry.bytes;
  }

  forget(entry: WatchEntry): void {
    this.#bytes -= entry.bytes;
    this.index.remove([...(entry.state?.names ?? [])], entry);
    entry.forget();
    this.#bytes += entry.bytes;
  }

  /**
   * Stores the result of running a call at `tag`, in place of the previous result. Returns the stored result, which is
   * an error if the new one is too large.
   */
  store(entry: WatchEntry, tag: TagState, settled: WatchedAnswer): WatchedAnswer {
    this.forget(entry);
    const answer = this.#bounded(settled);
    const names = readKeysOf(answer.reads);
    this.#bytes -= entry.bytes;
    entry.store(answer, tag, names);
    this.#bytes += entry.bytes;
    this.index.add(names, entry);
    return answer;
  }

  /**
   * Replaces a result with an error if it would exceed the memory limit. Replaces a set of read keys with
   * `ANYTHING_READ` if it would exceed the limit of keys.
   */
  #bounded({ text, reads }: WatchedAnswer): WatchedAnswer {
    const fits = this.#bytes + text.length <= LIMITS.watchedBytesMax;
    const names = (reads.accounts.length + reads.slots.length) / LEAST_NAME_BYTES;
    const isIndexed = this.index.count + names <= LIMITS.watchedKeysMax;
    return { text: fits ? text : RESPONSE_TOO_LARGE_JSON, reads: isIndexed ? reads : ANYTHING_READ };
  }
}

/** Length of an account's name, its address. A slot's name is longer. */
const LEAST_NAME_BYTES = 20;
