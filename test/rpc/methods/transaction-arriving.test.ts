// Methods that read transactions, while the state is visible and the main thread has not received the newest increment
// or block yet. The publisher is real; its messages are withheld.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeHeader } from '../../../src/chain/block/header.js';
import { DEV_CHAIN, devGenesisBlock } from '../../../src/feed/dev/genesis.js';
import { fromHex, toHex, toQuantity } from '../../../src/lib/bytes/hex.js';
import { keccak256 } from '../../../src/lib/bytes/keccak-wasm.js';
import type { MessageFromPublisher } from '../../../src/publisher/publisher-protocol.js';
import { StateWriter } from '../../../src/publisher/state-writer.js';
import { METHODS, type MethodName } from '../../../src/methods.table.js';
import { runWithStateFetch } from '../../../src/rpc/call/run-with-state-fetch.js';
import { bindMethod, type MethodDeps } from '../../../src/rpc/methods/method-functions.js';
import { RpcArguments } from '../../../src/rpc/params/arguments.js';
import { PublisherEventRouter } from '../../../src/rpc/push/publisher-event-router.js';
import { loadPlainReads } from '../../../src/rpc/reads/native-plain-reads.js';
import { CurrentView } from '../../../src/rpc/view/current-table-view.js';
import { ExecutedBlockLookup } from '../../../src/rpc/view/executed-block-lookup.js';
import type { BackingNode } from '../../../src/rpc/view/upstream-node-access.js';
import type { ReadView } from '../../../src/rpc/view/pinned-read-view.js';
import type { ExecutedTransaction } from '../../../src/state/complete-block.js';
import type { AccountChange } from '../../../src/state/state-diff.js';
import { EMPTY_CODE_HASH } from '../../../src/state/views/state-view.js';
import { devWallet, signed } from '../../feed/keys.js';
import { diffOf } from '../../state/diffs.js';

const WALLET = devWallet(0);
const FROM = fromHex(WALLET.address);
const GENESIS = devGenesisBlock(new Uint8Array(32), 1_700_000_000);
const TIP = { ...GENESIS.block, number: 5, hash: keccak256(GENESIS.block.header) };

const withNonce = (nonce: bigint): AccountChange[] => [
  { address: FROM, account: { nonce, balance: 0n, codeHash: EMPTY_CODE_HASH } },
];

function executedTransaction(): ExecutedTransaction {
  const raw = signed(WALLET, { nonce: 0 });
  const gas = { gasUsed: 21_000n, cumulativeGasUsed: 21_000n, effectiveGasPrice: 1n };
  return {
    hash: keccak256(raw),
    raw,
    from: FROM,
    receipt: { type: 2, status: 1, ...gas, contractAddress: null, logs: [] },
  };
}

const NODE: BackingNode = {
  fill: () => Promise.reject(new Error('no state is missing')),
  request: () => Promise.resolve('"of the node"'),
  epoch: () => 0,
};

/** A main thread that receives the publisher's messages only when `deliver` is called, and its node. */
function makeMainThread(): {
  readonly publisher: StateWriter;
  readonly deliver: () => void;
  readonly call: (method: MethodName, ...params: readonly unknown[]) => Promise<unknown>;
} {
  const news = new PublisherEventRouter();
  const executed = new ExecutedBlockLookup(DEV_CHAIN, news.pending);
  let withheld: MessageFromPublisher[] = [];
  const publisher = new StateWriter({ archive: null, post: (message) => withheld.push(message) });
  publisher.open();
  const start = diffOf({ block: TIP.number, hash: TIP.hash, accounts: withNonce(0n) });
  publisher.begin(start, TIP, []);
  const source = { kind: 'live', recent: news.recent } as const;
  const view = new CurrentView(publisher.buffer!, source, loadPlainReads(1).open);
  news.begin({ source, executed }, TIP);
  const deps = { receipts: 'preconfirmed', sending: null, ownSends: null, backing: NODE, revertErrorCode: 3 } as const;
  const readView = (): ReadView => view.get();
  const parts = { ...deps, executed, events: news.events, readView } as unknown as MethodDeps;
  return {
    publisher,
    deliver: () => {
      for (const message of withheld) {
        if (message.kind === 'changed') news.changed(message);
        if (message.kind === 'published') news.published(message);
        if (message.kind === 'completed') news.completed(message);
      }
      withheld = [];
    },
    call: async (name, ...params) => {
      const method = bindMethod(METHODS.get(name)!, parts);
      const call = { method, args: new RpcArguments(params), caller: { aborted: false } };
      const result = readView().atNewest((newest) => runWithStateFetch(call, newest, deps, readView));
      return JSON.parse((await result) as string) as unknown;
    },
  };
}

