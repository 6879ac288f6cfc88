// How long from a head, a Flashblock or a shred until its state is readable, by the way it is applied? Blocks of 100
// transactions that write two slots each, all state cached: executed, and as diffs of the node's tracer; increments of
// 100 that are executed, and shreds that are applied as reported. The publisher and its sender threads run as in the
// program, behind a scripted node on this thread, over real sockets; the node's responses are prepared
// beforehand. One clock starts before the message is sent and stops when TableReader sees the version; the other
// is the publisher's own, from receiving the message. For heads, another client measures the node's round trip. Prints
// one table.
// Usage: node dist/bench/heads.bench.js [blocks]: 200 of each kind without an argument; the second half counts.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { WebSocketServer } from 'ws';
import { setTimeout as sleep } from 'node:timers/promises';
import { DEV_CHAIN } from '../src/feed/dev/genesis.js';
import type { LiveOptions } from '../src/feed/chain-source-options.js';
import { PRESTATE_DIFF_TRACER_CONFIG } from '../src/feed/diffs/prestate-diff.js';
import { toHex } from '../src/lib/bytes/hex.js';
import { toBytes } from '../src/lib/bytes/big-endian.js';
import { collectYoungGarbage } from '../src/lib/memory/garbage-collection.js';
import type { MissingKeys } from '../src/state/views/miss-recording-view.js';
import {
  ACCOUNTS,
  framesOf,
  genesis,
  makeInIncrements,
  shredsOf,
  WRITER,
  type Action,
  type Increments,
  type MadeBlock,
} from '../test/feed/live/chain-maker.js';
import { TracedChain } from '../test/feed/live/traced-chain.js';
import { blockJson, type Json } from '../test/support/node-json.js';
import { UpstreamNode } from '../test/support/upstream-node.js';
import { PublisherThread } from './support/publisher-thread.js';
import { RoundTrips } from './support/round-trips.js';

// As in the program.
setFlagsFromString('--no-parallel-scavenge');

const TRANSACTIONS = 100;
const SENDERS = ACCOUNTS.length;
const SLOTS = 400;
/** Interval between two blocks: the publisher collects its garbage meanwhile. */
const PACE_MS = 50;
/** Within this time the publisher reports its status. */
const STATUS_MS = 700;
/** Methods whose responses are prepared before the clock starts, in addition to the block. */
const PREPARED_METHODS = ['debug_traceBlockByHash', 'eth_getBlockReceipts'] as const;

function actions(number: number): Action[] {
  return Array.from({ length: TRANSACTIONS }, (_, at) => {
    const words = [BigInt((number * TRANSACTIONS + at) % SLOTS), BigInt(number + 1)];
    return { from: at % SENDERS, to: WRITER, words, gasLimit: 100_000n };
  });
}

const KEYS: MissingKeys = {
  accounts: [...ACCOUNTS, WRITER],
  slots: Array.from({ length: SLOTS }, (_, slot) => ({ address: WRITER, slot: toBytes(BigInt(slot), 32) })),
};

async function chainOf(root: MadeBlock, count: number): Promise<Increments[]> {
  const made: Increments[] = [];
  for (let number = 1; number <= count; number++)
    made.push(await makeInIncrements(made.at(-1)?.made ?? root, actions(number), TRANSACTIONS));
  return made;
}

/** Milliseconds per block or increment. */
interface Row {
  /** From sending the message until TableReader sees the version. */
  readonly total: number[];
  /** From receiving the message until its state is readable, as measured by the publisher. */
  readonly received: number[];
  /** Round trips of the node for a block request. */
  readonly roundTrip: number[];
}

async function heads(root: MadeBlock, made: readonly Increments[], followBy: LiveOptions['followBy']): Promise<Row> {
  const node = await UpstreamNode.start({ chainId: DEV_CHAIN.chainId, blocks: [root] });
  new TracedChain(made.map((each) => each.made)).serveOn(node);
  const publisher = await PublisherThread.start(node, { followBy, diffSample: 0.05 });
  await publisher.fetch(KEYS);
  const prepareResponses = responsePreparer(node);
  const roundTrips = new RoundTrips();
  const row: Row = { total: [], received: [], roundTrip: [] };
  for (const { made: block } of made) {
    await prepareResponses(block);
    await settle();
    const isThis = ({ heads: { latest } }: PublisherThread['newest']): boolean => latest === block.number;
    await timed(publisher, row, () => node.push(block), isThis);
    row.roundTrip.push(await roundTrips.ms(node.url, requestsFor(toHex(block.hash), followBy)));
  }
  await roundTrips.close();
  await end(publisher, node);
  return row;
}

