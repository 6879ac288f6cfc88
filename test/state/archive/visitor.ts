// A process or thread that the archive's tests start: `hold DIR` opens for writing and waits to be killed, `read DIR`
// reads forever, `fill DIR` writes until the disk is full and reports the error.
import { parentPort } from 'node:worker_threads';
import { setInterval } from 'node:timers';
import { ArchiveReader } from '../../../src/state/archive/reader.js';
import { ArchiveWriter } from '../../../src/state/archive/writer.js';
import { CHAIN, blockOf, chainDiff, chainSlots } from './blocks.js';

const BLOCKS_MAX = 1000;

const [task, dir] = process.argv.slice(2);
if (dir === undefined) throw new Error('which folder?');

switch (task) {
  case 'hold':
    ArchiveWriter.open(dir, CHAIN);
    report('open');
    setInterval(() => {}, 1000);
    break;
  case 'read':
    read(ArchiveReader.open(dir));
    break;
  case 'fill':
    await fill(ArchiveWriter.open(dir, CHAIN));
    break;
  default:
    throw new Error(`unknown task ${task}`);
}

function report(text: string): void {
  if (parentPort === null) process.stdout.write(`${text}\n`);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port, not a window
  else parentPort.postMessage(text);
}

/**
 * Reads all slots that the head changed every millisecond, so that a terminated thread is most likely in the middle of
 * a read.
 */
function read(reader: ArchiveReader): void {
  report('open');
  setInterval(() => {
    const head = reader.head()?.number ?? 0;
    const view = reader.viewAt(head);
    for (const { address, slot } of chainSlots(head)) view?.storage(address, slot);
  }, 1);
}

async function fill(writer: ArchiveWriter): Promise<void> {
  try {
    for (let number = 0; number < BLOCKS_MAX; number++) await writer.write(blockOf(number), chainDiff(blockOf(number)));
  } catch (error) {
    report(error instanceof Error ? `${error.constructor.name}: ${error.message}` : 'no error');
    report(`head ${writer.head()?.number ?? -1}`);
    await writer.close();
    report('closed');
  }
}
