// How long from a head, a frame or a shred until readers see it, by the way that its block takes? Blocks of 100
// transactions that write two slots each, all state held: executed, and as diffs of the node's tracer; increments of
// 100 that are executed, and shreds that are told. The publisher and its threads for senders as they are in the
// program, behind a scripted node on this thread, over real sockets; its answers are made beforehand. One clock starts
// before the message is sent and ends when TableReader sees the version; the other is the publisher's own, from the
// message received on. Beside a head another client takes the node's round trip. Prints one table.
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

// The program sets it, too.
setFlagsFromString('--no-parallel-scavenge');

const TRANSACTIONS = 100;
const SENDERS = ACCOUNTS.length;
const SLOTS = 400;
/** Between two blocks: the publisher collects its garbage meanwhile. */
const PACE_MS = 50;
/** In which the publisher tells how it fares. */
const STATUS_MS = 700;
/** Methods whose answers are made before the clock starts, beside the block. */
const MADE_BEFORE = ['debug_traceBlockByHash', 'eth_getBlockReceipts'] as const;

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

/** Milliseconds of blocks or increments, one each. */
interface Row {
  /** From the message sent until TableReader sees the version. */
  readonly total: number[];
  /** From the message received until readers see it, as the publisher takes it. */
  readonly received: number[];
  /** Round trips of a node with the question for a block. */
  readonly roundTrip: number[];
}

async function heads(root: MadeBlock, made: readonly Increments[], followBy: LiveOptions['followBy']): Promise<Row> {
  const node = await UpstreamNode.start({ chainId: DEV_CHAIN.chainId, blocks: [root] });
  new TracedChain(made.map((each) => each.made)).serveOn(node);
  const publisher = await PublisherThread.start(node, { followBy, diffSample: 0.05 });
  await publisher.fetch(KEYS);
  const answerBeforehand = beforehand(node);
  const roundTrips = new RoundTrips();
  const row: Row = { total: [], received: [], roundTrip: [] };
  for (const { made: block } of made) {
    await answerBeforehand(block);
    await rest();
    const isThis = ({ heads: { latest } }: PublisherThread['newest']): boolean => latest === block.number;
    await timed(publisher, row, () => node.push(block), isThis);
    row.roundTrip.push(await roundTrips.ms(node.url, questionsFor(toHex(block.hash), followBy)));
  }
  await roundTrips.close();
  await end(publisher, node);
  return row;
}

/** Questions for a block, as the publisher asks them: in one body. */
function questionsFor(hash: string, followBy: LiveOptions['followBy']): (readonly [string, readonly unknown[]])[] {
  const block = ['eth_getBlockByHash', [hash, true]] as const;
  if (followBy === 'execution') return [block];
  return [block, ['eth_getBlockReceipts', [hash]], ['debug_traceBlockByHash', [hash, PRESTATE_DIFF_TRACER_CONFIG]]];
}

/** Times one message, both ways. */
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
  total.push((await publisher.until('what was sent', isThis)) - startMs);
  await publisher.until('its time', () => visible.count > count);
  received.push(visible.sumMs - sumMs);
}

/** Has a block's answers made before it is asked for; answers how. */
function beforehand(node: UpstreamNode): (block: MadeBlock) => Promise<void> {
  const answers = new Map<string, Json>();
  const makers = MADE_BEFORE.map((method) => [method, node.methods.get(method)!] as const);
  for (const method of [...MADE_BEFORE, 'eth_getBlockByHash'])
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
    await publisher.until(`block ${block.number} begun`, isAt(0));
    await rest();
    await timed(publisher, row, () => send(increment!), isAt(1));
    node.push(block);
    await publisher.until(`block ${block.number}`, ({ heads: { latest } }) => latest === block.number);
  }
  server.close();
  await end(publisher, node);
  return row;
}

/** Both threads collect while nobody waits for them. */
async function rest(): Promise<void> {
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

/** Of the second half; none where there is nothing. */
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
    '| what comes | way | sent to seen, median ms | p99 | received to visible, median ms | p99 | round trip, median ms |',
  );
  console.log('| --- | --- | --- | --- | --- | --- | --- |');
  const rows = [
    ['head', 'executed', () => heads(root, made, 'execution')],
    ['head', 'diff', () => heads(root, made, 'diffs')],
    ['frame', 'executed', () => increments(root, made, 'flashblocks')],
    ['shred', 'told', () => increments(root, made, 'shreds')],
  ] as const;
  for (const [what, way, measure] of rows) {
    const { total, received, roundTrip } = await measure();
    const figures = [total, received].flatMap((times) => [quantile(times, 0.5), quantile(times, 0.99)]);
    console.log(`| ${[what, way, ...figures, quantile(roundTrip, 0.5)].join(' | ')} |`);
  }
}

await main();
