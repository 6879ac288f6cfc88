// The trie compared with @ethereumjs/mpt, over random puts and deletes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MerklePatriciaTrie } from '@ethereumjs/mpt';
import { RLP } from '@ethereumjs/rlp';
import * as fc from 'fast-check';
import { keccak256 } from '../../src/lib/bytes/keccak-wasm.js';
import { listTrieRoot } from '../../src/chain/list-trie-root.js';
import { EMPTY_TRIE_ROOT, Trie } from '../../src/chain/trie.js';
import { toHex } from '../../src/lib/bytes/hex.js';
import { rounds } from '../support/rounds.js';

/** Keys of few and mostly equal nibbles, so that extensions are split and branches collapse. */
const key = fc
  .tuple(fc.constantFrom(0x11, 0x12, 0x21, 0x22), fc.constantFrom(0x11, 0x12, 0x13), fc.constantFrom(0, 1, 0x10, 0xff))
  .map((bytes) => Uint8Array.from(bytes));
const value = fc.oneof(fc.uint8Array({ minLength: 1, maxLength: 5 }), fc.uint8Array({ minLength: 30, maxLength: 80 }));
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('put' as const), key, value }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete' as const), key }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('root' as const) }) },
);

void test('every root equals that of @ethereumjs/mpt', async () => {
  const property = fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
    const trie = new Trie();
    const reference = new MerklePatriciaTrie();
    for (const one of steps) {
      if (one.kind === 'put') {
        trie.put(one.key, one.value);
        await reference.put(one.key, one.value);
      } else if (one.kind === 'delete') {
        trie.delete(one.key);
        await reference.del(one.key);
      } else assert.equal(toHex(trie.root()), toHex(reference.root()));
    }
    assert.equal(toHex(trie.root()), toHex(reference.root()));
  });
  await fc.assert(property, { seed: 7, numRuns: rounds(300) });
});

void test('an emptied trie has the empty root, and equal contents have equal roots', () => {
  const hashes = Array.from({ length: 300 }, (_, i) => keccak256(Uint8Array.of(i & 255, i >> 8)));
  const forward = new Trie();
  for (const hash of hashes) forward.put(hash, hash);
  const backward = new Trie();
  for (const hash of hashes.toReversed()) backward.put(hash, hash);
  assert.deepEqual(backward.root(), forward.root());
  for (const hash of hashes) forward.delete(hash);
  assert.deepEqual(forward.root(), EMPTY_TRIE_ROOT);
});

void test('the root of a list equals that of a trie keyed by RLP indices', async () => {
  const lengths = [...Array.from({ length: 20 }, (_, length) => length), 127, 128, 129, 255, 256, 257, 272, 300];
  for (const bytes of [1, 20, 29, 30, 31, 60]) await compareLists(lengths, bytes);
  await compareLists([...lengths, 4111], 32);
});

/** Lists of these ascending lengths, with items of so many bytes; each list is a prefix of the next one. */
async function compareLists(lengths: readonly number[], bytes: number): Promise<void> {
  const reference = new MerklePatriciaTrie();
  const values: Uint8Array[] = [];
  for (const length of lengths) {
    for (let i = values.length; i < length; i++) {
      values.push(repeated(keccak256(Uint8Array.of(i & 255, i >> 8)), bytes));
      await reference.put(RLP.encode(i), values[i]!);
    }
    assert.equal(toHex(listTrieRoot(values)), toHex(reference.root()), `${length} values of ${bytes} bytes`);
  }
}

function repeated(hash: Uint8Array, bytes: number): Uint8Array {
  return Uint8Array.from({ length: bytes }, (_, at) => hash[at % hash.length]!);
}
