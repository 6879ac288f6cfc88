// Random worlds of several contracts, and a message to them, on which engines are compared.
import { RLP } from '@ethereumjs/rlp';
import { keccak_256 as keccak256 } from '@noble/hashes/sha3.js';
import type { ExecutionContext, EvmMessage, PrecompileMove } from '../../../src/evm/evm-engine.js';
import { toBigInt, toBytes } from '../../../src/lib/bytes/big-endian.js';
import { blockEnv } from '../jobs.js';
import { MemoryView } from '../memory-view.js';
import { ending, initCode, randomCode } from './calls.js';
import { CodeWriter, link, type Statement } from './code.js';
import { limitProgram, type LimitProgram } from './limits.js';
import type { Fork } from './opcodes.js';
import { Random, type Seed, type Weighted } from './random.js';
import { keeperInit } from './small-codes.js';
import { attempt, watchCreated, writeActor, writeRelay } from './scenarios.js';
import { program, soup } from './statements.js';
import { lowGasProgram } from './low-gas.js';
import { randomWord, SLOTS, slotValue } from './values.js';
import type { Writing } from './writing.js';

/** An account before the message. */
export interface WorldAccount {
  readonly address: Uint8Array;
  readonly nonce: bigint;
  readonly balance: bigint;
  readonly storage: ReadonlyMap<bigint, bigint>;
  readonly code: readonly Statement[];
}

/** A message, the state before it, and its block. */
export interface World {
  readonly seed: Seed;
  readonly fork: Fork;
  readonly accounts: readonly WorldAccount[];
  readonly message: EvmMessage;
  readonly gasLimit: bigint;
  readonly context: ExecutionContext;
}

/** Creates the world of a seed. */
export function createWorld(seed: Seed): World {
  const random = new Random(seed);
  const world = ordinaryWorld(seed, random);
  const special = random.weighted(PROGRAMS)(random);
  return special === null ? world : withProgram(world, special);
}

/** Programs that need their own gas limit; mostly none. */
const PROGRAMS: Weighted<(random: Random) => LimitProgram | null> = [
  [94.2, () => null],
  [1.5, limitProgram],
  [4.3, lowGasProgram],
];

/** The world with other code in the first contract, which calls nobody, and a message to it. */
function withProgram(world: World, { code, gasLimit: limit }: LimitProgram): World {
  const [first, ...others] = world.accounts;
  return {
    ...world,
    accounts: [{ ...first!, code, nonce: 1n }, ...others],
    message: { ...world.message, to: first!.address, value: 0n },
    gasLimit: limit,
  };
}

function ordinaryWorld(seed: Seed, random: Random): World {
  const fork = random.weighted(FORK_WEIGHTS);
  const contracts = Array.from({ length: random.between(3, 8) }, (_, i) => addressOf(0xc0, i));
  const made = [contracts[0]!, contracts.at(-1)!].map((maker) => createdAt(maker, 1n));
  const people = [...made, SENDER, addressOf(0xe0, 2), addressOf(0xe0, 1), NOBODY];
  const accounts = [
    ...contracts.map((address, i) => contract(random, fork, address, calleesOf(random, contracts, i), people)),
    sender(random, contracts),
    { ...plain(addressOf(0xe0, 1)), balance: BigInt(random.pick([0, 0, 1, 2])), nonce: BigInt(random.below(2)) },
    delegated(random, addressOf(0xe0, 2), contracts),
    ...inTheWay(random, contracts),
  ];
  const writing = writingFor(random, fork, contracts, people);
  const world = {
    seed,
    fork,
    accounts: [...new Map(accounts.map((account) => [toBigInt(account.address), account])).values()],
    message: message(writing, contracts, accounts.find(({ address }) => address === SENDER)!.nonce),
    gasLimit: gasLimit(random),
    context: context(random, contracts),
  };
  return fork === 'amsterdam' ? withStateGas(world, random) : world;
}

/** More gas, since state is more expensive, and mostly a reservoir for state gas (EIP-8037). */
function withStateGas(world: World, random: Random): World {
  const most = random.pick([0, 0, 100_000, 300_000, 2_000_000]);
  return {
    ...world,
    gasLimit: world.gasLimit * BigInt(random.pick([1, 2, 5])),
    message: { ...world.message, reservoir: BigInt(random.below(most + 1)) },
    context: { ...world.context, env: { ...world.context.env, slotNumber: BigInt(random.below(2 ** 32)) } },
  };
}

/** A view that declares, by its stamp, that its contents never change. */
class StampedView extends MemoryView {
  readonly stamp = ++stamps;
}

let stamps = 0;

