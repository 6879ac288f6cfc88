// cast (alloy) against the running program, as a user types it.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { DEV_GOLD, DEV_POOL } from '../../src/feed/dev/genesis.js';
import { toHex } from '../../src/lib/hex.js';
import { eventually } from '../support/patience.js';
import { Server } from '../support/server.js';

const CAST = fileURLToPath(new URL('../../../node_modules/.bin/cast', import.meta.url));
/** The first two accounts of the well-known test mnemonic. */
const ALICE = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
const ALICE_KEY = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';
const BOB = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

const run = promisify(execFile);

describe('cast', () => {
  let server: Server;

  /** Output of `cast ...`, or its complaint: the package's launcher exits with 0 either way. */
  async function cast(...args: readonly string[]): Promise<string> {
    const { stdout, stderr } = await run(CAST, [...args, '--rpc-url', server.url]);
    return stdout.trim() || stderr.trim();
  }

  before(async () => {
    server = await Server.start('--dev-traffic', '0');
  });
  after(() => server.stop());

  test('cast reads balances, code and storage', async () => {
    assert.equal(await cast('chain-id'), '31337');
    assert.equal(await cast('nonce', ALICE, '--block', 'pending'), '0');
    assert.match(await cast('storage', toHex(DEV_POOL), '0'), /^0x[0-9a-f]{64}$/);
    assert.match(await cast('balance', ALICE), /^10000000000000000000000$/);
    assert.match(await cast('block', 'latest'), /stateRoot/);
    assert.match(await cast('call', toHex(DEV_GOLD), 'symbol()(string)'), /^"/);
  });

  test('cast estimates a transfer and a call', async () => {
    assert.equal(await cast('estimate', BOB, '--value', '1', '--from', ALICE), '21000');
    const transfer = await cast('estimate', toHex(DEV_GOLD), 'transfer(address,uint256)', BOB, '1', '--from', ALICE);
    assert.ok(Number(transfer) > 25_000, transfer);
  });

  test('cast shows why a call reverts', async () => {
    const tooMuch = ['transfer(address,uint256)', BOB, `${2n ** 255n}`, '--from', BOB];
    assert.match(await cast('estimate', toHex(DEV_GOLD), ...tooMuch), /execution reverted, data: "0xe450d38c/);
    const quote = await cast('call', toHex(DEV_POOL), 'quote(address,uint256)', BOB, '5');
    assert.ok(quote.includes(Buffer.from('Pool: unknown token').toString('hex')), quote);
  });

  test('a sent transaction moves the pending nonce, then the latest', async () => {
    const hash = await cast('send', '--async', '--private-key', ALICE_KEY, BOB, '--value', '1');
    assert.match(hash, /^0x[0-9a-f]{64}$/);
    await eventually(() => nonceIs('0x1', 'pending'));
    await eventually(() => nonceIs('0x1', 'latest'));
    const receipt = await cast('send', '--private-key', ALICE_KEY, BOB, '--value', '1');
    assert.match(receipt, /status\s+1/);
    assert.equal(await cast('nonce', ALICE), '2');
  });

  async function nonceIs(wanted: string, block: string): Promise<true | undefined> {
    return (await server.result('eth_getTransactionCount', ALICE, block)) === wanted ? true : undefined;
  }
});
