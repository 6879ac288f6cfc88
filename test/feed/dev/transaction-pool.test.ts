// Rejections that depend on accounts, with their messages; the order of execution; what leaves the pool and when.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { TransactionPool, type PoolTransaction } from '../../../src/feed/dev/transaction-pool.js';
import { LIMITS } from '../../../src/limits/index.js';

const GWEI = 10n ** 9n;
const RICH = { nonce: 0n, balance: 10n ** 24n };
const ALL = 10n ** 12n;
let hashes = 0;

interface Fields {
  readonly sender?: number;
  readonly nonce?: number;
  readonly feeCap?: bigint;
  readonly tipCap?: bigint;
  readonly cost?: bigint;
  readonly gasLimit?: bigint;
}

function transaction(fields: Fields = {}): PoolTransaction {
  const { sender = 1, nonce = 0, feeCap = 10n * GWEI, tipCap = GWEI, cost = 1000n, gasLimit = 21_000n } = fields;
  const hash = new Uint8Array(32);
  new DataView(hash.buffer).setUint32(0, hashes++);
  return { raw: hash, hash, from: address(sender), nonce: BigInt(nonce), feeCap, tipCap, cost, gasLimit };
}

function address(sender: number): Uint8Array {
  const bytes = new Uint8Array(20);
  new DataView(bytes.buffer).setUint32(0, sender);
  return bytes;
}

const senderOf = (from: Uint8Array): number => new DataView(from.buffer, from.byteOffset).getUint32(0);

/** Takes everything that is executable, as the dev chain does. */
function drain(
  pool: TransactionPool<PoolTransaction>,
  baseFee = GWEI,
  nonces = new Map<number, bigint>(),
): PoolTransaction[] {
  const selection = pool.select(baseFee, 0, (from) => nonces.get(senderOf(from)) ?? 0n);
  const executable: PoolTransaction[] = [];
  for (let next = selection.next(ALL); next !== null; next = selection.next(ALL)) {
    executable.push(next);
    selection.included(next);
  }
  return executable;
}

const order = (executable: readonly PoolTransaction[]): string[] =>
  executable.map(({ from, nonce }) => `${senderOf(from)}:${nonce}`);

