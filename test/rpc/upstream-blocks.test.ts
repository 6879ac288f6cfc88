// Blocks that only the upstream node can serve: reorged ones, and those before the first local block.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEV_CHAIN } from '../../src/feed/dev/genesis.js';
import { toHex } from '../../src/lib/bytes/hex.js';
import { CurrentView } from '../../src/rpc/view/current-table-view.js';
import { RpcArguments } from '../../src/rpc/params/arguments.js';
import type { MethodName } from '../../src/methods.table.js';
import { METHOD_FUNCTIONS, type MethodDeps } from '../../src/rpc/methods/method-functions.js';
import { loadPlainReads } from '../../src/rpc/reads/native-plain-reads.js';
import { RecentBlocks } from '../../src/state/recent-encoded-blocks.js';
import { TableWriter } from '../../src/state/table/writer.js';
import { account, addressOf, diffOf, hashOf } from '../state/diffs.js';
import type { RpcCallOutcome } from '../../src/rpc/answer/call-result.js';
import type { ForwardedCall } from '../../src/rpc/view/upstream-node-access.js';

const LEFT = new Uint8Array(32).fill(0xaa);
const UNKNOWN = toHex(new Uint8Array(32).fill(0xbb));
const CANONICAL = hashOf(7);
const ADDRESS = toHex(addressOf(1));
const NOT_CANONICAL = { error: 'notCanonical', message: 'hash is not currently canonical' };

/** Block 7 has replaced the block with the hash LEFT; 6 is the first local block. */
function current(): CurrentView {
  const table = TableWriter.create({ complete: false });
  table.publish(diffOf({ block: 6, hash: hashOf(6) }));
  table.publish(diffOf({ block: 7, hash: LEFT }));
  const heads = { latest: 7, safe: 4, finalized: 2 };
  table.publish({ ...diffOf({ block: 7, hash: CANONICAL, accounts: [account(1, 3n, 5n)] }), heads });
  return new CurrentView(table.buffer, { kind: 'live', recent: new RecentBlocks() }, loadPlainReads(1).open);
}

async function query(name: string, ...params: readonly unknown[]): Promise<RpcCallOutcome | ForwardedCall> {
  const run = METHOD_FUNCTIONS[name as MethodName];
  const readView = current().get();
  const executed = { complete: () => null, preConfirmed: () => null };
  const parts = { chain: DEV_CHAIN, backing: {}, executed } as unknown as MethodDeps;
  return run(new RpcArguments(params), readView, parts, { aborted: false });
}

const at = (hash: string, requireCanonical?: boolean): object => ({ blockHash: hash, requireCanonical });

test('a reorged-out block is refused with requireCanonical, and otherwise forwarded', async () => {
  const hash = toHex(LEFT);
  for (const [name, ...params] of [
    ['eth_getBalance', ADDRESS],
    ['eth_call', { to: ADDRESS }],
    ['eth_getStorageAt', ADDRESS, '0x0'],
    ['eth_getBlockReceipts'],
  ] as const) {
    assert.deepEqual(await query(name, ...params, at(hash, true)), NOT_CANONICAL, name);
    const { forward } = (await query(name, ...params, at(hash))) as ForwardedCall;
    const requested = forward.at(-1);
    assert.deepEqual(typeof requested === 'string' ? { blockHash: requested } : requested, { blockHash: hash }, name);
  }
});

test('requireCanonical is forwarded with the block hash', async () => {
  for (const [name, ...params] of [
    ['eth_getBalance', ADDRESS],
    ['eth_call', { to: ADDRESS }],
    ['eth_getBlockReceipts'],
  ] as const) {
    const { forward } = (await query(name, ...params, at(UNKNOWN, true))) as ForwardedCall;
    assert.deepEqual(forward.at(-1), { blockHash: UNKNOWN, requireCanonical: true }, name);
  }
});

test('a canonical block is answered with and without requireCanonical', async () => {
  for (const requireCanonical of [true, false, undefined])
    assert.equal(await query('eth_getBalance', ADDRESS, at(toHex(CANONICAL), requireCanonical)), '"0x5"');
});

test('a fee history that needs older blocks is forwarded, whichever block it ends with', async () => {
  for (const [newest, number] of [
    ['latest', '0x7'],
    ['pending', '0x7'],
    ['0x7', '0x7'],
    ['0x3', '0x3'],
    ['safe', '0x4'],
    ['finalized', '0x2'],
    ['earliest', '0x0'],
  ]) {
    const { forward } = (await query('eth_feeHistory', '0x2', newest, [50])) as ForwardedCall;
    assert.deepEqual(forward, ['0x2', number, [50]], newest);
  }
  assert.deepEqual(await query('eth_feeHistory', '0x2', '0x8', [50]), {
    error: 'blockNotFound',
    message: 'block not found: 0x8',
  });
});
