// Senders recovered by the pool equal those recovered by this thread, whatever happens to the pool's threads.
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { createChainRules } from '../../src/evm/reference/fork-rules.js';
import { recoverSender, type RecoveredSender } from '../../src/transaction/recover-sender.js';
import { PrivateKeySigner } from '../../src/transaction/ethereumjs-transaction.js';
import { DEV_CHAIN } from '../../src/feed/dev/genesis.js';
import { PATIENCE_MS } from '../support/patience.js';
import { SenderRecoveryBatch } from '../../src/pool/sender-recovery-batch.js';
import { byThreads, countKnown } from './senders/by-threads.js';
import { SenderRecoveryPool, type SenderRecoveryPoolOptions } from '../../src/pool/sender-recovery-pool.js';

const WORKER = new URL('../../workers/sender-recovery.js', import.meta.url);
const FRAIL = new URL('./senders/fixtures/frail-senders.js', import.meta.url);
const DEADLY = Uint8Array.of(1);
const ENDLESS = Uint8Array.of(2);

const RULES = createChainRules(DEV_CHAIN).at(1, 0);
const SIGNER = new PrivateKeySigner(new Uint8Array(32).fill(3));
const to = new Uint8Array(20).fill(5);
const FEES = { tipCap: 1n, feeCap: 10n, gasLimit: 21_000n };

const transactions = Array.from({ length: 25 }, (_, at) =>
  SIGNER.sign({ ...FEES, nonce: BigInt(at), to, value: 1n, data: new Uint8Array(at) }, RULES).serialize(),
);
const senders = transactions.map((raw) => recoverSender(raw));

/** Sender of each transaction. */
function recovered(raws: readonly Uint8Array[]): (RecoveredSender | null)[] {
  const batch = pool.recover(raws);
  return raws.map((_, index) => batch.at(index));
}

let pool: SenderRecoveryPool;
afterEach(() => pool.close());

function start(options: Partial<SenderRecoveryPoolOptions> = {}): void {
  pool = new SenderRecoveryPool({ workerFile: WORKER, answerMsMax: PATIENCE_MS, ...options });
}

test('senders come in order, null where there is none', () => {
  start();
  assert.ok(senders.every((sender) => sender !== null));
  assert.deepEqual(recovered(transactions), senders);
  assert.deepEqual(recovered([]), []);
  const mixed = [Uint8Array.of(0x7e, 0xc0), ...transactions.slice(0, 4), new Uint8Array(0)];
  assert.deepEqual(recovered(mixed), [null, ...senders.slice(0, 4), null]);
  assert.ok(transactions[0]!.length > 100, 'the question is a copy');
});

test('threads recover the senders of a batch while main does other things', async () => {
  start();
  const batch = pool.recover(transactions);
  assert.ok(await byThreads(batch, transactions.length));
  assert.deepEqual(
    transactions.map((_, index) => batch.at(index)),
    senders,
  );
});

test('reading a sender does not wait for the threads', () => {
  start({ threads: 1, answerMsMax: PATIENCE_MS });
  // No thread learns of them before this event-loop tick ends.
  assert.deepEqual(recovered(transactions), senders);
  const batch = pool.recover(transactions);
  assert.deepEqual(batch.at(24), senders[24]);
  assert.deepEqual(batch.at(0), senders[0]);
});

test('a sender claimed by a thread but not recovered yet is recovered by the reader', () => {
  const batch = SenderRecoveryBatch.of(transactions);
  const claimed = new Int32Array(batch.task.buffer, 0, transactions.length + 1);
  claimed[transactions.length] = transactions.length;
  assert.deepEqual(batch.at(7), senders[7]);
  assert.equal(countKnown(batch), 1);
});

test('a thread that dies is replaced, and the reader recovers its senders', async () => {
  start({ workerFile: FRAIL, threads: 1 });
  const deadly = pool.recover([DEADLY]);
  assert.ok(await byThreads(pool.recover(transactions), transactions.length));
  assert.equal(deadly.at(0), null);
  assert.deepEqual(recovered(transactions), senders);
});

test('a thread that hangs is replaced', async () => {
  start({ workerFile: FRAIL, threads: 1, answerMsMax: 300 });
  const endless = pool.recover([ENDLESS]);
  while (!(await byThreads(pool.recover(transactions), transactions.length, 1000)));
  assert.equal(endless.at(0), null);
});

test('a pool with enough tasks queued gives its threads no more', async () => {
  start({ threads: 1, tasksMax: 2 });
  const batches = Array.from({ length: 20 }, () => pool.recover(transactions));
  for (const batch of batches.slice(0, 2)) assert.ok(await byThreads(batch, transactions.length));
  assert.ok(batches.slice(2).every((batch) => countKnown(batch) === 0));
  for (const batch of batches) assert.deepEqual(batch.at(3), senders[3]);
});

test('a closed pool still answers: the reader recovers the senders', async () => {
  start();
  const jobs = pool.recover(transactions);
  await pool.close();
  assert.deepEqual(
    transactions.map((_, index) => jobs.at(index)),
    senders,
  );
  assert.deepEqual(recovered(transactions), senders);
});
