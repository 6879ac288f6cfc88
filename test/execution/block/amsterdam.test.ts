// Transactions that a real node ran from Amsterdam on, executed again by kernel and reference: status, gas and logs of
// each equal the node's; gas, requests and access list of each block equal its header's; and the resulting state equals
// the access list's. The node's data are shared.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { RLP } from '@ethereumjs/rlp';
import { engineFactory, type KernelMode } from '../../../src/evm/kernel/kernel-or-reference-engine.js';
import { KernelCounters } from '../../../src/evm/kernel/kernel-counters-and-code-denylist.js';
import { createChainRules, type ChainRules } from '../../../src/evm/reference/fork-rules.js';
import { BlockExecutor } from '../../../src/execution/block/block-executor.js';
import { parseGenesis } from '../../../src/execution/block/genesis.js';
import { TransactionExecutor } from '../../../src/execution/block/transaction-executor.js';
import { fromHex, toHex } from '../../../src/lib/bytes/hex.js';
import type { Receipt } from '../../../src/state/complete-block.js';
import { jsonOf } from '../../feed/diffs/access-list-forms.js';
import { linesOf, moveByList, planOf, type RecordedBlock, stateAfter } from '../../feed/diffs/recorded-chain.js';
import { WholeState, type Alloc } from '../../feed/diffs/whole-state.js';
import { sharedData, withoutData } from '../../support/shared-data.js';

const FIXTURE = fileURLToPath(new URL('../../../../test/execution/block/fixtures/amsterdam.json.gz', import.meta.url));
const FOLDER = 'geth-amsterdam';
const skip = withoutData(FOLDER);
/** Amsterdam's first block. */
const FORK = 14;
/** 30 million steps: too slow for the reference. */
const LONG = 36;

interface Fixture {
  readonly genesis: unknown;
  /** The state after block 13, for accounts that the blocks mention. */
  readonly state: Alloc;
  readonly blocks: readonly Recorded[];
}

interface Recorded extends RecordedBlock {
  /** RLP. */
  readonly raw: string;
  readonly receipts: readonly {
    readonly status: string;
    readonly gasUsed: string;
    readonly logs: readonly { readonly address: string; readonly topics: readonly string[]; readonly data: string }[];
  }[];
  /** One per transaction. */
  readonly notes: readonly string[];
}

for (const mode of ['on', 'interpreted', 'off'] as const) {
  void test(`transactions of eleven recorded blocks have the recorded results (kernel: ${mode})`, async () => {
    const { genesis, state, blocks } = JSON.parse(gunzipSync(readFileSync(FIXTURE)).toString()) as Fixture;
    await replayAll(WholeState.of(state), blocks, rulesOf(JSON.stringify(genesis)), mode);
  });

  void test(
    `all recorded transactions from Amsterdam on have the recorded results (kernel: ${mode})`,
    { skip },
    async () => {
      const genesis = readFileSync(sharedData(`${FOLDER}/genesis.json`), 'utf8');
      const blocks = (linesOf(sharedData(`${FOLDER}/blocks.jsonl.gz`)) as Recorded[]).slice(FORK - 1);
      await replayAll(stateAfter(FORK - 1), blocks, rulesOf(genesis), mode);
    },
  );
}

function rulesOf(genesis: string): ChainRules {
  return createChainRules(parseGenesis('genesis.json', genesis).chain);
}

async function replayAll(
  state: WholeState,
  blocks: readonly Recorded[],
  rules: ChainRules,
  mode: KernelMode,
): Promise<void> {
  for (const recorded of blocks) {
    const parent = state.copy();
    moveByList(state, recorded, recorded.blockAccessList);
    if (mode === 'off' && recorded.number === LONG) continue;
    await replay(recorded, parent, rules, mode);
    assert.deepEqual(parent.differences(state), [], `state after block ${recorded.number}`);
  }
}

/** Executes a block on its parent's state, which advances. */
async function replay(recorded: Recorded, state: WholeState, rules: ChainRules, mode: KernelMode): Promise<void> {
  const { number, block, receipts, notes } = recorded;
  const executor = new TransactionExecutor(rules, state, {
    createEngine: engineFactory({ mode, counters: new KernelCounters().buffer }),
  });
  const plan = planOf(recorded);
  const blockExecutor = await BlockExecutor.open(plan, { executor, view: state, trie: null });
  for (const [at, raw] of transactionsOf(recorded).entries()) {
    const applied = await blockExecutor.apply(raw);
    assert.ok(applied.kind === 'applied', `block ${number}, transaction ${at} is refused`);
    assert.deepEqual(
      shownResult(applied.transaction.receipt),
      shownReceipt(receipts[at]!),
      `block ${number}, transaction ${at}: ${notes[at]}`,
    );
  }
  const { header, block: sealed, changes } = await blockExecutor.seal();
  assert.equal(header.gasUsed, BigInt(block['gasUsed']!), `gas of block ${number}`);
  assert.equal(toHex(header.requestsHash!), block['requestsHash'], `requests of block ${number}`);
  assert.deepEqual(
    jsonOf(toHex(sealed.accessList!)),
    jsonOf(recorded.blockAccessList!),
    `access list of block ${number}`,
  );
  state.apply(changes);
}

function transactionsOf({ raw }: Recorded): Uint8Array[] {
  const [, transactions] = RLP.decode(fromHex(raw)) as unknown as [unknown, (Uint8Array | Uint8Array[])[]];
  return transactions.map((each) => (each instanceof Uint8Array ? each : RLP.encode(each)));
}

function shownResult({ status, gasUsed, logs }: Receipt): unknown {
  return [status, gasUsed, logs.map(({ address, topics, data }) => [toHex(address), topics.map(toHex), toHex(data)])];
}

function shownReceipt({ status, gasUsed, logs }: Recorded['receipts'][number]): unknown {
  return [Number(status), BigInt(gasUsed), logs.map(({ address, topics, data }) => [address, topics, data])];
}
