// How long does it take to learn cold state? Four real blocks of OP Sepolia, none of whose state is held, whole and one after
// the other, behind a node that answers after 1, 5 or 20 ms, with and without eth_createAccessList: round trips one after
// the other, and milliseconds until readers see the block. Needs the shared data (test/README.md).
// Usage: node dist/bench/cold.bench.js
import { performance } from 'node:perf_hooks';
import { parseRollupConfig } from '../src/chain/op/rollup-config.js';
import { createRules, type Rules } from '../src/evm/ethereumjs/fork-rules.js';
import { toHex } from '../src/lib/hex.js';
import { FIRST, LAST, witnessBlock } from '../test/execution/op/witness.js';
import { LiveRig } from '../test/feed/live/live-rig.js';
import { parentOfFirst, realBlock, serving, type RealBlock } from '../test/feed/live/op-sepolia-blocks.js';
import { offerAccessLists } from '../test/support/access-list-method.js';
import { withoutData } from '../test/support/shared-data.js';
import { printHead, printRow } from './support/timing.js';

const LATENCIES_MS = [1, 5, 20];

/** What a block took. */
interface Taken {
  readonly roundTrips: number;
  readonly ms: number;
}

/** A request for state or lists, neither for blocks nor for heads. */
const STATE = /eth_(getBalance|getStorageAt|createAccessList)/;

async function follow(
  blocks: readonly RealBlock[],
  rules: Rules,
  latencyMs: number,
  hasLists: boolean,
): Promise<Taken[]> {
  const parent = parentOfFirst();
  const rig = await LiveRig.start({ blocks: [parent], rules, wrap: serving(parent) });
  if (hasLists)
    offerAccessLists(rig.node, rules, new Map([parent, ...blocks].map((block) => [toHex(block.hash), block])));
  rig.node.faults.latencyMs = latencyMs;
  const taken: Taken[] = [];
  for (const block of blocks) {
    let roundTrips = 0;
    // Those that go out together count once: they wait together.
    let last = -Infinity;
    rig.node.onBody = (body) => {
      if (!STATE.test(body)) return;
      const now = performance.now();
      if (now - last > latencyMs * 0.8) {
        roundTrips++;
        last = now;
      }
    };
    const started = performance.now();
    rig.node.push(block);
    await rig.atHead(block);
    taken.push({ roundTrips, ms: performance.now() - started });
  }
  if (rig.status.counts.mismatches > 0) throw new Error(rig.notes.join('\n'));
  await rig.stop();
  return taken;
}

async function main(): Promise<void> {
  const missing = withoutData('op-sepolia');
  if (missing !== false) return console.log(missing);
  const rules = createRules(parseRollupConfig('rollup.json', witnessBlock(FIRST).rollupConfig));
  const blocks: RealBlock[] = [];
  for (let number = FIRST; number <= LAST; number++) blocks.push(await realBlock(witnessBlock(number), rules));
  printHead(
    'block',
    'transactions',
    'access lists',
    ...LATENCIES_MS.flatMap((ms) => [`round trips at ${ms} ms`, 'ms']),
  );
  for (const hasLists of [false, true]) {
    const columns: Taken[][] = [];
    for (const latencyMs of LATENCIES_MS) columns.push(await follow(blocks, rules, latencyMs, hasLists));
    for (const [at, { number, transactions }] of blocks.entries()) {
      const cells = columns.flatMap((taken) => [String(taken[at]!.roundTrips), taken[at]!.ms.toFixed(0)]);
      printRow(String(number), String(transactions.length), hasLists ? 'yes' : 'no', ...cells);
    }
  }
}

await main();
