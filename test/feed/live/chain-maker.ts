// Builds small chains with branches: blocks executed one after the other, each with the whole state after it.
import { BlockExecutor } from '../../../src/execution/block/block-executor.js';
import { decodeHeader, encodeHeader, blockEnvOfHeader, type Header } from '../../../src/chain/block/header.js';
import {
  TransactionExecutor,
  type TransactionExecutorDeps,
} from '../../../src/execution/block/transaction-executor.js';
import { createChainRules, type ChainRules } from '../../../src/evm/reference/fork-rules.js';
import { PrivateKeySigner } from '../../../src/transaction/ethereumjs-transaction.js';
import { keccak256 } from '../../../src/lib/bytes/keccak-wasm.js';
import { nextBlockEnv } from '../../../src/feed/dev/block-timing.js';
import { FlashblockEncoder } from '../../../src/feed/dev/flashblock-encoder.js';
import { DevShreds, notification } from '../../support/dev-shreds.js';
import { DEV_CHAIN, TRAFFIC_ACCOUNTS, devGenesisBlock, trafficKey } from '../../../src/feed/dev/genesis.js';
import { LIMITS } from '../../../src/limits/index.js';
import { toBytes } from '../../../src/lib/bytes/big-endian.js';
import { fromHex } from '../../../src/lib/bytes/hex.js';
import type { CompleteBlock, ExecutedTransaction } from '../../../src/state/complete-block.js';
import { ChangeSet } from '../../../src/state/merge-state-changes.js';
import type { StateDiff } from '../../../src/state/state-diff.js';
import { NO_STATE_CHANGES, type StateChanges } from '../../../src/state/state-diff.js';
import type { AccountState, StateView } from '../../../src/state/views/state-view.js';
import { MemoryView } from '../../support/memory-view.js';
import type { NodeBlock } from '../../support/upstream-node.js';
import { assemble } from '../../support/assembler.js';
import { EXECUTOR } from '../../support/engine.js';

/** SSTORE(word 0, word 1) of the call data. */
export const WRITER = fromHex('0x00000000000000000000000000000000000000aa');
/** Reads ten slots, from word 0 of the call data on, and writes their sum into the next slot. */
export const READER = fromHex('0x00000000000000000000000000000000000000bb');
/** Calls READER with its own call data. */
export const CALLER = fromHex('0x00000000000000000000000000000000000000cc');
/** Creates (CREATE2, salt: word 0 of the call data) an account without code whose slot 0 is 7. */
export const FACTORY = fromHex('0x00000000000000000000000000000000000000dd');
/**
 * Reads the slot in word 0 of the call data, then the slot whose number is the value there, and so on for STEPS slots.
 */
export const WALKER = fromHex('0x00000000000000000000000000000000000000ee');
export const STEPS = 20;
/** Does the same for DEEP_STEPS slots: more than one execution of a transaction may fetch. */
export const DEEP_WALKER = fromHex('0x00000000000000000000000000000000000000ff');
export const DEEP_STEPS = LIMITS.missRoundsMax + 40;
/**
 * Calls the address in word 0 of the call data with the data after word 1, until less gas is left than word 1 says.
 * Slot 0 counts the successful calls.
 */
export const REPEATER = fromHex('0x00000000000000000000000000000000000000ab');
/** Logs word 0 of the call data as a topic. */
export const LOGGER = fromHex('0x00000000000000000000000000000000000000ac');
/** Writes the hash of the block in word 0 of the call data into slot 0. */
export const HASHER = fromHex('0x00000000000000000000000000000000000000ad');
/**
 * With two words of call data: reads the slot in word 1, then the slot whose number is the value there, and so on for
 * STEPS slots, and writes the last value into slot 0. With one word: reads that slot if slot 0 is not zero.
 */
export const GATE = fromHex('0x00000000000000000000000000000000000000ae');
export const ACCOUNTS = TRAFFIC_ACCOUNTS;
export const RULES: ChainRules = createChainRules(DEV_CHAIN);

