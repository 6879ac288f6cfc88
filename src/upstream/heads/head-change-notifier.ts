// Remembers the newest head and tags that the node has reported, and notifies listeners.
import { sameBytes } from '../../lib/bytes/byte-map.js';
import type { BlockNumberAndHash, HeadOrTagsEvent, UpstreamHead } from '../upstream.js';

/** Called with each event, in the order in which the events arrive. */
export type HeadListener = (event: HeadOrTagsEvent) => void;
type Tags = Extract<HeadOrTagsEvent, { kind: 'tags' }>;

/** Reports each new head, and each change of the tags, once to all listeners. */
export class HeadChangeNotifier {
  readonly #listeners = new Set<HeadListener>();
  #head: UpstreamHead | null = null;
  #tags: Tags | null = null;

  /** The newest head; `null` while none is known. */
  get head(): UpstreamHead | null {
    return this.#head;
  }

  /**
   * Adds a listener. In a microtask it receives the known head and tags, and after that each event, until the returned
   * function is called.
   */
  watch(listener: HeadListener): () => void {
    this.#listeners.add(listener);
    queueMicrotask(() => this.#replayTo(listener));
    return () => void this.#listeners.delete(listener);
  }

  /** Sets the head; returns true if it has changed. */
  setHead(head: UpstreamHead): boolean {
    if (this.#head !== null && sameBytes(this.#head.hash, head.hash)) return false;
    this.#head = head;
    this.#notify({ kind: 'head', head });
    return true;
  }

  /**
   * Reports that several polls have found the node's `head` below an announced one; `null` if the node has caught up.
   * `isCertain`: so many polls have found the lower head that the node must have rolled back.
   */
  setLower(head: UpstreamHead | null, isCertain: boolean): void {
    if (head !== null && isCertain) this.#head = head;
    this.#notify({ kind: 'lower', head, isCertain });
  }

  /**
   * Sets the safe and finalized blocks. `null` means that the node has no such block. `undefined` means that the
   * response was unusable; the previous block then stays.
   */
  setTags(safe: BlockNumberAndHash | null | undefined, finalized: BlockNumberAndHash | null | undefined): void {
    if (safe === undefined && finalized === undefined) return;
    const old = this.#tags;
    const tags: Tags = {
      kind: 'tags',
      safe: safe === undefined ? (old?.safe ?? null) : safe,
      finalized: finalized === undefined ? (old?.finalized ?? null) : finalized,
    };
    if (old !== null && isSame(old.safe, tags.safe) && isSame(old.finalized, tags.finalized)) return;
    this.#tags = tags;
    this.#notify(tags);
  }

  #notify(event: HeadOrTagsEvent): void {
    for (const listener of this.#listeners) listener(event);
  }

  #replayTo(listener: HeadListener): void {
    if (!this.#listeners.has(listener)) return;
    if (this.#head !== null) listener({ kind: 'head', head: this.#head });
    if (this.#tags !== null) listener(this.#tags);
  }
}

function isSame(a: BlockNumberAndHash | null, b: BlockNumberAndHash | null): boolean {
  return a === null || b === null ? a === b : sameBytes(a.hash, b.hash);
}
