// A filter of logs: by address and topics, as go-ethereum's filters take them. Runs on main.

// Decision (2026-11, two cores): Filters and subscriptions have go-ethereum's ranges, and `pending` beside: there logs
// are told as they are pre-confirmed, which go-ethereum no longer does. A pre-confirmed log whose block comes without
// it is told again with `removed`, at the latest when that block is complete. Price: the transactions of every complete
// block are compared with those announced, 32 bytes each.
import { bloomHas } from '../../lib/bytes/bloom.js';
import { ByteMap } from '../../lib/bytes/byte-map.js';
import { toHex } from '../../lib/bytes/hex.js';
import type { Log } from '../../state/block.js';

/** Any of these, each once; `null`: any at all. */
type AnyOf = { readonly items: readonly Uint8Array[]; readonly known: ByteMap<true> } | null;

/** A filter over addresses and topics, each by position. */
export class LogFilter {
  readonly #addresses: AnyOf;
  readonly #topics: readonly AnyOf[];

  /** Empty lists mean any. A log with fewer topics than the filter has positions does not match. */
  constructor(addresses: readonly Uint8Array[], topics: readonly (readonly Uint8Array[])[]) {
    this.#addresses = anyOf(addresses);
    this.#topics = topics.map(anyOf);
  }

  /** Equal filters have equal keys. */
  get key(): string {
    return JSON.stringify(this.members);
  }

  /** True if a log is meant. Its topics are read only where its address is: some logs make them when they are asked for. */
  matches(log: Log): boolean {
    if (this.#addresses !== null && this.#addresses.known.get(log.address) === undefined) return false;
    if (this.#topics.length === 0) return true;
    const { topics } = log;
    if (topics.length < this.#topics.length) return false;
    return this.#topics.every((wanted, i) => wanted === null || wanted.known.get(topics[i]!) === true);
  }

  /** True if a block or receipt with this bloom may have such logs. */
  mayMatch(bloom: Uint8Array): boolean {
    return [this.#addresses, ...this.#topics].every((wanted) => {
      return wanted === null || wanted.items.some((item) => bloomHas(bloom, item));
    });
  }

  /** Members of the upstream node's filter object. */
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