const READS = 10;
const readerCode = `5f${Array.from({ length: READS }, (_, i) => `5f3560${toHexByte(i)}015401`).join('')}5f35600a0155`;
const callerCode = `365f5f375f5f365f5f73${'00'.repeat(19)}bb5af1`;

const INIT_CODE = fromHex('60075f5500');
const factoryCode = '0x6460075f55005f525f356005601b5ff500';

/** EIP-1014: the address that FACTORY creates with this salt. */
export function created(salt: bigint): Uint8Array {
  const parts = [Uint8Array.of(0xff), FACTORY, toBytes(salt, 32), keccak256(INIT_CODE)];
  return keccak256(new Uint8Array(Buffer.concat(parts))).slice(12);
}

const repeaterCode = assemble(
  'PUSH 64; CALLDATASIZE; SUB; DUP1; PUSH 64; PUSH 0; CALLDATACOPY; PUSH 0',
  'LABEL again; PUSH 0; PUSH 0; DUP4; PUSH 0; PUSH 0; CALLDATALOAD; GAS; STATICCALL; ADD',
  'PUSH 32; CALLDATALOAD; GAS; GT; REF again; JUMPI; PUSH 0; SSTORE; STOP',
);

const gateCode = assemble(
  'PUSH 32; CALLDATASIZE; GT; REF walk; JUMPI; PUSH 0; SLOAD; REF open; JUMPI; STOP',
  'LABEL open; PUSH 0; CALLDATALOAD; SLOAD; STOP',
  `LABEL walk; PUSH 32; CALLDATALOAD; ${'SLOAD; '.repeat(STEPS)} PUSH 0; SSTORE; STOP`,
);

const walkerCode = (steps: number): string => `0x5f35${'54'.repeat(steps)}00`;

function toHexByte(value: number): string {
  return value.toString(16).padStart(2, '0');
}

export interface MadeBlock extends NodeBlock {
  readonly number: number;
  readonly hash: Uint8Array;
  readonly block: CompleteBlock;
  readonly env: StateDiff['env'];
  readonly parent: MadeBlock | null;
}

/** One transaction: sender, recipient and call data. */
export interface Action {
  readonly from: number;
  readonly to: Uint8Array;
  readonly words: readonly bigint[];
  /** Call data after the words. */
  readonly data?: Uint8Array;
  readonly value?: bigint;
  /** Default: a million. */
  readonly gasLimit?: bigint;
}

/** A transaction that writes into a slot of WRITER. */
export function write(slot: bigint | number, value: bigint | number, from = 0): Action {
  return { from, to: WRITER, words: [BigInt(slot), BigInt(value)] };
}

/** The state after a block: its changes on top of the state before. */
export class LayeredView implements StateView {
  readonly #below: StateView;
  readonly #layer = new MemoryView();
  readonly #accounts = new Set<string>();
  readonly #slots = new Set<string>();
  readonly #codes = new Set<string>();
  readonly #number: number;
  readonly #hash: Uint8Array;

  constructor(below: StateView, fill: StateChanges, number: number, hash: Uint8Array) {
    this.#below = below;
    this.#number = number;
    this.#hash = hash;
    this.#layer.apply(fill);
    for (const { address } of fill.accounts) this.#accounts.add(key(address));
    for (const { address, slot } of fill.slots) this.#slots.add(key(address) + key(slot));
    for (const { hash: code } of fill.codes) this.#codes.add(key(code));
  }