/** The world's state as a view; in some worlds one that engines may cache from message to message. */
export function viewOf(world: World): MemoryView {
  const view = BigInt(world.seed) % 4n === 0n ? new MemoryView() : new StampedView();
  for (const { address, code, nonce, balance, storage: slots } of world.accounts) {
    view.put(address, { nonce, balance, code: link(code) });
    for (const [slot, value] of slots) view.setSlot(address, toBytes(slot, 32), toBytes(value, 32));
  }
  return view;
}

const FORK_WEIGHTS: Weighted<Fork> = [
  [30, 'amsterdam'],
  [25, 'osaka'],
  [17, 'prague'],
  [17, 'cancun'],
  [11, 'shanghai'],
];
/** Nonces at which the encoding or the validity changes. */
const NONCES = [0x7fn, 0x80n, 0x80n, 0xffn, 0x100n, 0xffffn, 2n ** 32n, 2n ** 64n - 2n, 2n ** 64n - 1n];
const SENDER = addressOf(0x5e, 1);
const NOBODY = addressOf(0xdd, 1);
const EMPTY = new Uint8Array(0);

function addressOf(kind: number, index: number): Uint8Array {
  return new Uint8Array(20).fill(kind).fill(index + 1, 19);
}

function plain(address: Uint8Array): WorldAccount {
  return { address, nonce: 0n, balance: 0n, storage: new Map(), code: [] };
}

function writingFor(random: Random, fork: Fork, callees: Uint8Array[], people: Uint8Array[]): Writing {
  const addresses = [...callees, ...people].map(toBigInt);
  const firstMade = addresses.slice(callees.length, callees.length + 2);
  return { random, fork, code: new CodeWriter(), addresses, firstMade, depth: 0, nesting: 0 };
}

/** Mostly contracts after this one, so that call chains end; one callee may be any contract. */
function calleesOf(random: Random, contracts: Uint8Array[], index: number): Uint8Array[] {
  const behind = contracts.slice(index + 1);
  return [...behind, ...behind, ...behind, random.pick(contracts)];
}

function contract(
  random: Random,
  fork: Fork,
  address: Uint8Array,
  callees: Uint8Array[],
  people: Uint8Array[],
): WorldAccount {
  const writing = writingFor(random, fork, callees, people);
  return {
    address,
    nonce: random.chance(0.8) ? 1n : random.pick(NONCES),
    balance: BigInt(random.chance(0.35) ? 0 : random.below(20)),
    storage: storage(random),
    code: codeOf(writing),
  };
}

function codeOf(writing: Writing): readonly Statement[] {
  const { random, code } = writing;
  if (random.chance(0.04)) return [[{ kind: 'raw', bytes: randomCode(random) }]];
  if (random.chance(0.25)) {
    random.weighted(ROLES)(writing);
    return code.statements;
  }
  if (random.chance(0.08)) soup(writing, random.between(20, 100));
  // Each of these gets a frame of its own in which little else happens.
  else program(writing, random.between(1, random.chance(0.3) ? 2 : 12));
  code.begin();
  ending(writing);
  return code.statements;
}

/** Roles of a contract. */
const ROLES: Weighted<(writing: Writing) => unknown> = [
  [4, writeActor],
  [3, writeRelay],
  [4, (writing) => withAfter(writing, attempt)],
  [2, (writing) => withAfter(writing, watchCreated)],
];

/** A scenario, then a few statements, then an ending. */
function withAfter(writing: Writing, scenario: (writing: Writing) => void): void {
  const { random, code } = writing;
  code.begin();
  scenario(writing);
  program(writing, random.below(3));
  code.begin();
  ending(writing);
}

function storage(random: Random): ReadonlyMap<bigint, bigint> {
  const slots = SLOTS.filter(() => random.chance(0.4));
  return new Map(slots.map((slot) => [slot, slotValue(random)]));
}

function sender(random: Random, contracts: Uint8Array[]): WorldAccount {
  const account = { ...plain(SENDER), nonce: BigInt(random.between(1, 3)), balance: 10n ** 18n };
  return random.chance(0.1) ? { ...account, code: delegation(random.pick(contracts)) } : account;
}

/**
 * EIP-7702: an account that delegates to a contract, rarely to a precompile, to an account without code, to itself or
 * to another delegated account.
 */
function delegated(random: Random, address: Uint8Array, contracts: Uint8Array[]): WorldAccount {
  const odd = [toBytes(2n, 20), NOBODY, address, SENDER];
  const code = delegation(random.pick(random.chance(0.8) ? contracts : odd));
  return { address, nonce: 1n, balance: BigInt(random.below(4)), storage: storage(random), code };
}

function delegation(target: Uint8Array): readonly Statement[] {
  return [[{ kind: 'raw', bytes: Uint8Array.of(0xef, 0x01, 0x00, ...target) }]];
}

