// The recording of one follower, replayed by another: equal heads and equal increments.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { DEV_SWAP_POOL } from '../../src/feed/dev/genesis.js';
import { toHex } from '../../src/lib/bytes/hex.js';
import { freePort } from '../support/free-port.js';
import { eventually, until } from '../support/patience.js';
import { Server } from '../support/server.js';
import { temporaryFile } from '../support/temporary-folder.js';

const BLOCKS = 2n;
const RESERVES = '0x2';

test('replaying a record ends in the same state', async () => {
  const file = temporaryFile('record');
  const feedPort = await freePort();
  const chain = await Server.start('--dev-traffic', '10', '--dev-feed-port', feedPort);
  after(() => chain.stop());
  const recording = await Server.start(
    '--upstream',
    chain.url,
    '--feed',
    `ws://127.0.0.1:${feedPort}`,
    '--record',
    file,
  );
  const last = await blocksLater(recording, BLOCKS);
  assert.equal(await recording.stop(), 0);

  const replaying = await Server.start('--upstream', chain.url, '--replay', file, '--speed', '0');
  after(() => replaying.stop());
  const head = await eventually(async () => {
    const number = BigInt(await replaying.result('eth_blockNumber'));
    return number >= last ? number : undefined;
  });
  const block = `0x${head.toString(16)}`;
  const [ours, theirs] = await Promise.all(
    [replaying, chain].map((server) => server.result('eth_getStorageAt', toHex(DEV_SWAP_POOL), RESERVES, block)),
  );
  assert.equal(ours, theirs);
  await until(() => replaying.log.some((line) => line.includes('the record is over')));
  const metrics = await replaying.metrics();
  assert.match(metrics, /^prestate_mismatches_total 0$/m);
  assert.match(metrics, /^prestate_calls_total\{method="eth_getStorageAt"\} 1$/m);
});

/** Waits until the head has advanced by this many blocks, and returns its number. */
async function blocksLater(server: Server, blocks: bigint): Promise<bigint> {
  const first = BigInt(await server.result('eth_blockNumber'));
  return eventually(async () => {
    const number = BigInt(await server.result('eth_blockNumber'));
    return number >= first + blocks ? number : undefined;
  });
}
