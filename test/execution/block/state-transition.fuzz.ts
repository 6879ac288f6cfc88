// Random transactions of every type in sequence: our state transition, on either engine, compared with @ethereumjs/vm's
// `runTx` in receipts, changes and the resulting block. In every other block our state is missing at first, so that
// transactions are aborted and retried a few times. Seeded: a failure names its seed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTx } from '@ethereumjs/tx';
import { createAddressFromPrivateKey } from '@ethereumjs/util';
import type { Authorization } from '../../../src/transaction/evm-job.js';
import { keccak256 } from '../../../src/lib/bytes/keccak-wasm.js';
import {
  BlockExecutor,
  type ApplyTransactionResult,
  type BlockPlan,
  type SealedBlock,
} from '../../../src/execution/block/block-executor.js';
import type { StateChanges } from '../../../src/state/state-diff.js';
import { intrinsicAndFloorGas, type IntrinsicGasInput } from '../../../src/transaction/intrinsic-gas.js';
import { KernelEngine } from '../../../src/evm/kernel/kernel-engine.js';
import {
  TransactionExecutor,
  type TransactionExecutorDeps,
} from '../../../src/execution/block/transaction-executor.js';
import { createChainRules, type ForkRules } from '../../../src/evm/reference/fork-rules.js';
import { fromHex, toHex } from '../../../src/lib/bytes/hex.js';
import { encodeRlp } from '../../../src/lib/bytes/encode-rlp.js';
import { toBytes } from '../../../src/lib/bytes/big-endian.js';
import { StateMiss } from '../../../src/state/table/read/table-reader-and-snapshot.js';
import type { StateView } from '../../../src/state/views/state-view.js';
import { jsonOf } from '../../feed/diffs/access-list-forms.js';
import { INIT_CODES, PROGRAMS } from '../../differential/programs.js';
import { assemble } from '../../support/assembler.js';
import { signedDelegation } from '../../support/authorization.js';
import { blockEnv, chainAt } from '../../support/jobs.js';
import { untilKnown } from '../until-known.js';
import { MemoryView } from '../../support/memory-view.js';
import { rounds } from '../../support/rounds.js';

const FORKS = ['london', 'paris', 'shanghai', 'cancun', 'prague', 'osaka', 'amsterdam'];
const BLOCKS = rounds(2);
const TRANSACTIONS = 40;

const ETHER = 10n ** 18n;
const GWEI = 10n ** 9n;
const at = (n: number): Uint8Array => toBytes(BigInt(n), 20);
const word = (n: number | bigint): Uint8Array => toBytes(BigInt(n), 32);
const keyOf = (n: number): Uint8Array => keccak256(Uint8Array.of(0xa0, n));

/** The last one has no account. */
const SENDERS = [0, 1, 2, 3].map(keyOf);
/** Delegating accounts: one with a history, one without. */
const AUTHORITIES = [10, 11].map(keyOf);
/** Addresses by key, cached because computing one takes milliseconds. */
const ADDRESSES = new Map([...SENDERS, ...AUTHORITIES].map((key) => [key, createAddressFromPrivateKey(key).bytes]));
const addressOf = (key: Uint8Array): Uint8Array => ADDRESSES.get(key)!;
const CONTRACTS = PROGRAMS.map((program, i) => ({ ...program, address: at(0x5000 + i) }));
const MORTAL = CONTRACTS.find(({ name }) => name === 'destroy')!;
const EMPTY = [at(0x7001), at(0x7002), at(2)];
const ABSENT = [at(0x8001), at(0x8002)];
const PRECOMPILES = [1, 2, 4, 5, 6].map(at);
const DESTROYED_AT_ONCE = ['CALLER', 'ADDRESS', 'COINBASE'].map((heir) => fromHex(assemble(heir, 'SELFDESTRUCT')));
const STORES = fromHex(assemble('PUSH 1; PUSH 1; SSTORE; PUSH 0; PUSH 1; SSTORE; PUSH 5; PUSH 0; LOG0'));
const CREATIONS = [...INIT_CODES.map((code) => fromHex(code)), ...DESTROYED_AT_ONCE, STORES];

/** The engine under test, for the other half of the blocks. */
const KERNEL: TransactionExecutorDeps = { createEngine: (rules, state) => new KernelEngine({ rules, state }) };

/** Random numbers from a seed (mulberry32). */
class Dice {
  private state: number;

  constructor(seed: number) {
    this.state = seed;
  }

