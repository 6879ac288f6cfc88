// All cases of a canonical block compared with the first pre-confirmed one, as a table.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AnnouncedPayload } from '../../../../src/feed/live/tree/block-tree.js';
import { compareCanonicalWithPayload } from '../../../../src/feed/live/tree/decide-tree-actions.js';
import { keccak256 } from '../../../../src/lib/bytes/keccak-wasm.js';
import type { CanonicalBlock } from '../../../../src/feed/pre-confirmation-stream-events.js';
import { blockHash, frame } from '../../streams/flashblocks/frames.js';

const hash = (byte: number): Uint8Array => new Uint8Array(32).fill(byte);
const RAWS = [Uint8Array.of(2, 1), Uint8Array.of(2, 2)];
const HASHES = RAWS.map((raw) => keccak256(raw));
const ENDING = Uint8Array.of(0x7d, 1);

/** Block 10 with two transactions. */
function payload(transactions: readonly Uint8Array[] = RAWS, postExec?: Uint8Array): AnnouncedPayload {
  const opening = frame({ block: 10, index: 0, transactions, ...(postExec === undefined ? {} : { postExec }) });
  assert.ok(opening.kind === 'open');
  const { block, attempt: payloadId, base, increment } = opening;
  const nothing = { buffered: new Map(), bytes: 0, continuity: 'open', state: 'announced', execution: null } as const;
  return { block, payloadId, base, increments: [increment], ...nothing };
}

function canonical(number: number, change: Partial<CanonicalBlock> = {}): CanonicalBlock {
  return {
    number,
    hash: blockHash(number),
    parentHash: blockHash(number - 1),
    transactionHashes: HASHES,
    ...change,
  };
}

void describe('compare', () => {
  const table: readonly (readonly [
    what: string,
    block: CanonicalBlock,
    expected: ReturnType<typeof compareCanonicalWithPayload>,
  ])[] = [
    ['the block that ours are built on', canonical(9), 'unrelated'],
    ['another block than the one that ours are built on', canonical(9, { hash: hash(7) }), 'other'],
    ['the chain went back below it', canonical(8), 'unrelated'],
    ['the same list', canonical(10), 'same'],
    ['the same list under another hash of its own', canonical(10, { hash: hash(7) }), 'same'],
    ['another parent', canonical(10, { parentHash: hash(7) }), 'other'],
    ['other transactions', canonical(10, { transactionHashes: [hash(0), hash(1)] }), 'other'],
    ['the same in another order', canonical(10, { transactionHashes: HASHES.toReversed() }), 'other'],
    ['fewer', canonical(10, { transactionHashes: HASHES.slice(0, 1) }), 'other'],
    ['none', canonical(10, { transactionHashes: [] }), 'other'],
    ['more', canonical(10, { transactionHashes: [...HASHES, hash(5)] }), 'incomplete'],
    ['one above that was never compared below', canonical(11), 'unrelated'],
  ];
  for (const [what, block, expected] of table)
    void it(`${what}: ${expected}`, () => assert.equal(compareCanonicalWithPayload(payload(), block), expected));

  void it('nothing is pre-confirmed', () =>
    assert.equal(compareCanonicalWithPayload(undefined, canonical(10)), 'unrelated'));

  void it('a block without transactions on both sides', () => {
    assert.equal(compareCanonicalWithPayload(payload([]), canonical(10, { transactionHashes: [] })), 'same');
  });

  void it('a transaction at the end that is not executed may be listed or not, and no other', () => {
    const ours = payload(RAWS, ENDING);
    const listed = canonical(10, { transactionHashes: [...HASHES, keccak256(ENDING)] });
    assert.equal(compareCanonicalWithPayload(ours, listed), 'same');
    assert.equal(compareCanonicalWithPayload(ours, canonical(10)), 'same');
    assert.equal(
      compareCanonicalWithPayload(ours, canonical(10, { transactionHashes: [...HASHES, hash(8)] })),
      'incomplete',
    );
    assert.equal(compareCanonicalWithPayload(payload(), listed), 'incomplete');
  });
});
