// The real estimator in the pool: state and environment of archived blocks and of table versions, time limits, deep
// recursion.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { keccak_256 as keccak256 } from '@noble/hashes/sha3.js';
import type { ChainDescription } from '../../../src/chain/chain-description.js';
import type { Job, JobReadPosition, JobOutcome } from '../../../src/transaction/evm-job.js';
import type { EvmEngine } from '../../../src/evm/evm-engine.js';
import type { CreateEngine } from '../../../src/evm/kernel/kernel-or-reference-engine.js';
import { KernelCounters } from '../../../src/evm/kernel/kernel-counters-and-code-denylist.js';
import { fromHex } from '../../../src/lib/bytes/hex.js';
import { workerFileUrl } from '../../../src/lib/threads/worker-file.js';
import { LIMITS } from '../../../src/limits/index.js';
import { createEvmTaskServer, type EstimatorData } from '../../../src/pool/threads/estimator-program.js';
import { WorkerPool } from '../../../src/pool/worker-pool.js';
import { ArchiveWriter } from '../../../src/state/archive/writer.js';
import type { AccountChange, CodeChange, SlotChange } from '../../../src/state/state-diff.js';
import { TableWriter } from '../../../src/state/table/writer.js';
import { TableReader } from '../../../src/state/table/read/table-reader-and-snapshot.js';
import { EMPTY_CODE_HASH } from '../../../src/state/views/state-view.js';
import { blockOf, CHAIN, type Changes, diffOf } from '../../state/archive/blocks.js';
import { chainAt, job, type CallText } from '../../support/jobs.js';
import { PATIENCE_MS } from '../../support/patience.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const SENDER = '0x1000000000000000000000000000000000000001';
/** Stores 1 in slot 0. */
const STORE = contract('0x5000000000000000000000000000000000000001', '0x600160005500');
/** Returns the block number. */
const NUMBER = contract('0x5000000000000000000000000000000000000002', '0x4360005260206000f3');
/** Loops forever. */
const LOOP = contract('0x5000000000000000000000000000000000000003', '0x5b600056');
/** Calls itself with all gas. */
const RECURSE = contract('0x5000000000000000000000000000000000000004', '0x5f5f5f5f5f305af1');
const CONTRACTS = [STORE, NUMBER, LOOP, RECURSE];

/** Gas of a transaction to STORE while its slot is zero, and once it is not (EIP-2200, EIP-2929). */
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

/** Block 0 deploys everything; block 1 stores 2 in STORE's slot. Versions 1 and 2 have the same contents. */
const BLOCKS = [{ accounts: accounts(), codes: CONTRACTS.map(({ code }) => code) }, { slots: [stored(2)] }];

const dataDir = temporaryFolder();
const writer = ArchiveWriter.open(dataDir, CHAIN);
/** Few, so that values of unpinned versions are soon overwritten. */
const OLDER_RECORDS = 1024;
const table = TableWriter.create({ versionsKept: 8, blocksKept: 8, olderBytes: 64 * OLDER_RECORDS });
const failures: string[] = [];
let pool: WorkerPool;

async function write(number: number, changes: Changes): Promise<void> {
  const diff = diffOf(blockOf(number), changes);
  await writer.write(blockOf(number), diff);
  table.publish(diff);
}

/** Publishes versions that change STORE's slot. */
function publish(count: number): void {
  for (let more = 0; more < count; more++) {
    const block = table.newest;
    table.publish(diffOf(blockOf(block), { slots: [stored(block % 2 === 0 ? 0 : 2)] }));
  }
}

before(async () => {
  for (const [number, changes] of BLOCKS.entries()) await write(number, changes);
  pool = await WorkerPool.start(
    {
      workers: 1,
      workerFile: workerFileUrl('estimator'),
      queuedJobMsMax: PATIENCE_MS,
      timeoutGraceMs: PATIENCE_MS,
      killGraceMs: PATIENCE_MS,
      workerData: (): EstimatorData => ({
        chain: chainAt('prague'),
        dataDir,
        kernel: { mode: 'on', counters: new KernelCounters().buffer },
        estimateMode: 'same',
        takesLong: false,
      }),
    },
    {
      pinOn: ({ buffer }) => new TableReader(buffer).acquirePin(),
      onFailure: ({ message }) => failures.push(message),
    },
  );
});

after(async () => {
  await pool.close();
  await writer.close();
});

function run(position: JobReadPosition, call: CallText, more: Partial<Job> = {}): Promise<JobOutcome> {
  const answer = pool.submit(job({ from: SENDER, ...call }, { position, ...more }));
  assert.ok(answer !== null);
  return answer;
}

const at = (version: number): JobReadPosition => ({ kind: 'version', version });
const archived = (block: number): JobReadPosition => ({ kind: 'archive', block });

void test('an estimate at an archived block uses the state of that block', async () => {
  const [first, next] = await Promise.all([
    run(archived(0), { to: STORE.address }),
    run(archived(1), { to: STORE.address }),
  ]);
  assert.deepEqual(first, { kind: 'gas', gas: FIRST_STORE_GAS });
  assert.deepEqual(next, { kind: 'gas', gas: NEXT_STORE_GAS });
});