void describe('refusals', () => {
  void it('a transaction that is already known is refused', () => {
    const pool = new TransactionPool();
    const known = transaction();
    assert.equal(pool.add(known, RICH, 0), null);
    assert.equal(pool.add(known, RICH, 0), 'already known');
  });

  void it('a transaction whose nonce is too low is refused', () =>
    assert.equal(
      new TransactionPool().add(transaction({ nonce: 4 }), { ...RICH, nonce: 5n }, 0),
      'nonce too low: next nonce 5, tx nonce 4',
    ));

  void it('a fee cap below the minimum base fee is refused', () => {
    const pool = new TransactionPool();
    assert.equal(
      pool.add(transaction({ feeCap: 6n, tipCap: 0n }), RICH, 0),
      'transaction underpriced: gas fee cap 6, minimum needed 7',
    );
    assert.equal(pool.add(transaction({ feeCap: 7n, tipCap: 0n }), RICH, 0), null);
  });

  void it('a replacement must offer a tenth more of both fees', () => {
    const pool = new TransactionPool();
    pool.add(transaction({ feeCap: 1000n, tipCap: 100n }), RICH, 0);
    for (const [feeCap, tipCap] of [
      [1099n, 110n],
      [1100n, 109n],
      [1000n, 100n],
      [5000n, 100n],
    ] as const)
      assert.equal(pool.add(transaction({ feeCap, tipCap }), RICH, 0), 'replacement transaction underpriced');
    const better = transaction({ feeCap: 1100n, tipCap: 110n });
    assert.equal(pool.add(better, RICH, 0), null);
    assert.equal(pool.size, 1);
    assert.deepEqual(drain(pool, 7n), [better]);
  });

  void it('a transaction that is being executed cannot be replaced', () => {
    const pool = new TransactionPool();
    pool.add(transaction({ nonce: 0 }), RICH, 0);
    drain(pool);
    assert.equal(
      pool.add(transaction({ nonce: 0, feeCap: 100n * GWEI, tipCap: 100n * GWEI }), RICH, 0),
      'nonce too low: next nonce 1, tx nonce 0',
    );
    assert.equal(pool.add(transaction({ nonce: 1 }), RICH, 0), null);
  });

  void it('the balance must cover a transaction', () =>
    assert.equal(
      new TransactionPool().add(transaction({ cost: 101n }), { nonce: 0n, balance: 100n }, 0),
      'insufficient funds for gas * price + value: balance 100, tx cost 101, overshot 1',
    ));

  void it('the balance must cover all pending transactions of a sender', () => {
    const pool = new TransactionPool();
    const state = { nonce: 0n, balance: 100n };
    assert.equal(pool.add(transaction({ nonce: 0, cost: 60n }), state, 0), null);
    const poor = 'insufficient funds for gas * price + value: balance 100, queued cost 60,';
    assert.equal(pool.add(transaction({ nonce: 1, cost: 41n }), state, 0), `${poor} tx cost 41, overshot 1`);
    assert.equal(pool.add(transaction({ nonce: 1, cost: 40n }), state, 0), null);
    const bump = { feeCap: 20n * GWEI, tipCap: 2n * GWEI };
    assert.equal(
      pool.add(transaction({ nonce: 1, cost: 45n, ...bump }), state, 0),
      'insufficient funds for gas * price + value: balance 100, queued cost 100, tx bumped 5, overshot 5',
    );
    assert.equal(pool.add(transaction({ nonce: 1, cost: 30n, ...bump }), state, 0), null);
    assert.equal(pool.add(transaction({ nonce: 2, cost: 10n }), state, 0), null);
    assert.equal(
      pool.add(transaction({ sender: 2, cost: 100n }), state, 0),
      null,
      'another sender has its own balance',
    );
  });

  void it('the pool is bounded per sender and in all', () => {
    const pool = new TransactionPool();
    const perSender = LIMITS.poolTransactionsPerSenderMax;
    for (let i = 0; i < LIMITS.poolTransactionsMax; i++) {
      const fields = { sender: Math.floor(i / perSender), nonce: i % perSender };
      assert.equal(pool.add(transaction(fields), RICH, 0), null);
    }
    assert.equal(
      pool.add(transaction({ sender: 0, nonce: perSender }), RICH, 0),
      `account limit exceeded: pooled ${perSender} txs`,
    );
    assert.equal(pool.add(transaction({ sender: 1000 }), RICH, 0), 'txpool is full');
    const bump = { feeCap: 20n * GWEI, tipCap: 2n * GWEI };
    assert.equal(pool.add(transaction({ sender: 0, nonce: 0, ...bump }), RICH, 0), null, 'a replacement takes no room');
    assert.equal(pool.size, LIMITS.poolTransactionsMax);
    assert.equal(drain(pool).length, LIMITS.poolTransactionsMax);
  });
});

