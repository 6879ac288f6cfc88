// How long does it take to fetch cold state? (1) Four consecutive real blocks of OP Sepolia, (2) an estimate of a
// Uniswap V2 router swap, each on empty caches, behind a node with a latency of 1, 5 or 20 ms, with and without
// eth_createAccessList: sequential round trips, and milliseconds. (3) Ten bursts of a thousand clients that request the
// same cold estimate: values fetched from the node, and the latency of hot reads meanwhile.
// Usage: node dist/bench/cold.bench.js [blocks | estimates | clients]; (1) needs the shared data (test/README.md).
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { encodeHeader } from '../src/chain/block/header.js';
import { parseRollupConfig } from '../src/chain/op/rollup-config.js';
import { createChainRules, type ChainRules } from '../src/evm/reference/fork-rules.js';
import { DEV_CHAIN, devGenesisBlock } from '../src/feed/dev/genesis.js';
import { keccak256 } from '../src/lib/bytes/keccak-wasm.js';
import { toHex } from '../src/lib/bytes/hex.js';
import { FIRST, LAST, witnessBlock } from '../test/execution/op/witness.js';
import { LiveRig } from '../test/feed/live/live-rig.js';
import { parentOfFirst, realBlock, serving, type RealBlock } from '../test/feed/live/op-sepolia-blocks.js';
import { offerAccessLists } from '../test/support/access-list-method.js';
import {
  callAt,
  deployContractSet,
  SENDER,
  type CallTemplate,
  type ContractSet,
} from '../test/support/contract-set.js';
import { MemoryView } from '../test/support/memory-view.js';
import { withoutData } from '../test/support/shared-data.js';
import { type NodeBlock, UpstreamNode } from '../test/support/upstream-node.js';
import { startScript, type Program } from './program.js';
import { printHead, printRow } from './support/timing.js';
import { readyLoad } from './support/one-request.js';

const LATENCIES_MS = [1, 5, 20];
const CLIENTS = 1000;
const BURSTS = 10;
const BURST_PAUSE_MS = 200;
const HOT_CONNECTIONS = 16;
const HOT_SECONDS = 4;
const GAS_LIMIT = 10n ** 10n;

/** Matches requests for state or access lists, but not for blocks or heads. */
const STATE = /eth_(getBalance|getStorageAt|createAccessList)/;

/** Cost of a block or an estimate. */
interface Cost {
  readonly roundTrips: number;
  readonly ms: number;
}

/** Requests sent together count as one round trip, as they wait together. */
async function timed(node: UpstreamNode, step: () => Promise<void>): Promise<Cost> {
  let roundTrips = 0;
  let lastMs = -Infinity;
  node.onBody = (body) => {
    const nowMs = performance.now();
    if (!STATE.test(body) || nowMs - lastMs < node.faults.latencyMs * 0.8) return;
    roundTrips++;
    lastMs = nowMs;
  };
  const startMs = performance.now();
  await step();
  return { roundTrips, ms: performance.now() - startMs };
}

async function follow(
  blocks: readonly RealBlock[],
  rules: ChainRules,
  latencyMs: number,
  hasLists: boolean,
): Promise<Cost[]> {
  const parent = parentOfFirst();
  const rig = await LiveRig.start({ blocks: [parent], rules, wrap: serving(parent) });
  const byHash = new Map([parent, ...blocks].map((block) => [toHex(block.hash), block]));
  if (hasLists) offerAccessLists(rig.node, rules, byHash);
  rig.node.faults.latencyMs = latencyMs;
  const costs: Cost[] = [];
  for (const block of blocks)
    costs.push(
      await timed(rig.node, () => {
        rig.node.push(block);
        return rig.atHead(block);
      }),
    );
  if (rig.status.counts.mismatches > 0) throw new Error(rig.notes.join('\n'));
  await rig.stop();
  return costs;
}

function head(...first: readonly string[]): void {
  printHead(...first, 'access lists', ...LATENCIES_MS.flatMap((ms) => [`round trips at ${ms} ms`, 'ms']));
}

function cells(costs: readonly Cost[]): string[] {
  return costs.flatMap(({ roundTrips, ms }) => [String(roundTrips), ms.toFixed(0)]);
}

const yes = (is: boolean): string => (is ? 'yes' : 'no');

async function realBlocks(): Promise<void> {
  const missing = withoutData('op-sepolia');
  if (missing !== false) return console.log(`real blocks: ${missing}`);
  const rules = createChainRules(parseRollupConfig('rollup.json', witnessBlock(FIRST).rollupConfig).chain);
  const blocks: RealBlock[] = [];
  for (let number = FIRST; number <= LAST; number++) blocks.push(await realBlock(witnessBlock(number), rules));
  head('block', 'transactions');
  for (const hasLists of [false, true]) {
    const columns: Cost[][] = [];
    for (const latencyMs of LATENCIES_MS) columns.push(await follow(blocks, rules, latencyMs, hasLists));
    for (const [at, { number, transactions }] of blocks.entries())
      printRow(String(number), String(transactions.length), yes(hasLists), ...cells(columns.map((all) => all[at]!)));
  }
}

