// Matches logs by address and topics, as in go-ethereum.

// Filters and subscriptions accept go-ethereum's ranges and also `pending`, with which logs are sent when they are
// pre-confirmed. go-ethereum no longer does that. See DECISIONS.md.
import { bloomHas } from '../../lib/bytes/bloom.js';
import { ByteMap } from '../../lib/bytes/byte-map.js';
import { toHex } from '../../lib/bytes/hex.js';
import type { Log } from '../../state/complete-block.js';

/** Matches a value that equals any of these items, which are distinct; `null` matches anything. */
type AnyOf = { readonly items: readonly Uint8Array[]; readonly known: ByteMap<true> } | null;

/** A filter of logs by address, and by topic at each position. */
export class LogFilter {
  readonly #addresses: AnyOf;
  readonly #topics: readonly AnyOf[];

  /** Empty lists match anything. A log with fewer topics than the filter has positions does not match. */
  constructor(addresses: readonly Uint8Array[], topics: readonly (readonly Uint8Array[])[]) {
    this.#addresses = anyOf(addresses);
    this.#topics = topics.map(anyOf);
  }

  /** A text that is the same for equal filters. */
  get key(): string {
    return JSON.stringify(this.members);
  }

  /** True if a log matches. Topics are read only if the address matches, because some logs decode them on demand. */
  matches(log: Log): boolean {
    if (this.#addresses !== null && this.#addresses.known.get(log.address) === undefined) return false;
    if (this.#topics.length === 0) return true;
    const { topics } = log;
    if (topics.length < this.#topics.length) return false;
    return this.#topics.every((wanted, i) => wanted === null || wanted.known.get(topics[i]!) === true);
  }

  /** True if a block or receipt with this bloom filter may have matching logs. */
  mayMatch(bloom: Uint8Array): boolean {
    return [this.#addresses, ...this.#topics].every((wanted) => {
      return wanted === null || wanted.items.some((item) => bloomHas(bloom, item));
    });
  }

  /** The filter object in JSON form, for the upstream node. */
  get members(): { readonly address?: string[]; readonly topics: (string[] | null)[] } {
    const topics = this.#topics.map((wanted) => (wanted === null ? null : wanted.items.map(toHex)));
    return this.#addresses === null ? { topics } : { address: this.#addresses.items.map(toHex), topics };
  }
}

function anyOf(items: readonly Uint8Array[]): AnyOf {
  if (items.length === 0) return null;
  const known = new ByteMap<true>();
  const once = items.filter((item) => {
    const isNew = known.get(item) === undefined;
    known.set(item, true);
    return isNew;
  });
  return { items: once, known };
}
