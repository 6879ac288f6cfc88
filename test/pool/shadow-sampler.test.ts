// Shadow checks in the pool: idle workers detect a kernel that is wrong by one gas, report nothing for a correct one,
// and skip what cannot be checked.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { keccak_256 as keccak256 } from '@noble/hashes/sha3.js';
import type { Job, JobReadPosition, JobOutcome } from '../../src/transaction/evm-job.js';
import { KernelCounters } from '../../src/evm/kernel/kernel-counters-and-code-denylist.js';
import type { KernelMode } from '../../src/evm/kernel/kernel-or-reference-engine.js';
import type { KernelMismatch } from '../../src/evm/kernel/kernel-mismatch.js';
import { fromHex, toHex } from '../../src/lib/bytes/hex.js';
import { LIMITS } from '../../src/limits/index.js';
import { ByteReader, ByteWriter } from '../../src/lib/bytes/byte-reader-writer.js';
import { workerFileUrl } from '../../src/lib/threads/worker-file.js';
import { packReferenceResult } from '../../src/pool/codec/reference-result.js';
import type { AdmittedJob } from '../../src/pool/admitted-job.js';
import type { EstimatorData } from '../../src/pool/threads/estimator-program.js';
import { ShadowSampler } from '../../src/pool/shadow-sampler.js';
import { unpackJob } from '../../src/pool/codec/job.js';
import { WorkerPool } from '../../src/pool/worker-pool.js';
import { TableWriter } from '../../src/state/table/writer.js';
import { TableReader } from '../../src/state/table/read/table-reader-and-snapshot.js';
import { EMPTY_CODE_HASH } from '../../src/state/views/state-view.js';
import { blockOf, diffOf } from '../state/archive/blocks.js';
import { chainAt, job } from '../support/jobs.js';
import { eventually, until } from '../support/patience.js';

const SENDER = '0x1000000000000000000000000000000000000001';
/** Both store 1 in slot 0; the second one has an additional JUMPDEST. */
const STORE = '0x5000000000000000000000000000000000000001';
const OTHER_STORE = '0x5000000000000000000000000000000000000002';
/** Loops forever. */
const LOOP = '0x5000000000000000000000000000000000000003';
/** Writes 60 slots, which takes more than a million gas. */
const LONG = '0x5000000000000000000000000000000000000004';
const CODES = {
  [STORE]: '0x600160005500',
  [OTHER_STORE]: '0x60016000555b00',
  [LOOP]: '0x5b600056',
  [LONG]: `0x${Array.from({ length: 60 }, (_, slot) => `600160${slot.toString(16).padStart(2, '0')}55`).join('')}00`,
};
const STORE_GAS = 43_106n;
const OTHER_STORE_GAS = 43_107n;
const AT: JobReadPosition = { kind: 'version', version: 1 };

const codes = Object.entries(CODES).map(([address, text]) => {
  const bytes = fromHex(text);
  return { address: fromHex(address), code: { hash: keccak256(bytes), bytes } };
});
const sender = { address: fromHex(SENDER), account: { nonce: 0n, balance: 10n ** 18n, codeHash: EMPTY_CODE_HASH } };
const accounts = codes.map(({ address, code }) => ({
  address,
  account: { nonce: 1n, balance: 0n, codeHash: code.hash },
}));

function createTable(): TableWriter {
  const table = TableWriter.create({ versionsKept: 8, blocksKept: 8, olderBytes: 64 * 1024 });
  table.publish(diffOf(blockOf(0), { accounts: [sender, ...accounts], codes: codes.map(({ code }) => code) }));
  return table;
}

interface Options {
  readonly worker?: URL;
  readonly share?: number;
  readonly mode?: KernelMode;
  readonly fork?: string;
}

const RIGHT = workerFileUrl('estimator');
const WRONG = new URL('./fixtures/wrong-estimator.js', import.meta.url);