/** Block 0 with the contracts of the set. */
function genesisOf({ state: { accounts, slots, codes } }: ContractSet): NodeBlock & { readonly hash: Uint8Array } {
  const state = new MemoryView();
  for (const { address, account } of accounts) state.set(address, account);
  for (const { address, slot, value } of slots) state.setSlot(address, slot, value);
  for (const { hash, bytes } of codes) state.setCode(hash, bytes);
  const { header } = devGenesisBlock(new Uint8Array(32), Math.floor(Date.now() / 1000));
  const bytes = encodeHeader({ ...header, gasLimit: GAS_LIMIT });
  return { header: bytes, transactions: [], withdrawals: [], state, hash: keccak256(bytes) };
}

async function withProgram(
  set: ContractSet,
  hasLists: boolean,
  use: (program: Program, node: UpstreamNode) => Promise<void>,
): Promise<void> {
  const genesis = genesisOf(set);
  const node = await UpstreamNode.start({ chainId: DEV_CHAIN.chainId, blocks: [genesis] });
  if (hasLists) offerAccessLists(node, createChainRules(DEV_CHAIN), new Map([[toHex(genesis.hash), genesis]]));
  const program = await startScript('src/main.js', '--port', '0', '--upstream', node.url);
  try {
    await use(program, node);
  } finally {
    await program.stop();
    await node.close();
  }
}

async function query(url: string, method: string, ...params: readonly unknown[]): Promise<string> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  const answer = (await response.json()) as { readonly result?: string };
  if (answer.result === undefined) throw new Error(JSON.stringify(answer));
  return answer.result;
}

/** The swap; each number has a different receiver. */
function swapOf(set: ContractSet, number: number): object {
  const template = set.calls.find(({ name }) => name === 'V2 router swap') as CallTemplate;
  const { data } = callAt(template, number);
  return { from: SENDER, to: template.to, data: typeof data === 'string' ? data : toHex(data!) };
}

async function estimates(set: ContractSet): Promise<void> {
  head('estimate');
  for (const hasLists of [false, true]) {
    const first: Cost[] = [];
    const second: Cost[] = [];
    for (const latencyMs of LATENCIES_MS)
      await withProgram(set, hasLists, async ({ url }, node) => {
        node.faults.latencyMs = latencyMs;
        const estimate = (number: number): Promise<Cost> =>
          timed(node, async () => void (await query(url, 'eth_estimateGas', swapOf(set, number), 'latest')));
        first.push(await estimate(1));
        second.push(await estimate(2));
      });
    printRow('router swap, nothing cached', yes(hasLists), ...cells(first));
    printRow('same swap, another receiver', yes(hasLists), ...cells(second));
  }
}

/** Hot reads alone, then with clients whose estimates are cold, then with the same estimates cached. */
async function crowd(set: ContractSet): Promise<void> {
  printHead(`${CLIENTS} clients at once`, 'values fetched', 'hot reads/s', 'p50 ms', 'p99 ms');
  await withProgram(set, true, async ({ url }, node) => {
    node.faults.latencyMs = LATENCIES_MS.at(-1)!;
    await query(url, 'eth_getTransactionCount', SENDER, 'latest');
    await hotReads('none', url, node, async () => undefined);
    await hotReads('cold estimates', url, node, () => bursts(url, set));
    await hotReads('the same estimates, cached', url, node, () => bursts(url, set));
  });
}

async function hotReads(beside: string, url: string, node: UpstreamNode, others: () => Promise<void>): Promise<void> {
  const nonce = { jsonrpc: '2.0', id: 1, method: 'eth_getTransactionCount', params: [SENDER, 'latest'] };
  const shape = { connections: HOT_CONNECTIONS, seconds: HOT_SECONDS };
  const load = await readyLoad(url, JSON.stringify(nonce), shape);
  node.resetCounts();
  const [{ requestsPerSecond, p50Ms, p99Ms }] = await Promise.all([load.run(), others()]);
  const { eth_getBalance: accounts = 0, eth_getStorageAt: slots = 0 } = node.counts.byMethod;
  printRow(beside, String(accounts + slots), requestsPerSecond.toFixed(0), p50Ms.toFixed(2), p99Ms.toFixed(2));
}

/** Each burst calls a different cold contract: a copy of the router. */
async function bursts(url: string, set: ContractSet): Promise<void> {
  for (let burst = 0; burst < BURSTS; burst++) {
    const swap = { ...swapOf(set, 1), to: set.routerCopies[burst] };
    const answers = await Promise.all(
      Array.from({ length: CLIENTS }, () => query(url, 'eth_estimateGas', swap, 'latest')),
    );
    if (new Set(answers).size !== 1) throw new Error('responses differ');
    await sleep(BURST_PAUSE_MS);
  }
}

const set = await deployContractSet(BURSTS);
const part = process.argv[2];
if (part === undefined || part === 'blocks') await realBlocks();
if (part === undefined || part === 'estimates') await estimates(set);
if (part === undefined || part === 'clients') await crowd(set);
