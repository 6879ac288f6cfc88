// Transactions submitted through a live chain with a scripted upstream: the pending nonce at every step. Every step is
// an event.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { toHex, toQuantity } from '../../src/lib/bytes/hex.js';
import { LIMITS } from '../../src/limits/index.js';
import { assertOfSchema } from '../io/schema.js';
import { schemaOf } from '../io/answers.js';
import { ACCOUNTS, WRITER, genesis, makeBlock, makeInIncrements, type MadeBlock } from '../feed/live/chain-maker.js';
import { eventually, until } from '../support/patience.js';
import type { RpcAnswer, Server } from '../support/server.js';
import { NodeError } from '../support/upstream-node.js';
import { batch } from './batch.js';
import type { Json } from './listener.js';
import { ScriptedUpstream, type ScriptedBlock } from './scripted-upstream.js';

/** A sender whose only transaction is old. */
const FAR = 5;

/** Inclusion fields of a transaction that is not in a block, where the schema requires them. */
const INCLUSION = {
  blockHash: `0x${'00'.repeat(32)}`,
  blockNumber: '0x0',
  blockTimestamp: '0x0',
  transactionIndex: '0x0',
};

/** A block's transaction as it is submitted, whether or not the block is announced. */
interface Sent {
  readonly raw: string;
  readonly hash: string;
}

function sentOf({ made }: ScriptedBlock): readonly Sent[] {
  return made.block.transactions.map(({ raw, hash }) => ({ raw: toHex(raw), hash: toHex(hash) }));
}