void describe('order', () => {
  void it('transactions are ordered by tip, within a sender by nonce, and by arrival when equal', () => {
    const pool = new TransactionPool();
    const add = (sender: number, nonce: number, tip: bigint): void =>
      assert.equal(pool.add(transaction({ sender, nonce, tipCap: tip * GWEI }), RICH, 0), null);
    add(1, 0, 1n);
    add(1, 1, 9n);
    add(2, 0, 3n);
    add(3, 0, 3n);
    add(2, 1, 2n);
    assert.deepEqual(order(drain(pool)), ['2:0', '3:0', '2:1', '1:0', '1:1']);
  });

  void it('the tip counts as far as the fee cap leaves it above the base fee', () => {
    const pool = new TransactionPool();
    pool.add(transaction({ sender: 1, feeCap: 5n * GWEI, tipCap: 5n * GWEI }), RICH, 0);
    pool.add(transaction({ sender: 2, feeCap: 10n * GWEI, tipCap: 2n * GWEI }), RICH, 0);
    assert.deepEqual(order(drain(pool, 4n * GWEI)), ['2:0', '1:0']);
  });

  void it('a transaction with a fee cap below the base fee waits, and so do the following ones of its sender', () => {
    const pool = new TransactionPool();
    pool.add(transaction({ nonce: 0, feeCap: 2n * GWEI }), RICH, 0);
    pool.add(transaction({ nonce: 1 }), RICH, 0);
    assert.deepEqual(drain(pool, 3n * GWEI), []);
    assert.deepEqual(order(drain(pool, 2n * GWEI)), ['1:0', '1:1']);
  });

  void it('a transaction that does not fit waits, while those of others are executed', () => {
    const pool = new TransactionPool();
    pool.add(transaction({ sender: 1, nonce: 0, gasLimit: 100_000n, tipCap: 5n * GWEI }), RICH, 0);
    pool.add(transaction({ sender: 1, nonce: 1 }), RICH, 0);
    pool.add(transaction({ sender: 2 }), RICH, 0);
    const selection = pool.select(GWEI, 0, () => 0n);
    const fits = selection.next(50_000n);
    assert.deepEqual(order(fits === null ? [] : [fits]), ['2:0']);
    assert.equal(selection.next(29_000n), null);
    pool.settle(fits === null ? [] : [fits]);
    assert.deepEqual(order(drain(pool)), ['1:0', '1:1']);
  });

  void it('nonces that arrive in any order are executed in order, without a gap', () => {
    const burst = fc
      .array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 4 })
      .map((counts) =>
        counts.flatMap((count, sender) => Array.from({ length: count }, (_, nonce) => ({ sender, nonce }))),
      )
      .chain((all) =>
        fc.tuple(fc.shuffledSubarray(all, { minLength: all.length }), fc.array(fc.nat(), { maxLength: 5 })),
      );
    const property = fc.property(burst, ([arrivals, cuts]) => {
      const pool = new TransactionPool();
      const nonces = new Map<number, bigint>();
      arrivals.forEach((fields, i) => {
        assert.equal(
          pool.add(
            transaction({ ...fields, tipCap: BigInt(i % 7) }),
            { ...RICH, nonce: nonces.get(fields.sender) ?? 0n },
            0,
          ),
          null,
        );
        if (cuts.some((cut) => cut % arrivals.length === i)) execute(pool, nonces);
      });
      execute(pool, nonces);
      assert.equal(pool.size, 0);
      for (const { sender, nonce } of arrivals) assert.ok((nonces.get(sender) ?? 0n) > BigInt(nonce));
    });
    fc.assert(property, { numRuns: 200, seed: 7 });
  });
});

/** Executes everything executable and asserts that every nonce is the next one. */
function execute(pool: TransactionPool<PoolTransaction>, nonces: Map<number, bigint>): void {
  const executable = drain(pool, GWEI, nonces);
  for (const { from, nonce } of executable) {
    assert.equal(nonce, nonces.get(senderOf(from)) ?? 0n);
    nonces.set(senderOf(from), nonce + 1n);
  }
  pool.settle(executable);
}

void describe('leaving the pool', () => {
  void it('an executed transaction leaves when its increment is published, not before', () => {
    const pool = new TransactionPool();
    const first = transaction();
    pool.add(first, RICH, 0);
    const executable = drain(pool);
    assert.equal(pool.add(first, RICH, 0), 'already known');
    pool.settle(executable);
    assert.equal(pool.size, 0);
    assert.equal(pool.add(first, { ...RICH, nonce: 1n }, 0), 'nonce too low: next nonce 1, tx nonce 0');
  });

  void it('a transaction whose nonce was used elsewhere leaves the pool', () => {
    const pool = new TransactionPool();
    pool.add(transaction({ nonce: 0 }), RICH, 0);
    pool.add(transaction({ nonce: 1 }), RICH, 0);
    assert.deepEqual(order(drain(pool, GWEI, new Map([[1, 1n]]))), ['1:1']);
    assert.equal(pool.size, 1);
  });

  void it('a transaction that waited too long leaves the pool', () => {
    const pool = new TransactionPool();
    pool.add(transaction({ nonce: 3 }), RICH, 0);
    pool.select(GWEI, LIMITS.poolWaitMsMax, () => 0n);
    assert.equal(pool.size, 1);
    pool.select(GWEI, LIMITS.poolWaitMsMax + 1, () => 0n);
    assert.equal(pool.size, 0);
    assert.equal(pool.add(transaction({ cost: RICH.balance }), RICH, 0), null, 'its cost is free again');
  });

  void it('the pool knows the next free nonce', () => {
    const pool = new TransactionPool();
    for (const nonce of [5, 6, 8]) pool.add(transaction({ nonce }), RICH, 0);
    assert.equal(pool.nextNonce(address(1), 5n), 7n);
    assert.equal(pool.nextNonce(address(1), 4n), 4n);
    assert.equal(pool.nextNonce(address(2), 3n), 3n);
  });
});
