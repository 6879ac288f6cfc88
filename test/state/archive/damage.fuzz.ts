// Bits flipped anywhere in an archive: either opening it fails with a one-line error, or it reads as before and accepts
// the next block. The process never crashes, and wrong state is never read.
import assert from 'node:assert/strict';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { ArchiveError, ArchiveWriter } from '../../../src/state/archive/writer.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { CHAIN, blockOf, chainDiff, text } from './blocks.js';
import { rounds } from '../../support/rounds.js';

const BLOCKS = 12;
const RUNS = Number(process.env['DAMAGE_RUNS'] ?? rounds(6));
/** Number of bytes at the start of pages and nodes that describe them. */
const HEAD_BYTES = 64;
const PAGE_BYTES = 4096;

async function write(writer: ArchiveWriter, number: number): Promise<void> {
  await writer.write(blockOf(number), chainDiff(blockOf(number)));
}

/** Everything that can be read. */
function contents(writer: ArchiveWriter): string {
  const numbers = Array.from({ length: BLOCKS + 1 }, (_, number) => number);
  const blocks = numbers.map((number) => [
    writer.reader.block(number),
    writer.reader.numberOfHash(blockOf(number).hash),
  ]);
  const views = numbers.map((number) => {
    const view = writer.reader.viewAt(number);
    const { slots, accounts } = chainDiff(blockOf(number));
    return [
      slots.map(({ address, slot }) => view?.storage(address, slot)),
      accounts.map(({ address }) => view?.account(address)),
    ];
  });
  return text([blocks, views, [...writer.accounts()], [...writer.slots()], [...writer.codes()], writer.reader.heads()]);
}

/** The contents before and after appending one more block. */
async function use(dir: string): Promise<string> {
  const writer = ArchiveWriter.open(dir, CHAIN);
  const before = contents(writer);
  await write(writer, BLOCKS);
  const now = contents(writer);
  await writer.close();
  return before + now;
}

void test('an archive with flipped bits is refused at opening or reads as before', async () => {
  const sound = temporaryFolder();
  const writer = ArchiveWriter.open(sound, CHAIN);
  for (let number = 0; number < BLOCKS; number++) await write(writer, number);
  await writer.close();
  const bytes = readFileSync(join(sound, 'data.mdb'));
  const used = temporaryFolder();
  cpSync(sound, used, { recursive: true });
  const expected = await use(used);

  const anywhere = fc.nat(bytes.length * 8 - 1);
  const inHead = fc
    .tuple(fc.nat(bytes.length / PAGE_BYTES - 1), fc.nat(HEAD_BYTES * 8 - 1))
    .map(([page, bit]) => page * PAGE_BYTES * 8 + bit);
  const inMeta = fc.nat((PAGE_BYTES + 168) * 8 - 1);
  const flips = fc.array(fc.oneof(anywhere, inHead, inMeta), { minLength: 1, maxLength: 3 });
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(flips, async (bits) => {
      const dir = temporaryFolder();
      cpSync(sound, dir, { recursive: true });
      const damaged = Buffer.from(bytes);
      for (const bit of bits) damaged[bit >> 3]! ^= 1 << (bit & 7);
      writeFileSync(join(dir, 'data.mdb'), damaged);
      try {
        assert.ok((await use(dir)) === expected, 'another state was read');
      } catch (error) {
        if (!(error instanceof ArchiveError)) throw error;
        assert.match(error.message, /^[^\n]+$/);
        refused++;
      } finally {
        rmSync(dir, { recursive: true });
      }
    }),
    { numRuns: RUNS, seed: 21 },
  );
  assert.ok(refused > RUNS / 4, `only ${refused} of ${RUNS} were refused`);
});
