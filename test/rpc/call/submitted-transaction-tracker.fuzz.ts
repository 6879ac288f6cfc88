// The tracker of submitted transactions in random histories, compared with a plain model: which transactions count,
// whose nonces are overridden, and how much memory is used. Seeded.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UsageLedger } from '../../../src/fairness/usage-ledger.js';
import { TotalAndClientLimit } from '../../../src/fairness/total-and-client-limit.js';
import { latin1Key } from '../../../src/lib/bytes/latin1-key.js';
import { LIMITS } from '../../../src/limits/index.js';
import { SubmittedTransactionTracker } from '../../../src/rpc/call/submitted-transaction-tracker.js';
import type { SubmittedRawTransaction } from '../../../src/rpc/call/submitted-nonces.js';
import { fromHex } from '../../../src/lib/bytes/hex.js';
import { devWallet, signed } from '../../feed/keys.js';
import { Random } from '../../support/programs/random.js';

const SEEDS = 60;
const STEPS = 300;
const SENDERS = 3;
const NONCES = 6;
const CLIENTS = ['a', 'b'];
/** Longer than a transaction must be tracked. */
const STEP_MS = LIMITS.ownSendMsMin;

/** A transaction of the model. */
interface Known {
  readonly raw: Uint8Array;
  readonly hash: Uint8Array;
  readonly sender: number;
  readonly nonce: bigint;
  /** Block since which it counts; `sent`: the node has not responded yet; `null`: not tracked. */
  since: number | 'sent' | null;
}

const WALLETS = Array.from({ length: SENDERS }, (_, sender) => devWallet(sender));
const ADDRESSES = WALLETS.map(({ address }) => fromHex(address));
/** Two transactions for each sender and nonce. */
const RAW = WALLETS.map((wallet) =>
  Array.from({ length: NONCES }, (_, nonce) => [signed(wallet, { nonce }), signed(wallet, { nonce, value: 1n })]),
);
const weightOf = ({ raw }: Pick<SubmittedRawTransaction, 'raw'>): number => LIMITS.ownSendOverheadBytes + raw.length;

class Life {
  readonly random: Random;
  readonly ledger = new UsageLedger();
  readonly tracker: SubmittedTransactionTracker;
  readonly known = new Map<string, Known>();
  /** Submitted, and not answered yet. */
  readonly open: SubmittedRawTransaction[] = [];
  nowMs = 0;
  head = 10;

  constructor(seed: number) {
    this.random = new Random(seed);
    const shares = new TotalAndClientLimit(this.ledger, 'sendBytes', Infinity, Infinity);
    this.tracker = new SubmittedTransactionTracker(shares, () => this.nowMs);
  }

  step(): void {
    const { random, tracker } = this;
    this.nowMs += STEP_MS;
    switch (random.below(7)) {
      case 0:
      case 1:
      case 2:
        return this.#submit();
      case 3:
      case 4: {
        const [submitted] = this.open.splice(random.below(this.open.length || 1), 1);
        if (submitted === undefined) return;
        const known = this.known.get(latin1Key(submitted.hash))!;
        if (random.below(4) === 0) {
          tracker.refuse(submitted);
          if (known.since === 'sent') known.since = null;
          return;
        }
        tracker.accept(submitted, this.head);
        if (known.since !== null) this.#count(known, this.head);
        return;
      }
      case 5: {
        const included = [...this.known.values()].filter(() => random.below(4) === 0);
        this.head += random.below(2);
        tracker.include(
          this.head,
          included.map(({ raw, hash, sender }) => ({ raw, hash, from: ADDRESSES[sender]! })),
          0,
        );
        for (const each of included) this.#count(each, this.head);
        return;
      }
      default:
        return random.below(2) === 0 ? this.#goBack() : this.#age();
    }
  }

  /** Submits one of the two transactions of this sender and nonce. */
  #submit(): void {
    const { random, tracker } = this;
    const [sender, nonce] = [random.below(SENDERS), random.below(NONCES)];
    const raw = random.pick(RAW[sender]![nonce]!);
    const submitted = tracker.submit(raw, random.pick(CLIENTS))!;
    tracker.sign(submitted, ADDRESSES[sender]!, BigInt(nonce));
    const key = latin1Key(submitted.hash);
    const known = this.known.get(key);
    if (known === undefined)
      this.known.set(key, { raw, hash: submitted.hash, sender, nonce: BigInt(nonce), since: 'sent' });
    else known.since ??= 'sent';
    this.open.push(submitted);
  }

  /** Of several with the same nonce, this is the one that counts; one that is not tracked displaces the others. */
  #count(counted: Known, block: number): void {
    const { sender, nonce, since } = counted;
    for (const each of this.#counted()) if (each.sender === sender && each.nonce === nonce) each.since = null;
    counted.since = since === null ? null : block;
  }

  #counted(): Known[] {
    return [...this.known.values()].filter(({ since }) => typeof since === 'number');
  }

  #goBack(): void {
    this.head -= this.random.below(3);
    this.tracker.goBack(this.head);
    for (const each of this.#counted()) each.since = Math.min(Number(each.since), this.head);
  }

  #age(): void {
    this.head += this.random.below(4);
    this.tracker.age(this.head);
    for (const each of this.#counted())
      if (this.head - Number(each.since) >= LIMITS.ownSendBlocksMax) each.since = null;
  }

  check(): void {
    const { tracker, ledger } = this;
    const counted = this.#counted();
    const bytes = [...counted, ...this.open].reduce((sum, each) => sum + weightOf(each), 0);
    assert.equal(tracker.size, counted.length);
    assert.equal(ledger.total('sendBytes'), bytes);
    assert.equal(tracker.guarded.size, new Set(counted.map(({ sender }) => sender)).size);
    for (let sender = 0; sender < SENDERS; sender++) {
      const nonces = new Set(counted.filter((each) => each.sender === sender).map(({ nonce }) => nonce));
      for (let from = 0n; from < NONCES; from++) {
        let next = from;
        while (nonces.has(next)) next++;
        assert.equal(tracker.next(ADDRESSES[sender]!, from), next);
        assert.equal(tracker.at(ADDRESSES[sender]!, from) !== null, nonces.has(from));
      }
    }
  }
}

test('what counts, is overridden and takes memory follows from what was accepted, included and has expired', () => {
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
