// Merkle Patricia tries in memory (yellow paper appendix D). Nodes are hashed only when a root is requested.
import { EncodedRlp, RLP_EMPTY, encodeRlp, type RlpInput } from '../lib/bytes/encode-rlp.js';
import { keccak256 } from '../lib/bytes/keccak-wasm.js';

interface Leaf {
  readonly kind: 'leaf';
  /** Nibbles of the key between the parent and this node's value or child. */
  path: Uint8Array;
  value: Uint8Array;
  ref: NodeRef | null;
}

interface Extension {
  readonly kind: 'extension';
  path: Uint8Array;
  child: Branch;
  ref: NodeRef | null;
}

interface Branch {
  readonly kind: 'branch';
  readonly children: (Node | null)[];
  ref: NodeRef | null;
}

/** How a parent refers to a child node: by its hash, or by its whole encoding if that is shorter. */
type NodeRef = Uint8Array | EncodedRlp;

/** A trie node. `ref` is `null` if the node has changed since it was last hashed. */
type Node = Leaf | Extension | Branch;

/** Length of a hash in bytes. Nodes with shorter encodings are included in their parent without hashing. */
const HASH_BYTES = 32;

export const EMPTY_TRIE_ROOT = keccak256(RLP_EMPTY);

/**
 * A trie in which no key is a prefix of another (keys are hashes or RLP numbers), so that branches have no values. A
 * change only walks down its path; hashes are computed when the root is requested. So a block that writes 1000 accounts
 * hashes the upper nodes once, not 1000 times. The price is that every entry stays in memory.
 */
export class Trie {
  #top: Node | null = null;

  /** Adds or replaces an entry. Neither key nor value may be changed afterwards. */
  put(key: Uint8Array, value: Uint8Array): void {
    this.#top = insert(this.#top, nibblesOf(key), 0, value);
  }

  delete(key: Uint8Array): void {
    this.#top = remove(this.#top, nibblesOf(key), 0);
  }

  /** Returns the root: keccak-256 of the root node, 32 bytes. */
  root(): Uint8Array {
    if (this.#top === null) return EMPTY_TRIE_ROOT;
    const ref = refOf(this.#top);
    return ref instanceof EncodedRlp ? keccak256(ref.bytes) : ref;
  }
}

function nibblesOf(key: Uint8Array): Uint8Array {
  const nibbles = new Uint8Array(key.length * 2);
  for (let i = 0; i < key.length; i++) {
    nibbles[2 * i] = key[i]! >> 4;
    nibbles[2 * i + 1] = key[i]! & 15;
  }
  return nibbles;
}

function insert(node: Branch, key: Uint8Array, at: number, value: Uint8Array): Branch;
function insert(node: Node | null, key: Uint8Array, at: number, value: Uint8Array): Node;
function insert(node: Node | null, key: Uint8Array, at: number, value: Uint8Array): Node {
  if (node === null) return { kind: 'leaf', path: key.subarray(at), value, ref: null };
  node.ref = null;
  if (node.kind === 'branch') {
    const nibble = key[at]!;
    node.children[nibble] = insert(node.children[nibble]!, key, at + 1, value);
    return node;
  }
  const same = commonLength(node.path, key, at);
  if (same < node.path.length) return split(node, key, at, same, value);
  if (node.kind === 'leaf') node.value = value;
  else node.child = insert(node.child, key, at + same, value);
  return node;
}

/** Inserts a branch where the path of `node` and the key differ; they have `same` nibbles in common. */
function split(node: Leaf | Extension, key: Uint8Array, at: number, same: number, value: Uint8Array): Node {
  const branch: Branch = { kind: 'branch', children: Array.from({ length: 16 }, () => null), ref: null };
  const { path } = node;
  branch.children[path[same]!] = shortened(node, same + 1);
  branch.children[key[at + same]!] = { kind: 'leaf', path: key.subarray(at + same + 1), value, ref: null };
  return same === 0 ? branch : { kind: 'extension', path: path.subarray(0, same), child: branch, ref: null };
}

function shortened(node: Leaf | Extension, by: number): Node {
  if (node.kind === 'extension' && node.path.length === by) return node.child;
  node.path = node.path.subarray(by);
  return node;
}

function remove(node: Node | null, key: Uint8Array, at: number): Node | null {
  if (node === null) return null;
  if (node.kind === 'branch') return removeBelow(node, key, at);
  const same = commonLength(node.path, key, at);
  if (same < node.path.length) return node;
  if (node.kind === 'leaf') return null;
  const child = remove(node.child, key, at + same)!;
  if (child === node.child && child.ref !== null) return node;
  return prefixed(node.path, child);
}

function removeBelow(branch: Branch, key: Uint8Array, at: number): Node {
  const nibble = key[at]!;
  const old = branch.children[nibble]!;
  const child = remove(old, key, at + 1);
  if (child === old && (child === null || child.ref !== null)) return branch;
  branch.children[nibble] = child;
  branch.ref = null;
  return child === null ? collapsed(branch) : branch;
}

/** Replaces a branch that has only one child left by that child with a longer path. */
function collapsed(branch: Branch): Node {
  let only = -1;
  for (let i = 0; i < 16; i++) {
    if (branch.children[i] === null) continue;
    if (only >= 0) return branch;
    only = i;
  }
  return prefixed(Uint8Array.of(only), branch.children[only]!);
}

/** Returns `node` with `path` put before its own path. */
function prefixed(path: Uint8Array, node: Node): Node {
  if (node.kind === 'branch') return { kind: 'extension', path, child: node, ref: null };
  const joined = new Uint8Array(path.length + node.path.length);
  joined.set(path);
  joined.set(node.path, path.length);
  node.path = joined;
  node.ref = null;
  return node;
}

function commonLength(path: Uint8Array, key: Uint8Array, at: number): number {
  let length = 0;
  while (length < path.length && path[length] === key[at + length]) length++;
  return length;
}

function refOf(node: Node): NodeRef {
  return (node.ref ??= trieNodeRef(itemsOf(node)));
}

/** Returns how a parent refers to a node that consists of these RLP items. */
export function trieNodeRef(items: RlpInput): NodeRef {
  const encoded = encodeRlp(items);
  return encoded.length < HASH_BYTES ? new EncodedRlp(encoded) : keccak256(encoded);
}

function itemsOf(node: Node): RlpInput {
  if (node.kind === 'leaf') return [hexPrefixEncode(node.path, true), node.value];
  if (node.kind === 'extension') return [hexPrefixEncode(node.path, false), refOf(node.child)];
  return [...node.children.map((child) => (child === null ? ABSENT_CHILD : refOf(child))), ABSENT_CHILD];
}

/** RLP item of an absent child of a branch, and of a branch's value, which is always empty here. */
export const ABSENT_CHILD = new Uint8Array(0);

/** Encodes nibbles with the hex-prefix encoding (yellow paper appendix C). */
export function hexPrefixEncode(path: Uint8Array, leaf: boolean): Uint8Array {
  const odd = path.length & 1;
  const out = new Uint8Array(1 + (path.length >> 1));
  out[0] = (leaf ? 0x20 : 0) | (odd === 1 ? 0x10 | path[0]! : 0);
  for (let i = odd, at = 1; i < path.length; i += 2) out[at++] = (path[i]! << 4) | path[i + 1]!;
  return out;
}
