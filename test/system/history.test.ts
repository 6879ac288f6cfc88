// Past state: after a restart, a chain that is longer than the shared table is served, recent blocks from the table and
// older ones from the archive, with the same responses as before.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { LIMITS } from '../../src/limits/index.js';
import { assemble } from '../support/assembler.js';
import { eventually } from '../support/patience.js';
import { Server } from '../support/server.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { type Block, type Call, batch } from './batch.js';
import { readHashes } from './block-hashes.js';
import { CONTRACT, type PastBlock, SENDER, makeLongChain } from './long-chain.js';

const BLOCKS = 270;
/** Replaces the contract's code: returns slot 0, which the contract itself only writes. */
const READ_SLOT = assemble('PUSH 0; SLOAD; PUSH 0; MSTORE; PUSH 32; PUSH 0; RETURN');

const quantity = (value: number): string => `0x${value.toString(16)}`;
const word = (value: number): string => `0x${value.toString(16).padStart(64, '0')}`;

describe('history', () => {
  const dataDir = temporaryFolder();
  let past: PastBlock[];
  let server: Server;

  before(async () => {
    past = await makeLongChain(dataDir, BLOCKS);
    assert.ok(past.length >= BLOCKS && BLOCKS > 2 * LIMITS.blocksKeptMax);
    server = await Server.start('--data-dir', dataDir, '--dev-traffic', '0');
  });
  after(() => server.stop());

  test('BLOCKHASH of the last 256 blocks is right right after a restart', async () => {
    const { number, hashes } = await readHashes(server, 'latest');
    const known = past.at(-1)!.number;
    assert.ok(number >= known);
    for (const [i, hash] of hashes.entries()) {
      const block = number - 1 - i;
      if (block <= known) assert.equal(hash, past[block]!.hash, `block ${block}`);
    }
  });

  test('BLOCKHASH works at a block that only the archive has', async () => {
    const { number, hashes } = await readHashes(server, quantity(100));
    assert.equal(number, 100);
    hashes.forEach((hash, i) => assert.equal(hash, i < 100 ? past[99 - i]!.hash : word(0)));
  });

  test('state at every tenth block is right by number and by hash', async () => {
    for (let at = 0; at < past.length; at += 10) {
      const { number, hash, nonce } = past[at]!;
      const name = at % 20 === 0 ? quantity(number) : { blockHash: hash, requireCanonical: true };
      const slot = word(Math.max(0, nonce - 1));
      const { results } = await batch(
        server,
        ['eth_getTransactionCount', SENDER, name],
        ['eth_getStorageAt', CONTRACT, '0x0', name],
        ['eth_call', { to: CONTRACT }, name, { [CONTRACT]: { code: READ_SLOT } }],
        ['eth_getCode', CONTRACT, name],
        ['eth_getTransactionCount', CONTRACT, name],
        ['eth_getBlockByNumber', quantity(number), true],
      );
      const code = nonce > 0 ? '0x5f355f5500' : '0x';
      const contractNonce = nonce > 0 ? '0x1' : '0x0';
      assert.deepEqual(results.slice(0, 5), [quantity(nonce), slot, slot, code, contractNonce], `block ${number}`);
      assert.equal((results[5] as Block).hash, hash);
    }
  });

  test('responses do not differ on the two sides of the oldest block of the table', async () => {
    const head = past.at(-1)!.number;
    const numbers = Array.from({ length: 9 }, (_, i) => head - LIMITS.blocksKeptMax - 4 + i);
    const calls = numbers.map((number): Call => ['eth_getTransactionCount', SENDER, quantity(number)]);
    const { results } = await batch(server, ...calls);
    assert.deepEqual(
      results,
      numbers.map((number) => quantity(past[number]!.nonce)),
    );
  });

  test('an estimate on past state sees whether a slot was empty at that block', async () => {
    const call = { from: SENDER, to: CONTRACT, data: word(9999) };
    const created = past.find(({ nonce }) => nonce === 1)!;
    const { results } = await batch(
      server,
      ['eth_estimateGas', call, quantity(created.number)],
      ['eth_estimateGas', call, quantity(150)],
      ['eth_estimateGas', call, 'latest'],
      ['eth_estimateGas', call, 'earliest'],
    );
    const [first, later, latest, empty] = results.map(Number);
    assert.equal(first! - later!, 20_000 - 2900);
    assert.equal(later, latest);
    assert.ok(empty! < later!, 'no contract yet: the data alone');
  });

  test('safe and finalized follow at their distance, and the chain continues', async () => {
    const head = past.at(-1)!.number;
    const heads = await eventually(async () => {
      const tags = ['latest', 'safe', 'finalized'];
      const { results } = await batch(server, ...tags.map((tag): Call => ['eth_getBlockByNumber', tag, false]));
      const numbers = results.map((block) => Number((block as Block).number));
      return numbers[0]! > head + 1 ? numbers : undefined;
    });
    assert.deepEqual(heads, [heads[0], heads[0]! - 4, heads[0]! - 8]);
    const next = await server.result<Block>('eth_getBlockByNumber', quantity(head + 1), false);
    assert.equal(next.parentHash, past.at(-1)!.hash);
    assert.equal(await server.result('eth_getTransactionCount', SENDER), quantity(past.at(-1)!.nonce));
  });
});
