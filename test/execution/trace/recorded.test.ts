// Traces of blocks that a real go-ethereum has traced: callTracer with logs and prestateTracer in diff mode return the
// same for every transaction, member by member. Five blocks are a fixture; all blocks before Amsterdam need the shared
// data.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { RLP } from '@ethereumjs/rlp';
import { createChainRules, type ChainRules } from '../../../src/evm/reference/fork-rules.js';
import { BlockExecutor } from '../../../src/execution/block/block-executor.js';
import { parseGenesis } from '../../../src/execution/block/genesis.js';
import { TransactionExecutor } from '../../../src/execution/block/transaction-executor.js';
import { JobRunner } from '../../../src/execution/call/job-runner.js';
import { fromHex } from '../../../src/lib/bytes/hex.js';
import { PLACEHOLDER_CALL_REQUEST, type Job } from '../../../src/transaction/evm-job.js';
import type { TracerSpec } from '../../../src/transaction/trace-request-types.js';
import { linesOf, moveByList, planOf, type RecordedBlock } from '../../feed/diffs/recorded-chain.js';
import { WholeState, type Alloc } from '../../feed/diffs/whole-state.js';
import { blockEnv, job } from '../../support/jobs.js';
import { haltClass } from '../../support/halt-class.js';
import { candidateEngine } from '../../support/programs/engines.js';
import { sharedData, withoutData } from '../../support/shared-data.js';

const FIXTURE = fileURLToPath(new URL('../../../../test/execution/trace/fixtures/recorded.json.gz', import.meta.url));
const FOLDER = 'geth-amsterdam';
const skip = withoutData(FOLDER);
/** Amsterdam's first block. */
const FORK = 14;
/** 30 million steps each: too slow for the reference. */
const LONG = new Set([10, 36]);
const CALLS: TracerSpec = { name: 'callTracer', onlyTopCall: false, withLog: true };
const DIFFS: TracerSpec = {
  name: 'prestateTracer',
  diffMode: true,
  disableCode: false,
  disableStorage: false,
  includeEmpty: false,
};

interface Recorded extends RecordedBlock {
  /** RLP. */
  readonly raw: string;
  /** Absent in the fixture, whose blocks use the sum of their receipts. */
  readonly receipts?: readonly { readonly cumulativeGasUsed: string }[];
  /** One per transaction; absent in the fixture. */
  readonly notes?: readonly string[];
}

interface Fixture {
  /** Only the accounts that the blocks mention. */
  readonly genesis: { readonly alloc: Alloc };
  readonly blocks: readonly Recorded[];
}

void test('traces equal the recorded ones for transactions of all types, deployments and selfdestructs', async () => {
  const { genesis, blocks } = JSON.parse(gunzipSync(readFileSync(FIXTURE)).toString()) as Fixture;
  const rules = createChainRules(parseGenesis('genesis.json', JSON.stringify(genesis)).chain);
  assert.equal(await traced(blocks, WholeState.of(genesis.alloc), rules), 68);
});

void test('traces equal the recorded ones for all blocks before Amsterdam', { skip }, async () => {
  const genesis = readFileSync(sharedData(`${FOLDER}/genesis.json`), 'utf8');
  const rules = createChainRules(parseGenesis('genesis.json', genesis).chain);
  const state = WholeState.of((JSON.parse(genesis) as { alloc: Alloc }).alloc);
  const blocks = (linesOf(sharedData(`${FOLDER}/blocks.jsonl.gz`)) as Recorded[]).slice(0, FORK - 1);
  assert.equal(await traced(blocks, state, rules), 188);
});

void test('traces equal the recorded ones for all blocks from Amsterdam on', { skip }, async () => {
  const genesis = readFileSync(sharedData(`${FOLDER}/genesis.json`), 'utf8');
  const rules = createChainRules(parseGenesis('genesis.json', genesis).chain);
  const states = linesOf(sharedData(`${FOLDER}/state.jsonl.gz`)) as { block: number; accounts: Alloc }[];
  const state = WholeState.of(states.find(({ block }) => block === FORK - 1)!.accounts);
  const hashes = new Map<number, Uint8Array>();
  const runner = new JobRunner({ rules, createEngine: candidateEngine });
  let count = 0;
  for (const recorded of (linesOf(sharedData(`${FOLDER}/blocks.jsonl.gz`)) as Recorded[]).slice(FORK - 1)) {
    hashes.set(recorded.number - 1, fromHex(recorded.block['parentHash']!));
    const view = Object.assign(state.copy(), { blockHash: (number: number) => hashes.get(number) ?? null });
    if (!LONG.has(recorded.number)) count += await compare(recorded, runner, view, settled);
    moveByList(state, recorded, recorded.blockAccessList);
  }
  assert.equal(count, 489);
});

