// How long from an increment on the wire until its state is readable? Increments of 10, 100 and 500 transactions (half
// native, half ERC-20 transfers, each from a different sender), ten per block, with all state cached and with state
// fetched from an upstream with 1 ms latency. The publisher thread runs as in the program, over a real WebSocket and
// HTTP; the clock starts before the message is sent and stops when TableReader sees the version. The upstream confirms
// each complete block. Small increments count only after as many as a builder makes in a quarter of an hour: until then
// V8 compiles. After each increment the same senders are recovered again, separately, on the same number of threads: a
// lower bound for large increments. Prints one table.
// Usage: node dist/bench/feed.bench.js [scale] [transactions]: scale is 1 without an argument, which is 1000, 100 and
// 60 increments; with transactions, increments of that size alone.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { keccak_256 as keccak256 } from '@noble/hashes/sha3.js';
import { Piscina } from 'piscina';
import { WebSocketServer } from 'ws';
import { BlockExecutor, type BlockPlan } from '../src/execution/block/block-executor.js';
import { decodeHeader, encodeHeader, type Header } from '../src/chain/block/header.js';
import { TransactionExecutor } from '../src/execution/block/transaction-executor.js';
import { createChainRules } from '../src/evm/reference/fork-rules.js';
import { PrivateKeySigner } from '../src/transaction/ethereumjs-transaction.js';
import { type SignedTransaction, decodeSignedTransaction } from '../src/transaction/signed-transaction.js';
import { readDevContractArtifacts } from '../src/feed/dev/contracts/artifacts.js';
import { nextBlockEnv } from '../src/feed/dev/block-timing.js';
import { DEV_EXTRA_DATA } from '../src/feed/dev/dev-chain.js';
import { FlashblockEncoder } from '../src/feed/dev/flashblock-encoder.js';
import { DEV_CHAIN, DEV_FEE_RECIPIENT, DEV_GOLD_TOKEN, devGenesisBlock } from '../src/feed/dev/genesis.js';
import { SenderRecoveryBatch, type SenderTask } from '../src/pool/sender-recovery-batch.js';
import { SYSTEM_CONTRACTS } from '../src/feed/dev/system-contract-code.js';
import { collectGarbage, collectYoungGarbage } from '../src/lib/memory/garbage-collection.js';
import { fromHex } from '../src/lib/bytes/hex.js';
import { LIMITS } from '../src/limits/index.js';
import { toBytes } from '../src/lib/bytes/big-endian.js';
import type { ExecutedTransaction } from '../src/state/complete-block.js';
import type { StateDiff } from '../src/state/state-diff.js';
import type { StateView } from '../src/state/views/state-view.js';
import type { MissingKeys } from '../src/state/views/miss-recording-view.js';
import { PublisherThread } from './support/publisher-thread.js';
import { MemoryView } from '../test/support/memory-view.js';
import { type NodeBlock, UpstreamNode } from '../test/support/upstream-node.js';

// As in the program.
setFlagsFromString('--no-parallel-scavenge');

const UPSTREAM_MS = 1;
/**
 * Measured kinds of increments: number of transactions; warm-up increments, many for small ones, as code that runs once
 * per increment is compiled after some thousand; and counted increments at scale 1.
 */
const KINDS = [
  { size: 10, warmUp: 5000, count: 1000 },
  { size: 100, warmUp: 300, count: 100 },
  { size: 500, warmUp: 60, count: 60 },
] as const;
/** Increments of a block, of 200 ms each. */
const BLOCK_INCREMENTS = 10;
const BLOCK_SECONDS = 2;
/** Interval between counted increments, as of builders: the publisher collects its garbage meanwhile. */
const PACE_MS = 200;
/** After each block. */
const PAUSE_MS = 10;
/** Within this time the publisher reports its status. */
const STATUS_MS = 700;
const GAS_LIMIT = 10n ** 10n;
const ETHER = 10n ** 18n;
const RULES = createChainRules(DEV_CHAIN);
const TRANSFER = fromHex('0xa9059cbb');
const SENDERS = new URL('../workers/sender-recovery.js', import.meta.url);

interface Increment {
  readonly index: number;
  readonly raws: readonly Uint8Array[];
  /** The message of the feed. */
  readonly text: string;
}

/** A block as its builder announces it, and as the upstream has it. */
interface BuiltBlock {
  readonly header: Header;
  readonly increments: readonly Increment[];
  readonly confirmed: NodeBlock;
}