async function start({ worker = RIGHT, share = 1, mode = 'on', fork = 'prague' }: Options = {}) {
  const counters = new KernelCounters();
  const reported: KernelMismatch[] = [];
  const failures: string[] = [];
  const workerData = (takesLong: boolean): EstimatorData => ({
    chain: chainAt(fork),
    dataDir: null,
    kernel: { mode, counters: counters.buffer },
    estimateMode: 'same',
    takesLong,
  });
  const onMismatch = (mismatch: KernelMismatch): number => reported.push(mismatch);
  const pool = await WorkerPool.start(
    { workers: 1, workerFile: worker, workerData },
    {
      pinOn: ({ buffer }) => new TableReader(buffer).acquirePin(),
      onFailure: ({ message }) => failures.push(message),
      sampler: new ShadowSampler(share, { counters, onMismatch }),
    },
  );
  after(() => pool.close());
  const table = createTable();
  pool.setTable(table);
  const run = (to: string, more: Partial<Job> = {}): Promise<JobOutcome> =>
    pool.submit(job({ from: SENDER, to }, { position: AT, ...more }))!;
  const settled = (): number => counters.count('checks') + counters.count('skipped');
  const checked = (least: number): Promise<void> => until(() => settled() >= least);
  return { pool, counters, reported, failures, ask: run, settled, checked, askChecked: runChecked };

  /** Repeats the request until a result is checked: the first checks are slow and may be aborted. */
  async function runChecked(to: string, more: Partial<Job> = {}): Promise<JobOutcome> {
    const before = counters.count('checks');
    return eventually(async () => {
      const seen = settled();
      const outcome = await run(to, more);
      await checked(seen + 1);
      return counters.count('checks') > before ? outcome : undefined;
    }, 'a check that is not given up');
  }
}

const gas = (amount: bigint): JobOutcome => ({ kind: 'gas', gas: amount });

test('a kernel that is wrong by one gas is found, counted, reported and not used for that code again', async () => {
  const { counters, reported, failures, askChecked: runChecked } = await start({ worker: WRONG });
  assert.deepEqual(await runChecked(STORE), gas(STORE_GAS + 1n));
  assert.equal(counters.count('mismatches'), 1);
  assert.equal(counters.denylisted, 1);
  assert.deepEqual(await runChecked(STORE), gas(STORE_GAS), 'the reference answers for this code now');
  assert.equal(counters.count('mismatches'), 1);
  assert.deepEqual(await runChecked(OTHER_STORE), gas(OTHER_STORE_GAS + 1n), 'other code still runs on the kernel');
  assert.equal(reported.length, 2);
  assert.deepEqual(failures, []);
});

test('a reported mismatch can be reproduced', async () => {
  const { reported, askChecked: runChecked } = await start({ worker: WRONG });
  await runChecked(STORE);
  const [{ asked, codeHash, kernel, reference }] = reported as [KernelMismatch];
  const { job: hex, ...rest } = asked as { job: string; kind: string; position: JobReadPosition };
  assert.deepEqual(rest, { kind: 'estimate', position: AT });
  assert.deepEqual(unpackJob(new ByteReader(fromHex(hex))), job({ from: SENDER, to: STORE }, { position: AT }));
  assert.equal(codeHash, toHex(keccak256(fromHex(CODES[STORE]))));
  assert.deepEqual(
    [kernel, reference],
    [
      { kind: 'gas', gas: String(STORE_GAS + 1n) },
      { kind: 'gas', gas: String(STORE_GAS) },
    ],
  );
});

test('overridden code is denylisted by its own hash', async () => {
  const { counters, askChecked: runChecked } = await start({ worker: WRONG });
  const code = fromHex('0x60016000550000');
  const stateOverride = [{ address: fromHex(STORE), code }];
  assert.deepEqual(await runChecked(STORE, { stateOverride }), gas(STORE_GAS + 1n));
  assert.ok(counters.isDenylisted(keccak256(code)));
  assert.ok(!counters.isDenylisted(keccak256(fromHex(CODES[STORE]))));
});

test('init code is denylisted by its own hash', async () => {
  const { counters, askChecked: runChecked } = await start({ worker: WRONG });
  const data = fromHex(CODES[STORE]);
  const { call } = job({ from: SENDER, data });
  const wrong = await runChecked(STORE, { call });
  assert.ok(counters.isDenylisted(keccak256(data)));
  const right = await runChecked(STORE, { call });
  assert.ok(wrong.kind === 'gas' && right.kind === 'gas');
  assert.equal(wrong.gas, right.gas + 1n);
});

