// Transactions that a real node ran from Amsterdam on, executed again by kernel and reference: status, gas and logs of each are the
// node's, the gas of each block is its header's, and the state behind it that of its access list. The node's data are shared.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { RLP } from '@ethereumjs/rlp';
import {
  BUILDER_DEPOSITS,
  BUILDER_EXITS,
  CONSOLIDATION_REQUESTS,
  WITHDRAWAL_REQUESTS,
} from '../../../src/chain/block/execution-requests.js';
import { BEACON_ROOTS, BLOCK_HASHES } from '../../../src/chain/system-contracts.js';
import { engines, type KernelMode } from '../../../src/evm/kernel/engines.js';
import { KernelCounters } from '../../../src/evm/kernel/shared-counters.js';
import { createRules, type Rules } from '../../../src/evm/reference/fork-rules.js';
import { BlockGas } from '../../../src/execution/block/block-gas.js';
import { parseGenesis } from '../../../src/execution/block/genesis.js';
import { credit } from '../../../src/execution/block/settlement.js';
import type { TransactionResult } from '../../../src/execution/block/state-transition.js';
import { TransactionExecutor } from '../../../src/execution/block/transaction-executor.js';
import { fromHex, toHex } from '../../../src/lib/bytes/hex.js';
import { decodeTransaction } from '../../../src/transaction/signed.js';
import { linesOf, moveByList, planOf, type RecordedBlock } from '../../feed/diffs/recorded-chain.js';
import { WholeState, type Alloc } from '../../feed/diffs/whole-state.js';
import { sharedData, withoutData } from '../../support/shared-data.js';

const FOLDER = 'geth-amsterdam';
const skip = withoutData(FOLDER);
/** Amsterdam's first block. */
const FORK = 14;
/** 30 million steps: too long for the reference. */
const LONG = 36;
const GWEI = 1_000_000_000n;
const QUEUES = [WITHDRAWAL_REQUESTS, CONSOLIDATION_REQUESTS, BUILDER_DEPOSITS, BUILDER_EXITS];

interface Recorded extends RecordedBlock {
  /** RLP. */
  readonly raw: string;
  readonly receipts: readonly {
    readonly status: string;
    readonly gasUsed: string;
    readonly logs: readonly { readonly address: string; readonly topics: readonly string[]; readonly data: string }[];
  }[];
  /** Of each transaction. */
  readonly notes: readonly string[];
}

for (const mode of ['on', 'interpreted', 'off'] as const)
  void test(`recorded transactions from Amsterdam on come to the same (kernel: ${mode})`, { skip }, async () => {
    const genesis = readFileSync(sharedData(`${FOLDER}/genesis.json`), 'utf8');
    const rules = createRules(parseGenesis('genesis.json', genesis).chain);
    const state = stateAfter(FORK - 1);
    for (const recorded of (linesOf(sharedData(`${FOLDER}/blocks.jsonl.gz`)) as Recorded[]).slice(FORK - 1)) {
      const parent = state.copy();
      moveByList(state, recorded, recorded.blockAccessList);
      if (mode === 'off' && recorded.number === LONG) continue;
      await replay(recorded, parent, rules, mode);
      assert.deepEqual(parent.differences(state), [], `state after block ${recorded.number}`);
    }
  });

/** Executes a block on the state of its parent, which moves on. */
async function replay(recorded: Recorded, state: WholeState, rules: Rules, mode: KernelMode): Promise<void> {
  const { number, block, receipts, notes } = recorded;
  const { env: common, parentHash, withdrawals } = planOf(recorded);
  const env = { ...common, slotNumber: BigInt(block['slotNumber']!) };
  const executor = new TransactionExecutor(rules, state, {
    createEngine: engines({ mode, counters: new KernelCounters().buffer }),
  });
  const forkRules = await executor.begin(env, state, { parentHash });
  await executor.call(BEACON_ROOTS, env.parentBeaconBlockRoot);
  await executor.call(BLOCK_HASHES, parentHash);
  const gas = new BlockGas(env.gasLimit);
  for (const [at, raw] of transactionsOf(recorded).entries()) {
    const transaction = decodeTransaction(raw, forkRules);
    assert.ok(typeof transaction !== 'string', `block ${number}, transaction ${at}: ${transaction as string}`);
    const result = await executor.run(transaction, null);
    gas.add(result.blockGas);
    assert.deepEqual(
      shownResult(result),
      shownReceipt(receipts[at]!),
      `block ${number}, transaction ${at}: ${notes[at]}`,
    );
  }
  assert.equal(gas.used, BigInt(block['gasUsed']!), `gas of block ${number}`);
  for (const queue of QUEUES) await executor.call(queue, new Uint8Array(0));
  for (const { address, amount } of withdrawals!) credit(address, amount * GWEI, executor.state);
  state.apply(executor.state.changes());
}

function transactionsOf({ raw }: Recorded): Uint8Array[] {
  const [, transactions] = RLP.decode(fromHex(raw)) as unknown as [unknown, (Uint8Array | Uint8Array[])[]];
  return transactions.map((each) => (each instanceof Uint8Array ? each : RLP.encode(each)));
}

function shownResult({ status, gasUsed, logs }: TransactionResult): unknown {
  return [status, gasUsed, logs.map(({ address, topics, data }) => [toHex(address), topics.map(toHex), toHex(data)])];
}

function shownReceipt({ status, gasUsed, logs }: Recorded['receipts'][number]): unknown {
  return [Number(status), BigInt(gasUsed), logs.map(({ address, topics, data }) => [address, topics, data])];
}

function stateAfter(number: number): WholeState {
  const states = linesOf(sharedData(`${FOLDER}/state.jsonl.gz`)) as { block: number; accounts: Alloc }[];
  return WholeState.of(states.find(({ block }) => block === number)!.accounts);
}