const OF_BLOCK = { block: TIP.number + 1, parentHash: TIP.hash };
const BLOCK_HEADER = encodeHeader({ ...GENESIS.header, number: OF_BLOCK.block });
const BLOCK_TIMESTAMP = toQuantity(GENESIS.header.timestamp);
const BLOCK = { ...GENESIS.block, number: OF_BLOCK.block, hash: keccak256(BLOCK_HEADER), header: BLOCK_HEADER };

const BY_SENDER = ['eth_getTransactionBySenderAndNonce', toHex(FROM), '0x0'] as const;

test('a transaction is found when the increment and the block that contain it arrive', async () => {
  const { publisher, deliver, call } = makeMainThread();
  const transactions = [executedTransaction()];
  const hash = toHex(transactions[0]!.hash);
  const sums = { gasUsed: 21_000n, blobGasUsed: 0n, extraData: new Uint8Array() };
  publisher.publish(diffOf({ ...OF_BLOCK, accounts: withNonce(1n) }), { ...sums, transactions });
  const early = call(...BY_SENDER);
  deliver();
  const preConfirmed = (await early) as { readonly hash: string; readonly blockHash: string };
  assert.equal(preConfirmed.hash, hash);
  assert.match(preConfirmed.blockHash, /^0x0+$/);
  publisher.publishVersion(diffOf({ ...OF_BLOCK, hash: BLOCK.hash }), {
    kind: 'block',
    block: { ...BLOCK, transactions },
  });
  const found = [call(...BY_SENDER), call('eth_getTransactionByHash', hash)];
  const receipt = call('eth_getTransactionReceipt', hash);
  const count = call('eth_getBlockTransactionCountByNumber', 'latest');
  deliver();
  const complete = { ...preConfirmed, blockHash: toHex(BLOCK.hash), blockTimestamp: BLOCK_TIMESTAMP };
  assert.deepEqual(await Promise.all(found), [complete, complete]);
  assert.equal(((await receipt) as { readonly blockHash: string }).blockHash, toHex(BLOCK.hash));
  assert.equal(await count, '0x1');
});

test('a call reads the version that it has waited for, though the chain has gone on', async () => {
  const { publisher, deliver, call } = makeMainThread();
  const block = { ...BLOCK, transactions: [executedTransaction()] };
  publisher.publishVersion(diffOf({ ...OF_BLOCK, hash: BLOCK.hash }), { kind: 'block', block });
  const count = call('eth_getBlockTransactionCountByNumber', 'latest');
  const number = BLOCK.number + 1;
  const header = encodeHeader({ ...GENESIS.header, number });
  const next = { ...GENESIS.block, number, hash: keccak256(header), header };
  const diff = diffOf({ block: number, hash: next.hash, parentHash: BLOCK.hash });
  publisher.publishVersion(diff, { kind: 'block', block: next });
  deliver();
  assert.equal(await count, '0x1');
  assert.equal(await call('eth_getBlockTransactionCountByNumber', 'latest'), '0x0');
});

test('the node is asked about a block of which only the header is published', async () => {
  const { publisher, deliver, call } = makeMainThread();
  const diff = diffOf({ ...OF_BLOCK, hash: BLOCK.hash, accounts: withNonce(1n) });
  publisher.publishVersion(diff, { kind: 'header', header: BLOCK.header });
  const found = call(...BY_SENDER);
  deliver();
  assert.equal(await found, 'of the node');
  assert.equal(await call(...BY_SENDER), 'of the node');
});

test('methods that read blocks wait for them, and reads of state do not', () => {
  const parts = { events: new PublisherEventRouter().events } as unknown as MethodDeps;
  const waits = (name: MethodName): boolean => bindMethod(METHODS.get(name)!, parts).arrivals !== undefined;
  for (const name of ['eth_getLogs', 'eth_getFilterLogs', 'eth_feeHistory', 'debug_traceTransaction'] as const)
    assert.ok(waits(name), name);
  for (const name of ['eth_getStorageAt', 'eth_getTransactionCount', 'eth_estimateGas'] as const)
    assert.ok(!waits(name), name);
});