/** The transactions of all publishers' feeds. */
interface Transactions {
  readonly signed: readonly SignedTransaction[];
  /** Milliseconds to decode one and recover its sender. */
  readonly recoverMs: number;
}

/** Genesis, blocks and increments of one publisher's feed. */
interface Workload {
  readonly genesis: NodeBlock;
  readonly blocks: readonly BuiltBlock[];
  /** Number of blocks at the end whose increments count. */
  readonly countedBlocks: number;
  /** All keys that the transactions access. */
  readonly keys: MissingKeys;
}

/** Each from a different sender. Signing is not timed. */
function transactionsOf(count: number): Transactions {
  const raws = Array.from({ length: count }, (_, i) => transaction(i));
  const started = performance.now();
  const signed = raws.map((raw) => decoded(raw));
  return { signed, recoverMs: (performance.now() - started) / count };
}

/** Blocks of increments with `size` transactions each, as a builder makes them. */
async function workloadOf(
  signed: readonly SignedTransaction[],
  size: number,
  countedBlocks: number,
): Promise<Workload> {
  const senders = signed.map(({ from }) => from);
  const blockSize = BLOCK_INCREMENTS * size;
  const genesis = genesisOf(senders, Math.ceil(signed.length / blockSize) * BLOCK_SECONDS);
  const blocks: BuiltBlock[] = [];
  let parent = decodeHeader(genesis.header);
  for (let at = 0; at < signed.length; at += blockSize) {
    const block = await blockOf(parent, genesis.state, signed.slice(at, at + blockSize), size);
    blocks.push(block);
    parent = block.header;
  }
  return { genesis, blocks, countedBlocks, keys: keysOf(senders) };
}

function isToken(at: number): boolean {
  return at % 2 === 0;
}

function recipientOf(at: number): Uint8Array {
  return keccak256(Buffer.from(`recipient ${at}`)).subarray(12);
}

function transaction(at: number): Uint8Array {
  const signer = new PrivateKeySigner(keccak256(Buffer.from(`feed bench ${at}`)));
  const call = isToken(at)
    ? {
        to: DEV_GOLD_TOKEN,
        value: 0n,
        data: new Uint8Array(Buffer.concat([TRANSFER, leftPad(recipientOf(at)), toBytes(5n, 32)])),
      }
    : { to: recipientOf(at), value: 5n, data: new Uint8Array(0) };
  const fees = { nonce: 0n, tipCap: 10n ** 9n, feeCap: 10n ** 11n, gasLimit: isToken(at) ? 100_000n : 21_000n };
  return signer.sign({ ...fees, ...call }, RULES.at(1, 0)).serialize();
}

function decoded(raw: Uint8Array): SignedTransaction {
  const signed = decodeSignedTransaction(raw, RULES.at(1, 0));
  if (typeof signed === 'string') throw new Error(signed);
  return signed;
}

function leftPad(address: Uint8Array): Uint8Array {
  return new Uint8Array(Buffer.concat([new Uint8Array(12), address]));
}

function balanceSlot(owner: Uint8Array): Uint8Array {
  const slot = BigInt(readDevContractArtifacts().token.slots['balanceOf']!);
  return keccak256(Buffer.concat([leftPad(owner), toBytes(slot, 32)]));
}

/** Senders own ether and tokens; half of the recipients have a balance already. The block is `ageSeconds` old. */
function genesisOf(senders: readonly Uint8Array[], ageSeconds: number): NodeBlock {
  const state = new MemoryView();
  for (const { address, code } of SYSTEM_CONTRACTS) state.put(address, { nonce: 1n, code });
  state.put(DEV_GOLD_TOKEN, { nonce: 1n, code: readDevContractArtifacts().token.runtimeCode });
  for (const [at, sender] of senders.entries()) {
    state.put(sender, { balance: ETHER });
    state.setSlot(DEV_GOLD_TOKEN, balanceSlot(sender), toBytes(ETHER, 32));
    if (at % 4 < 2) continue;
    state.put(recipientOf(at), { balance: 1n });
    state.setSlot(DEV_GOLD_TOKEN, balanceSlot(recipientOf(at)), toBytes(1n, 32));
  }
  const { header } = devGenesisBlock(new Uint8Array(32), Math.floor(Date.now() / 1000) - ageSeconds);
  return { header: encodeHeader({ ...header, gasLimit: GAS_LIMIT }), transactions: [], withdrawals: [], state };
}