void test('a call at an archived block sees the environment of that block', async () => {
  for (const block of [0, 1]) {
    const outcome = await run(archived(block), { to: NUMBER.address }, { kind: 'call' });
    assert.ok(outcome.kind === 'return');
    assert.equal(outcome.data[31], block);
  }
});

void test('a block archived while the estimator was idle is found', async () => {
  const missing = await run(archived(2), { to: STORE.address });
  assert.deepEqual(missing, {
    kind: 'failure',
    error: 'stateNotKept',
    message: 'missing trie node: state at block 2 is not available',
  });
  await write(2, { slots: [stored(0)] });
  assert.deepEqual(await run(archived(2), { to: STORE.address }), { kind: 'gas', gas: FIRST_STORE_GAS });
});

void test('without a table every version is answered with stateNotKept', async () => {
  const outcome = await run(at(1), { to: STORE.address });
  assert.ok(outcome.kind === 'failure');
  assert.equal(outcome.error, 'stateNotKept');
});

void test('jobs at versions of the table use the state and the environment of their version', async () => {
  pool.setTable(table);
  const gas = await Promise.all([1, 2, 3].map((version) => run(at(version), { to: STORE.address })));
  assert.deepEqual(gas, [
    { kind: 'gas', gas: FIRST_STORE_GAS },
    { kind: 'gas', gas: NEXT_STORE_GAS },
    { kind: 'gas', gas: FIRST_STORE_GAS },
  ]);
  const numbers = await Promise.all(
    [1, 2, 3].map((version) => run(at(version), { to: NUMBER.address }, { kind: 'call' })),
  );
  assert.deepEqual(
    numbers.map((outcome) => (outcome.kind === 'return' ? outcome.data[31] : outcome)),
    [0, 1, 2],
  );
});

void test('a version stays readable while its job is in flight, whatever is published meanwhile', async () => {
  const version = table.newest;
  const busy = run(at(version), { to: LOOP.address }, { kind: 'call', timeoutMs: 300, gasCap: 1n << 60n });
  await new Promise(setImmediate);
  const waiting = run(at(version), { to: STORE.address });
  publish(2 * OLDER_RECORDS);
  assert.deepEqual(await waiting, { kind: 'gas', gas: FIRST_STORE_GAS });
  assert.equal((await busy).kind, 'failure');
});

void test('a table can bring another chain description, by which jobs on it run', async () => {
  // P256VERIFY exists from Osaka on, and costs 6,900 gas.
  const call = { to: `0x${'100'.padStart(40, '0')}` };
  const gasOf = async (chain?: ChainDescription): Promise<JobOutcome> => {
    pool.setTable({ generation: 1, buffer: table.buffer, ...(chain === undefined ? {} : { chain }) });
    return run(at(table.newest), call);
  };
  const first = await gasOf();
  assert.ok(first.kind === 'gas');
  const later = await gasOf(chainAt('osaka'));
  assert.ok(later.kind === 'gas');
  assert.ok(later.gas >= first.gas + 6900n, `${later.gas} after ${first.gas}`);
  assert.deepEqual(await gasOf(), first);
});

void test('a version that is not yet published, or no longer kept, is answered with stateNotKept', async () => {
  publish(LIMITS.versionsKeptMax);
  pool.setTable(table);
  const outcomes = await Promise.all(
    [at(1), at(table.newest + 1)].map((position) => run(position, { to: STORE.address })),
  );
  const notKept = { kind: 'failure', error: 'stateNotKept', message: 'missing trie node: state is not available' };
  assert.deepEqual(outcomes, [notKept, notKept]);
});

void test('the estimator itself ends a job at its timeout', async () => {
  const outcome = await run(archived(1), { to: LOOP.address }, { kind: 'call', timeoutMs: 30, gasCap: 1n << 60n });
  assert.deepEqual(outcome, {
    kind: 'failure',
    error: 'timeout',
    message: 'execution aborted (timeout = 30ms)',
  });
  assert.equal(pool.stats.kills, 0);
});

void test('the deepest recursion does not crash the estimator', async () => {
  const outcome = await run(archived(1), { to: RECURSE.address });
  assert.equal(outcome.kind, 'gas');
  const deeper = await run(archived(1), { to: RECURSE.address }, { kind: 'call', gasCap: 1n << 50n });
  assert.equal(deeper.kind, 'return');
  assert.deepEqual(failures, []);
});

const EMPTY = { mailbox: new SharedArrayBuffer(8), jobs: new Uint8Array(0), count: 0, isCheck: false };

for (const [keptBytes, made] of [
  [LIMITS.engineBytesIdleMax, 1],
  [LIMITS.engineBytesIdleMax + 1, 2],
] as const) {
  void test(`an idle estimator with ${keptBytes} bytes in its engine creates ${made - 1} new engines`, async () => {
    const engines: unknown[] = [];
    const createEngine: CreateEngine = () => {
      engines.push(null);
      return { keptBytes } as Partial<EvmEngine> as EvmEngine;
    };
    const serve = createEvmTaskServer(
      { chain: chainAt('osaka'), dataDir: null, estimateMode: 'same' },
      createEngine,
      () => undefined,
    );
    assert.equal(await serve({ ...EMPTY, table: null, isIdle: true }), null);
    assert.equal(engines.length, made);
  });
}
