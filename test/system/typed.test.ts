// A running chain as typed clients decode and recompute it: blocks at each tag, including pre-confirmed ones, every
// type of transaction, receipts and logs; roots and blooms are computed by the library, which shares no code with the
// program. And the uncles of an imported chain.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Bloom } from '@ethereumjs/vm';
import { createMPT } from '@ethereumjs/mpt';
import { RLP, type Input } from '@ethereumjs/rlp';
import { keccak256 } from 'ethers';
import { DEV_GOLD_TOKEN } from '../../src/feed/dev/genesis.js';
import { fromHex, toHex } from '../../src/lib/bytes/hex.js';
import { devWallet, signed } from '../feed/keys.js';
import { assertTyped } from '../io/answers.js';
import { eventually } from '../support/patience.js';
import { BLOB_HASH, withBlobs } from '../support/blob-sidecar.js';
import { sharedData, withoutData } from '../support/shared-data.js';
import { Server } from '../support/server.js';
import type { Json } from './listener.js';

const ZERO_HASH = `0x${'0'.repeat(64)}`;
/** `transfer(address,uint256)`, which emits a log. */
const TRANSFER = `0xa9059cbb${'5b'.repeat(20).padStart(64, '0')}${'1'.padStart(64, '0')}`;
const wallet = devWallet(7);

/** The results of a batch, each checked against its schema. */
async function typed(
  server: Server,
  ...calls: readonly (readonly [method: string, ...params: unknown[]])[]
): Promise<Json[]> {
  const request = JSON.stringify(calls.map(([method, ...params], id) => ({ jsonrpc: '2.0', id, method, params })));
  const { text } = await server.post(request);
  assertTyped(request, text);
  const answers = JSON.parse(text) as { id: number; result: Json }[];
  return calls.map((_call, id) => answers.find((answer) => answer.id === id)!.result);
}

/** The root of a list's trie, computed by the library. */
async function rootOf(items: readonly Uint8Array[]): Promise<string> {
  const trie = await createMPT();
  for (const [index, item] of items.entries()) await trie.put(RLP.encode(index), item);
  return toHex(trie.root());
}

interface Log {
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
}

function receiptBytes(receipt: Json): Uint8Array {
  const logs = (receipt['logs'] as Log[]).map(({ address, topics, data }) => [address, [...topics], data]);
  const { type, status, cumulativeGasUsed, logsBloom } = receipt as Record<string, string>;
  const items: Input[] = [BigInt(status!), BigInt(cumulativeGasUsed!), logsBloom!, logs];
  const payload = RLP.encode(items);
  return type === '0x0' ? payload : Uint8Array.from([Number(type), ...payload]);
}

function bloomOf(receipts: readonly Json[]): string {
  const bloom = new Bloom();
  for (const { address, topics } of receipts.flatMap((receipt) => receipt['logs'] as Log[]))
    for (const item of [address, ...topics]) bloom.add(fromHex(item));
  return toHex(bloom.bitvector);
}

/** A block's roots and bloom match its transactions, receipts and withdrawals. */
async function assertWhole(server: Server, block: Json, receipts: readonly Json[]): Promise<void> {
  const hashes = (block['transactions'] as Json[]).map((each) => each['hash'] as string);
  const raws = await typed(server, ...hashes.map((each) => ['eth_getRawTransactionByHash', each] as const));
  assert.deepEqual(
    raws.map((raw) => keccak256(raw as unknown as string)),
    hashes,
  );
  assert.equal(block['transactionsRoot'], await rootOf(raws.map((raw) => fromHex(raw as unknown as string))));
  assert.equal(block['receiptsRoot'], await rootOf(receipts.map(receiptBytes)));
  assert.equal(block['logsBloom'], bloomOf(receipts));
  for (const receipt of receipts) assert.equal(receipt['logsBloom'], bloomOf([receipt]));
}