  account(address: Uint8Array): AccountState | null {
    return (this.#accounts.has(key(address)) ? this.#layer : this.#below).account(address);
  }

  storage(address: Uint8Array, slot: Uint8Array): Uint8Array {
    return (this.#slots.has(key(address) + key(slot)) ? this.#layer : this.#below).storage(address, slot);
  }

  code(hash: Uint8Array): Uint8Array {
    return (this.#codes.has(key(hash)) ? this.#layer : this.#below).code(hash);
  }

  blockHash(number: number): Uint8Array | null {
    return number === this.#number ? this.#hash : this.#below.blockHash(number);
  }
}

function genesisState(): MemoryView {
  const state = new MemoryView();
  for (const address of ACCOUNTS) state.put(address, { balance: 10n ** 24n });
  state.put(WRITER, { nonce: 1n, code: '0x6020355f355500' });
  state.put(READER, { nonce: 1n, code: `0x${readerCode}` });
  state.put(CALLER, { nonce: 1n, code: `0x${callerCode}` });
  state.put(WALKER, { nonce: 1n, code: walkerCode(STEPS) });
  for (let i = 0n; i < 6000n; i++) state.setSlot(WALKER, toBytes(i, 32), toBytes(i + 1n, 32));
  state.put(DEEP_WALKER, { nonce: 1n, code: walkerCode(DEEP_STEPS) });
  for (let i = 0n; i < 1000n; i++) state.setSlot(DEEP_WALKER, toBytes(i, 32), toBytes(i + 1n, 32));
  state.put(GATE, { nonce: 1n, code: gateCode });
  for (let i = 100n; i < 200n; i++) state.setSlot(GATE, toBytes(i, 32), toBytes(i + 1n, 32));
  state.put(LOGGER, { nonce: 1n, code: '0x5f355f5fa100' });
  state.put(HASHER, { nonce: 1n, code: '0x5f35405f55' });
  state.put(REPEATER, { nonce: 1n, code: repeaterCode });
  state.put(FACTORY, { nonce: 1n, code: factoryCode });
  for (let i = 0n; i < 2000n; i += 3n) state.setSlot(READER, toBytes(i, 32), toBytes(i + 1n, 32));
  return state;
}

/** Built once; each genesis block gets a copy. */
const STATE = genesisState();

/** Block 0 of every chain, and its state. */
export function genesis(): MadeBlock {
  const state = new MemoryView(STATE);
  const { block, header } = devGenesisBlock(new Uint8Array(32), 1_700_000_000);
  state.setBlockHash(0, block.hash);
  const hash = block.hash;
  return {
    ...block,
    header: encodeHeader(header),
    state,
    number: 0,
    hash,
    block,
    env: blockEnvOfHeader(header),
    parent: null,
  };
}

/** Builds a block on `parent` with these transactions. `salt` distinguishes blocks with the same transactions. */
export async function makeBlock(
  parent: MadeBlock,
  actions: readonly Action[],
  salt = 0,
  executor = EXECUTOR,
  rules = RULES,
): Promise<MadeBlock> {
  return (await makeInIncrements(parent, actions, actions.length, salt, executor, rules)).made;
}

/** A block, and the state and changes after each of its increments. */
export interface Increments {
  readonly made: MadeBlock;
  readonly states: readonly StateView[];
  readonly cuts: readonly StateChanges[];
}

/** Builds a block with increment 0, which has no transactions, and further increments of `size` transactions. */
export async function makeInIncrements(
  parent: MadeBlock,
  actions: readonly Action[],
  size: number,
  salt = 0,
  how = EXECUTOR,
  rules = RULES,
): Promise<Increments> {
  const parentHeader = decodeHeader(parent.header);
  const env = nextBlockEnv(parent.hash, parentHeader, Number(parentHeader.timestamp) + 2, rules);
  const executor = executorOf(how, parent.state, rules);
  const plan = { env, parentHash: parent.hash, extraData: Uint8Array.of(salt), withdrawals: [], work: null };
  const blockExecutor = await BlockExecutor.open(plan, { executor, view: parent.state, trie: null });
  const nonces = new Map<number, bigint>();
  const changes = new ChangeSet();
  const states: StateView[] = [];
  const cuts: StateChanges[] = [];
  const cut = (): void => {
    cuts.push(blockExecutor.cut());
    changes.add(cuts.at(-1)!);
    states.push(new LayeredView(parent.state, changes.all(), -1, parent.hash));
  };
  cut();
  for (const [index, action] of actions.entries()) {
    const nonce = nonces.get(action.from) ?? parent.state.account(ACCOUNTS[action.from]!)!.nonce;
    nonces.set(action.from, nonce + 1n);
    const applied = await blockExecutor.apply(sign(action, nonce, env.baseFeePerGas, blockExecutor));
    if (applied.kind === 'refused') throw new Error(applied.message);
    if ((index + 1) % size === 0 || index + 1 === actions.length) cut();
  }
  const sealed = await blockExecutor.seal();
  changes.add(sealed.changes);
  const { block } = sealed;
  const state = new LayeredView(parent.state, changes.all(), block.number, block.hash);
  return { made: { ...block, block, state, env, parent }, states, cuts };
}

/** Builds blocks one after the other. */
export async function makeChain(
  parent: MadeBlock,
  blocks: readonly (readonly Action[])[],
  salt = 0,
): Promise<MadeBlock[]> {
  const made: MadeBlock[] = [];
  for (const actions of blocks) made.push(await makeBlock(made.at(-1) ?? parent, actions, salt));
  return made;
}

/**
 * Shreds of a block that was built in increments of `size`, as a RISE node publishes them. `isWhole`: including the
 * block's own changes.
 */
export function shredsOf({ made, states, cuts }: Increments, size: number, isWhole = true): string[] {
  const shreds = new DevShreds();
  const { parentHash } = decodeHeader(made.header);
  return cuts.map((cut, index) => {
    const transactions = index === 0 ? [] : made.block.transactions.slice((index - 1) * size, index * size);
    const coordinates = { block: made.number, index, hash: null, parentHash };
    const heads = { latest: made.number - 1, safe: null, finalized: null };
    const changes = index === 0 && !isWhole ? NO_STATE_CHANGES : cut;
    const before = index === 0 ? made.parent!.state : states[index - 1]!;
    return notification('0x1', shreds.shred({ coordinates, env: made.env, heads, ...changes }, transactions, before));
  });
}

/** The block with some header fields changed. */
export function altered(made: MadeBlock, change: Partial<Header>): MadeBlock {
  const header = encodeHeader({ ...decodeHeader(made.header), ...change });
  const hash = keccak256(header);
  return { ...made, header, hash, block: { ...made.block, header, hash } };
}

/** The feed messages of this block, with `size` transactions per increment; index 0 has none. */
export function framesOf(made: MadeBlock, size: number): string[] {
  const frames = new FlashblockEncoder(decodeHeader(made.header).extraData);
  const { parentHash } = decodeHeader(made.header);
  const groups: ExecutedTransaction[][] = [[]];
  for (let at = 0; at < made.block.transactions.length; at += size)
    groups.push(made.block.transactions.slice(at, at + size));
  return groups.map((transactions, index) => {
    const coordinates = { block: made.number, index, hash: null, parentHash };
    const heads = { latest: made.number - 1, safe: null, finalized: null };
    return frames.message({ coordinates, env: made.env, heads, accounts: [], slots: [], codes: [] }, transactions);
  });
}

/**
 * Shared by all blocks, which are built one at a time: allocating an engine's memory takes longer than building a
 * block.
 */
const executors = new Map<ChainRules, Map<TransactionExecutorDeps, TransactionExecutor>>();

function executorOf(how: TransactionExecutorDeps, view: StateView, rules: ChainRules): TransactionExecutor {
  const ofRules = executors.get(rules) ?? new Map<TransactionExecutorDeps, TransactionExecutor>();
  const known = ofRules.get(how) ?? new TransactionExecutor(rules, view, how);
  executors.set(rules, ofRules.set(how, known));
  return known;
}

function sign(
  { from, to, words, data: more = new Uint8Array(0), value, gasLimit = 1_000_000n }: Action,
  nonce: bigint,
  baseFee: bigint,
  { rules }: BlockExecutor,
): Uint8Array {
  const data = Buffer.concat([...words.map((word) => toBytes(word, 32)), more]);
  const fees = { nonce, tipCap: 10n ** 9n, feeCap: 2n * baseFee + 10n ** 9n, gasLimit };
  return signerOf(from)
    .sign({ ...fees, to, value: value ?? 0n, data: new Uint8Array(data) }, rules)
    .serialize();
}

const signers = new Map<number, PrivateKeySigner>();

function signerOf(index: number): PrivateKeySigner {
  const known = signers.get(index) ?? new PrivateKeySigner(trafficKey(index));
  signers.set(index, known);
  return known;
}

function key(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1');
}
