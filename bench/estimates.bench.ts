// How fast are gas estimates beside anvil's? A transfer, an ERC-20 transfer and a pool swap on the same genesis, loaded
// in turns by wrk in one run, every request another one, answers checked. Ratios of medians.
// Usage: node dist/bench/estimates.bench.js [seconds a turn] [connections]
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEV_ACCOUNTS, DEV_GOLD, DEV_POOL } from '../src/feed/dev-genesis.js';
import { toHex } from '../src/lib/hex.js';
import { writeGethGenesis } from './geth-genesis.js';
import { type Program, startAnvil, startScript } from './program.js';
import { type LoadResult, hasWrk, wrk } from './wrk.js';

const ROUNDS = 3;
const [FROM, TO] = [toHex(DEV_ACCOUNTS[0]!), toHex(DEV_ACCOUNTS[1]!)];
const pad = (text: string): string => text.replace('0x', '').padStart(64, '0');
/** `%d` becomes eight hex digits, another number in every request. */
const AMOUNT = `${'0'.repeat(56)}%d`;

const estimate = (to: string, members: string): string =>
  `{"jsonrpc":"2.0","id":1,"method":"eth_estimateGas","params":[{"from":"${FROM}","to":"${to}",${members}},"latest"]}`;

/** Selectors of `transfer(address,uint256)` and `swap(address,uint256,uint256,address)`. */
const TRANSFER = '0xa9059cbb';
const SWAP = '0xf3e6ea8a';

const QUESTIONS: readonly (readonly [name: string, body: string])[] = [
  ['plain transfer', estimate(TO, '"value":"0x1%d"')],
  ['ERC-20 transfer', estimate(toHex(DEV_GOLD), `"data":"${TRANSFER}${pad(TO)}${AMOUNT}"`)],
  ['pool swap', estimate(toHex(DEV_POOL), `"data":"${SWAP}${pad(toHex(DEV_GOLD))}${AMOUNT}${pad('0x0')}${pad(TO)}"`)],
];

async function main(): Promise<void> {
  if (!hasWrk()) throw new Error('this bench needs wrk on the path');
  const seconds = Number(process.argv[2] ?? 3);
  const connections = Number(process.argv[3] ?? 64);
  const folder = mkdtempSync(join(tmpdir(), 'prestate-bench-'));
  const genesis = join(folder, 'genesis.json');
  writeGethGenesis(genesis);
  const anvil = await startAnvil('--init', genesis, '--hardfork', 'osaka', '--no-mining');
  const ours = await startScript('src/main.js', '--port', '0', '--genesis', genesis);
  try {
    process.stdout.write(
      '| | ours /s | anvil /s | ratio | ours p50 ms | anvil p50 ms |\n| --- | --- | --- | --- | --- | --- |\n',
    );
    for (const [name, body] of QUESTIONS) await compare(name, body, ours, anvil, seconds, connections);
  } finally {
    await anvil.stop();
    await ours.stop();
    rmSync(folder, { recursive: true });
  }
}

async function compare(
  name: string,
  body: string,
  ours: Program,
  anvil: Program,
  seconds: number,
  connections: number,
): Promise<void> {
  const results: { ours: LoadResult[]; anvil: LoadResult[] } = { ours: [], anvil: [] };
  for (let round = 0; round < ROUNDS; round++) {
    for (const [side, { url }] of [
      ['ours', ours],
      ['anvil', anvil],
    ] as const) {
      const result = await wrk({ url, bodies: [body], connections, seconds, checked: true });
      if (result.failures > 0) throw new Error(`${name}: ${result.failures} answers of ${side} were errors`);
      results[side].push(result);
    }
  }
  const ratio = (perSecond(results.ours) / perSecond(results.anvil)).toFixed(2);
  const rates = `${perSecond(results.ours).toFixed(0)} | ${perSecond(results.anvil).toFixed(0)} | ${ratio}`;
  process.stdout.write(`| ${name} | ${rates} | ${p50(results.ours)} | ${p50(results.anvil)} |\n`);
}

function perSecond(results: readonly LoadResult[]): number {
  return median(results.map((result) => result.requestsPerSecond));
}

function p50(results: readonly LoadResult[]): string {
  return median(results.map((result) => result.p50Ms)).toFixed(2);
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1]!;
}

await main();
