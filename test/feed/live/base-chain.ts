// Base after Denim as its node serves it: five blocks share a timestamp, each starts with the deposits of L1 and of
// BaseTime, and a B20 token is native code of the node. In this model it is an EVM contract whose code the node reports
// as the single byte 0xef.
import assert from 'node:assert/strict';
import { encodeHeader, type Header } from '../../../src/chain/block/header.js';
import { NATIVE_TOKEN_CODE_HASH } from '../../../src/chain/non-evm-accounts.js';
import { knownOpChainDescription } from '../../../src/chain/known-chains.js';
import { nextBaseFeeOnChain } from '../../../src/chain/base-fee.js';
import {
  BASE_TIME_ADDRESS,
  L1_ATTRIBUTES_DEPOSITOR_ADDRESS,
  L1_BLOCK_ADDRESS,
} from '../../../src/chain/op/predeploys.js';
import { createChainRules } from '../../../src/evm/reference/fork-rules.js';
import { BlockExecutor } from '../../../src/execution/block/block-executor.js';
import { TransactionExecutor } from '../../../src/execution/block/transaction-executor.js';
import { fromHex, toHex, toQuantity } from '../../../src/lib/bytes/hex.js';
import { keccak256 } from '../../../src/lib/bytes/keccak-wasm.js';
import { toBytes } from '../../../src/lib/bytes/big-endian.js';
import { PrivateKeySigner } from '../../../src/transaction/ethereumjs-transaction.js';
import type { ExecutedTransaction } from '../../../src/state/complete-block.js';
import { ChangeSet } from '../../../src/state/merge-state-changes.js';
import type { MissingKeys } from '../../../src/state/views/miss-recording-view.js';
import type { AccountState, StateView } from '../../../src/state/views/state-view.js';
import { COINBASE, depositBytes, KEY, l1BlockStorage, SENDER } from '../../execution/op/blocks.js';
import { assemble } from '../../support/assembler.js';
import { EXECUTOR } from '../../support/engine.js';
import { blockEnv } from '../../support/jobs.js';
import type { Json } from '../../support/node-json.js';
import type { NodeBlock, UpstreamNode } from '../../support/upstream-node.js';
import { WholeState } from '../diffs/whole-state.js';
import { LayeredView } from './chain-maker.js';
import { diffOf, receiptsOf } from './traced-chain.js';

const CHAIN = knownOpChainDescription(8453n)!;
export const RULES = createChainRules(CHAIN);
export const DENIM = 1_793_901_600;
const BLOCK_MS = 200;
/** Jovian's version 1, denominator 250, elasticity 6, minimum base fee 0. */
const EXTRA_DATA = fromHex(`0x01000000fa00000006${'00'.repeat(8)}`);
const RECEIVER = `0x${'bb'.repeat(20)}`;
/** SSTORE(word 0 of the call data, TIMESTAMP). */
export const NOTER = `0x${'aa'.repeat(20)}`;
/** Number of NOTER's slots. */
const NOTES = 64;
/** Transfers the caller's balance, by the amount in word 1 of the call data, to the account in word 0. */
export const TOKEN = `0xb2${'00'.repeat(9)}00${'71'.repeat(9)}`;
/** Forwards its call data to TOKEN and counts the successful calls. */
export const ROUTER = `0x${'cc'.repeat(20)}`;
const SUPPLY = 2n ** 96n;

const TOKEN_CODE = assemble(
  'PUSH 32; CALLDATALOAD; CALLER; SLOAD; SUB; CALLER; SSTORE',
  'PUSH 32; CALLDATALOAD; PUSH 0; CALLDATALOAD; SLOAD; ADD; PUSH 0; CALLDATALOAD; SSTORE',
  'PUSH 32; CALLDATALOAD; PUSH 0; MSTORE; PUSH 0; CALLDATALOAD; PUSH 32; PUSH 0; LOG1',
);
const ROUTER_CODE = assemble(
  'PUSH 64; PUSH 0; PUSH 0; CALLDATACOPY',
  `PUSH 0; PUSH 0; PUSH 64; PUSH 0; PUSH 0; PUSH ${TOKEN}; GAS; CALL`,
  'PUSH 0; SLOAD; ADD; PUSH 0; SSTORE',
);
/** Like BaseTime's contract: stores its setter's argument in slot 0. */
const BASE_TIME_CODE = assemble('PUSH 4; CALLDATALOAD; PUSH 0; SSTORE');

