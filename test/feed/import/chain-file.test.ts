// The reader of chain files: blocks of every size, across the boundaries of its buffer.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { RLP } from '@ethereumjs/rlp';
import * as fc from 'fast-check';
import { readRlpBlocks } from '../../../src/feed/import/chain-file.js';
import { temporaryFile } from '../../support/temporary-folder.js';

const path = temporaryFile('chain.rlp');

async function read(content: Uint8Array): Promise<Uint8Array[]> {
  writeFileSync(path, content);
  const blocks: Uint8Array[] = [];
  for await (const block of readRlpBlocks(path)) blocks.push(block);
  return blocks;
}

/** Around every change in the length of a prefix, and around one and more chunks of a mebibyte. */
const SIZES = [0, 1, 54, 55, 56, 57, 253, 254, 255, 256, 65_534, 65_535, 65_536, 1_048_570, 1_048_576, 3_200_000];

const block = (size: number): Uint8Array => RLP.encode([new Uint8Array(size).fill(size & 127)]);

void test('every block reads as it was written', async () => {
  const sizes = fc.array(fc.constantFrom(...SIZES), { maxLength: 6 });
  const property = fc.asyncProperty(sizes, async (all) => {
    const blocks = all.map(block);
    const found = await read(Buffer.concat(blocks));
    assert.equal(found.length, blocks.length);
    for (const [i, one] of found.entries()) assert.equal(Buffer.compare(one, blocks[i]!), 0);
  });
  await fc.assert(property, { seed: 11, numRuns: 60 });
});

void test('a file truncated inside a block gives an error with the offset of that block', async () => {
  const [first, second] = [block(100), block(70_000)];
  const whole = Buffer.concat([first, second]);
  for (const cut of [first.length + 1, first.length + 3, first.length + 4, whole.length - 1])
    await assert.rejects(
      read(whole.subarray(0, cut)),
      new RegExp(`inside the block that begins at byte ${first.length}$`),
    );
});

void test('a block that is no list, or too long, is refused before it is read', async () => {
  await assert.rejects(read(Buffer.concat([block(9), Uint8Array.of(0xb8)])), /no block at byte 11$/);
  await assert.rejects(read(Uint8Array.of(0xfb, 0xff, 0, 0, 0, 1)), /would be longer than/);
  assert.deepEqual(await read(new Uint8Array(0)), []);
});