describe('submitted transactions', () => {
  let upstream: ScriptedUpstream;
  let server: Server;
  let tip: MadeBlock;
  let words = 0;
  let far: MadeBlock;

  before(async () => {
    // Longer than the range that the program starts with below the head: the first block is not cached.
    const blocks = [genesis()];
    blocks.push(await makeBlock(blocks[0]!, [{ from: FAR, to: WRITER, words: [1n, 1n] }]));
    for (let n = 0; n < LIMITS.startBelowBlocks + 2; n++) blocks.push(await makeBlock(blocks.at(-1)!, []));
    tip = blocks.at(-1)!;
    far = blocks[1]!;
    upstream = await ScriptedUpstream.start(blocks);
    const listed = 'standard,eth_sendRawTransactionConditional,base_sendRawTransactionValidity';
    server = await upstream.follow('--passthrough', '--passthrough-methods', listed, '--count-own-sends');
    upstream.node.methods.set('eth_sendRawTransaction', () => `0x${'00'.repeat(32)}`);
    upstream.node.methods.set('eth_getTransactionReceipt', () => null);
  });
  after(async () => {
    await server.stop();
    await upstream.close();
  });

  /** A block on `parent` with `count` transactions of one sender, one per increment. */
  async function make(from: number, count: number, parent = tip): Promise<ScriptedBlock> {
    const actions = Array.from({ length: count }, () => ({ from, to: WRITER, words: [0n, BigInt((words += 1))] }));
    const { made, states } = await makeInIncrements(parent, actions, 1, words % 256);
    return upstream.register(made, states, 1);
  }

  const send = ({ raw }: Sent): Promise<unknown> => server.result('eth_sendRawTransaction', raw);

  /** A sender's nonces at `pending` - requested alone and in a batch - and at `latest`, relative to the first one. */
  async function nonceOf(from: number): Promise<number> {
    const address = toHex(ACCOUNTS[from]!);
    const query = (block: string): [string, string, string] => ['eth_getTransactionCount', address, block];
    const alone = await server.result(...query('pending'));
    const { results } = await batch(server, query('latest'), ['eth_chainId'], query('pending'), query('pending'));
    const [latest, , first, second] = results as string[];
    assert.deepEqual([first, second], [alone, alone]);
    return Number(alone) - Number(latest);
  }

  /** Confirms a block. */
  async function confirm({ made }: ScriptedBlock): Promise<void> {
    upstream.node.push(made);
    tip = made;
    await until(async () => Number(await server.result('eth_blockNumber')) === made.number, 'the block is here');
  }

  async function announce({ frames }: ScriptedBlock, from: number, to: number): Promise<void> {
    await upstream.send(...frames.slice(from, to));
  }

  /** Waits until a transaction is in a block or an increment; returns its receipt. */
  async function included({ hash }: Sent): Promise<Json> {
    return eventually(async () => {
      const found = await server.result<Json | null>('eth_getTransactionReceipt', hash);
      return found ?? undefined;
    });
  }

  async function gone({ hash }: Sent): Promise<void> {
    await until(async () => (await server.result('eth_getTransactionReceipt', hash)) === null, 'it is in no block');
  }

  test('a client that sends without waiting finds the next nonce at every step', async () => {
    const block = await make(0, 6);
    const sent = sentOf(block);
    for (const [at, each] of sent.entries()) {
      await send(each);
      assert.equal(await nonceOf(0), at + 1);
    }
    assert.equal(await nonceOf(1), 0);
    await announce(block, 0, 4);
    for (const each of sent.slice(0, 3)) await included(each);
    assert.equal(await nonceOf(0), 6);
    await announce(block, 4, 7);
    await confirm(block);
    assert.equal(await nonceOf(0), 0);
  });

  test('one behind a nonce gap does not count, and its sender learns that at once; sends that close the gap count', async () => {
    const block = await make(1, 3);
    const [first, second, third] = sentOf(block) as [Sent, Sent, Sent];
    const { error } = await server.query('eth_sendRawTransactionSync', [second.raw, 30_000]);
    const own = Number(await server.result('eth_getTransactionCount', toHex(ACCOUNTS[1]!), 'latest'));
    const text = `it has nonce ${own + 1}, the next nonce of ${toHex(ACCOUNTS[1]!)} is ${own}`;
    const message = `the transaction leaves a gap of nonces: ${text}`;
    assert.deepEqual(error, { code: 6, message, data: toQuantity(own) });
    assert.equal(await nonceOf(1), 0);
    const waiting: Promise<RpcAnswer>[] = [];
    let handed = 0;
    upstream.node.methods.set('eth_sendRawTransaction', async () => {
      handed++;
      // The third one arrives before the node has answered the first.
      if (waiting.length === 0) {
        waiting.push(server.query('eth_sendRawTransactionSync', [third.raw, 30_000]));
        await until(() => handed === 2, 'the third is handed in');
      }
      return first.hash;
    });
    await send(first);
    upstream.node.methods.set('eth_sendRawTransaction', () => first.hash);
    assert.equal(await nonceOf(1), 3);
    await announce(block, 0, 4);
    const receipt = (await waiting[0])!.result as Json;
    assert.equal(receipt['transactionHash'], third.hash);
    await confirm(block);
  });

  test('one that the node refuses does not count', async () => {
    const [sent] = sentOf(await make(2, 1)) as [Sent];
    upstream.node.methods.set('eth_sendRawTransaction', () => {
      throw new NodeError(-32_000, 'transaction underpriced');
    });
    assert.equal((await server.query('eth_sendRawTransaction', [sent.raw])).error?.message, 'transaction underpriced');
    assert.equal(await nonceOf(2), 0);
    upstream.node.methods.set('eth_sendRawTransaction', () => {
      throw new NodeError(-32_000, 'already known');
    });
    assert.equal((await server.query('eth_sendRawTransaction', [sent.raw])).error?.message, 'already known');
    assert.equal(await nonceOf(2), 1);
    upstream.node.methods.set('eth_sendRawTransaction', () => sent.hash);
    const other = sentOf(await make(2, 1)) as [Sent];
    await send(other[0]);
    assert.equal(await nonceOf(2), 1);
    // Another endpoint gets a third transaction with that nonce.
    const third = await make(2, 1);
    await announce(third, 0, 2);
    await included(sentOf(third)[0]!);
    assert.equal(await nonceOf(2), 1);
    await confirm(third);
    assert.equal(await nonceOf(2), 0);
  });

  test('the pending nonce is never behind, through a restarted block and a reorg', async () => {
    const parent = tip;
    const block = await make(3, 2);
    const sent = sentOf(block);
    for (const each of sent) await send(each);
    await announce(block, 0, 3);
    for (const each of sent) await included(each);
    const other = await make(0, 1);
    await announce(other, 0, 2);
    for (const each of sent) await gone(each);
    assert.equal(await nonceOf(3), 2);
    await confirm(block);
    for (const each of sent) await included(each);
    const empty = [await make(0, 0, parent)];
    empty.push(await make(0, 0, empty[0]!.made));
    upstream.node.reorg(
      1,
      empty.map(({ made }) => made),
    );
    tip = empty[1]!.made;
    for (const each of sent) await gone(each);
    assert.equal(await nonceOf(3), 2);
    assert.equal(await server.result('eth_getTransactionCount', toHex(ACCOUNTS[3]!), 'latest'), '0x0');
  });

  test('three blocks later the pending nonce is that of the chain', async () => {
    const [[one], [other]] = [sentOf(await make(0, 1)), sentOf(await make(1, 1))] as unknown as [[Sent], [Sent]];
    await send(one);
    await send(other);
    assert.equal(await nonceOf(0), 1);
    let blocks = 0;
    await until(async () => {
      await confirm(await make(2, 0));
      blocks++;
      return (await nonceOf(0)) === 0 && (await nonceOf(1)) === 0;
    }, 'both are given up');
    assert.ok(blocks >= LIMITS.ownSendBlocksMax);
    for (const from of [0, 1, 2, 3]) assert.equal(await nonceOf(from), 0);
  });

  test('one is found by sender and nonce while pending, in an increment and in its block', async () => {
    const block = await make(3, 1);
    const [sent] = sentOf(block) as [Sent];
    const address = toHex(ACCOUNTS[3]!);
    const next = await server.result('eth_getTransactionCount', address, 'pending');
    const found = (): Promise<Json | null> => server.result('eth_getTransactionBySenderAndNonce', address, next);
    assert.equal(await found(), null);
    await send(sent);
    const waiting = (await found())!;
    assert.deepEqual([waiting['hash'], waiting['blockNumber']], [sent.hash, null]);
    assertOfSchema({ ...waiting, ...INCLUSION }, schemaOf('eth_getTransactionBySenderAndNonce', [])!, 'waiting');
    await announce(block, 0, 2);
    await included(sent);
    assert.deepEqual(await found(), await server.result('eth_getTransactionByHash', sent.hash));
    assert.equal((await found())!['blockNumber'], toQuantity(block.made.number));
    await confirm(block);
    assert.deepEqual(await found(), await server.result('eth_getTransactionByHash', sent.hash));
    assert.equal((await found())!['blockHash'], toHex(block.made.hash));
  });

  test('an older nonce is forwarded to the node, and a node without the method gives an error, not null', async () => {
    const { hash } = far.block.transactions[0]!;
    const requested = [toHex(ACCOUNTS[FAR]!), '0x0'];
    const { error } = await server.query('eth_getTransactionBySenderAndNonce', requested);
    assert.equal(error?.code, -32_601);
    const answer = { hash: toHex(hash), blockNumber: '0x1', from: requested[0]!, nonce: '0x0' };
    upstream.node.methods.set('eth_getTransactionBySenderAndNonce', (params) => {
      assert.deepEqual(params, requested);
      return answer;
    });
    assert.deepEqual(await server.result('eth_getTransactionBySenderAndNonce', ...requested), answer);
    assert.equal(await server.result('eth_getTransactionBySenderAndNonce', requested[0], '0x1'), null);
  });

  for (const method of ['eth_sendRawTransactionConditional', 'base_sendRawTransactionValidity']) {
    test(`${method} is forwarded unchanged if it is listed, and counts`, async () => {
      const ahead = await nonceOf(1);
      const block = await make(1, 1);
      const [sent] = sentOf(block) as [Sent];
      const params = [sent.raw, { blockNumberMax: '0xffff' }];
      upstream.node.methods.set(method, () => {
        throw new NodeError(-32_003, 'the conditions do not hold');
      });
      assert.notEqual((await server.query(method, params)).error, undefined);
      assert.equal(await nonceOf(1), ahead);
      const passed: unknown[] = [];
      upstream.node.methods.set(method, (given) => {
        passed.push(given);
        return sent.hash;
      });
      assert.equal(await server.result(method, ...params), sent.hash);
      assert.deepEqual(passed, [params]);
      assert.equal(await nonceOf(1), ahead + 1);
      await announce(block, 0, 2);
      await confirm(block);
    });
  }
});