export interface BaseBlock extends NodeBlock {
  readonly number: number;
  readonly hash: Uint8Array;
  readonly parsed: Header;
  readonly transactions: readonly ExecutedTransaction[];
  /** The result of debug_traceBlockByHash. */
  readonly traces: Json[];
}

/** Milliseconds between Denim and a block. */
export function sinceDenimMs(number: number): number {
  return number * BLOCK_MS;
}

const ZERO = new Uint8Array(32);
const wordOf = (address: string): Uint8Array => new Uint8Array(Buffer.concat([new Uint8Array(12), fromHex(address)]));
export const ACCOUNTS = [SENDER, RECEIVER, NOTER, COINBASE, TOKEN, ROUTER, toHex(BASE_TIME_ADDRESS)].map(fromHex);
/** Everything that blocks change, except what only real L1 deposits would. */
export const KEYS: MissingKeys = {
  accounts: ACCOUNTS,
  slots: [
    ...[SENDER, RECEIVER, ROUTER].map((holder) => ({ address: fromHex(TOKEN), slot: wordOf(holder) })),
    { address: fromHex(ROUTER), slot: ZERO },
    { address: BASE_TIME_ADDRESS, slot: ZERO },
    ...Array.from({ length: NOTES }, (_, at) => ({ address: fromHex(NOTER), slot: toBytes(BigInt(at), 32) })),
  ],
};

/** A state as nodes report it, with the native token's code. */
class ReportedState implements StateView {
  private readonly inner: StateView;

  constructor(inner: StateView) {
    this.inner = inner;
  }

  account(address: Uint8Array): AccountState | null {
    const account = this.inner.account(address);
    return account !== null && toHex(address) === TOKEN ? { ...account, codeHash: NATIVE_TOKEN_CODE_HASH } : account;
  }

  code(hash: Uint8Array): Uint8Array {
    return toHex(hash) === toHex(NATIVE_TOKEN_CODE_HASH) ? Uint8Array.of(0xef) : this.inner.code(hash);
  }

  storage(address: Uint8Array, slot: Uint8Array): Uint8Array {
    return this.inner.storage(address, slot);
  }

  blockHash(): null {
    return null;
  }
}

function genesisState(): WholeState {
  const holding = Object.fromEntries([SENDER, ROUTER].map((holder) => [toHex(wordOf(holder)), toQuantity(SUPPLY)]));
  const l1 = l1BlockStorage({ scalar: 0n, constant: 0n });
  return WholeState.of({
    [SENDER]: { balance: toQuantity(10n ** 24n) },
    [NOTER]: { balance: '0', nonce: 1, code: assemble('TIMESTAMP; PUSH 0; CALLDATALOAD; SSTORE') },
    [TOKEN]: { balance: '0', nonce: 1, code: TOKEN_CODE, storage: holding },
    [ROUTER]: { balance: '0', nonce: 1, code: ROUTER_CODE },
    [toHex(BASE_TIME_ADDRESS)]: { balance: '0', nonce: 1, code: BASE_TIME_CODE },
    [toHex(L1_BLOCK_ADDRESS)]: {
      balance: '0',
      nonce: 1,
      code: assemble('STOP'),
      storage: Object.fromEntries(Object.entries(l1).map(([slot, value]) => [`0x${slot}`, toQuantity(value)])),
    },
  });
}

/** Builds one block after the other, and keeps what a node is asked for of the newest ones. */
export class BaseChain {
  readonly #state = genesisState();
  readonly #executor = new TransactionExecutor(RULES, this.#state, EXECUTOR);
  readonly #signer = new PrivateKeySigner(KEY);
  readonly #blocks = new Map<string, BaseBlock>();
  #newest: BaseBlock | null = null;