  below(limit: number): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * limit);
  }

  of<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!;
  }

  chance(percent: number): boolean {
    return this.below(100) < percent;
  }

  list<T>(max: number, make: () => T): T[] {
    return Array.from({ length: this.below(max + 1) }, make);
  }
}

/** A view in which the first read of everything is a miss. */
class ColdView implements StateView {
  misses = 0;
  private readonly view: StateView;
  private readonly known = new Set<string>();

  constructor(view: StateView) {
    this.view = view;
  }

  account(address: Uint8Array): ReturnType<StateView['account']> {
    this.miss(address, null);
    return this.view.account(address);
  }

  storage(address: Uint8Array, slot: Uint8Array): Uint8Array {
    this.miss(address, slot);
    return this.view.storage(address, slot);
  }

  code(hash: Uint8Array): Uint8Array {
    return this.view.code(hash);
  }

  blockHash(number: number): Uint8Array | null {
    return this.view.blockHash(number);
  }

  private miss(address: Uint8Array, slot: Uint8Array | null): void {
    const key = toHex(address) + (slot === null ? '' : toHex(slot));
    if (this.known.has(key)) return;
    this.known.add(key);
    this.misses++;
    throw new StateMiss(address, slot);
  }
}

function startState(dice: Dice): MemoryView {
  const view = new MemoryView();
  view.setBlockHash(99, word(0xbeef));
  for (const key of SENDERS.slice(0, -1))
    view.put(addressOf(key), { nonce: BigInt(dice.below(3)), balance: 100n * ETHER });
  view.put(addressOf(AUTHORITIES[0]!), { balance: 1n });
  for (const { address, code } of CONTRACTS) {
    const storage = { '0': 1n, '1': BigInt(dice.below(2)), '2': 3n, '99': BigInt(dice.below(2)) };
    view.put(address, { nonce: 1n, balance: BigInt(dice.below(2) * 1000), code, storage });
  }
  for (const address of EMPTY) view.put(address, {});
  return view;
}

function createdBy(from: Uint8Array, nonce: bigint): Uint8Array {
  return keccak256(encodeRlp([from, nonce])).slice(12);
}

function planAt(rules: ForkRules, dice: Dice, view: MemoryView): BlockPlan {
  const { common } = rules;
  const merged = common.gteHardfork('paris');
  const sender = addressOf(SENDERS[0]!);
  const created = createdBy(sender, view.account(sender)!.nonce);
  const env = blockEnv({
    gasLimit: 10n ** 10n,
    baseFeePerGas: dice.of([0n, 7n, GWEI]),
    coinbase: dice.of([sender, MORTAL.address, EMPTY[0]!, ABSENT[0]!, created, at(0x9001)]),
    difficulty: merged ? 0n : 1000n,
    excessBlobGas: common.isActivatedEIP(4844) ? dice.of([0n, 60_000_000n]) : 0n,
  });
  const work = merged ? null : { mixHash: word(5), nonce: new Uint8Array(8), uncles: [] };
  const withdrawals = common.isActivatedEIP(4895) ? [] : null;
  return { env, parentHash: word(0xbeef), extraData: new Uint8Array(0), withdrawals, work };
}

const anyAddress = (dice: Dice): Uint8Array =>
  dice.of([
    dice.of(CONTRACTS).address,
    dice.of(CONTRACTS).address,
    dice.of(EMPTY),
    dice.of(ABSENT),
    dice.of(PRECOMPILES),
    addressOf(dice.of(SENDERS)),
    addressOf(dice.of(AUTHORITIES)),
  ]);

function argument(dice: Dice): Uint8Array {
  return dice.chance(50) ? word(dice.below(4)) : Buffer.concat([new Uint8Array(12), anyAddress(dice)]);
}

function dataFor(to: Uint8Array, dice: Dice): Uint8Array {
  const reads = CONTRACTS.find(({ address }) => address === to)?.reads;
  if (reads === 'initcode') return dice.of(CREATIONS);
  // Enough data for EIP-7623's floor to apply.
  if (dice.chance(10)) return new Uint8Array(dice.below(4000)).fill(dice.below(2));
  return Buffer.concat(dice.list(4, () => argument(dice)));
}

type Fields = Record<string, unknown>;

/** The fields of an authorization as in a transaction. */
function tuple({ chainId, address, nonce, yParity, r, s }: Authorization): Uint8Array[] {
  return [shortest(chainId), address, shortest(nonce), shortest(yParity), shortest(r), shortest(s)];
}

