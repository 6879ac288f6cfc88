// The service on a table of its own: the bound of a response holds for answers of every kind.
import assert from 'node:assert/strict';
import test from 'node:test';
import { keccak256 } from '../../src/evm/crypto.js';
import { envOfHeader } from '../../src/evm/header.js';
import { devGenesisBlock } from '../../src/feed/dev-genesis.js';
import { toHex } from '../../src/lib/hex.js';
import { LIMITS } from '../../src/limits.js';
import { CurrentSession } from '../../src/rpc/current-session.js';
import { createDecoder } from '../../src/rpc/decode.js';
import type { MethodParts } from '../../src/rpc/method.js';
import { METHODS } from '../../src/rpc/methods.js';
import { Service } from '../../src/rpc/service.js';
import type { BlockSource } from '../../src/rpc/session.js';
import { TableWriter } from '../../src/state/publish.js';

const CONTRACT = new Uint8Array(20).fill(7);
const CODE = new Uint8Array(24_576).fill(0x5b);
const ASKER = { aborted: false };

interface Answer {
  readonly id: number;
  readonly result?: string;
  readonly error?: { readonly code: number; readonly message: string };
}

/** A service over one block with one contract. Nothing asked here needs the blocks or the parts of other methods. */
function serve(): Service {
  const { block, header } = devGenesisBlock(new Uint8Array(32), 1);
  const hash = keccak256(CODE);
  const table = TableWriter.create({ complete: true });
  table.publish({
    coordinates: { block: 0, index: 0, hash: block.hash, parentHash: header.parentHash },
    env: envOfHeader(header),
    heads: { latest: 0, safe: null, finalized: null },
    accounts: [{ address: CONTRACT, account: { nonce: 1n, balance: 0n, codeHash: hash } }],
    slots: [],
    codes: [{ hash, bytes: CODE }],
  });
  const current = new CurrentSession(table.buffer, {} as BlockSource);
  const parts = {} as MethodParts;
  const decoder = createDecoder({ addon: true });
  return new Service(
    { callsMax: 1000, passesOn: () => false },
    { decoder, methods: METHODS, session: () => current.get(), parts },
  );
}

async function ask(service: Service, calls: readonly object[]): Promise<Answer[]> {
  const { bytes } = await service.answer(Buffer.from(JSON.stringify(calls)), ASKER);
  assert.ok(bytes.length <= LIMITS.responseBytesMax + calls.length * 100, `${bytes.length} bytes`);
  return JSON.parse(Buffer.from(bytes).toString()) as Answer[];
}

const getCode = (id: number, ...block: unknown[]): object => {
  return { jsonrpc: '2.0', id, method: 'eth_getCode', params: [toHex(CONTRACT), ...block] };
};

for (const [kind, block] of [
  ['straight from the row', 'latest'],
  ['by way of the method', { blockNumber: '0x0' }],
] as const) {
  test(`codes ${kind} stop where the response is full`, async () => {
    const answers = await ask(
      serve(),
      Array.from({ length: 1000 }, (_, id) => getCode(id, block)),
    );
    assert.equal(answers.length, 1000);
    const first = answers.findIndex(({ error }) => error !== undefined);
    assert.ok(first > 400 && first < 600, `${first}`);
    for (const { id, result, error } of answers) {
      if (id < first) assert.equal(result?.length, 2 + CODE.length * 2);
      else assert.deepEqual(error, { code: -32_003, message: 'response too large' });
    }
  });
}
