// Reads missing state from the upstream node, as it is after our newest confirmed block, and adds it to the table.
import { setImmediate } from 'node:timers/promises';
import { sameBytes } from '../../../lib/bytes/byte-map.js';
import { toHex } from '../../../lib/bytes/hex.js';
import { LIMITS } from '../../../limits/index.js';
import type { StateChanges } from '../../../state/state-diff.js';
import {
  isEmptyKeySet,
  keysMissingFrom,
  mergedMissingKeys,
  NO_MISSING_KEYS,
  type MissingKeys,
} from '../../../state/views/miss-recording-view.js';
import type { SignedOrDepositTransaction } from '../../../transaction/signed-transaction.js';
import {
  isNodeSilent,
  UpstreamError,
  type RefusedRead,
  type FetchedState,
  type Upstream,
} from '../../../upstream/upstream.js';
import type { AccessListRequester } from './request-access-lists-from-node.js';
import type { ConfirmedBlockVersion, LiveSink } from '../../feed.js';
import type { LiveFeedCounters } from '../../live-feed-counters.js';

/** The confirmed block after which missing state is read, and the version with the state after it. */
type FetchAnchor = Pick<ConfirmedBlockVersion, 'hash' | 'version'>;

interface StateFetcherDeps {
  readonly sink: LiveSink;
  readonly upstream: Pick<Upstream, 'read'>;
  readonly lists: AccessListRequester;
  readonly counts: LiveFeedCounters;
  /** Called with every key that was fetched. */
  readonly onRead: (keys: FetchedState) => void;
}

/**
 * Fetches missing state. Concurrent fetches share requests: the client merges requests of one event-loop tick, and does
 * not request a key twice at the same time.
 */
export class StateFetcher {
  readonly #deps: StateFetcherDeps;
  #anchor: FetchAnchor | null = null;
  /** Error messages that were already logged, for keys that the node has refused and that may not be needed. */
  readonly #reported = new Set<string>();

  constructor(deps: StateFetcherDeps) {
    this.#deps = deps;
  }

  /**
   * Sets the anchor: the block after which state is read, and the version of that state. It is the newest confirmed
   * block; during a reorganization, the newest block that both chains have. A block can be the anchor only if every key
   * that has changed since its version is in the table.
   */
  anchorAt(anchor: FetchAnchor): void {
    this.#anchor = anchor;
  }

  /** Returns the keys that these transactions will read, according to access lists that the upstream node computes. */
  async listed(transactions: readonly SignedOrDepositTransaction[]): Promise<MissingKeys> {
    const { lists } = this.#deps;
    return this.#anchor === null ? NO_MISSING_KEYS : lists.ofTransactions(transactions, this.#anchor.hash);
  }

  /**
   * Returns the keys that a call will read, according to an access list that the node computes. `call` has the form of
   * eth_call's parameter.
   */
  async listedOfCall(call: unknown): Promise<MissingKeys> {
    const { lists } = this.#deps;
    return this.#anchor === null ? NO_MISSING_KEYS : lists.ofCall(call, this.#anchor.hash);
  }

