// Reads state that is not held from the upstream node, after our newest confirmed block, and puts it into the table.
// Runs on the publisher.
import { setImmediate } from 'node:timers/promises';
import { LIMITS } from '../../limits.js';
import { isEmpty, lackedBy, type Wants } from '../../state/recording-view.js';
import type { BlockTransaction } from '../../transaction/library.js';
import { UpstreamError, type Upstream } from '../../upstream/upstream.js';
import type { AccessLists } from './access-lists.js';
import type { LiveSink } from '../feed.js';
import type { LiveCounts } from './counts.js';

/** A confirmed block (32 bytes of hash) and the version that holds the state after it. */
export interface Anchor {
  readonly hash: Uint8Array;
  readonly version: number;
}

/** What the filler works with. */
export interface FillerParts {
  readonly sink: LiveSink;
  readonly upstream: Pick<Upstream, 'read'>;
  readonly lists: AccessLists;
  readonly counts: LiveCounts;
}

/**
 * Several fills share their requests: the client merges those of one turn of the event loop, and does not ask twice for a
 * key that is being read.
 */
export class Filler {
  readonly #parts: FillerParts;
  #anchor: Anchor | null = null;

  constructor(parts: FillerParts) {
    this.#parts = parts;
  }

  /**
   * The block after which state is read, and the version that holds that state: the newest confirmed one, or during a reorg
   * the newest one that both chains have. Any block would do from whose version on no absent key has changed.
   */
  anchorAt(anchor: Anchor): void {
    this.#anchor = anchor;
  }

  /** What the upstream node says that these transactions will read; nothing where it does not say. */
  async listed(transactions: readonly BlockTransaction[]): Promise<Wants | null> {
    const { lists } = this.#parts;
    return this.#anchor === null ? null : lists.ofTransactions(transactions, this.#anchor.hash);
  }

  /** The same of a call, as eth_call takes it. */
  async listedOfCall(call: unknown): Promise<Wants | null> {
    const { lists } = this.#parts;
    return this.#anchor === null ? null : lists.ofCall(call, this.#anchor.hash);
  }

  /** Resolves once all of `wants` are held, at every version. Rejects with UpstreamError. */
  async hold(wants: Wants): Promise<void> {
    const { sink, upstream, counts } = this.#parts;
    if (this.#anchor === null) throw new UpstreamError('notFound', 'no block is followed yet');
    for (let tries = 0; tries < LIMITS.fillTriesMax; tries++) {
      const lacked = lackedBy(sink.view(), wants);
      if (isEmpty(lacked)) return;
      const { epoch } = sink;
      counts.fills++;
      counts.filledKeys += lacked.accounts.length + lacked.slots.length;
      const { hash, version } = this.#anchor;
      const fill = await upstream.read(hash, lacked);
      const filling = epoch === sink.epoch ? sink.addMissing(fill, version) : 'stale';
      if (filling === 'added') return;
      if (filling === 'full') await this.#makeRoom();
    }
    throw new UpstreamError('notFound', 'the state changed or found no room too often while it was being read');
  }

  /** In a turn of its own: whoever has just held something for a publication has published it then. */
  async #makeRoom(): Promise<void> {
    await setImmediate();
    this.#parts.sink.giveUp();
  }
}
