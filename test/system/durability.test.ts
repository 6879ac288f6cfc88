// A block that was served as `latest` survives SIGKILL; a process that is shut down finishes its requests.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { open } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { before, describe, test } from 'node:test';
import { TRAFFIC_ACCOUNTS } from '../../src/feed/dev/genesis.js';
import { toHex } from '../../src/lib/bytes/hex.js';
import { LIMITS } from '../../src/limits/index.js';
import { assemble } from '../support/assembler.js';
import { until } from '../support/patience.js';
import { type OwnChain, makeOwnChain } from '../support/own-chain.js';
import { metric, Server } from '../support/server.js';
import { sharedData, withoutData } from '../support/shared-data.js';
import { temporaryFile, temporaryFolder } from '../support/temporary-folder.js';
import { type Block, batch } from './batch.js';
import { readHashes } from './block-hashes.js';
import { launch, runToEnd } from './program.js';

const SAMPLE = 'execution-apis';
let own: OwnChain;
before(async () => {
  own = await makeOwnChain();
});

const account = toHex(TRAFFIC_ACCOUNTS[0]!);
const quantity = (value: number): string => `0x${value.toString(16)}`;

/** Returns 42 after burning all but a million gas. */
const BURN = assemble(
  'LABEL more; PUSH 1000000; GAS; GT; REF more; JUMPI; PUSH 42; PUSH 0; MSTORE; PUSH 32; PUSH 0; RETURN',
);
const BURNER = `0x${'b2'.repeat(20)}`;

describe('a process that is killed', () => {
  const dataDir = join(temporaryFolder(), 'killed');
  /** Hashes of all blocks that any of the processes has served, by number, and the nonce at the last of them. */
  const shown: string[] = [];
  let nonce = 0;

  async function check(server: Server): Promise<void> {
    const { number, hashes } = await readHashes(server, 'latest');
    assert.ok(number >= shown.length - 1, `latest went back to ${number}, ${shown.length - 1} was shown`);
    hashes.slice(0, number).forEach((hash, i) => {
      assert.equal(hash, shown[number - 1 - i] ?? hash, `BLOCKHASH of block ${number - 1 - i}`);
    });
    const calls = shown.map((_, block) => ['eth_getBlockByNumber', quantity(block), false] as const);
    const { results } = await batch(server, ['eth_getTransactionCount', account, 'latest'], ...calls);
    assert.ok(Number(results[0]) >= nonce, 'the nonce at latest went back');
    const blocks = results.slice(1) as readonly (Block | null)[];
    assert.deepEqual(
      blocks.map((block) => block?.hash),
      shown,
    );
  }

  /** Records every block from the last recorded one up to latest. */
  async function note(server: Server): Promise<void> {
    const { results } = await batch(
      server,
      ['eth_getBlockByNumber', 'latest', false],
      ['eth_getTransactionCount', account, 'latest'],
    );
    const latest = results[0] as Block;
    nonce = Number(results[1]);
    for (let number = shown.length; number < Number(latest.number); number++) {
      shown.push((await server.result<Block>('eth_getBlockByNumber', quantity(number), false)).hash);
    }
    shown[Number(latest.number)] = latest.hash;
  }

  test('a restart after SIGKILL has everything that clients were shown, and continues from there', async () => {
    // Each run is killed somewhere within the increments after this many further blocks.
    for (const [blocks, looks] of [
      [0, 1],
      [2, 30],
    ] as const) {
      const server = await Server.start('--data-dir', dataDir, '--dev-traffic', '30');
      await check(server);
      const head = shown.length + blocks;
      await until(async () => {
        await note(server);
        return shown.length >= head;
      });
      for (let look = 0; look < looks; look++) await note(server);
      await server.stop('SIGKILL');
    }
    assert.ok(shown.length >= 3 && nonce > 0, `${shown.length} blocks, nonce ${nonce}`);
    const server = await Server.start('--data-dir', dataDir, '--dev-traffic', '30');
    await check(server);
    const head = shown.length - 1;
    await until(async () => Number(await server.result('eth_blockNumber')) > head);
    const next = await server.result<Block>('eth_getBlockByNumber', quantity(head + 1), false);
    assert.equal(next.parentHash, shown[head]);
    assert.equal(await server.stop(), 0);
  });
});

describe('a data folder', () => {
  const dataDir = join(temporaryFolder(), 'shared');

  test('a data folder belongs to one process at a time', async () => {
    const server = await Server.start('--data-dir', dataDir);
    const second = await runToEnd(['--port', '0', '--data-dir', dataDir]);
    assert.equal(second.code, 2);
    assert.equal(second.stderr, `prestate: data folder ${dataDir} is in use by process ${server.process.pid}\n`);
    assert.match(await server.result('eth_blockNumber'), /^0x/);
    assert.equal(await server.stop(), 0);
    const third = await Server.start('--data-dir', dataDir);
    assert.equal(await third.stop(), 0);
  });

  test('a data folder belongs to one chain', async () => {
    const other = await runToEnd(['--port', '0', '--data-dir', dataDir, '--genesis', own.genesisFile]);
    assert.equal(other.code, 2);
    assert.match(other.stderr, /^prestate: [^\n]*another chain[^\n]*\n$/);
  });

  test('a data folder that cannot be used is refused', async () => {
    const { code, stderr } = await runToEnd(['--port', '0', '--data-dir', '/dev/null/folder']);
    assert.equal(code, 2);
    assert.match(stderr, /^prestate: [^\n]+\n$/);
  });
});

