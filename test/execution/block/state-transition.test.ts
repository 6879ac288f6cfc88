// A transaction on an engine: which messages the engine gets, and with which context. Results are compared with the
// library's in state-transition.fuzz.ts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EvmEngine, EvmMessage } from '../../../src/evm/evm-engine.js';
import { BlockGasCounter } from '../../../src/execution/block/block-gas-counter.js';
import { TransactionExecutor } from '../../../src/execution/block/transaction-executor.js';
import { ReferenceEngine } from '../../../src/evm/reference/reference-engine.js';
import { createChainRules } from '../../../src/evm/reference/fork-rules.js';
import { applyTransaction, type TransactionResult } from '../../../src/execution/block/state-transition.js';
import {
  PrivateKeySigner,
  type UnsignedFeeMarketTransaction,
} from '../../../src/transaction/ethereumjs-transaction.js';
import { JournaledState } from '../../../src/evm/journal/journaled-state.js';
import { decodeSignedTransaction, type SignedTransaction } from '../../../src/transaction/signed-transaction.js';
import { assemble } from '../../support/assembler.js';
import { blockEnv, chainAt } from '../../support/jobs.js';
import { bytes, MemoryView } from '../../support/memory-view.js';
import { plainContext } from '../../support/message.js';

const RULES = createChainRules(chainAt('prague'));
const FORK = RULES.at(100, 0);
const SIGNER = new PrivateKeySigner(new Uint8Array(32).fill(9));
const CONTRACT = bytes('c0', 20);
const ETHER = 10n ** 18n;

function signed(changes: Partial<UnsignedFeeMarketTransaction>): SignedTransaction {
  const free = { nonce: 0n, tipCap: 0n, feeCap: 7n, gasLimit: 100_000n, value: 0n, data: new Uint8Array(0) };
  const decoded = decodeSignedTransaction(SIGNER.sign({ ...free, to: CONTRACT, ...changes }, FORK).serialize(), FORK);
  if (typeof decoded === 'string') throw new Error(decoded);
  return decoded;
}

const SENDER = signed({}).from;

function view(code: string): MemoryView {
  return new MemoryView().put(SENDER, { balance: ETHER }).put(CONTRACT, { nonce: 1n, code, storage: { '0': 1n } });
}

/** The reference engine, which records the messages it gets. */
class Listening implements EvmEngine {
  readonly messages: EvmMessage[] = [];
  private readonly engine: EvmEngine;

  constructor(engine: EvmEngine) {
    this.engine = engine;
  }

  execute(...args: Parameters<EvmEngine['execute']>): ReturnType<EvmEngine['execute']> {
    return this.engine.execute(...args);
  }

  apply(...args: Parameters<EvmEngine['apply']>): ReturnType<EvmEngine['apply']> {
    this.messages.push(args[0]);
    return this.engine.apply(...args);
  }

  readSet(): ReturnType<EvmEngine['readSet']> {
    return this.engine.readSet();
  }

  isPrecompile(...args: Parameters<EvmEngine['isPrecompile']>): boolean {
    return this.engine.isPrecompile(...args);
  }
}

function listening(code: string): {
  executor: TransactionExecutor;
  engines: Listening[];
  begin: () => Promise<unknown>;
} {
  const engines: Listening[] = [];
  const state = view(code);
  const executor = new TransactionExecutor(RULES, state, {
    createEngine: (rules, journaled) => {
      engines.push(new Listening(new ReferenceEngine({ rules, state: journaled })));
      return engines.at(-1)!;
    },
  });
  return { executor, engines, begin: () => executor.begin(blockEnv(), state, {}) };
}

void test('transactions and system calls run on one engine per fork, with their own gas price', async () => {
  const { executor, engines, begin } = listening(assemble('STOP'));
  await begin();
  await begin();
  assert.equal((await executor.run(signed({}), null, new BlockGasCounter(30_000_000n))).status, 1);
  assert.deepEqual(await executor.call(CONTRACT, new Uint8Array(4)), { output: new Uint8Array(0), failure: null });
  assert.equal(engines.length, 1);
  assert.deepEqual(
    engines[0]!.messages.map(({ data, gasPrice }) => [data.length, gasPrice]),
    [
      [0, 7n],
      [4, 0n],
    ],
  );
});

void test('a plain transfer needs no engine, unless it is to a precompile', async () => {
  const { executor, engines, begin } = listening(assemble('STOP'));
  await begin();
  await executor.run(signed({ to: bytes('dd', 20), value: 3n }), null, new BlockGasCounter(30_000_000n));
  assert.equal(executor.state.accountOf(bytes('dd', 20))!.balance, 3n);
  assert.equal(engines[0]!.messages.length, 0);
  await executor.run(signed({ nonce: 1n, to: bytes('04', 20) }), null, new BlockGasCounter(30_000_000n));
  assert.equal(engines[0]!.messages.length, 1);
});

void test('every transaction has its own original values, also within one set of changes', async () => {
  const state = new JournaledState(view(assemble('PUSH 0; CALLDATALOAD; PUSH 0; SSTORE')));
  const engine = new ReferenceEngine({ rules: FORK, state });
  const context = plainContext();
  state.mark();
  const gas: TransactionResult[] = [];
  for (const [nonce, value] of [5n, 6n].entries()) {
    const data = new Uint8Array(32).fill(Number(value), 31);
    gas.push(await applyTransaction(signed({ nonce: BigInt(nonce), data }), { rules: FORK, engine, state, context }));
  }
  // A second change of the same slot in the same transaction would cost 100.
  assert.equal(gas[0]!.gasUsed, gas[1]!.gasUsed);
  state.keep();
});

void test('an aborted execution is not taken for a failed transaction', async () => {
  const { executor, engines, begin } = listening(assemble('STOP'));
  await begin();
  const { engine } = engines[0]! as unknown as { engine: EvmEngine };
  engine.apply = () => Promise.resolve({ status: 'aborted' } as Awaited<ReturnType<EvmEngine['apply']>>);
  await assert.rejects(async () => executor.run(signed({}), null, new BlockGasCounter(30_000_000n)), /broken off/);
  assert.deepEqual(executor.state.changes(), { accounts: [], slots: [], codes: [] });
});
