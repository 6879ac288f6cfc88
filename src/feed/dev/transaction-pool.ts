// The dev chain's transaction pool: the waiting transactions, the order in which they are executed, and the refusals
// that depend on the state (with go-ethereum's messages).
import { LIMITS } from '../../limits/index.js';
import { toHex } from '../../lib/bytes/hex.js';
import type { AccountState } from '../../state/views/state-view.js';
import type { SignedTransaction } from '../../transaction/signed-transaction.js';

/** A transaction that has passed every check that needs no state. Its fees are in wei per gas. */
export interface PoolTransaction extends Pick<
  SignedTransaction,
  'raw' | 'hash' | 'from' | 'nonce' | 'gasLimit' | 'feeCap' | 'tipCap'
> {
  /** The most that the sender can lose in wei: gas limit x fee cap + blob gas x blob fee cap + value. */
  readonly cost: bigint;
}

/** The sender's account in the pending state, by which a new transaction is checked. */
export type PoolSenderAccount = Pick<AccountState, 'nonce' | 'balance'>;

/**
 * The lowest accepted fee cap. EIP-1559's base fee falls by at most an eighth per block, which rounds to zero below 8
 * wei. So it never falls below 7 wei, and a transaction with a lower cap could never be executed.
 */
const FEE_CAP_MIN = 7n;
/** By how many percent a replacement must raise both fees; 10 % is go-ethereum's default. */
const BUMP_PERCENT = 10n;

interface Entry<T extends PoolTransaction> {
  readonly transaction: T;
  readonly arrival: number;
  readonly addedMs: number;
  /** True from the start of the transaction's execution until its result is published. */
  executing: boolean;
  /** True if the transaction's last execution failed because a fee was too low or the nonce too high. */
  isUnfit: boolean;
}

interface Queue<T extends PoolTransaction> {
  readonly from: Uint8Array;
  readonly entries: Map<bigint, Entry<T>>;
  /** Sum of the costs of the sender's waiting transactions in wei. */
  cost: bigint;
}

/**
 * The waiting transactions: one queue per sender, sorted by nonce. An accepted transaction stays until it was executed
 * (`settle`) or replaced, can no longer be executed, or has waited for `LIMITS.poolWaitMsMax`.
 */
export class TransactionPool<T extends PoolTransaction> {
  readonly #queues = new Map<string, Queue<T>>();
  readonly #byHash = new Map<string, T>();
  #arrivals = 0;

  /** Number of waiting transactions. */
  get size(): number {
    return this.#byHash.size;
  }

  /** Returns the waiting transaction with this hash (32 bytes), or `null`. */
  get(hash: Uint8Array): T | null {
    return this.#byHash.get(toHex(hash)) ?? null;
  }

  /** Returns the waiting transaction of a sender with this nonce, or `null`. */
  at(from: Uint8Array, nonce: bigint): T | null {
    return this.#queues.get(toHex(from))?.entries.get(nonce)?.transaction ?? null;
  }

