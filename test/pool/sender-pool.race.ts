// A sender pool closed at random moments: while its threads load, while they recover, while one is replaced. A thread
// terminated at the wrong moment would crash the process.
import assert from 'node:assert/strict';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createChainRules } from '../../src/evm/reference/fork-rules.js';
import { DEV_CHAIN } from '../../src/feed/dev/genesis.js';
import { byThreads } from './senders/by-threads.js';
import { SenderRecoveryPool } from '../../src/pool/sender-recovery-pool.js';
import { PrivateKeySigner } from '../../src/transaction/ethereumjs-transaction.js';
import { rounds } from '../support/rounds.js';

const WORKER = new URL('../../workers/sender-recovery.js', import.meta.url);
const FRAIL = new URL('./senders/fixtures/frail-senders.js', import.meta.url);
const DEADLY = Uint8Array.of(1);
const POOLS = rounds(3);
const TRANSACTIONS = 1000;
/** Time ranges for closing while threads load, and while they recover. */
const LOADING_MS = 120;
const RECOVERING_MS = 30;

const FIELDS = { tipCap: 1n, feeCap: 10n, gasLimit: 21_000n, nonce: 0n, to: new Uint8Array(20).fill(5), value: 1n };
const signed = new PrivateKeySigner(new Uint8Array(32).fill(3)).sign(
  { ...FIELDS, data: new Uint8Array() },
  createChainRules(DEV_CHAIN).at(1, 0),
);
const transactions: readonly Uint8Array[] = Array<Uint8Array>(TRANSACTIONS).fill(signed.serialize());

test('the pool can be closed while its threads load', async () => {
  for (let at = 0; at < POOLS; at++) {
    const pool = new SenderRecoveryPool({ workerFile: WORKER });
    pool.recover(transactions);
    await sleep((at / POOLS) * LOADING_MS);
    await pool.close();
  }
});

test('the pool can be closed while its threads recover senders', async () => {
  for (let at = 0; at < POOLS; at++) {
    const pool = new SenderRecoveryPool({ workerFile: WORKER });
    assert.ok(await byThreads(pool.recover(transactions), 1));
    await sleep((at / POOLS) * RECOVERING_MS);
    await pool.close();
  }
});

test('the pool can be closed while a dead thread is replaced', async () => {
  for (let at = 0; at < POOLS; at++) {
    const pool = new SenderRecoveryPool({ workerFile: FRAIL, threads: 1 });
    pool.recover([DEADLY]);
    await sleep((at / POOLS) * LOADING_MS);
    await pool.close();
  }
});
