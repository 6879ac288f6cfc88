// Blocks of Osaka and of two blob-parameter forks, as a real go-ethereum built them: hashes, receipts and the whole
// state afterwards.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { createImportFeed } from '../../../src/feed/import/import-feed.js';
import { fromHex, toHex } from '../../../src/lib/bytes/hex.js';
import { toBytes } from '../../../src/lib/bytes/big-endian.js';
import { EXECUTOR } from '../../support/engine.js';
import { MemorySink } from '../../support/memory-sink.js';
import { sharedData, withoutData } from '../../support/shared-data.js';
import { temporaryFile } from '../../support/temporary-folder.js';

/** The last block before a fork that is unknown here. */
const LAST = 13;

interface RecordedBlock {
  readonly raw: string;
  readonly block: { readonly hash: string };
  readonly receipts: readonly { readonly gasUsed: string; readonly status: string }[];
}

interface RecordedState {
  readonly block: number;
  readonly accounts: Readonly<Record<string, RecordedAccount>>;
}

interface RecordedAccount {
  readonly balance?: string;
  readonly nonce?: string;
  readonly storage?: Readonly<Record<string, string>>;
}

function linesOf(name: string): unknown[] {
  const text = gunzipSync(readFileSync(sharedData(`geth-amsterdam/${name}.jsonl.gz`))).toString();
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
}

function contents(): never {
  throw new Error('the state was asked for');
}

test(
  'blocks of Osaka and two blob forks have the recorded hashes, receipts and state',
  { skip: withoutData('geth-amsterdam') },
  async () => {
    const genesis = JSON.parse(readFileSync(sharedData('geth-amsterdam/genesis.json'), 'utf8')) as {
      config: Record<string, unknown>;
    };
    const config = { ...genesis.config, amsterdamTime: null };
    const genesisFile = temporaryFile('genesis.json', JSON.stringify({ ...genesis, config }));
    const blocks = (linesOf('blocks') as RecordedBlock[]).slice(0, LAST);
    const bytes = blocks.map(({ raw }) => Buffer.from(raw.slice(2), 'hex'));
    const chainFile = temporaryFile('chain.rlp', Buffer.concat(bytes));
    const sink = new MemorySink();
    await createImportFeed({ kind: 'import', genesisFile, chainFile }, { contents, executor: EXECUTOR }).run(
      sink,
      sink.head(),
    );
    assert.equal(sink.blocks.length, LAST + 1);
    for (const [index, { block, receipts }] of blocks.entries()) {
      const { hash, transactions } = sink.blocks[index + 1]!;
      assert.equal(toHex(hash), block.hash);
      const ours = transactions.map(({ receipt }) => `${receipt.status} ${receipt.gasUsed}`);
      assert.deepEqual(
        ours,
        receipts.map(({ status, gasUsed }) => `${BigInt(status)} ${BigInt(gasUsed)}`),
      );
    }
    const { accounts } = (linesOf('state') as RecordedState[]).find(({ block }) => block === LAST)!;
    for (const [address, { balance = '0x0', nonce = '0x0', storage = {} }] of Object.entries(accounts)) {
      const account = sink.state.account(fromHex(address));
      assert.deepEqual([account?.balance ?? 0n, account?.nonce ?? 0n], [BigInt(balance), BigInt(nonce)], address);
      for (const [slot, value] of Object.entries(storage)) {
        const word = sink.state.storage(fromHex(address), toBytes(BigInt(slot), 32));
        assert.equal(BigInt(toHex(word)), BigInt(value), `${address} ${slot}`);
      }
    }
  },
);