/** Compares the traces of successive blocks on a state, which advances; returns the number of blocks. */
async function traced(blocks: readonly Recorded[], state: WholeState, rules: ChainRules): Promise<number> {
  const hashes = new Map<number, Uint8Array>();
  const view = Object.assign(state, { blockHash: (number: number) => hashes.get(number) ?? null });
  const runner = new JobRunner({ rules, createEngine: candidateEngine });
  let count = 0;
  for (const recorded of blocks) {
    hashes.set(recorded.number - 1, fromHex(recorded.block['parentHash']!));
    if (!LONG.has(recorded.number)) count += await compare(recorded, runner, view, (trace) => trace);
    await move(recorded, state, rules);
  }
  return count;
}

/** `form` selects the part of a trace that has to be equal. */
async function compare(
  recorded: Recorded,
  runner: JobRunner,
  view: WholeState,
  form: (trace: Trace, note: string) => unknown,
): Promise<number> {
  const calls = await traceOf(recorded, CALLS, runner, view);
  const diffs = await traceOf(recorded, DIFFS, runner, view);
  for (const [at, expected] of recorded.calls!.entries()) {
    const what = `block ${recorded.number}, transaction ${at}`;
    const shown = (trace: unknown): unknown => form(trace as Trace, recorded.notes?.[at] ?? '');
    assert.deepEqual(shown(calls[at]), shown(classed(expected as Trace)), what);
    assert.deepEqual(shown(diffs[at]), shown(recorded.diffs![at]), `${what}: prestateTracer`);
  }
  return calls.length;
}

interface Trace {
  readonly gas?: string;
  readonly gasUsed?: string;
  readonly error?: string;
  readonly calls?: readonly Trace[];
}

/** A recorded trace whose errors are reduced to their class. */
function classed({ error, calls, ...trace }: Trace): Trace {
  return {
    ...trace,
    ...(error === undefined ? {} : { error: haltClass(error) }),
    ...(calls === undefined ? {} : { calls: calls.map(classed) }),
  };
}

/**
 * Transactions whose inner frames have different gas here: the recorded node predates the rule that repays a frame's
 * spilled state gas (EIP-8037).
 */
const SPILLS = /cleared in (the callee|a child)/;

/** A trace without what differs from Amsterdam on: the gas of inner frames that spilled. */
function settled({ calls, ...trace }: Trace, note: string): unknown {
  const spills = SPILLS.test(note);
  return { ...trace, inner: calls?.map((call) => settled(spills ? { ...call, gas: '', gasUsed: '' } : call, note)) };
}

async function traceOf(
  recorded: Recorded,
  tracer: TracerSpec,
  runner: JobRunner,
  state: WholeState,
): Promise<unknown[]> {
  const [header, transactions] = RLP.decode(fromHex(recorded.raw)) as unknown as [Uint8Array[], Uint8Array[]];
  const requested: Job = {
    ...job({}, { kind: 'trace', trace: { of: 'block', tracer } }),
    call: PLACEHOLDER_CALL_REQUEST,
    replay: {
      header: RLP.encode(header),
      cumulativeGasUsed: BigInt(recorded.receipts?.at(-1)?.cumulativeGasUsed ?? recorded.block['gasUsed']!),
      transactions: recorded.block.transactions.map(({ hash, from }, at) => ({
        hash: fromHex(hash),
        from: fromHex(from),
        raw: bytesOf(transactions[at]!),
      })),
    },
  };
  const outcome = await runner.runJob(requested, state, blockEnv());
  assert.ok(outcome.kind === 'json', JSON.stringify(outcome));
  const results = JSON.parse(String(outcome.text)) as { txHash: string; result: unknown }[];
  assert.deepEqual(
    results.map(({ txHash }) => txHash),
    recorded.block.transactions.map(({ hash }) => hash),
  );
  return results.map(({ result }) => result);
}

function bytesOf(item: Uint8Array | Uint8Array[]): Uint8Array {
  return item instanceof Uint8Array ? item : RLP.encode(item);
}

async function move(recorded: Recorded, state: WholeState, rules: ChainRules): Promise<void> {
  const [, transactions] = RLP.decode(fromHex(recorded.raw)) as unknown as [unknown, Uint8Array[]];
  const executor = new TransactionExecutor(rules, state, { createEngine: candidateEngine });
  const block = await BlockExecutor.open(planOf(recorded), { executor, view: state, trie: null });
  for (const transaction of transactions) assert.equal((await block.apply(bytesOf(transaction))).kind, 'applied');
  state.apply((await block.seal()).changes);
}
