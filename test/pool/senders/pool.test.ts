// Senders recovered on other threads are those that this thread finds, whatever happens to the others. Runs on main.
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { createRules } from '../../../src/evm/ethereumjs/fork-rules.js';
import { senderOf, type Sender } from '../../../src/transaction/sender.js';
import { Signer } from '../../../src/transaction/library.js';
import { DEV_CHAIN } from '../../../src/feed/dev/genesis.js';
import { PATIENCE_MS } from '../../support/patience.js';
import { SenderPool, type SenderPoolOptions } from '../../../src/pool/senders/pool.js';

const WORKER = new URL('../../../workers/senders.js', import.meta.url);
const FRAIL = new URL('./fixtures/frail-senders.js', import.meta.url);
const DEADLY = Uint8Array.of(1);
const ENDLESS = Uint8Array.of(2);

const RULES = createRules(DEV_CHAIN).at(1, 0);
const SIGNER = new Signer(new Uint8Array(32).fill(3));
const to = new Uint8Array(20).fill(5);
const FEES = { tipCap: 1n, feeCap: 10n, gasLimit: 21_000n };

const transactions = Array.from({ length: 25 }, (_, at) =>
  SIGNER.sign({ ...FEES, nonce: BigInt(at), to, value: 1n, data: new Uint8Array(at) }, RULES).serialize(),
);
const senders = transactions.map((raw) => senderOf(raw));

/** What has become of each. */
async function recovered(raws: readonly Uint8Array[]): Promise<(Sender | null | undefined)[]> {
  const recovery = pool.recover(raws);
  await Promise.all(raws.map((_, index) => recovery.arrival(index)));
  return raws.map((_, index) => recovery.at(index));
}

let pool: SenderPool;
afterEach(() => pool.close());

function start(options: Partial<SenderPoolOptions> = {}): void {
  pool = new SenderPool({ workerFile: WORKER, answerMsMax: PATIENCE_MS, ...options });
}

test('senders come in order, null where there is none', async () => {
  start();
  assert.ok(senders.every((sender) => sender !== null));
  assert.deepEqual(await recovered(transactions), senders);
  assert.deepEqual(await recovered([]), []);
  const mixed = [Uint8Array.of(0x7e, 0xc0), ...transactions.slice(0, 4), new Uint8Array(0)];
  assert.deepEqual(await recovered(mixed), [null, ...senders.slice(0, 4), null]);
  assert.ok(transactions[0]!.length > 100, 'the question is a copy');
});

test('a thread that dies leaves its share unanswered, and another one takes its place', async () => {
  start({ workerFile: FRAIL, threads: 1 });
  assert.deepEqual(await recovered([DEADLY]), [null]);
  assert.deepEqual(await recovered(transactions), senders);
});

test('a thread that hangs is replaced', async () => {
  start({ workerFile: FRAIL, threads: 1, answerMsMax: 300 });
  await recovered(transactions);
  assert.deepEqual(await recovered([ENDLESS]), [null]);
  const answers = await recovered(transactions);
  assert.equal(answers.length, transactions.length);
});

test('questions beyond the bound are not answered', async () => {
  start({ threads: 1, tasksMax: 2 });
  const answers = await Promise.all(Array.from({ length: 20 }, () => recovered(transactions)));
  const refused = answers.filter(([sender]) => sender === null);
  assert.equal(refused.length, 18);
  for (const answer of answers.slice(0, 2)) assert.deepEqual(answer, senders);
});

test('questions are settled when the pool is closed, and not answered after that', async () => {
  start();
  const asked = recovered(transactions);
  await pool.close();
  assert.equal((await asked).length, transactions.length);
  assert.ok((await recovered(transactions)).every((sender) => sender === null));
});