function shortest(value: bigint): Uint8Array {
  if (value === 0n) return new Uint8Array(0);
  const digits = value.toString(16);
  return fromHex(digits.length % 2 === 0 ? digits : `0${digits}`);
}

/** One block, built by two executors. */
class Contest {
  private readonly dice: Dice;
  private readonly rules: ForkRules;
  private readonly own: BlockExecutor;
  private readonly reference: BlockExecutor;
  private readonly state: TransactionExecutor['state'];
  readonly counts: Map<string, number>;

  constructor(parts: {
    dice: Dice;
    own: BlockExecutor;
    reference: BlockExecutor;
    state: TransactionExecutor['state'];
    counts: Map<string, number>;
  }) {
    this.dice = parts.dice;
    this.own = parts.own;
    this.reference = parts.reference;
    this.state = parts.state;
    this.counts = parts.counts;
    this.rules = parts.own.rules;
  }

  /** The first transaction creates and destroys a contract, whose address may be the fee recipient. */
  first(): Promise<void> {
    return this.round(this.signed(SENDERS[0]!, 0, null, this.dice.of(DESTROYED_AT_ONCE)));
  }

  async round(raw = this.transaction()): Promise<void> {
    const expected = await this.reference.apply(raw);
    const applied = await untilKnown(() => this.own.apply(raw));
    assert.deepEqual(applied, expected);
    assert.deepEqual(sorted(this.own.cut()), sorted(this.reference.cut()));
    this.count(applied);
  }

  async seal(): Promise<void> {
    const [own, expected] = [await untilKnown(() => this.own.seal()), await this.reference.seal()];
    assert.deepEqual(listOf(own), listOf(expected));
    assert.deepEqual(own.block, expected.block);
    assert.deepEqual(sorted(own.changes), sorted(expected.changes));
  }

  private count(applied: ApplyTransactionResult): void {
    const name =
      applied.kind === 'refused'
        ? `refused ${applied.reason}`
        : `type ${applied.transaction.receipt.type} status ${applied.transaction.receipt.status}`;
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
  }

  private transaction(): Uint8Array {
    const { dice } = this;
    const key = dice.chance(10) ? SENDERS.at(-1)! : dice.of(SENDERS.slice(0, -1));
    const type = dice.of([0, 1, 2, 3, 4].filter((each) => this.allows(each)));
    const creates = type < 3 && dice.chance(15);
    const to = creates ? null : anyAddress(dice);
    return this.signed(key, type, to, to === null ? dice.of(CREATIONS) : dataFor(to, dice));
  }

  private signed(key: Uint8Array, type: number, to: Uint8Array | null, data: Uint8Array): Uint8Array {
    const { dice, rules } = this;
    const nonce = this.nonceOf(addressOf(key)) + (dice.chance(2) ? 1n : 0n);
    const value = dice.of([0n, 0n, 1n, 1000n, ETHER]);
    const fields = { type, nonce, value, data, chainId: 1337n, ...(to === null ? {} : { to: toHex(to) }) };
    const all: Fields = { ...fields, ...this.fees(type), ...this.extras(type, key) };
    const gasLimit = this.gasLimit(all, { from: addressOf(key), to, value }, data);
    const made = { ...all, gasLimit } as unknown as Parameters<typeof createTx>[0];
    return createTx(made, { common: rules.common }).sign(key).serialize();
  }

  private allows(type: number): boolean {
    const eip = [2718, 2930, 1559, 4844, 7702][type]!;
    return this.rules.common.isActivatedEIP(eip);
  }

  private nonceOf(address: Uint8Array): bigint {
    // Taken from the reference's state: ours may not have been fetched yet.
    return this.state.accountOf(address)?.nonce ?? 0n;
  }

  private fees(type: number): Fields {
    const { dice } = this;
    const base = this.own.plan.env.baseFeePerGas;
    const tip = dice.of([0n, 0n, 1n, GWEI]);
    if (type < 2) return { gasPrice: base + tip };
    return { maxPriorityFeePerGas: tip, maxFeePerGas: base * BigInt(1 + dice.below(2)) + tip };
  }

  private extras(type: number, sender: Uint8Array): Fields {
    const { dice } = this;
    const slots = (): Uint8Array[] => dice.list(3, () => word(dice.below(4)));
    const accessList = dice.list(3, () => [anyAddress(dice), slots()]);
    const blobVersionedHashes = [1, ...dice.list(2, () => 1)].map((first, i) => toHex(word(i).fill(first, 0, 1)));
    const authorizationList = [this.authorization(sender), ...dice.list(3, () => this.authorization(sender))].map(
      tuple,
    );
    return {
      ...(type > 0 ? { accessList } : {}),
      ...(type === 3 ? { blobVersionedHashes, maxFeePerBlobGas: 10n ** 12n } : {}),
      ...(type === 4 ? { authorizationList } : {}),
    };
  }

