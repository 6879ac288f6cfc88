// The real estimator in the pool: state and environment of archived blocks and of versions, time limits, deep recursion.
// Runs on main.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { keccak256 } from 'ethereum-cryptography/keccak.js';
import type { Job, JobPosition, Outcome } from '../../src/evm/call.js';
import { fromHex } from '../../src/lib/hex.js';
import { WorkerPool } from '../../src/pool/worker-pool.js';
import { ArchiveWriter } from '../../src/state/archive-writer.js';
import type { AccountChange, CodeChange, SlotChange } from '../../src/state/diff.js';
import { EMPTY_CODE_HASH } from '../../src/state/view.js';
import { blockOf, CHAIN, diffOf } from '../state/archive-blocks.js';
import { chainAt, job, type CallText } from '../support/jobs.js';

const SENDER = '0x1000000000000000000000000000000000000001';
/** Stores 1 in slot 0. */
const STORE = contract('0x5000000000000000000000000000000000000001', '0x600160005500');
/** Returns the block number. */
const NUMBER = contract('0x5000000000000000000000000000000000000002', '0x4360005260206000f3');
/** Jumps for ever. */
const LOOP = contract('0x5000000000000000000000000000000000000003', '0x5b600056');
/** Calls itself with all gas. */
const RECURSE = contract('0x5000000000000000000000000000000000000004', '0x5f5f5f5f5f305af1');
const CONTRACTS = [STORE, NUMBER, LOOP, RECURSE];

/** Gas of a transaction to STORE while its slot is zero and while it is not (EIP-2200, EIP-2929). */
const FIRST_STORE_GAS = 43_106n;
const NEXT_STORE_GAS = 26_006n;

interface Contract {
  readonly address: string;
  readonly code: CodeChange;
}

function contract(address: string, code: string): Contract {
  const bytes = fromHex(code);
  return { address, code: { hash: keccak256(bytes), bytes } };
}

function accounts(): AccountChange[] {
  const sender = { nonce: 0n, balance: 10n ** 18n, codeHash: EMPTY_CODE_HASH };
  return [
    { address: fromHex(SENDER), account: sender },
    ...CONTRACTS.map(({ address, code }) => ({
      address: fromHex(address),
      account: { nonce: 1n, balance: 0n, codeHash: code.hash },
    })),
  ];
}

function stored(value: number): SlotChange {
  const word = new Uint8Array(32);
  word[31] = value;
  return { address: fromHex(STORE.address), slot: new Uint8Array(32), value: word };
}

/** Block 0 deploys everything; block 1 stores 2 in the slot of STORE. */
const BLOCKS = [{ accounts: accounts(), codes: CONTRACTS.map(({ code }) => code) }, { slots: [stored(2)] }];

const dataDir = mkdtempSync(join(tmpdir(), 'estimator-test-'));
const writer = ArchiveWriter.open(dataDir, CHAIN);
const failures: string[] = [];
let pool: WorkerPool;

before(async () => {
  for (const [number, changes] of BLOCKS.entries())
    // oxlint-disable-next-line no-await-in-loop -- one block after the other
    await writer.write(blockOf(number), diffOf(blockOf(number), changes));
  pool = await WorkerPool.start(
    {
      workers: 1,
      workerFile: new URL('../../workers/estimator.js', import.meta.url),
      workerData: { chain: chainAt('prague'), dataDir },
    },
    {
      pinOn: () => ({ pin: () => true, unpin: () => undefined }),
      onFailure: ({ message }) => failures.push(message),
    },
  );
});

after(async () => {
  await pool.close();
  await writer.close();
  rmSync(dataDir, { recursive: true });
});

function ask(position: JobPosition, call: CallText, more: Partial<Job> = {}): Promise<Outcome> {
  const answer = pool.submit(job({ from: SENDER, ...call }, { position, ...more }));
  assert.ok(answer !== null);
  return answer;
}

const archived = (block: number): JobPosition => ({ kind: 'archive', block });

void test('an archived block is estimated on its own state', async () => {
  const [first, next] = await Promise.all([
    ask(archived(0), { to: STORE.address }),
    ask(archived(1), { to: STORE.address }),
  ]);
  assert.deepEqual(first, { kind: 'gas', gas: FIRST_STORE_GAS });
  assert.deepEqual(next, { kind: 'gas', gas: NEXT_STORE_GAS });
});

void test('an archived block is run in its own environment', async () => {
  for (const block of [0, 1]) {
    // oxlint-disable-next-line no-await-in-loop -- one by one
    const outcome = await ask(archived(block), { to: NUMBER.address }, { kind: 'call' });
    assert.ok(outcome.kind === 'return');
    assert.equal(outcome.data[31], block);
  }
});

void test('a block written while the estimator was idle is found', async () => {
  const missing = await ask(archived(2), { to: STORE.address });
  assert.deepEqual(missing, {
    kind: 'failure',
    error: 'stateNotKept',
    message: 'missing trie node: state at block 2 is not available',
  });
  await writer.write(blockOf(2), diffOf(blockOf(2), { slots: [stored(0)] }));
  assert.deepEqual(await ask(archived(2), { to: STORE.address }), { kind: 'gas', gas: FIRST_STORE_GAS });
});

void test('what takes too long is told so by the estimator itself', async () => {
  const outcome = await ask(archived(1), { to: LOOP.address }, { kind: 'call', timeoutMs: 30, gasCap: 1n << 60n });
  assert.deepEqual(outcome, {
    kind: 'failure',
    error: 'execution',
    message: 'execution aborted (timeout = 30ms)',
  });
  assert.equal(pool.stats.kills, 0);
});

void test('the deepest recursion does not break the estimator', async () => {
  const outcome = await ask(archived(1), { to: RECURSE.address });
  assert.equal(outcome.kind, 'gas');
  const deeper = await ask(
    archived(1),
    { to: RECURSE.address },
    { kind: 'call', gasCap: 1n << 50n, timeoutMs: 20_000 },
  );
  assert.equal(deeper.kind, 'return');
  assert.deepEqual(failures, []);
});