  /** Adds a block. With `hasToken`, two of its transactions reach the token, one of them through the router. */
  async next(hasToken = false): Promise<BaseBlock> {
    const parent = this.#newest;
    const number = (parent?.number ?? 0) + 1;
    const env = blockEnv({
      number,
      timestamp: BigInt(DENIM + Math.floor(sinceDenimMs(number) / 1000)),
      coinbase: fromHex(COINBASE),
      baseFeePerGas: parent === null ? 7n : nextBaseFeeOnChain(CHAIN, parent.parsed),
    });
    const parentHash = parent?.hash ?? new Uint8Array(32).fill(9);
    const plan = { env, parentHash, extraData: EXTRA_DATA, withdrawals: [], work: null };
    const parts = { executor: this.#executor, view: this.#state, trie: null };
    const blockExecutor = await BlockExecutor.open(plan, parts);
    const all = new ChangeSet();
    const traces: Json[] = [];
    let before: StateView = this.#state;
    const { nonce } = this.#state.account(fromHex(SENDER))!;
    for (const raw of this.#transactions(number, nonce, hasToken)) {
      assert.equal((await blockExecutor.apply(raw)).kind, 'applied');
      const changes = blockExecutor.cut();
      all.add(changes);
      const after = new LayeredView(before, changes, -1, parentHash);
      const result = diffOf(changes, new ReportedState(before), new ReportedState(after));
      traces.push({ txHash: toHex(keccak256(raw)), result });
      before = after;
    }
    const { block, header: parsed, changes } = await blockExecutor.seal();
    all.add(changes);
    this.#state.apply(all.all());
    const header = encodeHeader(parsed);
    const hash = keccak256(header);
    const { transactions } = block;
    const state = new ReportedState(this.#state.copy());
    this.#newest = { number, hash, parsed, header, transactions, withdrawals: [], state, traces };
    this.#blocks.set(toHex(hash), this.#newest);
    return this.#newest;
  }

  /** Drops blocks below this number, which are no longer requested. */
  forget(below: number): void {
    for (const [hash, { number }] of this.#blocks) if (number < below) this.#blocks.delete(hash);
  }

  /** Makes the node serve these blocks: receipts, traces, and the milliseconds, which are not part of the header. */
  serveOn(node: UpstreamNode): void {
    const block = (hash: unknown): BaseBlock => this.#blocks.get(String(hash))!;
    node.methods.set('debug_traceBlockByHash', ([hash]) => block(hash).traces);
    node.methods.set('eth_getBlockReceipts', ([hash]) => receiptsOf({ block: block(hash), hash: block(hash).hash }));
    node.bend = (json) => ({
      ...json,
      timestampMs: toQuantity(BigInt(DENIM) * 1000n + BigInt(sinceDenimMs(Number(json['number'])))),
    });
  }

  #transactions(number: number, first: bigint, hasToken: boolean): Uint8Array[] {
    const from = toHex(L1_ATTRIBUTES_DEPOSITOR_ADDRESS);
    const millis = toBytes(BigInt(sinceDenimMs(number) % 1000), 32);
    const reported = new Uint8Array(Buffer.concat([fromHex('0x86bdf394'), millis]));
    const moved = new Uint8Array(Buffer.concat([wordOf(RECEIVER), toBytes(BigInt(number), 32)]));
    const slot = toBytes(BigInt(number % NOTES), 32);
    const sent = [
      { to: RECEIVER, value: 5n, data: new Uint8Array(0) },
      { to: NOTER, value: 0n, data: slot },
      ...(hasToken ? [ROUTER, TOKEN].map((to) => ({ to, value: 0n, data: moved })) : []),
    ];
    const deposits = [
      depositBytes({ from, to: toHex(L1_BLOCK_ADDRESS) }),
      depositBytes({ from, to: toHex(BASE_TIME_ADDRESS), data: reported }),
    ];
    const fees = { tipCap: 2n, feeCap: 10n, gasLimit: 100_000n };
    return [
      ...deposits,
      ...sent.map(({ to, value, data }, at) => {
        const unsigned = { nonce: first + BigInt(at), ...fees, to: fromHex(to), value, data };
        return this.#signer.sign(unsigned, RULES.at(number, DENIM)).serialize();
      }),
    ];
  }
}
