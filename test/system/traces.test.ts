// Traces of a dev chain's traffic, and of a live chain that follows it, pre-confirmed and confirmed: callTracer agrees
// with receipts and logs, prestateTracer's diffs lead from the parent's state to the block's, and clients can use their
// own tracing methods.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { JsonRpcProvider } from 'ethers';
import { createPublicClient, http } from 'viem';
import { toQuantity } from '../../src/lib/bytes/hex.js';
import { schemaOf } from '../io/answers.js';
import { assertOfSchema } from '../io/schema.js';
import { eventually, until } from '../support/patience.js';
import type { Server } from '../support/server.js';
import { batch, type Call } from './batch.js';
import { startFollowedChain, type FollowedChain } from './followed-chain.js';

const FRAMES = { tracer: 'callTracer', tracerConfig: { withLog: true } };
const FLAT = { tracer: 'flatCallTracer' };
const DIFFS = { tracer: 'prestateTracer', tracerConfig: { diffMode: true } };
/** Transactions that are also traced individually. */
const ALONE = 3;
const ZERO = `0x${'00'.repeat(32)}`;

interface Log {
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
}

interface Frame {
  readonly from: string;
  readonly to?: string;
  readonly input: string;
  readonly value?: string;
  readonly gas: string;
  readonly gasUsed: string;
  readonly error?: string;
  readonly calls?: readonly Frame[];
  readonly logs?: readonly (Log & { readonly index: string })[];
}

interface Account {
  readonly balance?: string;
  readonly nonce?: number;
  readonly storage?: Readonly<Record<string, string>>;
}

type Accounts = Readonly<Record<string, Account>>;

interface Diff {
  readonly pre: Accounts;
  readonly post: Accounts;
}

interface Entry<T> {
  readonly txHash: string;
  readonly result: T;
}

interface Transaction {
  readonly hash: string;
  readonly from: string;
  readonly to: string | null;
  readonly input: string;
  readonly value: string;
  readonly gas: string;
}

interface Receipt {
  readonly status: string;
  readonly gasUsed: string;
  readonly contractAddress: string | null;
  readonly logs: readonly (Log & { readonly logIndex: string })[];
}

interface Block {
  readonly number: string;
  readonly hash: string;
}

interface Traced {
  readonly number: string;
  readonly transactions: readonly Transaction[];
  readonly receipts: readonly Receipt[];
  readonly frames: readonly Entry<Frame>[];
  readonly diffs: readonly Entry<Diff>[];
  readonly flat: readonly Entry<readonly FlatFrame[]>[];
}

/** A call frame of flatCallTracer. */
interface FlatFrame {
  readonly blockHash: string | null;
  readonly blockNumber: number;
  readonly transactionHash: string;
  readonly transactionPosition: number;
  readonly traceAddress: readonly number[];
  readonly subtraces: number;
}

async function tracedAt(server: Server, tag: string): Promise<Traced> {
  const { results } = await batch(
    server,
    ['eth_getBlockByNumber', tag, true],
    ['eth_getBlockReceipts', tag],
    ['debug_traceBlockByNumber', tag, FRAMES],
    ['debug_traceBlockByNumber', tag, DIFFS],
    ['debug_traceBlockByNumber', tag, FLAT],
  );
  const [block, receipts, frames, diffs, flat] = results as [
    Pick<Traced, 'number' | 'transactions'>,
    Receipt[],
    Entry<Frame>[],
    Entry<Diff>[],
    Traced['flat'],
  ];
  return { number: block.number, transactions: block.transactions, receipts, frames, diffs, flat };
}

/** See `tracedAt`; `undefined` if a busy machine exceeded a call's timeout, to be retried. */
async function tracedInTime(server: Server, block: string): Promise<Traced | undefined> {
  try {
    return await tracedAt(server, block);
  } catch (error) {
    if ((error as Error).message.includes('execution aborted (timeout')) return undefined;
    throw error;
  }
}

/** A block's call frames agree with its transactions and receipts. */
function assertFrames({ transactions, receipts, frames }: Traced): void {
  assert.equal(frames.length, transactions.length);
  for (const [at, { hash, from, to, input, value, gas }] of transactions.entries()) {
    const { status, gasUsed, contractAddress, logs } = receipts[at]!;
    const { txHash, result: frame } = frames[at]!;
    const shown = [txHash, frame.from, frame.to, frame.input, frame.value, frame.gas, frame.gasUsed];
    assert.deepEqual(shown, [hash, from, to ?? contractAddress, input, value, gas, gasUsed]);
    assert.equal(frame.error === undefined, status === '0x1');
    assert.deepEqual(
      logsOf(frame).toSorted(([a], [b]) => a - b),
      logs.map(({ logIndex, address, topics, data }) => [Number(logIndex), address, topics, data]),
    );
  }
}

/** The flat lists contain the frames of the trees, each with its block and transaction. */
function assertFlat({ number, frames, flat }: Traced, blockHash: string | null): void {
  const expected = frames.map(({ txHash, result }, index) => ({
    txHash,
    result: flattened(result, []).map((each) => ({
      ...each,
      blockHash,
      blockNumber: Number(number),
      transactionHash: txHash,
      transactionPosition: index,
    })),
  }));
  const shown = flat.map(({ txHash, result }) => ({
    txHash,
    result: result.map((each) => ({
      traceAddress: each.traceAddress,
      subtraces: each.subtraces,
      blockHash: each.blockHash,
      blockNumber: each.blockNumber,
      transactionHash: each.transactionHash,
      transactionPosition: each.transactionPosition,
    })),
  }));
  assert.deepEqual(shown, expected);
}

