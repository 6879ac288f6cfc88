// A body that arrives between two tables of a live chain is answered entirely from the new one, and no call is
// forwarded twice.
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { blockEnvOfHeader } from '../../src/chain/block/header.js';
import { devGenesisBlock } from '../../src/feed/dev/genesis.js';
import { toHex } from '../../src/lib/bytes/hex.js';
import { ChunkedBuffer } from '../../src/lib/bytes/chunked-buffer.js';
import { LIMITS } from '../../src/limits/index.js';
import { CurrentView } from '../../src/rpc/view/current-table-view.js';
import type { JsonRpcService } from '../../src/rpc/json-rpc-service.js';
import { serviceOn } from './table-service.js';
import type { CompleteBlockSource } from '../../src/rpc/view/stored-blocks.js';
import { loadPlainReads } from '../../src/rpc/reads/native-plain-reads.js';
import { TableWriter } from '../../src/state/table/writer.js';
import { EMPTY_CODE_HASH } from '../../src/state/views/state-view.js';
import type { BackingNode } from '../../src/rpc/view/upstream-node-access.js';
import { LATEST_BLOCK } from '../../src/rpc/view/block-param-types.js';

const unexpected = (_: string, fault: unknown): void => assert.ifError(fault);

const RESIDENT = new Uint8Array(20).fill(1);
const MISSING = new Uint8Array(20).fill(2);

/** HELD has this balance; MISSING is unknown unless the table is complete. */
function table(balance: bigint, complete: boolean): SharedArrayBuffer {
  const { block, header } = devGenesisBlock(new Uint8Array(32), 1);
  const writer = TableWriter.create({ complete });
  writer.publish({
    coordinates: { block: 0, index: 0, hash: block.hash, parentHash: header.parentHash },
    env: blockEnvOfHeader(header),
    heads: { latest: 0, safe: null, finalized: null },
    accounts: [{ address: RESIDENT, account: { nonce: 1n, balance, codeHash: EMPTY_CODE_HASH } }],
    slots: [],
    codes: [],
  });
  return writer.buffer;
}

let fills: number;
let passedOn: string[];
/** Tables that replace each other while state is fetched. */
let tables: SharedArrayBuffer[];
let service: JsonRpcService;

beforeEach(() => {
  fills = 0;
  passedOn = [];
  tables = [];
  const current = new CurrentView(table(1n, false), {} as CompleteBlockSource, loadPlainReads(1000).open);
  const backing: BackingNode = {
    async fill() {
      fills++;
      const next = tables.shift();
      if (next !== undefined) current.setTable(next, false);
      return null;
    },
    async request(method) {
      passedOn.push(method);
      return '"0x"';
    },
    epoch: () => current.epoch,
  };
  const terms = { backing, revertErrorCode: 3, defaultBlock: LATEST_BLOCK, onFault: unexpected };
  service = serviceOn(current, { callsMax: 10, passesOn: () => true, terms });
});

const balanceOf = (address: Uint8Array): unknown[] => ['eth_getBalance', toHex(address), 'latest'];

async function query(...calls: readonly unknown[][]): Promise<unknown[]> {
  const body = Buffer.from(
    JSON.stringify(calls.map(([method, ...params], id) => ({ jsonrpc: '2.0', id, method, params }))),
  );
  const answer = service.answer(body, { aborted: false });
  // The body's buffer belongs to the front end, which reuses it.
  body.fill(0);
  const { bytes } = await answer;
  const answers = JSON.parse(Buffer.from(bytes instanceof ChunkedBuffer ? bytes.toBytes() : bytes).toString()) as {
    result?: unknown;
    error?: { message: string };
  }[];
  return answers.map(({ result, error }) => result ?? error!.message);
}

test('after a resync all calls of a batch are answered from the new table', async () => {
  tables = [table(5n, true)];
  assert.deepEqual(await query(balanceOf(RESIDENT), balanceOf(MISSING)), ['0x5', '0x0']);
  assert.equal(fills, 1);
});

test('a request ends in an error when the state is resynced again and again', async () => {
  tables = Array.from({ length: 10 }, () => table(5n, false));
  const [resident, missing] = await query(balanceOf(RESIDENT), balanceOf(MISSING));
  assert.equal(resident, '0x5');
  assert.match(String(missing), /state was reset/);
  assert.equal(fills, LIMITS.fillTriesMax);
});

test('a forwarded call is not forwarded again after a resync', async () => {
  tables = [table(5n, true)];
  const [missing, sent] = await query(balanceOf(MISSING), ['eth_getHeaderByHash', '0x00']);
  assert.match(String(missing), /state was reset/);
  assert.equal(sent, '0x');
  assert.deepEqual(passedOn, ['eth_getHeaderByHash']);
});
