// Repeats requests that a real go-ethereum answered on a chain across the Amsterdam fork, on an import of that chain:
// responses are equal except for that node's own bugs, each of which is named. The recordings are shared data.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accessListWrites } from '../../src/feed/diffs/decode-verified-access-list.js';
import { fromHex } from '../../src/lib/bytes/hex.js';
import { linesOf, type RecordedBlock } from '../feed/diffs/recorded-chain.js';
import { haltClass } from '../support/halt-class.js';
import { Server, type RpcAnswer } from '../support/server.js';
import { sharedData, withoutData } from '../support/shared-data.js';
import { temporaryFile } from '../support/temporary-folder.js';
import { withoutFees } from '../support/without-fees.js';

const FOLDER = 'geth-amsterdam';
const skip = withoutData(FOLDER);
/** The node's gas cap for calls. */
const GAS_CAP = '200000000';
/** Reads SLOTNUM. */
const SLOT_READER = '0x00000000000000000000000000000000c0de000c';
/** Calls another contract and ignores whether that fails. */
const CALLER = '0x00000000000000000000000000000000c0de0006';
const ETHER_LOGS = `0x${'ee'.repeat(20)}`;

interface Question {
  readonly at: number;
  readonly method: string;
  readonly params: readonly unknown[];
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
  /** The smallest gas limit at which the node's eth_call succeeds. */
  readonly least?: number;
}

interface SimulatedBlock extends Record<string, unknown> {
  readonly slotNumber?: string;
  readonly transactions: readonly unknown[];
  readonly calls: readonly (Record<string, unknown> & { readonly logs: readonly Record<string, unknown>[] })[];
}

/** Methods that an import does not serve, or that exist in that node only. */
const NOT_SERVED = /^(engine_|eth_getProof|eth_getHeaderByNumber|eth_getBlockAccessListByBlockNumber)/;

for (const at of [13, 14, 55])
  void test(`recorded responses at block ${at}`, { skip }, async () => {
    const blocks = linesOf(sharedData(`${FOLDER}/blocks.jsonl.gz`)) as (RecordedBlock & { readonly raw: string })[];
    const questions = linesOf(sharedData(`${FOLDER}/questions.jsonl.gz`)) as Question[];
    const chain = temporaryFile('chain.rlp', Buffer.concat(blocks.slice(0, at).map(({ raw }) => fromHex(raw))));
    const files = ['--genesis', sharedData(`${FOLDER}/genesis.json`), '--chain', chain];
    const server = await Server.startPatient(...files, '--gas-cap', GAS_CAP, '--revert-error-code', '3');
    try {
      for (const question of questions.filter((each) => each.at === at && !NOT_SERVED.test(each.method)))
        compare(question, await server.query(question.method, question.params), blocks);
    } finally {
      await server.stop();
    }
  });

function compare(question: Question, answer: RpcAnswer, blocks: readonly RecordedBlock[]): void {
  const { at, method, params, result, least } = question;
  const where = `block ${at}: ${method} ${JSON.stringify(params).slice(0, 300)}`;
  // On an imported chain, the last block is also the safe and the finalized one.
  if (params[0] === 'safe' || params[0] === 'finalized') return;
  if (method === 'eth_getBlockAccessList') return compareList(answer, blocks[at - 1]!);
  if (method === 'eth_estimateGas' && least !== undefined) {
    // The node searches to within 1.5 %, returns 21,000 where less is enough, and ignores it if an inner call fails.
    const gas = Number(answer.result);
    const [{ to }] = params as [{ to?: string }];
    const most = to === CALLER ? Infinity : Number(result);
    return assert.ok(gas >= least && gas <= most, `${where}: ${gas}, least ${least}, the node ${Number(result)}`);
  }
  if (method === 'eth_simulateV1') return compareSimulation(question, answer, where);
  if (method === 'eth_config') return assert.deepEqual(configOf(answer.result), configOf(result), where);
  assert.deepEqual(shown(answer), shown(question), where);
}

/**
 * A response in which messages of exceptional halts are reduced to their class, and those about a transaction that
 * cannot be applied to what does not depend on its fees.
 */
function shown({ result, error }: Pick<RpcAnswer, 'result' | 'error'>): unknown {
  return JSON.parse(JSON.stringify({ result, error }), (key, value: unknown) => {
    const isText = (key === 'message' || key === 'error') && typeof value === 'string';
    return isText ? withoutFees(haltClass(value)) : value;
  });
}

/** The node's own result is not comparable; only the structure is checked. */
function compareList({ result, error }: RpcAnswer, { block, blockAccessList }: RecordedBlock): void {
  if (blockAccessList === null) assert.deepEqual(error, { code: -32001, message: 'Resource not found' });
  else assert.doesNotThrow(() => accessListWrites(result, fromHex(block['blockAccessListHash']!)));
}

/** The node looks for the next fork in its own list only, and finds none after a fork that is not set. */
function configOf(config: unknown): unknown {
  return { ...(config as object), next: null, last: null };
}

/**
 * After a call whose state gas exceeds the remaining gas, the node refuses a call without a gas limit: its result is an
 * error then.
 */
function compareSimulation(question: Question, answer: RpcAnswer, where: string): void {
  const { params, result, error } = question;
  if (error?.message.includes('gas limit reached') === true) {
    assert.equal(answer.error, undefined, where);
    return;
  }
  if (result === undefined) return assert.deepEqual(shown(answer), shown(question), where);
  const [{ blockStateCalls }] = params as [
    { blockStateCalls: readonly { readonly calls: readonly { to?: string }[] }[] },
  ];
  const until = blockStateCalls.map(({ calls }) => calls.findIndex(({ to }) => to === SLOT_READER));
  const ours = answer.result as readonly SimulatedBlock[];
  for (const block of ours)
    assert.ok(block.calls.every(({ logs }) => logs.every(({ address }) => address !== ETHER_LOGS)));
  assert.deepEqual(simulation(ours, until), simulation(result as readonly SimulatedBlock[], until), where);
}

/**
 * The result without what depends on the slot number, which the node does not report, and with ether transfers, which
 * it logs twice, counted once. `until`: the first call of each block that reads the slot number.
 */
function simulation(blocks: readonly SimulatedBlock[], until: readonly number[]): unknown {
  return blocks.map((block, number) => {
    const first = until[number]!;
    const calls = block.calls.slice(0, first < 0 ? undefined : first).map(shownCall);
    if (first >= 0) return calls;
    const { hash: _hash, size: _size, slotNumber: _slot, transactions, ...rest } = block;
    const { parentHash, stateRoot, blockAccessListHash, ...more } = rest;
    // The next block's state contains the hash of this one.
    return {
      ...more,
      calls,
      transactions: transactions.map(withoutPosition),
      ...(number === 0 ? { stateRoot, blockAccessListHash, parentHash } : {}),
    };
  });
}

function withoutPosition(transaction: unknown): unknown {
  if (typeof transaction === 'string') return transaction;
  const { blockHash: _blockHash, ...more } = transaction as Record<string, unknown>;
  return more;
}

function shownCall({ logs, ...call }: SimulatedBlock['calls'][number]): unknown {
  const once = logs.filter(({ address }) => address !== ETHER_LOGS);
  return { ...call, logs: once.map(({ blockHash: _blockHash, logIndex: _logIndex, ...log }) => log) };
}
