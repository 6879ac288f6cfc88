// Fetches recently used keys again after the state was loaded anew. Reads one batch after the other, so that the other
// connections to the upstream node stay free for other requests.
import { setTimeout as sleep } from 'node:timers/promises';
import { LIMITS } from '../../../limits/index.js';
import { NO_MISSING_KEYS } from '../../../state/views/miss-recording-view.js';
import { UpstreamError } from '../../../upstream/upstream.js';
import type { LiveSink } from '../../feed.js';
import type { StateFetcher } from '../cold/state-fetcher.js';
import { unpackKeys, type RecentKey, type RecentKeys } from './recent-keys.js';

/** The recently used keys, and the object that fetches them. */
export interface RecentKeysFetcherDeps {
  readonly recent: RecentKeys;
  readonly filler: Pick<StateFetcher, 'fetch'>;
  readonly sink: Pick<LiveSink, 'epoch' | 'progress'>;
}

/** Fetches keys until it is closed. It starts over when the state is loaded anew. */
export class RecentKeysFetcher {
  readonly #deps: RecentKeysFetcherDeps;
  readonly #ending = new AbortController();
  /** Number of keys to fetch since the state was last loaded anew; `null` before the first state. */
  #total: number | null = null;
  #done = 0;

  constructor(deps: RecentKeysFetcherDeps) {
    this.#deps = deps;
  }

  /**
   * Share (0 to 1) of the recently used keys that were fetched again since the state was loaded anew. A key that the
   * node does not provide counts as fetched. 1 if there are no recently used keys.
   */
  get warmth(): number {
    const total = this.#total ?? this.#deps.recent.size;
    return total === 0 ? 1 : this.#done / total;
  }

  /** Called when the state was loaded anew, so that the table is empty. */
  start(): void {
    const keys = this.#deps.recent.all().toReversed();
    this.#total = keys.length;
    this.#done = 0;
    if (keys.length > 0) void this.#run(keys, this.#deps.sink.epoch);
  }

  /** Stops: no further batch is fetched. */
  close(): void {
    this.#ending.abort();
  }

  /** Fetches all keys, the most recently used ones first. */
  async #run(keys: readonly RecentKey[], epoch: number): Promise<void> {
    const { sink } = this.#deps;
    sink.progress(`reading ${keys.length} recent accounts and slots again`);
    while (this.#done < keys.length) {
      if (this.#ending.signal.aborted || epoch !== sink.epoch) return;
      const some = keys.slice(this.#done, this.#done + LIMITS.warmBatchKeysMax);
      const isRead = await this.#read(some);
      if (epoch !== sink.epoch) return;
      if (isRead) this.#done += some.length;
      else await sleep(LIMITS.followRetryMs, null, { signal: this.#ending.signal }).catch(() => null);
    }
    sink.progress(`${keys.length} recent accounts and slots are resident again`);
  }

  /** Fetches a batch. Returns whether the node has responded. Keys that it refuses are left out. */
  async #read(keys: readonly RecentKey[]): Promise<boolean> {
    try {
      await this.#deps.filler.fetch(NO_MISSING_KEYS, unpackKeys(keys));
      return true;
    } catch (error) {
      if (error instanceof UpstreamError) return false;
      throw error;
    }
  }
}
