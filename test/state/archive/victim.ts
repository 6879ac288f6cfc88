// A writer that tests kill: continues from the head of the archive in argv[2] and prints each block once its write has
// resolved.
import { ArchiveWriter } from '../../../src/state/archive/writer.js';
import { CHAIN, blockOf, chainDiff } from './blocks.js';

const BLOCKS_MAX = 5000;

const writer = ArchiveWriter.open(process.argv[2] ?? '', CHAIN);
const start = (writer.head()?.number ?? -1) + 1;
process.stdout.write('open\n');
for (let number = start; number < start + BLOCKS_MAX; number++) {
  const block = blockOf(number);
  await writer.write(block, chainDiff(block));
  process.stdout.write(`${number}\n`);
}