function keysOf(senders: readonly Uint8Array[]): MissingKeys {
  const recipients = senders.map((_, at) => recipientOf(at));
  const system = SYSTEM_CONTRACTS.map(({ address }) => fromHex(address));
  const holders = [...senders, ...recipients];
  return {
    accounts: [DEV_FEE_RECIPIENT, DEV_GOLD_TOKEN, ...system, ...holders],
    slots: holders.map((holder) => ({ address: DEV_GOLD_TOKEN, slot: balanceSlot(holder) })),
  };
}

/**
 * Executes a block as its builder would, for the gas and the receipts in the messages. `state` is that of the first
 * block: the parts that later blocks read have not changed.
 */
async function blockOf(
  parent: Header,
  state: StateView,
  signed: readonly SignedTransaction[],
  size: number,
): Promise<BuiltBlock> {
  const parentHash = keccak256(encodeHeader(parent));
  const timestamp = Number(parent.timestamp) + BLOCK_SECONDS;
  const env = { ...nextBlockEnv(parentHash, parent, timestamp, RULES), gasLimit: GAS_LIMIT };
  const plan: BlockPlan = { env, parentHash, extraData: DEV_EXTRA_DATA, withdrawals: [], work: null };
  const executor = new TransactionExecutor(RULES, state);
  const blockExecutor = await BlockExecutor.open(plan, { executor, view: state, trie: null });
  const encoder = new FlashblockEncoder(DEV_EXTRA_DATA);
  const increment = (index: number, transactions: readonly ExecutedTransaction[]): Increment => {
    const coordinates = { block: env.number, index, hash: null, parentHash };
    const heads = { latest: 0, safe: null, finalized: null };
    const diff: StateDiff = { coordinates, env, heads, accounts: [], slots: [], codes: [] };
    return { index, raws: transactions.map(({ raw }) => raw), text: encoder.message(diff, transactions) };
  };
  const increments = [increment(0, [])];
  for (let at = 0; at < signed.length; at += size) {
    const confirmed: ExecutedTransaction[] = [];
    for (const one of signed.slice(at, at + size)) {
      const applied = await blockExecutor.apply(one);
      if (applied.kind === 'refused') throw new Error(applied.message);
      confirmed.push(applied.transaction);
    }
    increments.push(increment(increments.length, confirmed));
  }
  const { header, block } = await blockExecutor.seal();
  return { header, increments, confirmed: { ...block, state } };
}

/** Milliseconds that recovering the senders of these transactions takes. */
async function recoveryMs(raws: readonly Uint8Array[], senders: Piscina<SenderTask, void>): Promise<number> {
  const startMs = performance.now();
  const { task } = SenderRecoveryBatch.of(raws);
  await Promise.all(Array.from({ length: LIMITS.senderThreads }, () => senders.run(task)));
  return performance.now() - startMs;
}

/** One counted increment. */
interface Sample {
  readonly ms: number;
  /** Time for recovering its senders alone. */
  readonly recoveryMs: number;
}

interface Measured {
  readonly samples: readonly Sample[];
  /** HTTP requests for state to the upstream per increment. */
  readonly roundTrips: number;
}

/** Measures a new publisher. */
async function measure(workload: Workload, isResident: boolean): Promise<Measured> {
  const node = await UpstreamNode.start({ chainId: DEV_CHAIN.chainId, blocks: [workload.genesis] });
  node.faults.latencyMs = UPSTREAM_MS;
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });
  await once(server, 'listening');
  const feedUrl = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const follower = await Follower.start(node, feedUrl, server);
  try {
    if (isResident) await follower.fetch(workload.keys);
    return await follower.feed(workload, node);
  } finally {
    await follower.stop();
    server.close();
    await node.close();
  }
}