test('a correct kernel passes every check, whatever the outcome', async () => {
  const { counters, reported, askChecked: runChecked } = await start();
  const bad = { stateOverride: [{ address: fromHex(STORE), code: fromHex('0xfe') }] };
  const reverts = { stateOverride: [{ address: fromHex(STORE), code: fromHex('0x60206000fd') }] };
  const changes: readonly Partial<Job>[] = [{}, { kind: 'call' }, bad, reverts, { ...reverts, kind: 'call' }];
  for (const more of changes) await runChecked(STORE, more);
  assert.deepEqual(reported, []);
  assert.equal(counters.count('mismatches'), 0);
  assert.equal(counters.count('checks'), changes.length);
  assert.equal(counters.count('executions'), changes.length + counters.count('skipped'));
});

test('the same share of the results is sampled every time', async () => {
  const { ask: run, settled, checked } = await start({ share: 0.25 });
  for (let round = 1; round <= 12; round++) {
    await run(STORE);
    await checked(Math.floor(round / 4));
  }
  assert.equal(settled(), 3);
});

test('long executions and timeouts are not checked', async () => {
  const { counters, ask: run, askChecked: runChecked, settled } = await start();
  const outcome = await run(LONG);
  assert.ok(outcome.kind === 'gas' && outcome.gas > LIMITS.kernelCheckGasMax);
  assert.deepEqual([counters.count('checks'), counters.count('skipped')], [0, 1]);
  await run(LOOP, { kind: 'call', timeoutMs: 20, gasCap: 1n << 60n });
  assert.equal(settled(), 1);
  assert.deepEqual(await runChecked(STORE), gas(STORE_GAS));
});

test('a check that takes too long is cancelled', async () => {
  const { counters, ask: run, checked } = await start();
  assert.equal((await run(LOOP, { kind: 'call', gasCap: 20_000_000n })).kind, 'failure');
  await checked(1);
  assert.equal(counters.count('checks'), 0);
});

test('a job whose version is no longer kept is not checked', async () => {
  const { pool, counters, ask: run, checked } = await start();
  const running = run(STORE);
  // The table has been replaced by the time of the result.
  pool.setTable(createTable());
  assert.deepEqual(await running, gas(STORE_GAS));
  await checked(1);
  assert.equal(counters.count('checks'), 0);
});

test('fallbacks to the reference are counted by reason', async () => {
  const { counters, ask: run } = await start({ share: 0 });
  const sha256 = fromHex('0x0000000000000000000000000000000000000002');
  const moved = { address: sha256, movePrecompileToAddress: fromHex(`0x${'77'.repeat(20)}`) };
  await run(STORE, { stateOverride: [moved] });
  await run(STORE, { blockOverride: { gasLimit: 1n << 70n }, gasCap: 1n << 65n });
  counters.denylist(keccak256(fromHex(CODES[STORE])));
  await run(STORE);
  const { bounds, denylisted, ...rest } = Object.fromEntries(counters.fallbacks());
  assert.deepEqual(rest, { fork: 0, 'moved-precompile': 1, full: 0, trap: 0, memory: 0 });
  assert.ok(bounds! >= 1 && denylisted! >= 1);
});

test('forks the kernel does not support are executed by the reference', async () => {
  const { counters, ask: run } = await start({ share: 0, fork: 'berlin' });
  assert.deepEqual(await run(STORE), gas(STORE_GAS));
  assert.ok(counters.count('fork') > 0);
  assert.equal(counters.count('fork'), counters.count('executions'));
});

test('with the kernel off, the reference executes', async () => {
  const off = await start({ share: 0, mode: 'off' });
  assert.deepEqual(await off.ask(STORE), gas(STORE_GAS));
  assert.equal(off.counters.count('executions'), 0);
});

function watchedResult(timeUs: number): JobOutcome {
  const text = `{"totalExecutionTimeUs":${timeUs},"results":[{"gasUsed":21000,"executionTimeUs":${timeUs}}]}`;
  return { kind: 'json', text };
}

test('different execution times of the two engines are no mismatch', () => {
  const counters = new KernelCounters();
  const sampler = new ShadowSampler(1, { counters, onMismatch: () => assert.fail('they do not differ') });
  const writer = new ByteWriter(1024);
  packReferenceResult({ outcome: watchedResult(1234), codeHash: null }, writer);
  sampler.compare({ job: {} as AdmittedJob, outcome: watchedResult(5) }, Uint8Array.from(writer.written).buffer);
  assert.deepEqual([counters.count('checks'), counters.count('mismatches')], [1, 0]);
});
