// The import feed with a chain built by the library: the same hashes and state after every block, a restart, and the
// rejection of a wrong header.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { RLP, type NestedUint8Array } from '@ethereumjs/rlp';
import type { StateContents } from '../../src/chain/state-root.js';
import { encodeHeader, headerFromRlpItems, type Header } from '../../src/chain/block/header.js';
import { StartError } from '../../src/lib/start-error.js';
import { createImportFeed } from '../../src/feed/import/import-feed.js';
import { fromHex, toHex, toQuantity } from '../../src/lib/bytes/hex.js';
import { toBytes } from '../../src/lib/bytes/big-endian.js';
import { MemorySink } from '../support/memory-sink.js';
import { makeOwnChain, type OwnBlock, type OwnChain } from '../support/own-chain.js';
import { temporaryFile } from '../support/temporary-folder.js';

let chain: OwnChain;
before(async () => {
  chain = await makeOwnChain();
});

async function importInto(sink: MemorySink, contents: () => StateContents, chainFile = chain.chainFile): Promise<void> {
  const feed = createImportFeed({ kind: 'import', genesisFile: chain.genesisFile, chainFile }, { contents });
  await feed.run(sink, sink.head());
}

function noContents(): StateContents {
  throw new Error('the state was asked for');
}

function assertState({ state }: MemorySink, { number, accounts }: OwnBlock): void {
  for (const [address, expected] of accounts) {
    const account = state.account(fromHex(address));
    const slots = expected.slots.map((_, slot) => toHex(state.storage(fromHex(address), toBytes(BigInt(slot), 32))));
    const read = {
      nonce: toQuantity(account?.nonce ?? 0n),
      balance: toQuantity(account?.balance ?? 0n),
      code: account === null ? '0x' : toHex(state.code(account.codeHash)),
      slots,
    };
    assert.deepEqual(read, expected, `${address} after block ${number}`);
  }
}

test('every block has the hash and the state of the library', async () => {
  const sink = new MemorySink();
  sink.whenComplete = ({ number, hash, transactions }) => {
    const expected = chain.blocks[number]!;
    assert.equal(toHex(hash), expected.hash);
    assert.deepEqual(
      transactions.map(({ receipt }) => receipt.type),
      expected.transactions.map(({ type }) => type),
    );
    assertState(sink, expected);
  };
  await importInto(sink, noContents);
  assert.equal(sink.blocks.length, chain.blocks.length);
  const types = sink.blocks.flatMap(({ transactions }) => transactions.map(({ receipt }) => receipt.type));
  assert.deepEqual(new Set(types), new Set([0, 1, 2, 3, 4]));
});

test('an import continues after the block at which an earlier one ended', async () => {
  const sink = new MemorySink();
  const first = temporaryFile('first.rlp', Buffer.concat(chain.blocks.slice(1, 5).map(({ rlp }) => rlp)));
  await importInto(sink, noContents, first);
  assert.equal(sink.head()!.number, 4);
  await importInto(sink, () => sink.contents());
  assert.equal(toHex(sink.head()!.hash), chain.blocks.at(-1)!.hash);
  assertState(sink, chain.blocks.at(-1)!);
});

const ONES = new Uint8Array(32).fill(1);

const MISFITS: readonly (readonly [field: string, block: number, change: (header: Header) => Partial<Header>])[] = [
  ['gas used', 2, ({ gasUsed }) => ({ gasUsed: gasUsed + 1n })],
  ['state root', 8, () => ({ stateRoot: ONES })],
  ['receipts root', 3, () => ({ receiptsRoot: ONES })],
  ['logs bloom', 7, () => ({ logsBloom: new Uint8Array(256).fill(1) })],
  ['withdrawals root', 4, () => ({ withdrawalsRoot: ONES })],
  ['blob gas used', 5, () => ({ blobGasUsed: 0n })],
  ['requests hash', 6, () => ({ requestsHash: ONES })],
  ['base fee', 3, () => ({ baseFeePerGas: 7n })],
  ['difficulty', 2, ({ difficulty }) => ({ difficulty: difficulty + 1n })],
];

test('a gas limit above 2^63 - 1 is refused', async () => {
  const beyond = altered(chain.blocks[1]!, 1, () => ({ gasLimit: 2n ** 63n }));
  await assert.rejects(
    importInto(new MemorySink(), noContents, temporaryFile('gas-limit.rlp', beyond)),
    /^Error: block 1 \(0x[0-9a-f]{8}\.\.\): gas limit 9223372036854775808 exceeds 9223372036854775807$/,
  );
});

for (const [field, number, change] of MISFITS) {
  test(`a block with another ${field} in its header is refused, and nothing of it is published`, async () => {
    const blocks = chain.blocks.slice(1).map((block) => altered(block, number, change));
    const file = temporaryFile('chain.rlp', Buffer.concat(blocks));
    const sink = new MemorySink();
    await assert.rejects(
      importInto(sink, () => sink.contents(), file),
      (error) =>
        error instanceof StartError &&
        new RegExp(`^block ${number} \\(0x[0-9a-f]{8}\\.\\.\\): ${field} is .*, header says `).test(error.message),
    );
    assert.equal(sink.head()!.number, number - 1);
  });
}

/** The block; the one with that number has a changed header. */
function altered(block: OwnBlock, number: number, change: (header: Header) => Partial<Header>): Uint8Array {
  if (block.number !== number) return block.rlp;
  const [items, ...body] = RLP.decode(block.rlp) as NestedUint8Array;
  const header = headerFromRlpItems(items as NestedUint8Array);
  return RLP.encode([RLP.decode(encodeHeader({ ...header, ...change(header) })), ...body]);
}