  /** Adds a transaction, or returns the reason why it is refused. */
  add(transaction: T, sender: PoolSenderAccount, nowMs: number): string | null {
    const key = toHex(transaction.from);
    const queue = this.#queues.get(key) ?? { from: transaction.from, entries: new Map(), cost: 0n };
    const refusal = this.#refusal(transaction, sender, queue);
    if (refusal !== null) return refusal;
    this.#forget(queue, queue.entries.get(transaction.nonce));
    const entry = { transaction, arrival: this.#arrivals++, addedMs: nowMs, executing: false, isUnfit: false };
    queue.entries.set(transaction.nonce, entry);
    queue.cost += transaction.cost;
    this.#queues.set(key, queue);
    this.#byHash.set(toHex(transaction.hash), transaction);
    return null;
  }

  /** Returns the first nonce of `from` that is used neither in the state nor by a waiting transaction. */
  nextNonce(from: Uint8Array, stateNonce: bigint): bigint {
    const entries = this.#queues.get(toHex(from))?.entries;
    let nonce = stateNonce;
    while (entries?.has(nonce)) nonce++;
    return nonce;
  }

  /**
   * Selects the transactions that can be executed now at this base fee, best first. `nonceOf` reads the state on which
   * the execution starts. Transactions whose nonce is already used, and those that have waited too long, are dropped.
   */
  select(baseFee: bigint, nowMs: number, nonceOf: (address: Uint8Array) => bigint): TransactionsByTip<T> {
    const next = new Map<Queue<T>, bigint>();
    for (const queue of this.#queues.values()) {
      const nonce = nonceOf(queue.from);
      this.#dropDead(queue, nonce, nowMs);
      if (queue.entries.has(nonce)) next.set(queue, nonce);
    }
    return new TransactionsByTip(next, baseFee);
  }

  /** Removes transactions that were executed or can never be executed. Called after the increment was published. */
  settle(transactions: Iterable<T>): void {
    for (const transaction of transactions) {
      const queue = this.#queues.get(toHex(transaction.from));
      const entry = queue?.entries.get(transaction.nonce);
      if (queue !== undefined && entry?.transaction === transaction) this.#forget(queue, entry);
    }
  }

  clear(): void {
    this.#queues.clear();
    this.#byHash.clear();
  }

  /**
   * Releases a selected transaction that could not be executed: it waits again. If `isUnfit`, it waits for its fee or
   * nonce to become valid, otherwise for space in a block.
   */
  release(transaction: T, isUnfit: boolean): void {
    const entry = this.#queues.get(toHex(transaction.from))?.entries.get(transaction.nonce);
    if (entry?.transaction !== transaction) return;
    entry.executing = false;
    entry.isUnfit = isUnfit;
  }

  /**
   * Returns a function that returns true for a transaction that waits only for space in a block. That is so if this
   * transaction and all earlier ones of its sender have valid nonces and fees.
   */
  ready(baseFee: bigint, nonceOf: (address: Uint8Array) => bigint): (transaction: T) => boolean {
    const ends = new Map<Queue<T>, bigint>();
    return ({ from, nonce, hash }) => {
      const queue = this.#queues.get(toHex(from));
      if (queue === undefined || this.get(hash) === null) return false;
      const end = ends.get(queue) ?? unfitNonce(queue, nonceOf(from), baseFee);
      ends.set(queue, end);
      return nonce < end;
    };
  }

  #refusal(transaction: T, sender: PoolSenderAccount, queue: Queue<T>): string | null {
    if (this.get(transaction.hash) !== null) return 'already known';
    if (transaction.feeCap < FEE_CAP_MIN)
      return `transaction underpriced: gas fee cap ${transaction.feeCap}, minimum needed ${FEE_CAP_MIN}`;
    const old = queue.entries.get(transaction.nonce);
    const nonce = old?.executing ? transaction.nonce + 1n : sender.nonce;
    if (transaction.nonce < nonce) return `nonce too low: next nonce ${nonce}, tx nonce ${transaction.nonce}`;
    const poor = insufficientFunds(transaction, sender.balance, queue.cost, old?.transaction.cost ?? null);
    if (poor !== null) return `insufficient funds for gas * price + value: ${poor}`;
    if (old !== undefined) return outbids(transaction, old.transaction) ? null : 'replacement transaction underpriced';
    if (queue.entries.size >= LIMITS.poolTransactionsPerSenderMax)
      return `account limit exceeded: pooled ${queue.entries.size} txs`;
    return this.size >= LIMITS.poolTransactionsMax ? 'txpool is full' : null;
  }

  #dropDead(queue: Queue<T>, nonce: bigint, nowMs: number): void {
    for (const entry of queue.entries.values()) {
      const old = nowMs - entry.addedMs > LIMITS.poolWaitMsMax;
      if (entry.transaction.nonce < nonce || old) this.#forget(queue, entry);
    }
  }

  #forget(queue: Queue<T>, entry: Entry<T> | undefined): void {
    if (entry === undefined) return;
    queue.entries.delete(entry.transaction.nonce);
    queue.cost -= entry.transaction.cost;
    this.#byHash.delete(toHex(entry.transaction.hash));
    if (queue.entries.size === 0) this.#queues.delete(toHex(queue.from));
  }
}

/** The next transaction of one sender, and the tip (wei per gas) that the fee recipient would earn by it. */
interface Candidate<T extends PoolTransaction> {
  readonly queue: Queue<T>;
  readonly entry: Entry<T>;
  readonly tip: bigint;
}

