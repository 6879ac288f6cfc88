// The record of submitted transactions through random histories: what it stores, guards and counts follows from the
// status of each transaction. Seeded.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Usage } from '../../../src/fairness/usage.js';
import { Quota } from '../../../src/fairness/quota.js';
import { latin1 } from '../../../src/lib/bytes/latin1.js';
import { LIMITS } from '../../../src/limits/index.js';
import { OwnTransactions } from '../../../src/rpc/call/own-sends.js';
import type { Submitted, TransactionSubmission } from '../../../src/rpc/call/send.js';
import { addressOf, hashOf } from '../../state/diffs.js';
import { Random } from '../../support/programs/random.js';

const SEEDS = 60;
const STEPS = 300;
const SENDERS = 3;
const NONCES = 6;
const CLIENTS = ['a', 'b'];
const COVERS = new Set(['accepted', 'withdrawn', 'preconfirmed', 'confirmed']);
const ON_THE_WAY = new Set(['accepted', 'withdrawn', 'preconfirmed']);

const weightOf = ({ raw }: Submitted): number => LIMITS.ownSendOverheadBytes + raw.length;

class Life {
  readonly random: Random;
  readonly ledger = new Usage();
  readonly book: OwnTransactions;
  readonly seen = new Map<string, TransactionSubmission>();
  /** Handed in, and not answered. */
  readonly open: Submitted[] = [];
  nowMs = 0;
  head = 10;

  constructor(seed: number) {
    this.random = new Random(seed);
    const shares = new Quota(this.ledger, 'sendBytes', Infinity, Infinity);
    const stateNonce = (): bigint | null => (this.random.below(3) === 0 ? null : BigInt(this.random.below(NONCES)));
    this.book = new OwnTransactions({ shares, nowMs: () => this.nowMs, stateNonce });
  }

  step(): void {
    const { random, book } = this;
    this.nowMs += random.below(LIMITS.ownSendMsMin);
    switch (random.below(9)) {
      case 0:
      case 1:
      case 2:
        return this.#hand();
      case 3:
      case 4: {
        const [handed] = this.open.splice(random.below(this.open.length || 1), 1);
        if (handed === undefined) return;
        return random.below(4) === 0 ? book.refuse(handed) : book.accept(handed, this.head, null);
      }
      case 5:
        return book.drop(this.head + 1, random.below(3));
      case 6: {
        const isComplete = random.below(2) === 0;
        const all = [...this.seen.values()].filter(() => random.below(4) === 0);
        const own = all.map(({ raw, hash, from }) => ({ raw, hash, from }));
        if (isComplete) this.head++;
        book.include(isComplete ? this.head : this.head + 1, isComplete ? hashOf(this.head) : null, own, 0);
        return isComplete ? book.age(this.head) : undefined;
      }
      case 7:
        return random.below(2) === 0 ? book.remove(hashOf(this.head)) : book.goBack((this.head -= random.below(2)));
      default:
        return random.below(4) === 0 ? book.pass(random.below(2) === 0) : book.age((this.head += random.below(4)));
    }
  }

  /** A transaction of this sender and nonce, one of two. */
  #hand(): void {
    const { random, book } = this;
    const [sender, nonce] = [random.below(SENDERS), random.below(NONCES)];
    const raw = Uint8Array.of(0xc0, sender, nonce, random.below(2));
    const handed = book.submit(raw, random.pick(CLIENTS))!;
    book.sign(handed, addressOf(sender), BigInt(nonce));
    this.seen.set(latin1(handed.hash), book.withHash(handed.hash)!);
    this.open.push(handed);
  }

  check(): void {
    const { book, ledger } = this;
    const kept = CLIENTS.flatMap((client) => [...book.of(client)]);
    const onTheWay = kept.filter(({ fate }) => ON_THE_WAY.has(fate.kind));
    const bytes = [...onTheWay, ...this.open].reduce((sum, each) => sum + weightOf(each), 0);
    assert.equal(book.onTheWay, onTheWay.length);
    assert.equal(ledger.total('sendBytes'), bytes);
    const covering = kept.filter(({ fate }) => COVERS.has(fate.kind));
    assert.equal(book.guarded.size, new Set(covering.map(({ sender }) => sender)).size);
    for (let sender = 0; sender < SENDERS; sender++) {
      const own = covering.filter(({ from }) => latin1(from) === latin1(addressOf(sender)));
      const nonces = new Set(own.map(({ nonce }) => nonce));
      assert.equal(nonces.size, own.length, 'one counts of those with one nonce');
      for (let from = 0n; from < NONCES; from++) {
        let next = from;
        while (nonces.has(next)) next++;
        assert.equal(book.next(addressOf(sender), from), next);
        assert.equal(book.at(addressOf(sender), from), own.find(({ nonce }) => nonce === from) ?? null);
      }
    }
  }
}

test('stored, guarded and counted transactions follow from the reported statuses', () => {
  for (let seed = 0; seed < SEEDS; seed++) {
    const life = new Life(seed);
    for (let step = 0; step < STEPS; step++) {
      life.step();
      try {
        life.check();
      } catch (error) {
        throw new Error(`seed ${seed}, step ${step}`, { cause: error });
      }
    }
  }
});