function flattened({ calls = [] }: Frame, at: readonly number[]): Pick<FlatFrame, 'traceAddress' | 'subtraces'>[] {
  return [{ traceAddress: at, subtraces: calls.length }, ...calls.flatMap((call, i) => flattened(call, [...at, i]))];
}

function logsOf({ logs = [], calls = [] }: Frame): (readonly [number, string, readonly string[], string])[] {
  const own = logs.map(({ index, address, topics, data }) => [Number(index), address, topics, data] as const);
  return [...own, ...calls.flatMap(logsOf)];
}

/** State values, keyed by the call that reads them. */
type Values = Map<string, { readonly call: Call; readonly value: bigint }>;

/** Values before the first diff that names them (zero if that diff creates them), and after the last one. */
function ends(diffs: readonly Entry<Diff>[]): { readonly before: Values; readonly after: Values } {
  const [first, last]: [Values, Values] = [new Map(), new Map()];
  for (const { result } of diffs) {
    for (const [key, entry] of valuesOf(result.pre)) if (!first.has(key)) first.set(key, entry);
    for (const [key, entry] of valuesOf(result.post)) {
      last.set(key, entry);
      if (!first.has(key)) first.set(key, { ...entry, value: 0n });
    }
  }
  return { before: first, after: last };
}

function valuesOf(accounts: Accounts): Values {
  const values: Values = new Map();
  const add = (call: Call, value: string | number): void =>
    void values.set(JSON.stringify(call), { call, value: BigInt(value) });
  for (const [address, { balance, nonce, storage = {} }] of Object.entries(accounts)) {
    if (balance !== undefined) add(['eth_getBalance', address], balance);
    if (nonce !== undefined) add(['eth_getTransactionCount', address], nonce);
    for (const [slot, value] of Object.entries(storage)) add(['eth_getStorageAt', address, slot], value);
  }
  return values;
}

async function assertState(server: Server, values: Values, block: string): Promise<void> {
  const entries = [...values.values()];
  const { results } = await batch(server, ...entries.map(({ call }): Call => [...call, block]));
  for (const [at, { call, value }] of entries.entries())
    assert.equal(BigInt((results[at] as string) || ZERO), value, `${JSON.stringify(call)} at ${block}`);
}

async function agrees(server: Server): Promise<void> {
  // The genesis block, which is pending until the first increment, cannot be traced.
  await until(async () => Number((await server.result<Block>('eth_getBlockByNumber', 'pending', false)).number) > 0);
  const open = await eventually(async () => {
    const traced = await tracedInTime(server, 'pending');
    // Between a complete block and the next block's first increment, pending is the complete block, which has a hash.
    const isOpen = traced?.flat.at(-1)?.result[0]?.blockHash === null;
    return isOpen && traced.transactions.length >= ALONE ? traced : undefined;
  });
  assertFrames(open);
  assertFlat(open, null);
  const { number } = open;
  const whole = await eventually(async () => {
    const isComplete = Number(await server.result('eth_blockNumber')) >= Number(number);
    return isComplete ? tracedInTime(server, number) : undefined;
  });
  assertFrames(whole);
  assert.deepEqual(whole.frames.slice(0, open.frames.length), open.frames);
  assert.deepEqual(whole.diffs.slice(0, open.diffs.length), open.diffs);
  const { before: first, after: last } = ends(whole.diffs);
  assert.ok(first.size > ALONE && last.size > ALONE);
  await assertState(server, first, toQuantity(Number(number) - 1));
  await assertState(server, last, number);
  await assertAlone(server, whole);
}

/**
 * A transaction by itself and a block by its hash have the same traces as in the block; results of every tracer match
 * their schema.
 */
async function assertAlone(server: Server, whole: Traced): Promise<void> {
  const { number, transactions, frames } = whole;
  for (const { txHash, result } of frames.slice(-ALONE))
    assert.deepEqual(await server.result('debug_traceTransaction', txHash, FRAMES), result);
  const { hash } = await server.result<Block>('eth_getBlockByNumber', number, false);
  assertFlat(whole, hash);
  assert.deepEqual(await server.result('debug_traceBlockByHash', hash, FRAMES), frames);
  const others = [{}, DIFFS, { tracer: 'prestateTracer' }, { tracer: '4byteTracer' }, { tracer: 'noopTracer' }];
  for (const config of [...others, FRAMES, FLAT]) {
    const requested = ['debug_traceTransaction', transactions.at(-1)!.hash, config] as const;
    const [method, ...params] = requested;
    assertOfSchema(await server.result<unknown>(method, ...params), schemaOf(method, params)!, method);
  }
}

describe('traces', () => {
  let chain: FollowedChain;
  before(async () => {
    chain = await startFollowedChain();
  });
  after(() => chain.stop());

  test('on a dev chain agree with receipts, logs and state', () => agrees(chain.dev));

  test('on a live chain agree with receipts, logs and state', () => agrees(chain.live));

  test('can be queried by ethers and viem', async () => {
    const params = [{ to: `0x${'aa'.repeat(20)}`, value: '0x0' }, 'pending', { tracer: 'callTracer' }];
    const provider = new JsonRpcProvider(chain.dev.url, undefined, { staticNetwork: true });
    const byEthers = (await provider.send('debug_traceCall', params)) as Frame;
    provider.destroy();
    const viem = createPublicClient({ transport: http(chain.dev.url) });
    const byViem = await viem.request<{ Method: string; Parameters: unknown; ReturnType: Frame }>({
      method: 'debug_traceCall',
      params,
    });
    assert.equal(byEthers.to, `0x${'aa'.repeat(20)}`);
    assert.deepEqual(byViem, byEthers);
  });
});
