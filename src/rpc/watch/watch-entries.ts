// All different watched calls with their results, what each has read, and the memory they take.
import { LIMITS } from '../../limits/index.js';
import { ANYTHING_READ, readKeysOf } from '../../state/views/recorded-reads.js';
import { DependencyIndex } from './dependency-index.js';
import { WatchEntry } from './watch-entry.js';
import type { WatchAttempt, WatchList } from './watch-list.js';
import type { TagState } from './watched-version.js';
import { RESPONSE_TOO_LARGE_JSON, type WatchedAnswer, type WatchedCall } from './watched-call.js';

/** A watched call, and the lists that contain it. */
export type WatchListEntry = WatchEntry<WatchList, WatchAttempt>;

/** The entries by the keys of their calls. */
export class WatchEntries {
  readonly #entries = new Map<string, WatchListEntry>();
  readonly #index = new DependencyIndex<WatchListEntry>();
  /** Bytes of all entries. */
  #bytes = 0;

  /** Number of different calls. */
  get count(): number {
    return this.#entries.size;
  }

  /** Number of accounts and slots that they have read. */
  get names(): number {
    return this.#index.count;
  }

  all(): Iterable<WatchListEntry> {
    return this.#entries.values();
  }

  /** Entries whose results depend on the account or slot with this name. */
  readersOf(name: string): Iterable<WatchListEntry> {
    return this.#index.readersOf(name);
  }

  /** True if there is capacity for the calls that are not watched yet. */
  hasCapacityFor(calls: readonly WatchedCall[]): boolean {
    const added = calls.filter(({ key }) => !this.#entries.has(key));
    const bytes = added.reduce((sum, { key }) => sum + key.length, this.#bytes);
    return this.#entries.size + added.length <= LIMITS.watchedCallsMax && bytes <= LIMITS.watchedBytesMax;
  }

  /** The call's entry, which is created if the call is not watched yet. */
  entryOf(call: WatchedCall): WatchListEntry {
    const known = this.#entries.get(call.key);
    if (known !== undefined) return known;
    const entry: WatchListEntry = new WatchEntry(call);
    this.#entries.set(call.key, entry);
    this.#bytes += entry.bytes;
    return entry;
  }

  /** Removes an entry that is in no list. */
  remove(entry: WatchListEntry): void {
    if (!this.#entries.delete(entry.call.key)) return;
    this.forget(entry);
    this.#bytes -= entry.bytes;
  }

  forget(entry: WatchListEntry): void {
    this.#bytes -= entry.bytes;
    this.#index.remove([...(entry.state?.names ?? [])], entry);
    entry.forget();
    this.#bytes += entry.bytes;
  }

  /** Stores a run's result at `tag` in place of the previous one. Returns it; its size is bounded. */
  store(entry: WatchListEntry, tag: TagState, settled: WatchedAnswer): WatchedAnswer {
    this.forget(entry);
    const answer = this.#bounded(settled);
    const names = readKeysOf(answer.reads);
    this.#bytes -= entry.bytes;
    entry.store(answer, tag, names);
    this.#bytes += entry.bytes;
    this.#index.add(names, entry);
    return answer;
  }

  /** Bounds the memory of all results and names. */
  #bounded({ text, reads }: WatchedAnswer): WatchedAnswer {
    const fits = this.#bytes + text.length <= LIMITS.watchedBytesMax;
    const names = (reads.accounts.length + reads.slots.length) / LEAST_NAME_BYTES;
    const isIndexed = this.#index.count + names <= LIMITS.watchedKeysMax;
    return { text: fits ? text : RESPONSE_TOO_LARGE_JSON, reads: isIndexed ? reads : ANYTHING_READ };
  }
}

/** Length of the shortest name, which is an account's. */
const LEAST_NAME_BYTES = 20;