/**
 * One selection of executable transactions. They are sorted by nonce within a sender, and between senders by the tip
 * that the block earns, then by arrival. A transaction that enters the pool meanwhile is still selected if the
 * transaction with the nonce before it is selected later.
 */
export class TransactionsByTip<T extends PoolTransaction> {
  readonly #baseFee: bigint;
  /** Sorted so that the worst candidate is first and the best one can be removed by `pop`. */
  readonly #ready: Candidate<T>[] = [];
  #last: Queue<T> | null = null;

  constructor(next: ReadonlyMap<Queue<T>, bigint>, baseFee: bigint) {
    this.#baseFee = baseFee;
    for (const [queue, nonce] of next) {
      const candidate = this.#candidate(queue, nonce);
      if (candidate !== null) this.#ready.push(candidate);
    }
    this.#ready.sort(worseFirst);
  }

  /**
   * Returns the best transaction whose gas limit is at most `gasLeft`. If a sender's next transaction does not fit,
   * that sender waits for the next selection.
   */
  next(gasLeft: bigint): T | null {
    for (let best = this.#ready.pop(); best !== undefined; best = this.#ready.pop()) {
      const { entry, queue } = best;
      if (entry.transaction.gasLimit > gasLeft) continue;
      entry.executing = true;
      entry.isUnfit = false;
      this.#last = queue;
      return entry.transaction;
    }
    return null;
  }

  /**
   * Called when `transaction`, which `next` has returned, was added to the block: its sender's next one becomes a
   * candidate.
   */
  included(transaction: T): void {
    const next = this.#last === null ? null : this.#candidate(this.#last, transaction.nonce + 1n);
    if (next === null) return;
    let at = this.#ready.length;
    while (at > 0 && worseFirst(this.#ready[at - 1]!, next) > 0) at--;
    this.#ready.splice(at, 0, next);
  }

  #candidate(queue: Queue<T>, nonce: bigint): Candidate<T> | null {
    const entry = queue.entries.get(nonce);
    if (entry === undefined || entry.transaction.feeCap < this.#baseFee) return null;
    const { feeCap, tipCap } = entry.transaction;
    const tipMax = feeCap - this.#baseFee;
    return { queue, entry, tip: tipCap < tipMax ? tipCap : tipMax };
  }
}

/**
 * Returns the first nonce, starting at `nonce`, whose transaction is missing or cannot be executed at this base fee.
 */
function unfitNonce<T extends PoolTransaction>({ entries }: Queue<T>, nonce: bigint, baseFee: bigint): bigint {
  for (let next = nonce; ; next++) {
    const entry = entries.get(next);
    if (entry === undefined || entry.isUnfit || entry.transaction.feeCap < baseFee) return next;
  }
}

function worseFirst<T extends PoolTransaction>(a: Candidate<T>, b: Candidate<T>): number {
  if (a.tip !== b.tip) return a.tip < b.tip ? -1 : 1;
  return b.entry.arrival - a.entry.arrival;
}

function outbids(offer: PoolTransaction, old: PoolTransaction): boolean {
  return (
    offer.feeCap >= leastBid(old.feeCap) &&
    offer.tipCap >= leastBid(old.tipCap) &&
    offer.feeCap > old.feeCap &&
    offer.tipCap > old.tipCap
  );
}

function leastBid(fee: bigint): bigint {
  return (fee * (100n + BUMP_PERCENT)) / 100n;
}

/** Returns the error if the balance does not cover this transaction and all waiting ones of the same sender. */
function insufficientFunds(
  { cost }: PoolTransaction,
  balance: bigint,
  queued: bigint,
  replaced: bigint | null,
): string | null {
  if (balance < cost) return `balance ${balance}, tx cost ${cost}, overshot ${cost - balance}`;
  const need = queued + cost - (replaced ?? 0n);
  if (balance >= need) return null;
  const clause = replaced === null ? `tx cost ${cost}` : `tx bumped ${cost - replaced}`;
  return `balance ${balance}, queued cost ${queued}, ${clause}, overshot ${need - balance}`;
}