describe('SIGTERM', () => {
  test('SIGTERM lets requests in flight finish, accepts no new ones, and exits with 0', async () => {
    const server = await Server.start('--workers', '1');
    const call = [{ to: BURNER, gas: quantity(40_000_000) }, 'latest', { [BURNER]: { code: BURN } }];
    const slow = server.query('eth_call', call);
    await until(async () => (await metric(server, 'jobs_running')) === 1);
    const ended = server.stop('SIGTERM');
    const answer = await slow;
    assert.equal(answer.result, `0x${(42).toString(16).padStart(64, '0')}`, JSON.stringify(answer));
    assert.equal(await ended, 0);
    await assert.rejects(server.query('eth_blockNumber'));
  });

  test('SIGTERM removes the temporary folder', async () => {
    const folder = temporaryFolder();
    const program = launch(['--port', '0', '--dev-traffic', '50'], { TMPDIR: folder });
    await until(() => readdirSync(folder).length > 0);
    await program.printed(/listening/);
    program.process.kill('SIGTERM');
    const { code, stderr } = await program.ended;
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
    assert.deepEqual(readdirSync(folder), []);
  });

  test('SIGTERM at any time during the start ends it, and leaves no folder', async () => {
    for (const afterMs of [0, 300]) {
      const folder = temporaryFolder();
      const program = launch(['--port', '0'], { TMPDIR: folder });
      await until(() => readdirSync(folder).length > 0);
      await sleep(afterMs);
      program.process.kill('SIGTERM');
      const { code, stderr } = await program.ended;
      assert.deepEqual({ code, stderr, left: readdirSync(folder) }, { code: 0, stderr: '', left: [] }, `${afterMs} ms`);
    }
  });

  test('SIGTERM ends a publisher that hangs in a system call, in bounded time and with a log line', async (t) => {
    const folder = temporaryFolder();
    const pipe = temporaryFile('pipe');
    if (spawnSync('mkfifo', [pipe]).status !== 0) return t.skip('no mkfifo');
    const program = launch(['--port', '0', '--genesis', pipe], { TMPDIR: folder });
    // Opening returns once the publisher reads; nothing is ever written.
    const writer = await open(pipe, 'w');
    program.process.kill('SIGTERM');
    const { code, signal, stderr } = await program.ended;
    await writer.close();
    assert.equal(stderr, 'prestate: something hangs: not stopped in order\n');
    assert.ok(code === 1 || signal === 'SIGKILL', `${code} ${signal}`);
    assert.deepEqual(readdirSync(folder), []);
  });

  test('a second SIGTERM ends the program at once', async (t) => {
    const pipe = temporaryFile('pipe');
    if (spawnSync('mkfifo', [pipe]).status !== 0) return t.skip('no mkfifo');
    const folder = temporaryFolder();
    const program = launch(['--port', '0', '--genesis', pipe], { TMPDIR: folder });
    const writer = await open(pipe, 'w');
    program.process.kill('SIGINT');
    await program.printed(/stopping/);
    await sleep(2 * LIMITS.secondSignalMsMin);
    program.process.kill('SIGINT');
    const { stderr } = await program.ended;
    await writer.close();
    assert.equal(stderr, 'prestate: ended by a second SIGINT\n');
    assert.deepEqual(readdirSync(folder), []);
  });

  test('SIGTERM during an import shuts it down, and the next start imports the rest', async () => {
    // The longer chain if available: more of its kills fall between two blocks.
    const sample = withoutData(SAMPLE) === false;
    const genesis = sample ? sharedData(`${SAMPLE}/genesis.json`) : own.genesisFile;
    const chain = sample ? sharedData(`${SAMPLE}/chain.rlp`) : own.chainFile;
    const flags = ['--port', '0', '--genesis', genesis, '--chain', chain];
    const expected = await headOf(flags);
    for (const afterMs of process.env['HEAVY'] === undefined ? [100] : [0, 100]) {
      const dataDir = join(temporaryFolder(), 'imported');
      const mine = [...flags, '--data-dir', dataDir];
      const program = launch(mine);
      await until(() => existsSync(join(dataDir, 'writer.lock')));
      await sleep(afterMs);
      program.process.kill('SIGTERM');
      const { code, stderr } = await program.ended;
      assert.deepEqual({ code, stderr }, { code: 0, stderr: '' }, `${afterMs} ms`);
      assert.equal(existsSync(join(dataDir, 'writer.lock')), false);
      assert.deepEqual(await headOf(mine), expected);
    }
  });
});

async function headOf(flags: readonly string[]): Promise<Block> {
  const server = await Server.start(...flags);
  const block = await server.result<Block>('eth_getBlockByNumber', 'latest', false);
  assert.equal(await server.stop(), 0);
  return block;
}
