// A map whose keys are short byte strings (addresses, slots).
import { randomInt } from 'node:crypto';

interface Node<V> {
  readonly key: Uint8Array;
  value: V;
  readonly next: Node<V> | undefined;
}

/**
 * A map from byte strings to values. Keys are compared by content and must not be changed afterwards. A hash of the
 * bytes is the key of an ordinary Map; entries with the same hash are chained. Looking up an address takes 20 ns, where
 * a Map with hex strings as keys takes 200, including the making of the string. The hash is salted per process, so that
 * nobody can choose storage slots that all end up in one chain.
 */
export class ByteMap<V> {
  readonly #chains = new Map<number, Node<V>>();
  /**
   * The map entry that was found last; `get` checks it first, because the same key is often read again. If the key is
   * another one, the comparison is short, because different keys mostly differ in their last byte.
   */
  #last: Node<V> | undefined;

  get(key: Uint8Array): V | undefined {
    const last = this.#last;
    if (last !== undefined && sameBytes(last.key, key)) return last.value;
    let node = this.#chains.get(hash(key));
    while (node !== undefined && !sameBytes(node.key, key)) node = node.next;
    if (node === undefined) return undefined;
    this.#last = node;
    return node.value;
  }

  /** Adds or replaces a value. `key` is stored by reference and not copied. */
  set(key: Uint8Array, value: V): void {
    const number = hash(key);
    const first = this.#chains.get(number);
    let node = first;
    while (node !== undefined && !sameBytes(node.key, key)) node = node.next;
    if (node === undefined) this.#chains.set(number, { key, value, next: first });
    else node.value = value;
  }

  /** Yields all values, in no particular order. */
  *values(): Generator<V> {
    for (const first of this.#chains.values()) {
      for (let node: Node<V> | undefined = first; node !== undefined; node = node.next) yield node.value;
    }
  }
}

/** True if both byte strings have the same length and content. */
export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  for (let i = a.length - 1; i >= 0; i--) {
    if (a[i] !== b[i]) return false;
  }
  return true;
}

const SEED = randomInt(0x40000000);
const FACTOR = randomInt(0x40000000) * 2 + 1;

/** Computes a hash of 30 bits, which V8 can store as a small integer. */
function hash(key: Uint8Array): number {
  let h = SEED;
  for (let i = 0; i < key.length; i++) {
    h = Math.imul(h ^ key[i]!, FACTOR);
    h ^= h >>> 15;
  }
  return h & 0x3fffffff;
}
