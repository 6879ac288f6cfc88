// kill -9 against the archive's writer: every block that was reported as written exists afterwards, and no block exists
// partially.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ArchiveWriter } from '../../../src/state/archive/writer.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { CHAIN, blockOf, chainAccount, chainCode, chainSlots, text } from './blocks.js';
import { rounds } from '../../support/rounds.js';

const ROUNDS = rounds(2);
const VICTIM = fileURLToPath(new URL('./victim.js', import.meta.url));

const dir = temporaryFolder();

void test('after kill -9 at any moment every block that was reported as written is there whole', async () => {
  let verified = -1;
  for (let round = 0; round < ROUNDS; round++) {
    const reported = await writeUntilKilled((round * 7) % 20);
    verified = await verify(verified, reported);
  }
  assert.ok(verified > ROUNDS, `only ${verified} blocks were written`);
});

/** Kills the writer somewhere in the block after `blocks` others; returns the last one that it reported. */
async function writeUntilKilled(blocks: number): Promise<number> {
  const victim = spawn(process.execPath, [VICTIM, dir], { stdio: ['ignore', 'pipe', 'inherit'] });
  const closed = once(victim, 'close');
  let [lines, last] = [0, 'open'];
  for await (const line of createInterface({ input: victim.stdout })) {
    last = line;
    // The first line reports that the archive is open.
    if (lines++ === blocks) victim.kill('SIGKILL');
  }
  await closed;
  assert.equal(victim.signalCode, 'SIGKILL', 'the victim ended by itself');
  return last === 'open' ? -1 : Number(last);
}

/** Verifies the blocks after `verified`, and that the newest state is the head's, not a later one. */
async function verify(verified: number, reported: number): Promise<number> {
  const writer = ArchiveWriter.open(dir, CHAIN);
  const head = writer.head()?.number ?? -1;
  assert.ok(
    head >= reported && head >= verified,
    `block ${Math.max(reported, verified)} was reported, the head is ${head}`,
  );
  assert.ok(head <= Math.max(reported, verified) + 1, 'a block was committed that nobody waited for');
  for (let number = 0; number <= head; number++) checkBlock(writer, number);
  assert.equal(writer.reader.block(head + 1), null);
  assert.equal(writer.reader.numberOfHash(blockOf(head + 1).hash), null);
  checkNewest(writer, head);
  await writer.close();
  return head;
}

function checkBlock({ reader }: ArchiveWriter, number: number): void {
  const view = reader.viewAt(number);
  assert.ok(view !== null, `block ${number} is missing`);
  assert.deepEqual(text(reader.block(number)), text(blockOf(number)));
  for (const { address, slot, value } of chainSlots(number)) assert.deepEqual(view.storage(address, slot), value);
  const { address, account } = chainAccount(number);
  assert.deepEqual(view.account(address), account);
  const code = chainCode(number);
  assert.deepEqual(view.code(code.hash), code.bytes);
}

function checkNewest(writer: ArchiveWriter, head: number): void {
  const expected = new Map<string, string>();
  for (let number = 0; number <= head; number++) {
    for (const { address, slot, value } of chainSlots(number)) {
      if (value.some((byte) => byte !== 0)) expected.set(text([address, slot]), text(value));
      else expected.delete(text([address, slot]));
    }
  }
  const found = [...writer.slots()].map(({ address, slot, value }): [string, string] => [
    text([address, slot]),
    text(value),
  ]);
  assert.deepEqual(new Map(found), expected);
  assert.equal([...writer.codes()].length, head + 1);
}