/** Requests for a block, batched as by the publisher. */
function requestsFor(hash: string, followBy: LiveOptions['followBy']): (readonly [string, readonly unknown[]])[] {
  const block = ['eth_getBlockByHash', [hash, true]] as const;
  if (followBy === 'execution') return [block];
  return [block, ['eth_getBlockReceipts', [hash]], ['debug_traceBlockByHash', [hash, PRESTATE_DIFF_TRACER_CONFIG]]];
}

/** Times one message with both clocks. */
async function timed(
  publisher: PublisherThread,
  { total, received }: Row,
  send: () => void,
  isThis: (newest: PublisherThread['newest']) => boolean,
): Promise<void> {
  const { visible } = publisher;
  const { count, sumMs } = visible;
  const startMs = performance.now();
  send();
  total.push((await publisher.until('the message', isThis)) - startMs);
  await publisher.until('its time', () => visible.count > count);
  received.push(visible.sumMs - sumMs);
}

/** Makes the node answer from prepared responses; returns the function that prepares those of a block. */
function responsePreparer(node: UpstreamNode): (block: MadeBlock) => Promise<void> {
  const answers = new Map<string, Json>();
  const makers = PREPARED_METHODS.map((method) => [method, node.methods.get(method)!] as const);
  for (const method of [...PREPARED_METHODS, 'eth_getBlockByHash'])
    node.methods.set(method, ([hash]) => answers.get(`${method} ${String(hash)}`) ?? null);
  return async (block) => {
    const hash = toHex(block.hash);
    answers.clear();
    for (const [method, make] of makers) answers.set(`${method} ${hash}`, await make([hash]));
    answers.set(`eth_getBlockByHash ${hash}`, blockJson(block, true));
  };
}

async function increments(
  root: MadeBlock,
  made: readonly Increments[],
  feedFormat: 'flashblocks' | 'shreds',
): Promise<Row> {
  const node = await UpstreamNode.start({ chainId: DEV_CHAIN.chainId, blocks: [root] });
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });
  await once(server, 'listening');
  const connected = once(server, 'connection');
  const feedUrls = [`ws://127.0.0.1:${(server.address() as AddressInfo).port}`];
  const publisher = await PublisherThread.start(node, { feedUrls, feedFormat, diffSample: 0.05 });
  await connected;
  await publisher.fetch(KEYS);
  const row: Row = { total: [], received: [], roundTrip: [] };
  for (const each of made) {
    const { made: block } = each;
    const [opening, increment] = feedFormat === 'shreds' ? shredsOf(each, TRANSACTIONS) : framesOf(block, TRANSACTIONS);
    const send = (text: string): void => {
      for (const socket of server.clients) socket.send(text);
    };
    const isAt =
      (index: number) =>
      ({ coordinates }: PublisherThread['newest']): boolean =>
        coordinates.block === block.number && coordinates.index === index;
    send(opening!);
    await publisher.until(`block ${block.number} open`, isAt(0));
    await settle();
    await timed(publisher, row, () => send(increment!), isAt(1));
    node.push(block);
    await publisher.until(`block ${block.number}`, ({ heads: { latest } }) => latest === block.number);
  }
  server.close();
  await end(publisher, node);
  return row;
}

/** Lets both threads collect garbage between samples. */
async function settle(): Promise<void> {
  collectYoungGarbage();
  await sleep(PACE_MS);
}

async function end(publisher: PublisherThread, node: UpstreamNode): Promise<void> {
  await sleep(STATUS_MS);
  const { mismatches, restarts } = publisher.status!.counts;
  if (mismatches + restarts > 0) throw new Error(publisher.notes.join('\n'));
  await publisher.stop();
  await node.close();
}

/** Quantile of the second half; `-` if there are no values. */
function quantile(values: readonly number[], share: number): string {
  if (values.length === 0) return '-';
  const sorted = values.slice(values.length / 2).toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!.toFixed(1);
}

async function main(): Promise<void> {
  const count = Number(process.argv[2] ?? 200);
  const root = genesis();
  const made = await chainOf(root, count);
  console.log(
    '| message | applied | sent to readable, median ms | p99 | received to visible, median ms | p99 | round ' +
      'trip, median ms |',
  );
  console.log('| --- | --- | --- | --- | --- | --- | --- |');
  const rows = [
    ['head', 'executed', () => heads(root, made, 'execution')],
    ['head', 'diff', () => heads(root, made, 'diffs')],
    ['Flashblock', 'executed', () => increments(root, made, 'flashblocks')],
    ['shred', 'as reported', () => increments(root, made, 'shreds')],
  ] as const;
  for (const [message, applied, measure] of rows) {
    const { total, received, roundTrip } = await measure();
    const figures = [total, received].flatMap((times) => [quantile(times, 0.5), quantile(times, 0.99)]);
    console.log(`| ${[message, applied, ...figures, quantile(roundTrip, 0.5)].join(' | ')} |`);
  }
}

await main();