  /** Returns true if the table holds all of `keys`. */
  hasAll(keys: MissingKeys): boolean {
    return isEmptyKeySet(keysMissingFrom(this.#deps.sink.view(), keys));
  }

  /**
   * Adds values to the table that the node has sent in a trace. They must be the values after the anchor block. Keys
   * that the table already has are skipped, and nothing is added if there is no space.
   */
  know(reported: StateChanges): void {
    const { sink, onRead } = this.#deps;
    if (this.#anchor === null) return;
    const view = sink.view();
    const accounts = reported.accounts.filter(({ address }) => !view.hasAccount(address));
    const slots = reported.slots.filter(({ address, slot }) => !view.hasSlot(address, slot));
    if (accounts.length + slots.length === 0) return;
    const fill = { accounts, slots, codes: reported.codes, refused: [] };
    if (sink.addMissing(fill, this.#anchor.version) === 'added') onRead(fill);
  }

  /**
   * Fetches keys into the table, for every state version. Resolves when all of `needs` are there. `hints` are keys that
   * an execution may read; those that the node refuses are left out. Resolves to true if a missing key was added, or if
   * none was missing. Rejects with UpstreamError.
   */
  async fetch(needs: MissingKeys, hints: MissingKeys = NO_MISSING_KEYS): Promise<boolean> {
    const { sink, onRead } = this.#deps;
    if (this.#anchor === null) throw new UpstreamError('notFound', 'no block is followed yet');
    for (let tries = 0; tries < LIMITS.fillTriesMax; tries++) {
      const view = sink.view();
      const lacked = mergedMissingKeys([keysMissingFrom(view, needs), keysMissingFrom(view, hints)]);
      if (isEmptyKeySet(lacked)) return true;
      const { epoch } = sink;
      const { hash, version }: FetchAnchor = this.#anchor;
      const fill = await this.#read(hash, lacked);
      const filling = epoch === sink.epoch ? sink.addMissing(fill, version) : 'stale';
      if (filling === 'full') await this.#makeSpace();
      if (filling !== 'added') continue;
      onRead(fill);
      if (this.#wasLeft(hash, fill.refused)) continue;
      this.#checkRefused(fill.refused, needs);
      return fill.accounts.length + fill.slots.length > 0;
    }
    throw new UpstreamError('notFound', 'the state changed or found no room too often while it was being read');
  }

  /**
   * Returns true if the node refused keys at block `requested`, but the anchor is a different block by now. The node
   * may have the keys at the new anchor.
   */
  #wasLeft(requested: Uint8Array, refused: readonly RefusedRead[]): boolean {
    const isRefused = refused.some(({ error }) => !isNodeSilent(error));
    return isRefused && this.#anchor !== null && !sameBytes(this.#anchor.hash, requested);
  }

  /**
   * Frees space by eviction, one step in each event-loop tick. Other tasks of this thread can publish in between.
   */
  async #makeSpace(): Promise<void> {
    do await setImmediate();
    while (this.#deps.sink.evictSlice());
  }

  async #read(anchor: Uint8Array, lacked: MissingKeys): Promise<FetchedState> {
    const { upstream, counts } = this.#deps;
    counts.fills++;
    counts.filledKeys += lacked.accounts.length + lacked.slots.length;
    return upstream.read(anchor, lacked);
  }

  /** Throws if the node refused a key in `needs`, or did not respond at all. */
  #checkRefused(refused: readonly RefusedRead[], needs: MissingKeys): void {
    if (refused.length === 0) return;
    const needed = new Set([...needs.accounts.map((address) => nameOf(address, null)), ...needs.slots.map(nameOfSlot)]);
    for (const { address, slot, error } of refused) {
      if (isNodeSilent(error)) throw error;
      const name = nameOf(address, slot);
      if (needed.has(name)) throw new UpstreamError(error.kind, `${name} cannot be read: ${error.message}`, error.rpc);
      this.#note(name, error);
    }
  }

  /**
   * Counts a key that the node has refused and that may not be needed. Logs each different error message once, at most
   * LIMITS.refusedHintsLoggedMax messages in all.
   */
  #note(name: string, { message }: UpstreamError): void {
    const { sink, counts } = this.#deps;
    counts.refusedHints++;
    if (this.#reported.has(message) || this.#reported.size >= LIMITS.refusedHintsLoggedMax) return;
    this.#reported.add(message);
    sink.progress(`${name}, which may not be needed, cannot be read: ${message}`);
  }
}

function nameOf(address: Uint8Array, slot: Uint8Array | null): string {
  return slot === null ? `account ${toHex(address)}` : `slot ${toHex(slot)} of ${toHex(address)}`;
}

function nameOfSlot({ address, slot }: MissingKeys['slots'][number]): string {
  return nameOf(address, slot);
}