/** A publisher that follows the feed, and as many sender threads as it has itself. */
class Follower {
  readonly #publisher: PublisherThread;
  readonly #server: WebSocketServer;
  readonly #senders = new Piscina<SenderTask, void>({
    filename: SENDERS.href,
    minThreads: LIMITS.senderThreads,
    maxThreads: LIMITS.senderThreads,
  });

  private constructor(publisher: PublisherThread, server: WebSocketServer) {
    this.#publisher = publisher;
    this.#server = server;
  }

  /** Resolves once the first block is followed and the feed is connected. */
  static async start(node: UpstreamNode, feedUrl: string, server: WebSocketServer): Promise<Follower> {
    const connected = once(server, 'connection');
    const publisher = await PublisherThread.start(node, { feedUrls: [feedUrl] });
    await connected;
    return new Follower(publisher, server);
  }

  /** Fetches all keys from the upstream beforehand. */
  fetch(keys: MissingKeys): Promise<void> {
    return this.#publisher.fetch(keys);
  }

  async feed({ blocks, countedBlocks }: Workload, node: UpstreamNode): Promise<Measured> {
    for (const block of blocks.slice(0, -countedBlocks)) await this.#follow(block, node, false);
    const samples: Sample[] = [];
    let reads = 0;
    node.onBody = (body) => (reads += body.includes('getBlock') ? 0 : 1);
    for (const block of blocks.slice(-countedBlocks)) samples.push(...(await this.#follow(block, node, true)));
    await sleep(STATUS_MS);
    const { status, notes } = this.#publisher;
    if (status?.counts.mismatches !== 0) throw new Error(notes.join('\n'));
    return { samples, roundTrips: reads / samples.length };
  }

  /**
   * Until the block is confirmed; the first increment has no transactions. This thread collects garbage between
   * samples.
   */
  async #follow(
    { header, increments, confirmed }: BuiltBlock,
    node: UpstreamNode,
    isCounted: boolean,
  ): Promise<Sample[]> {
    const samples: Sample[] = [];
    for (const { index, raws, text } of increments) {
      const nextMs = performance.now() + PACE_MS;
      const ms = await this.#show(header.number, index, text);
      if (isCounted) await sleep((nextMs - performance.now()) / 2);
      if (index > 0) samples.push({ ms, recoveryMs: await recoveryMs(raws, this.#senders) });
      if (!isCounted) continue;
      collectYoungGarbage();
      await sleep(nextMs - performance.now());
    }
    node.push(confirmed);
    await this.#publisher.until(`block ${header.number}`, ({ heads }) => heads.latest === header.number);
    await sleep(PAUSE_MS);
    return samples;
  }

  /** Milliseconds until this increment's state is readable. */
  async #show(block: number, index: number, text: string): Promise<number> {
    const startMs = performance.now();
    for (const socket of this.#server.clients) socket.send(text);
    const isThis = ({ coordinates }: PublisherThread['newest']): boolean =>
      coordinates.block === block && coordinates.index === index;
    return (await this.#publisher.until(`increment ${index} of block ${block}`, isThis)) - startMs;
  }

  async stop(): Promise<void> {
    await this.#publisher.stop();
    await this.#senders.destroy();
  }
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
}

function row(...cells: readonly (string | number)[]): void {
  console.log(`| ${cells.join(' | ')} |`);
}

async function main(): Promise<void> {
  const scale = Number(process.argv[2] ?? 1);
  const onlySize = process.argv[3];
  row('transactions', 'state', 'median ms', 'p99 ms', 'recovery only, ms', 'increments', 'upstream requests');
  row('---', '---', '---', '---', '---', '---', '---');
  let recoverMs = 0;
  for (const { size, warmUp, count } of KINDS) {
    if (onlySize !== undefined && Number(onlySize) !== size) continue;
    const countedBlocks = Math.max(1, Math.round((count * scale) / BLOCK_INCREMENTS));
    const transactions = transactionsOf(size * (warmUp + countedBlocks * BLOCK_INCREMENTS));
    ({ recoverMs } = transactions);
    const workload = await workloadOf(transactions.signed, size, countedBlocks);
    for (const isResident of [true, false]) {
      collectGarbage();
      const { samples, roundTrips } = await measure(workload, isResident);
      const times = samples.map(({ ms }) => ms);
      const recoveries = samples.map((sample) => sample.recoveryMs);
      const numbers = [quantile(times, 0.5), quantile(times, 0.99), quantile(recoveries, 0.5)];
      const state = isResident ? 'cached' : 'fetched';
      row(size, state, ...numbers.map((ms) => ms.toFixed(1)), samples.length, roundTrips.toFixed(1));
    }
  }
  console.log(`Decoding a transaction and recovering its sender on one thread takes ${recoverMs.toFixed(2)} ms.`);
}

await main();