  private authorization(sender: Uint8Array): Authorization {
    const { dice } = this;
    const key = dice.of([sender, ...SENDERS, ...AUTHORITIES]);
    const target = dice.of([anyAddress(dice), anyAddress(dice), new Uint8Array(20)]);
    const wrong = dice.chance(15) ? 1n : 0n;
    const nonce = this.nonceOf(addressOf(key)) + (key === sender ? 1n : 0n) + wrong;
    const signed = signedDelegation(toHex(target), nonce, dice.of([1337n, 1337n, 0n, 5n]), key);
    return dice.chance(5) ? { ...signed, r: 5n } : signed;
  }

  private gasLimit(
    fields: Fields,
    parties: Pick<IntrinsicGasInput, 'from' | 'to' | 'value'>,
    data: Uint8Array,
  ): bigint {
    const entries = (fields['accessList'] ?? []) as readonly (readonly [Uint8Array, Uint8Array[]])[];
    const accessList = entries.map(([address, slots]) => ({ address, slots }));
    const authorizationList = (fields['authorizationList'] ?? []) as readonly unknown[];
    const priced = { ...parties, data, accessList, authorizationList };
    const { intrinsicGas } = intrinsicAndFloorGas(priced, this.rules.common);
    const more = this.dice.of([0, 100, 3000, 30_000, 60_000, 100_000, 150_000, 300_000, 500_000]);
    return intrinsicGas + BigInt(this.dice.below(2) === 0 ? more : this.dice.below(more + 1));
  }
}

/** The access list as text, so that a difference is readable. */
function listOf({ block: { accessList } }: SealedBlock): unknown {
  return accessList === undefined ? null : jsonOf(toHex(accessList));
}

function sorted({ accounts, slots, codes }: StateChanges): unknown {
  return {
    accounts: accounts.map(({ address, account }) => [toHex(address), account]).toSorted(byText),
    slots: slots.map(({ address, slot, value }) => [toHex(address) + toHex(slot), toHex(value)]).toSorted(byText),
    codes: codes.map(({ hash, bytes }) => [toHex(hash), toHex(bytes)]).toSorted(byText),
  };
}

function byText([a]: unknown[], [b]: unknown[]): number {
  return (a as string) < (b as string) ? -1 : 1;
}

async function contest(fork: string, seed: number, counts: Map<string, number>): Promise<number> {
  const dice = new Dice(seed);
  const view = startState(dice);
  const rules = createChainRules(chainAt(fork));
  const plan = planAt(rules.at(100, 0), dice, view);
  const coldView = new ColdView(view);
  const open = (on: StateView, deps: TransactionExecutorDeps): [TransactionExecutor, () => Promise<BlockExecutor>] => {
    const executor = new TransactionExecutor(rules, on, deps);
    return [executor, () => BlockExecutor.open(plan, { executor, view: on, trie: null })];
  };
  const [, openOwn] = open(seed % 2 === 0 ? coldView : view, seed % 2 === (seed >> 1) % 2 ? {} : KERNEL);
  const [{ state }, openJudge] = open(view, { transactions: 'library' });
  const own = await untilKnown(openOwn);
  const game = new Contest({ dice, own, reference: await openJudge(), state, counts });
  await game.first();
  for (let i = 1; i < TRANSACTIONS; i++) await game.round();
  await game.seal();
  return coldView.misses;
}

for (const [index, fork] of FORKS.entries()) {
  void test(`random transactions at ${fork} have the results of the library`, async (context) => {
    const counts = new Map<string, number>();
    let misses = 0;
    for (let block = 0; block < BLOCKS; block++) {
      const seed = index * BLOCKS + block;
      try {
        misses += await contest(fork, seed, counts);
      } catch (error) {
        throw new Error(`seed ${seed}`, { cause: error });
      }
    }
    assert.ok(misses > BLOCKS * 10);
    for (const type of [0, 2]) for (const status of [0, 1]) assert.ok(counts.has(`type ${type} status ${status}`));
    context.diagnostic(
      [...counts]
        .map(([name, count]) => `${name}: ${count}`)
        .toSorted()
        .join(', '),
    );
  });
}
