// Reads state that is not held from the upstream node, after our newest confirmed block, and puts it into the table.
// Runs on the publisher.
import { setImmediate } from 'node:timers/promises';
import { sameBytes } from '../../../lib/bytes/byte-map.js';
import { toHex } from '../../../lib/bytes/hex.js';
import { LIMITS } from '../../../limits/index.js';
import type { StateChanges } from '../../../state/diff.js';
import { isEmpty, lackedBy, mergedWants, NO_WANTS, type Wants } from '../../../state/views/recording-view.js';
import type { BlockTransaction } from '../../../transaction/signed.js';
import {
  isSilence,
  UpstreamError,
  type RefusedRead,
  type StateFill,
  type Upstream,
} from '../../../upstream/upstream.js';
import type { AccessLists } from './access-lists.js';
import type { LiveSink } from '../../feed.js';
import type { LiveCounts } from '../../counts.js';

/** A confirmed block (32 bytes of hash) and the version that holds the state after it. */
export interface Anchor {
  readonly hash: Uint8Array;
  readonly version: number;
}

/** Parts that the filler works with. */
export interface FillerParts {
  readonly sink: LiveSink;
  readonly upstream: Pick<Upstream, 'read'>;
  readonly lists: AccessLists;
  readonly counts: LiveCounts;
  /** Is told of every key that is read. */
  readonly onRead: (keys: StateFill) => void;
}

/**
 * Several fills share their requests: the client merges those of one turn of the event loop, and does not ask twice for a
 * key that is being read.
 */
export class Filler {
  readonly #parts: FillerParts;
  #anchor: Anchor | null = null;
  /** Reasons of refused hints that were told. */
  readonly #told = new Set<string>();

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

  /** Reads of these transactions, as the upstream node says; none where it does not say. */
  async listed(transactions: readonly BlockTransaction[]): Promise<Wants> {
    const { lists } = this.#parts;
    return this.#anchor === null ? NO_WANTS : lists.ofTransactions(transactions, this.#anchor.hash);
  }

  /** Reads of a call, as eth_call takes it, as the node says. */
  async listedOfCall(call: unknown): Promise<Wants> {
    const { lists } = this.#parts;
    return this.#anchor === null ? NO_WANTS : lists.ofCall(call, this.#anchor.hash);
  }

  /** All of `wants` are held. */
  holds(wants: Wants): boolean {
    return isEmpty(lackedBy(this.#parts.sink.view(), wants));
  }

  /**
   * Values after the block that state is read after, which the node has told without being asked for them: those that are not held
   * are held from now on, where there is room.
   */
  know(told: StateChanges): void {
    const { sink, onRead } = this.#parts;
    if (this.#anchor === null) return;
    const view = sink.view();
    const accounts = told.accounts.filter(({ address }) => !view.holdsAccount(address));
    const slots = told.slots.filter(({ address, slot }) => !view.holdsSlot(address, slot));
    if (accounts.length + slots.length === 0) return;
    const fill = { accounts, slots, codes: told.codes, refused: [] };
    if (sink.addMissing(fill, this.#anchor.version) === 'added') onRead(fill);
  }

  /**
   * Resolves once all of `needs` are held, at every version, and of `hints`, which an execution may read or not, those that
   * the node gives. Answers whether any of what was lacking has come, true where nothing was. Rejects with UpstreamError.
   */
  async hold(needs: Wants, hints: Wants = NO_WANTS): Promise<boolean> {
    const { sink, onRead } = this.#parts;
    if (this.#anchor === null) throw new UpstreamError('notFound', 'no block is followed yet');
    for (let tries = 0; tries < LIMITS.fillTriesMax; tries++) {
      const view = sink.view();
      const lacked = mergedWants([lackedBy(view, needs), lackedBy(view, hints)]);
      if (isEmpty(lacked)) return true;
      const { epoch } = sink;
      const { hash, version }: Anchor = this.#anchor;
      const fill = await this.#read(hash, lacked);
      const filling = epoch === sink.epoch ? sink.addMissing(fill, version) : 'stale';
      if (filling === 'full') await this.#makeRoom();
      if (filling !== 'added') continue;
      onRead(fill);
      if (this.#wasLeft(hash, fill.refused)) continue;
      this.#judge(fill.refused, needs);
      return fill.accounts.length + fill.slots.length > 0;
    }
    throw new UpstreamError('notFound', 'the state changed or found no room too often while it was being read');
  }

  /** Refused keys may be had after the block that is the anchor by now. */
  #wasLeft(asked: Uint8Array, refused: readonly RefusedRead[]): boolean {
    const isRefused = refused.some(({ error }) => !isSilence(error));
    return isRefused && this.#anchor !== null && !sameBytes(this.#anchor.hash, asked);
  }

  /** Each slice in a turn of its own: whoever has just held something for a publication has published it then. */
  async #makeRoom(): Promise<void> {
    do await setImmediate();
    while (this.#parts.sink.giveUp());
  }

  async #read(anchor: Uint8Array, lacked: Wants): Promise<StateFill> {
    const { upstream, counts } = this.#parts;
    counts.fills++;
    counts.filledKeys += lacked.accounts.length + lacked.slots.length;
    return upstream.read(anchor, lacked);
  }

  /** A need that is refused is a failure; so is a node that does not answer, whatever it was asked. */
  #judge(refused: readonly RefusedRead[], needs: Wants): void {
    if (refused.length === 0) return;
    const needed = new Set([...needs.accounts.map((address) => nameOf(address, null)), ...needs.slots.map(nameOfSlot)]);
    for (const { address, slot, error } of refused) {
      if (isSilence(error)) throw error;
      const name = nameOf(address, slot);
      if (needed.has(name)) throw new UpstreamError(error.kind, `${name} cannot be read: ${error.message}`, error.rpc);
      this.#note(name, error);
    }
  }

  /** Each reason is told once, as many of them as LIMITS says; all are counted. */
  #note(name: string, { message }: UpstreamError): void {
    const { sink, counts } = this.#parts;
    counts.refusedHints++;
    if (this.#told.has(message) || this.#told.size >= LIMITS.refusedHintsToldMax) return;
    this.#told.add(message);
    sink.progress(`${name}, which may not be needed, cannot be read: ${message}`);
  }
}

function nameOf(address: Uint8Array, slot: Uint8Array | null): string {
  return slot === null ? `account ${toHex(address)}` : `slot ${toHex(slot)} of ${toHex(address)}`;
}

function nameOfSlot({ address, slot }: Wants['slots'][number]): string {
  return nameOf(address, slot);
}
