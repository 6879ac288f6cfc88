// cast (alloy) with the running program, as a user types it.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { readDevContractArtifacts } from '../../src/feed/dev/contracts/artifacts.js';
import { DEV_GOLD_TOKEN, DEV_SWAP_POOL, DEV_SILVER_TOKEN } from '../../src/feed/dev/genesis.js';
import { toHex } from '../../src/lib/bytes/hex.js';
import { eventually } from '../support/patience.js';
import { ALICE, ALICE_KEY, BOB } from './accounts.js';
import { Relay } from './relay.js';

const CAST = fileURLToPath(new URL('../../../node_modules/.bin/cast', import.meta.url));
const UNAVAILABLE = /does not exist\/is not available/;

/** Function names must not be looked up online. */
const OFFLINE = { ...process.env, FOUNDRY_OFFLINE: 'true' };

const run = promisify(execFile);

describe('cast', () => {
  let relay: Relay;

  /** Output of `cast ...`, or its error: the package's launcher always exits with 0. */
  async function cast(command: string, ...args: readonly string[]): Promise<string> {
    const { stdout, stderr } = await run(CAST, [command, '--rpc-url', relay.url, ...args], { env: OFFLINE });
    return stdout.trim() || stderr.trim();
  }

  /** Sends a transaction and waits for its receipt. cast takes the nonce from `latest` unless it is given one. */
  async function send(...args: readonly string[]): Promise<string> {
    const nonce = await cast('nonce', ALICE, '--block', 'pending');
    return cast('send', '--private-key', ALICE_KEY, '--nonce', nonce, ...args);
  }

  before(async () => {
    relay = await Relay.start();
  });
  after(() => relay.close());

  test('cast reads balances, code and storage', async () => {
    assert.equal(await cast('chain-id'), '31337');
    assert.equal(await cast('nonce', ALICE, '--block', 'pending'), '0');
    assert.match(await cast('storage', toHex(DEV_SWAP_POOL), '0'), /^0x[0-9a-f]{64}$/);
    assert.match(await cast('balance', ALICE), /^10000000000000000000000$/);
    assert.match(await cast('block', 'latest'), /stateRoot/);
    assert.match(await cast('call', toHex(DEV_GOLD_TOKEN), 'symbol()(string)'), /^"/);
  });

  test('cast estimates a transfer and a call', async () => {
    assert.equal(await cast('estimate', BOB, '--value', '1', '--from', ALICE), '21000');
    const transfer = await cast(
      'estimate',
      toHex(DEV_GOLD_TOKEN),
      'transfer(address,uint256)',
      BOB,
      '1',
      '--from',
      ALICE,
    );
    assert.ok(Number(transfer) > 25_000, transfer);
  });

  test('cast shows why a call reverts', async () => {
    const tooMuch = ['transfer(address,uint256)', BOB, `${2n ** 255n}`, '--from', BOB];
    assert.match(await cast('estimate', toHex(DEV_GOLD_TOKEN), ...tooMuch), /execution reverted, data: "0xe450d38c/);
    const quote = await cast('call', toHex(DEV_SWAP_POOL), 'quote(address,uint256)', BOB, '5');
    assert.ok(quote.includes(Buffer.from('Pool: unknown token').toString('hex')), quote);
  });

  test('a sent transaction moves the pending nonce, then the latest', async () => {
    const hash = await cast('send', '--async', '--private-key', ALICE_KEY, BOB, '--value', '1');
    assert.match(hash, /^0x[0-9a-f]{64}$/);
    await eventually(() => nonceIs('0x1', 'pending'));
    await eventually(() => nonceIs('0x1', 'latest'));
    const receipt = await send(BOB, '--value', '1');
    assert.match(receipt, /status\s+1/);
    assert.equal(await cast('nonce', ALICE, '--block', 'pending'), '2');
    assert.match(await cast('tx', hash), /transactionIndex\s+0/);
    assert.match(await cast('receipt', hash), /status\s+1/);
  });

  test('cast deploys a contract and calls it', async () => {
    const creation = readDevContractArtifacts().pool.creationCode;
    const args = ['constructor(address,address)', toHex(DEV_GOLD_TOKEN), toHex(DEV_SILVER_TOKEN)];
    const receipt = await send('--create', creation, ...args);
    const [, address] = /contractAddress\s+(0x\w{40})/.exec(receipt) ?? [];
    assert.ok(address !== undefined, receipt);
    const first = await cast('call', address, 'token0()(address)', '--block', 'pending');
    assert.equal(first.toLowerCase(), toHex(DEV_GOLD_TOKEN));
  });

  test('cast shows the logs of a contract', async () => {
    const receipt = await send(toHex(DEV_GOLD_TOKEN), 'transfer(address,uint256)', BOB, '0');
    const sent = /transactionHash\s+(0x\w{64})/.exec(receipt);
    const found = await cast(
      'logs',
      '--from-block',
      'earliest',
      '--to-block',
      'pending',
      '--address',
      toHex(DEV_GOLD_TOKEN),
    );
    assert.ok(sent !== null && found.includes(sent[1]!), found);
  });

  test('cast traces calls and transactions, by cast run and by debug_traceTransaction', async () => {
    const sent = /transactionHash\s+(0x\w{64})/.exec(
      await send(toHex(DEV_GOLD_TOKEN), 'transfer(address,uint256)', BOB, '1'),
    );
    const hash = sent![1]!;
    const place = await eventually(async () => {
      const receipt = await relay.server.result<{ blockHash: string; gasUsed: string }>(
        'eth_getTransactionReceipt',
        hash,
      );
      return /^0x0*$/.test(receipt.blockHash) ? undefined : receipt;
    });
    assert.ok((await cast('run', hash)).includes(`Gas used: ${Number(place.gasUsed)}`));
    const frame = JSON.parse(await cast('rpc', 'debug_traceTransaction', hash, '{"tracer":"callTracer"}')) as unknown;
    assert.equal((frame as { gasUsed: string }).gasUsed, place.gasUsed);
    assert.match(await cast('call', '--trace', toHex(DEV_GOLD_TOKEN), 'symbol()(string)'), /\[Return\]/);
  });

  test('cast suggests fees', async () => {
    assert.ok(Number(await cast('gas-price')) > 0);
    assert.ok(Number(await cast('base-fee')) > 0);
    assert.ok(
      Array.isArray(
        (JSON.parse(await cast('rpc', 'eth_feeHistory', '0x4', 'latest', '[25]')) as { reward: unknown }).reward,
      ),
    );
  });

  test('cast shows an access list', async () => {
    assert.match(await cast('access-list', BOB), /gas used: 21000/);
  });

  test('cast calls no other method that is not served', () => {
    assert.deepEqual(relay.unknown, ['anvil_nodeInfo']);
  });

  test('cast gets a clear error for a method that is not served', async () => {
    assert.match(await cast('proof', ALICE), UNAVAILABLE);
    assert.deepEqual(relay.unknown, ['anvil_nodeInfo', 'eth_getProof']);
  });

  async function nonceIs(wanted: string, block: string): Promise<true | undefined> {
    return (await relay.server.result('eth_getTransactionCount', ALICE, block)) === wanted ? true : undefined;
  }
});
