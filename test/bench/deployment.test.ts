// Calls on somebody else's development chain: contracts deployed by the benchmark make nearly all loads possible.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Program, startAnvil, startScript } from '../../bench/program.js';
import { resultOf } from '../../bench/load/ask.js';
import { randomOf } from '../../bench/load/random.js';
import { estimates } from '../../bench/scenarios/calls.js';
import { scenariosNamed } from '../../bench/scenarios/scenarios.js';
import { openGivenStage } from '../../bench/suite/given-stage.js';

const CHAINS: readonly (readonly [name: string, start: () => Promise<Program>])[] = [
  ['the dev chain', () => startScript('src/main.js', '--port', '0')],
  ['anvil, which mines each transaction by itself', () => startAnvil()],
];

for (const [name, start] of CHAINS)
  test(`on ${name}, tokens, a pool and loops are there to estimate calls of`, async (t) => {
    const program = await start();
    t.after(() => program.stop());
    await estimatesOf(program.url);
  });

async function estimatesOf(url: string): Promise<void> {
  const { world, targets } = await openGivenStage([{ name: 'dev', url }], {}, 1000);
  const gas = async (kind: string): Promise<number> => {
    const { params } = JSON.parse(estimates(world, randomOf(1), kind)()) as { readonly params: readonly unknown[] };
    return Number(await resultOf(targets[0]!, 'eth_estimateGas', params[0], 'latest'));
  };
  assert.equal(await gas('plain transfer'), 21_000);
  for (const [kind, least, most] of [
    ['ERC-20 transfer', 30_000, 60_000],
    ['swap', 60_000, 200_000],
    ['compute', 300_000, 500_000],
    ['50 slots', 250_000, 400_000],
  ] as const) {
    const found = await gas(kind);
    assert.ok(found >= least && found <= most, `${kind}: ${found}`);
  }
  // For each sender, and at each block that requests use.
  for (const { name, from, to, data } of world.calls.filter((call) => call.from.length === 42))
    for (const block of new Set(world.blocks)) {
      const call = { from, to, data: data?.replace('%r', from.slice(2)).replace('%d', '00000001') };
      assert.ok(await resultOf(targets[0]!, 'eth_estimateGas', call, block), `${name} from ${from} at ${block}`);
    }
  const all = (await scenariosNamed([])).filter(({ scenario }) => scenario.needsFeed !== true);
  const unavailable = all.flatMap(({ scenario }) =>
    scenario.runs
      .filter(({ part }) => (scenario.unavailable?.(world, part) ?? null) !== null)
      .map(({ name }) => `${scenario.name}: ${name}`),
  );
  assert.deepEqual(unavailable, [
    'reads-many: closed loop',
    'estimates: V2 router swap',
    'estimates: V2 router swap, one connection',
    'traces: callTracer, V2 router swap',
    'traces: prestateTracer, V2 router swap',
  ]);
  // The requested blocks follow the head.
  assert.ok(world.follows && world.blocks.includes('latest') && world.blocks.includes('pending'));
}