/** Accounts at addresses where contracts will be created, and empty accounts. */
function inTheWay(random: Random, contracts: Uint8Array[]): WorldAccount[] {
  const accounts: WorldAccount[] = [];
  for (const maker of contracts) {
    if (!random.chance(0.15)) continue;
    const place = plain(createdAt(maker, BigInt(random.between(1, 2))));
    const stop: readonly Statement[] = [[{ kind: 'raw', bytes: Uint8Array.of(0) }]];
    const kinds = [{ balance: 5n }, { nonce: 1n }, { code: stop }, { storage: storage(random) }, {}];
    accounts.push({ ...place, ...random.pick(kinds) });
  }
  if (random.chance(0.6)) accounts.push(plain(NOBODY));
  // Not RIPEMD-160: the library counts it as touched if it received value in a failed frame, go-ethereum does not.
  if (random.chance(0.1)) accounts.push(plain(toBytes(random.pick([1n, 2n, 4n, 5n, 6n, 9n]), 20)));
  return accounts;
}

function createdAt(maker: Uint8Array, nonce: bigint): Uint8Array {
  return keccak256(RLP.encode([maker, nonce])).subarray(12);
}

function message(writing: Writing, contracts: Uint8Array[], nonce: bigint): EvmMessage {
  const { random } = writing;
  const to = random.weighted<() => Uint8Array | null>([
    [80, () => contracts[0]!],
    [6, () => addressOf(0xe0, 2)],
    [8, () => null],
    [1, () => NOBODY],
    [2, () => toBytes(BigInt(random.between(1, 10)), 20)],
    [3, () => random.pick([...contracts, SENDER])],
  ])();
  return {
    caller: SENDER,
    to,
    // Transaction validation guarantees that the sender can pay for a creation.
    value: random.chance(0.5) ? 0n : random.chance(0.97) || to === null ? BigInt(random.below(5)) : 10n ** 18n + 1n,
    data:
      to === null
        ? notRefused(random.chance(0.4) ? keeperInit(random) : initCode(writing))
        : random.bytes(random.chance(0.3) ? 0 : random.below(100)),
    gasPrice: random.chance(0.5) ? 0n : BigInt(random.below(100)),
    blobVersionedHashes: Array.from({ length: random.below(4) }, () => Uint8Array.of(1, ...random.bytes(31))),
    accessList: accessList(
      random,
      contracts,
      to === null ? createdAt(SENDER, nonce - 1n) : createdAt(contracts[0]!, 1n),
    ),
    warm: random.chance(0.2) ? [random.pick(contracts), addressOf(0xe0, 2)] : [],
  };
}

function notRefused(init: Uint8Array): Uint8Array {
  return init.length > 49_152 ? EMPTY : init;
}

/** Includes slots of contracts that the message may create. */
function accessList(random: Random, contracts: Uint8Array[], made: Uint8Array): EvmMessage['accessList'] {
  if (random.chance(0.6)) return [];
  return Array.from({ length: random.between(1, 4) }, () => ({
    address: random.chance(0.35) ? made : random.pick([...contracts, NOBODY, toBytes(3n, 20)]),
    slots: Array.from({ length: random.below(4) }, () =>
      toBytes(random.pick(SLOTS.slice(0, random.pick([2, SLOTS.length]))), 32),
    ),
  }));
}

function gasLimit(random: Random): bigint {
  const [low, high] = random.weighted<readonly [number, number]>([
    [5, [0, 3000]],
    [12, [0, 50_000]],
    [30, [50_000, 200_000]],
    [50, [200_000, 900_000]],
    [3, [900_000, 2_000_000]],
  ]);
  return BigInt(random.between(low, high));
}

function context(random: Random, contracts: Uint8Array[]): ExecutionContext {
  const number = random.pick([7, 100, 256, 257, 300, 10_000]);
  const env = blockEnv({
    number,
    coinbase: random.chance(0.8) ? new Uint8Array(20).fill(0xcb) : random.pick([SENDER, NOBODY, ...contracts]),
    prevRandao: random.bytes(32),
    baseFeePerGas: BigInt(random.below(100)),
    timestamp: random.chance(0.9) ? 1_700_000_000n : BigInt(random.below(2 ** 31)) * 8_589_934_591n,
  });
  return {
    env,
    blobBaseFee: randomWord(random) >> BigInt(random.pick([0, 128, 250])),
    precompileMoves: moves(random),
    blockHash: (of) => (of % 5 === 0 ? null : keccak256(toBytes(BigInt(of), 32))),
    deadline: Infinity,
  };
}

function moves(random: Random): PrecompileMove[] {
  if (random.chance(0.96)) return [];
  return [{ from: toBytes(BigInt(random.between(1, 9)), 20), to: random.chance(0.5) ? null : addressOf(0xdd, 9) }];
}
