// This build following a feed of increments: that of the dev chain of a second process. Runs in the bench.
import { setTimeout } from 'node:timers/promises';
import { DEV_GOLD_TOKEN, DEV_SWAP_POOL, TRAFFIC_ACCOUNTS } from '../../src/feed/dev/genesis.js';
import { toHex } from '../../src/lib/bytes/hex.js';
import { freePort } from '../../test/support/free-port.js';
import { type Program, startScript } from '../program.js';
import { type Stage, standing } from '../suite/stage.js';
import { type Target, targetAt } from '../suite/target.js';
import type { World } from '../suite/world.js';

/** Transactions a second; about ten per increment of 200 ms. */
const TRAFFIC_TPS = 50;
const SLOTS = 10;
const READY_MS_MAX = 30_000;
const POLL_MS = 100;
/** `transfer(address,uint256)`. */
const TRANSFER = '0xa9059cbb';

export async function openMovingStage(): Promise<Stage> {
  const programs: Program[] = [];
  const stop = async (): Promise<void> => {
    for (const program of programs.toReversed()) await program.stop();
  };
  try {
    const port = await freePort();
    const chain = await startScript(
      'src/main.js',
      '--port',
      '0',
      '--dev-traffic',
      `${TRAFFIC_TPS}`,
      '--dev-feed-port',
      port,
    );
    programs.push(chain);
    const feed = `ws://127.0.0.1:${port}`;
    const ours = await startScript('src/main.js', '--port', '0', '--upstream', chain.url, '--feed', feed);
    programs.push(ours);
    const target = await targetAt('ours', ours.url);
    await ready(target);
    return standing({ world: movingWorld(), targets: [target], feed, stop });
  } catch (error) {
    await stop();
    throw error;
  }
}

function movingWorld(): World {
  const accounts = TRAFFIC_ACCOUNTS.map(toHex);
  const data = `${TRANSFER}${'0'.repeat(24)}%r${'0'.repeat(56)}%d`;
  return {
    name: `dev chain, ${TRAFFIC_TPS} transactions a second, an increment every 200 ms`,
    blocks: ['pending'],
    follows: false,
    isStill: false,
    hot: accounts,
    slots: Array.from({ length: SLOTS }, (_, i) => [toHex(DEV_SWAP_POOL), `0x${i.toString(16)}`] as const),
    accounts: 0,
    senders: accounts,
    calls: [{ name: 'ERC-20 transfer', from: '0x%f', to: toHex(DEV_GOLD_TOKEN), data }],
    expensive: '',
  };
}

async function ready({ url, name }: Target): Promise<void> {
  for (let waitedMs = 0; waitedMs < READY_MS_MAX; waitedMs += POLL_MS) {
    if ((await fetch(new URL('/readyz', url))).ok) return;
    await setTimeout(POLL_MS);
  }
  throw new Error(`${name} is not ready`);
}
