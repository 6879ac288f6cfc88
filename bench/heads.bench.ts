// How long from a head, a frame or a shred until readers see it, by the way that its block takes? Blocks of 100 transactions that
// write two slots each, all state held: executed, and as diffs of the node's tracer; increments of 100 that are executed, and
// shreds that are told. The publisher's parts run on this thread, behind a scripted node on the same one, over real sockets, by the time of the process. Of a
// head the node's own part is taken off: the same questions are asked once more and nothing is done with the answer. Prints one table.
// Usage: node dist/bench/heads.bench.js [blocks]: 200 of each kind without an argument; the second half counts.
import type { StreamFormat } from '../src/feed/streams/follow.js';
import { FLASHBLOCKS } from '../src/feed/streams/flashblocks/frame.js';
import { SHREDS } from '../src/feed/streams/rise/shred.js';
import { PRESTATE_DIFF } from '../src/feed/diffs/prestate-diff.js';
import { toHex } from '../src/lib/bytes/hex.js';
import { toBytes } from '../src/lib/bytes/words.js';
import type { Wants } from '../src/state/views/recording-view.js';
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
import { LiveRig } from '../test/feed/live/live-rig.js';
import { TracedChain } from '../test/feed/live/traced-chain.js';
import type { Json } from '../test/support/node-json.js';

const TRANSACTIONS = 100;
const SENDERS = ACCOUNTS.length;
const SLOTS = 400;
/** Methods whose answers are made before the clock starts. */
const MADE_BEFORE = ['debug_traceBlockByHash', 'eth_getBlockReceipts'] as const;

function actions(number: number): Action[] {
  return Array.from({ length: TRANSACTIONS }, (_, at) => {
    const words = [BigInt((number * TRANSACTIONS + at) % SLOTS), BigInt(number + 1)];
    return { from: at % SENDERS, to: WRITER, words, gasLimit: 100_000n };
  });
}

const KEYS: Wants = {
  accounts: [...ACCOUNTS, WRITER],
  slots: Array.from({ length: SLOTS }, (_, slot) => ({ address: WRITER, slot: toBytes(BigInt(slot), 32) })),
};

async function chainOf(root: MadeBlock, count: number): Promise<Increments[]> {
  const made: Increments[] = [];
  for (let number = 1; number <= count; number++)
    made.push(await makeInIncrements(made.at(-1)?.made ?? root, actions(number), TRANSACTIONS));
  return made;
}

/** Time of this process on all cores, ms: everything that is measured runs here, so that what else the machine does is not counted. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Milliseconds until `isSeen`. */
async function seen(startMs: number, isSeen: () => boolean): Promise<number> {
  while (!isSeen()) await new Promise((resolve) => setImmediate(resolve));
  return cpuMs() - startMs;
}

/** Time of a round trip with these questions. */
async function roundTripMs(
  url: string,
  questions: readonly (readonly [string, readonly unknown[]])[],
): Promise<number> {
  const body = JSON.stringify(questions.map(([method, params], id) => ({ jsonrpc: '2.0', id, method, params })));
  const startMs = cpuMs();
  await (await fetch(url, { method: 'POST', body })).arrayBuffer();
  return cpuMs() - startMs;
}

interface Row {
  readonly total: number[];
  /** Without the node's part. */
  readonly own: number[];
}

async function heads(root: MadeBlock, made: readonly Increments[], followBy: 'execution' | 'diffs'): Promise<Row> {
  const answers = new Map<string, Json>();
  const traced = new TracedChain(made.map((each) => each.made));
  const rig = await LiveRig.start({
    blocks: [root],
    following: { followBy, diffSample: 0.05 },
    prepare: (node) => traced.serveOn(node),
  });
  const row: Row = { total: [], own: [] };
  await rig.hold(KEYS);
  const makers = MADE_BEFORE.map((method) => [method, rig.node.methods.get(method)!] as const);
  for (const [method] of makers)
    rig.node.methods.set(method, ([hash]) => answers.get(`${method} ${String(hash)}`) ?? null);
  for (const { made: block } of made) {
    const hash = toHex(block.hash);
    for (const [method, make] of makers) answers.set(`${method} ${hash}`, await make([hash]));
    const startMs = cpuMs();
    rig.node.push(block);
    const ms = await seen(startMs, () => rig.newest.heads.latest === block.number);
    const full = ['eth_getBlockByHash', [hash, true]] as const;
    const beside = [
      ['eth_getBlockReceipts', [hash]],
      ['debug_traceBlockByHash', [hash, PRESTATE_DIFF]],
    ] as const;
    const nodeMs = await roundTripMs(rig.node.url, followBy === 'diffs' ? [full, ...beside] : [full]);
    row.total.push(ms);
    row.own.push(ms - nodeMs);
    answers.clear();
  }
  check(rig);
  await rig.stop();
  return row;
}

async function increments(root: MadeBlock, made: readonly Increments[], format: StreamFormat): Promise<Row> {
  const rig = await LiveRig.start({
    blocks: [root],
    hasFeed: true,
    format,
    following: { followBy: 'auto', diffSample: 0.05 },
  });
  const row: Row = { total: [], own: [] };
  await rig.hold(KEYS);
  for (const each of made) {
    const { made: block } = each;
    const [opening, increment] = format === SHREDS ? shredsOf(each, TRANSACTIONS) : framesOf(block, TRANSACTIONS);
    const at = (index: number) => (): boolean => {
      const { coordinates } = rig.newest;
      return coordinates.block === block.number && coordinates.index === index;
    };
    rig.send(opening!);
    await seen(0, at(0));
    const startMs = cpuMs();
    rig.send(increment!);
    const ms = await seen(startMs, at(1));
    row.total.push(ms);
    row.own.push(ms);
    rig.node.push(block);
    await seen(0, () => rig.newest.heads.latest === block.number);
  }
  check(rig);
  await rig.stop();
  return row;
}

function check(rig: LiveRig): void {
  const { mismatches, restarts } = rig.status.counts;
  if (mismatches + restarts > 0) throw new Error(rig.notes.join('\n'));
}

function quantile(values: readonly number[], share: number): string {
  const sorted = values.slice(values.length / 2).toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!.toFixed(1);
}

async function main(): Promise<void> {
  const count = Number(process.argv[2] ?? 200);
  const root = genesis();
  const made = await chainOf(root, count);
  console.log('| what comes | way | median ms | p99 ms | median without the node, ms |');
  console.log('| --- | --- | --- | --- | --- |');
  const rows = [
    ['head', 'executed', () => heads(root, made, 'execution')],
    ['head', 'diff', () => heads(root, made, 'diffs')],
    ['frame', 'executed', () => increments(root, made, FLASHBLOCKS)],
    ['shred', 'told', () => increments(root, made, SHREDS)],
  ] as const;
  for (const [what, way, measure] of rows) {
    const { total, own } = await measure();
    console.log(`| ${[what, way, quantile(total, 0.5), quantile(total, 0.99), quantile(own, 0.5)].join(' | ')} |`);
  }
}

await main();