describe('responses of the dev chain decode in typed clients', () => {
  let server: Server;
  before(async () => {
    server = await Server.start('--dev-traffic', '0');
  });
  after(() => server.stop());

  test('for each type of transaction, pre-confirmed and complete, by each name of its block', async () => {
    const to = toHex(DEV_GOLD_TOKEN);
    const auth = devWallet(8).authorizeSync({ address: to, nonce: 0, chainId: 31_337n });
    const call = { to, data: TRANSFER, gasLimit: 200_000n };
    const plain = [
      signed(wallet, { ...call, nonce: 0, type: 0 }),
      signed(wallet, { ...call, nonce: 1, type: 1, accessList: [{ address: to, storageKeys: [ZERO_HASH] }] }),
      signed(wallet, { ...call, nonce: 2, type: 2 }),
      signed(wallet, { ...call, nonce: 3, type: 3, maxFeePerBlobGas: 9n, blobVersionedHashes: [BLOB_HASH] }),
      signed(wallet, { ...call, nonce: 4, type: 4, authorizationList: [auth] }),
      signed(wallet, { nonce: 5, to: null, data: '0x00', gasLimit: 100_000n }),
    ];
    const raws = plain.map((raw) => toHex(raw[0] === 3 ? withBlobs(raw, { version: 1 }) : raw));
    const hashes = await typed(server, ...raws.map((raw) => ['eth_sendRawTransaction', raw] as const));
    const receipts = await typed(server, ...hashes.map((each) => ['eth_getTransactionReceipt', each] as const));
    assert.deepEqual(
      receipts.map(({ type, status }) => [type, status]),
      [0, 1, 2, 3, 4, 2].map((type) => [`0x${type}`, '0x1']),
    );
    await typed(server, ...hashes.map((each) => ['eth_getTransactionByHash', each] as const));
    const { blockNumber } = receipts[0]!;
    const complete = await eventually(async () => {
      const [block] = await typed(server, ['eth_getBlockByNumber', blockNumber, true]);
      return block!['hash'] === ZERO_HASH ? undefined : block;
    });
    const [ofBlock] = await typed(
      server,
      ['eth_getBlockReceipts', blockNumber],
      ['eth_getLogs', { fromBlock: blockNumber, toBlock: blockNumber }],
      ['eth_getBlockByHash', complete['hash'], false],
      ['eth_getTransactionByBlockHashAndIndex', complete['hash'], '0x0'],
      ['eth_feeHistory', '0x4', 'latest', [10, 90]],
    );
    await assertWhole(server, complete, ofBlock as unknown as Json[]);
  });

  test('for a pre-confirmed block by tag and number, with the roots and bloom of its contents so far', async () => {
    const nonces = Array.from({ length: 40 }, (_, i) => i);
    const sender = devWallet(9);
    const [tagged, numbered, receipts] = await eventually(async () => {
      const raw = signed(sender, {
        nonce: nonces.shift()!,
        to: toHex(DEV_GOLD_TOKEN),
        data: TRANSFER,
        gasLimit: 100_000n,
      });
      await typed(server, ['eth_sendRawTransaction', toHex(raw)]);
      const [{ number }] = (await typed(server, ['eth_getBlockByNumber', 'pending', false])) as [Json];
      const found = await typed(
        server,
        ['eth_getBlockByNumber', 'pending', true],
        ['eth_getBlockByNumber', number, true],
        ['eth_getBlockReceipts', 'pending'],
      );
      const isAhead = found[0]!['hash'] === null && found[1]!['hash'] === ZERO_HASH;
      return isAhead && (found[0]!['transactions'] as Json[]).length > 0 ? found : undefined;
    });
    await assertWhole(server, tagged!, receipts as unknown as Json[]);
    await assertWhole(server, numbered!, receipts as unknown as Json[]);
  });
});

/** Header fields before London, in order. */
const HEADER = `parentHash sha3Uncles miner stateRoot transactionsRoot receiptsRoot logsBloom difficulty
  number gasLimit gasUsed timestamp extraData mixHash nonce baseFeePerGas`.split(/\s+/);
const QUANTITIES = new Set(['difficulty', 'number', 'gasLimit', 'gasUsed', 'timestamp', 'baseFeePerGas']);
const DATA = 'execution-apis';

test('uncles of an imported chain are those in its headers', { skip: withoutData(DATA) }, async () => {
  const files = ['--genesis', sharedData(`${DATA}/genesis.json`), '--chain', sharedData(`${DATA}/chain.rlp`)];
  const server = await Server.startPatient(...files);
  try {
    const [latest] = await typed(server, ['eth_blockNumber']);
    let seen = 0;
    for (let number = 0; number <= Number(latest); number++) {
      const at = `0x${number.toString(16)}`;
      const [block, count] = await typed(
        server,
        ['eth_getBlockByNumber', at, false],
        ['eth_getUncleCountByBlockNumber', at],
      );
      const hashes = block!['uncles'] as string[];
      assert.equal(Number(count), hashes.length);
      const places = hashes.map((_hash, index) => `0x${index.toString(16)}`);
      const uncles = await typed(
        server,
        ...places.map((index) => ['eth_getUncleByBlockNumberAndIndex', at, index] as const),
      );
      const headers = uncles.map((uncle) =>
        HEADER.filter((name) => name in uncle).map((name) => {
          return QUANTITIES.has(name) ? BigInt(uncle[name] as string) : fromHex(uncle[name] as string);
        }),
      );
      assert.deepEqual(
        headers.map((header) => keccak256(RLP.encode(header))),
        hashes,
      );
      assert.equal(keccak256(RLP.encode(headers)), block!['sha3Uncles']);
      seen += hashes.length;
    }
    assert.ok(seen > 0);
  } finally {
    await server.stop();
  }
});
