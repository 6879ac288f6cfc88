// A program that follows a node is stopped and restarted under traffic: with its data folder it reloads the state it
// had cached, without any client's request. The proof is the number of requests to the node, not the time.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { toHex } from '../../src/lib/bytes/hex.js';
import { READER, ACCOUNTS, WALKER, genesis, makeChain } from '../feed/live/chain-maker.js';
import { DEV_CHAIN } from '../../src/feed/dev/genesis.js';
import { freePort } from '../support/free-port.js';
import { until } from '../support/patience.js';
import { Server, metric } from '../support/server.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { UpstreamNode } from '../support/upstream-node.js';

const word = (n: number): string => `0x${n.toString(16).padStart(64, '0')}`;
/** A client's pause between two rounds of requests. */
const REST_MS = 20;
const QUESTIONS: readonly (readonly [method: string, ...params: unknown[]])[] = [
  ...ACCOUNTS.slice(0, 4).map((address) => ['eth_getTransactionCount', toHex(address), 'latest'] as const),
  ...Array.from({ length: 20 }, (_, i) => ['eth_getStorageAt', toHex(READER), word(i), 'latest'] as const),
  ...[0, 100, 200].map((start) => ['eth_call', callOf(start), 'latest'] as const),
];

function callOf(start: number): object {
  return { from: toHex(ACCOUNTS[0]!), to: toHex(WALKER), data: word(start) };
}

let node: UpstreamNode;
let folder: string;
let server: Server | null;
before(async () => {
  const root = genesis();
  node = await UpstreamNode.start({ chainId: DEV_CHAIN.chainId, blocks: [root, ...(await makeChain(root, [[], []]))] });
});
after(() => node.close());
beforeEach(() => {
  folder = temporaryFolder();
  server = null;
});
afterEach(() => server?.stop());

const start = async (...flags: readonly string[]): Promise<Server> =>
  (server = await Server.start('--upstream', node.url, '--workers', '1', ...flags));

const answers = (from: Server): Promise<unknown[]> =>
  Promise.all(QUESTIONS.map(([method, ...params]) => from.result<unknown>(method, ...params)));

/** Number of state values that `step` requested from the node. */
async function readsOf(step: () => Promise<unknown>): Promise<number> {
  node.resetCounts();
  await step();
  const { eth_getBalance: accounts = 0, eth_getStorageAt: slots = 0 } = node.counts.byMethod;
  return accounts + slots;
}

/** Waits until everything is cached again, according to /metrics. */
async function warm(from: Server): Promise<void> {
  await until(async () => (await metric(from, 'warm_share')) === 1, 'everything is cached again');
}

test('after a restart with a data folder no client request needs state that was cached before', async () => {
  const first = await start('--data-dir', folder);
  const expected = await answers(first);
  await first.stop();
  const reads = await readsOf(async () => warm(await start('--data-dir', folder)));
  assert.ok(reads >= 60, `${reads} values are read again`);
  assert.equal(await readsOf(async () => assert.deepEqual(await answers(server!), expected)), 0);
  await server!.stop();
  const cold = await start();
  assert.ok((await readsOf(async () => assert.deepEqual(await answers(cold), expected))) >= 60);
});

test('during traffic no client notices a restart once the program listens', async () => {
  const port = await freePort();
  const first = await start('--data-dir', folder, '--port', port);
  const expected = await answers(first);
  let requested = 0;
  const over = new AbortController();
  const traffic = (async () => {
    while (!over.signal.aborted) {
      // Connections are refused between stop and start.
      await sleep(REST_MS);
      const results = await answers(server!).catch(onlyRefused);
      if (results === null) continue;
      assert.deepEqual(results, expected);
      requested++;
    }
  })();
  await until(() => requested > 3, 'traffic before the restart');
  await first.stop();
  const second = await start('--data-dir', folder, '--port', port);
  const earlier = requested;
  await until(() => requested > earlier + 3, 'traffic after the restart');
  await warm(second);
  const reads = await readsOf(async () => {
    const now = requested;
    await until(() => requested > now + 3, 'traffic once all is held');
  });
  over.abort();
  await traffic;
  assert.equal(reads, 0);
});

test('a damaged key file costs one log line and nothing else', async () => {
  writeFileSync(join(folder, 'recent.keys'), 'nonsense');
  const started = await start('--data-dir', folder);
  assert.equal(started.log.filter((line) => line.includes('the recent keys cannot be loaded')).length, 1);
  assert.equal((await answers(started)).length, QUESTIONS.length);
});

function onlyRefused(error: unknown): null {
  if (error instanceof TypeError) return null;
  throw error;
}
