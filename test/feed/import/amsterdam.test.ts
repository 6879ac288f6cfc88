// Imports a chain that a real node built across Amsterdam: headers, receipts and access lists equal the node's byte for
// byte. The node's data are shared.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { engineFactory } from '../../../src/evm/kernel/kernel-or-reference-engine.js';
import { KernelCounters } from '../../../src/evm/kernel/kernel-counters-and-code-denylist.js';
import { createImportFeed } from '../../../src/feed/import/import-feed.js';
import { fromHex, toHex } from '../../../src/lib/bytes/hex.js';
import { MemorySink } from '../../support/memory-sink.js';
import { sharedData, withoutData } from '../../support/shared-data.js';
import { temporaryFile } from '../../support/temporary-folder.js';
import { linesOf, type RecordedBlock } from '../diffs/recorded-chain.js';

const FOLDER = 'geth-amsterdam';
const skip = withoutData(FOLDER);

type Recorded = RecordedBlock & { readonly raw: string };

function contents(): never {
  assert.fail('the state was asked for');
}

void test('a recorded chain across Amsterdam is imported whole', { skip }, async () => {
  const blocks = linesOf(sharedData(`${FOLDER}/blocks.jsonl.gz`)) as Recorded[];
  const chainFile = temporaryFile('chain.rlp', Buffer.concat(blocks.map(({ raw }) => fromHex(raw))));
  const options = { kind: 'import', genesisFile: sharedData(`${FOLDER}/genesis.json`), chainFile } as const;
  const createEngine = engineFactory({ mode: 'on', counters: new KernelCounters().buffer });
  const sink = new MemorySink();
  sink.whenComplete = ({ number, accessList }) => {
    if (number === 0) return;
    const expected = blocks[number - 1]!.blockAccessList;
    assert.equal(accessList === undefined ? null : toHex(accessList), expected, `access list of block ${number}`);
  };
  await createImportFeed(options, { contents, executor: { createEngine } }).run(sink, null);
  assert.equal(sink.blocks.length, blocks.length + 1);
  assert.equal(toHex(sink.head()!.hash), blocks.at(-1)!.block['hash']);
});
