// The dev chain as a user sees it: a burst of transactions is pre-confirmed at once and confirmed with the block, and
// responses are consistent while both advance.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { TRAFFIC_ACCOUNTS } from '../../src/feed/dev/genesis.js';
import { toHex, toQuantity } from '../../src/lib/bytes/hex.js';
import { keccak256 } from '../../src/lib/bytes/keccak-wasm.js';
import { LIMITS } from '../../src/limits/index.js';
import { devWallet, signed } from '../feed/keys.js';
import { eventually, until } from '../support/patience.js';
import { Server } from '../support/server.js';
import { type Block, batch } from './batch.js';

const RECEIVER = `0x${'5a'.repeat(20)}`;
const BURST = 50;
const BLOCKS = 3;
const POLLS = 20;

/** A deterministic shuffle, far from sorted. */
function shuffled<T>(items: readonly T[]): T[] {
  return items
    .map((item, i) => ({ item, key: (i * 7919) % 101 }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item);
}

/** Waits for the block after `number`; there is always a latest block. */
async function nextBlock(server: Server, number: string): Promise<void> {
  await eventually(async () => {
    const block = await server.result<Block | null>('eth_getBlockByNumber', 'latest', false);
    assert.ok(block !== null);
    return block.number === number ? undefined : true;
  });
}

describe('the chain that development tools expect', () => {
  const wallet = devWallet(5);
  let server: Server;
  before(async () => {
    server = await Server.start('--dev-traffic', '0', '--dev-tools');
  });
  after(() => server.stop());

  interface Placed {
    readonly blockHash: string | null;
    readonly blockNumber: string | null;
  }

  test('the default block is pending, and a transaction has a block hash once its block is confirmed', async () => {
    const seen = new Set<boolean>();
    // Tries again if the block was confirmed before the first poll.
    for (let nonce = 0; !seen.has(false); nonce++) {
      const hash = await server.result('eth_sendRawTransaction', toHex(signed(wallet, { nonce, to: RECEIVER })));
      await until(async () => {
        const { results } = await batch(
          server,
          ['eth_getTransactionCount', wallet.address],
          ['eth_getTransactionCount', wallet.address, 'latest'],
          ['eth_getTransactionReceipt', hash],
          ['eth_getTransactionByHash', hash],
          ['eth_blockNumber'],
        );
        const [missing, latest, receipt, transaction, head] = results as [
          string,
          string,
          Placed | null,
          Placed,
          string,
        ];
        assert.equal(Number(missing), nonce + 1);
        const isConfirmed = Number(latest) === nonce + 1;
        seen.add(isConfirmed);
        assert.equal(receipt !== null, isConfirmed);
        assert.equal(transaction.blockHash === null, !isConfirmed);
        assert.equal(transaction.blockNumber, receipt?.blockNumber ?? null);
        assert.ok(Number(receipt?.blockNumber ?? 0) <= Number(head));
        return isConfirmed;
      });
    }
  });

  test('eth_sendRawTransactionSync returns the block of a transaction, also when it is sent again while pre-confirmed', async () => {
    const nonce = Number(await server.result('eth_getTransactionCount', wallet.address));
    const raw = toHex(signed(wallet, { nonce, to: RECEIVER }));
    const sending = server.result<Placed>('eth_sendRawTransactionSync', raw);
    await until(async () => (await server.result('eth_getTransactionCount', wallet.address)) === toQuantity(nonce + 1));
    const [first, again] = await Promise.all([sending, server.result<Placed>('eth_sendRawTransactionSync', raw)]);
    assert.match(first.blockHash!, /^0x.*[1-9a-f]/);
    assert.deepEqual(again, first);
  });

  test('a revert has code 3 and its reason', async () => {
    const call = { to: RECEIVER, data: '0x' };
    const code = '0x634e487b7160e01b5f52601260045260245ffd';
    const { error } = await server.query('eth_call', [call, null, { [RECEIVER]: { code } }]);
    assert.deepEqual([error?.code, error?.message], [3, 'execution reverted: division or modulo by zero']);
  });

  test('a log filter without blocks searches only the newest block', async () => {
    assert.deepEqual(await server.result('eth_getLogs', {}), []);
    assert.match(await server.result('eth_newFilter', {}), /^0x/);
  });
});

describe('a burst of transactions', () => {
  const wallet = devWallet(3);
  let server: Server;
  before(async () => {
    server = await Server.start('--dev-traffic', '0');
  });
  after(() => server.stop());

  interface Seen {
    readonly pending: number;
    readonly latest: number;
  }

  /** Every transaction sends one wei: nonce and the receiver's balance change together, or the read was torn. */
  async function look(): Promise<Seen> {
    const { results } = await batch(
      server,
      ['eth_getTransactionCount', wallet.address, 'pending'],
      ['eth_getBalance', RECEIVER, 'pending'],
      ['eth_getTransactionCount', wallet.address, 'latest'],
      ['eth_getBalance', RECEIVER],
    );
    const [pending, received, latest, confirmed] = results.map(Number);
    assert.equal(received, pending);
    assert.equal(confirmed, latest);
    return { pending: pending!, latest: latest! };
  }

  test('a burst of transactions is pre-confirmed in order, then confirmed, and nothing ever goes back', async () => {
    const raws = Array.from({ length: BURST }, (_, nonce) => toHex(signed(wallet, { nonce, to: RECEIVER, value: 1n })));
    // Starts at the beginning of a block, so that the pre-confirmed state is visible for a while.
    await nextBlock(server, await server.result('eth_blockNumber'));
    const hashes = Promise.all(shuffled(raws).map((raw) => server.result('eth_sendRawTransaction', raw)));
    const seen: Seen[] = [];
    await eventually(async () => {
      const now = await look();
      assert.ok(now.pending >= now.latest, `${JSON.stringify(now)}: pending is older than latest`);
      assert.ok(now.pending >= (seen.at(-1)?.pending ?? 0), 'pending went back');
      assert.ok(now.latest >= (seen.at(-1)?.latest ?? 0), 'latest went back');
      seen.push(now);
      return now.latest === BURST ? now : undefined;
    });
    assert.equal(new Set(await hashes).size, BURST);
    assert.ok(
      seen.some(({ pending, latest }) => pending > latest),
      'pre-confirmed before it was confirmed',
    );
  });

  test('a receipt names the block in which the state changes', async () => {
    const raw = toHex(signed(wallet, { nonce: BURST, to: RECEIVER, value: 1n }));
    const hash = await server.result('eth_sendRawTransaction', raw);
    const receipt = await eventually(async () => {
      const found = await server.result<{ blockHash: string; blockNumber: string; status: string } | null>(
        'eth_getTransactionReceipt',
        hash,
      );
      // It appears with the pre-confirmation, and then has no block hash.
      return found === null || /^0x0+$/.test(found.blockHash) ? undefined : found;
    });
    assert.equal(receipt.status, '0x1');
    const number = Number(receipt.blockNumber);
    const { results } = await batch(
      server,
      ['eth_getBalance', RECEIVER, receipt.blockNumber],
      ['eth_getBalance', RECEIVER, `0x${(number - 1).toString(16)}`],
      ['eth_getBalance', RECEIVER, 'earliest'],
    );
    assert.deepEqual(results.map(Number), [BURST + 1, BURST, 0]);
  });

  test('a sent transaction is visible as soon as the send is answered, for many in sequence', async () => {
    const sender = devWallet(4);
    for (let nonce = 0; nonce < 20; nonce++) {
      const raw = toHex(signed(sender, { nonce, to: RECEIVER }));
      const hash = await server.result('eth_sendRawTransaction', raw);
      const next = await server.result('eth_getTransactionCount', sender.address, 'pending');
      const seen = await server.result<{ readonly nonce: string } | null>('eth_getTransactionByHash', hash);
      assert.deepEqual([Number(next), Number(seen?.nonce)], [nonce + 1, nonce]);
    }
  });

  test('a transaction behind a nonce gap is shown as by go-ethereum until it is in a block', async () => {
    const sender = devWallet(5);
    const raw = toHex(signed(sender, { nonce: 1, to: RECEIVER, maxFeePerGas: 30_000_000_000n }));
    const hash = await server.result('eth_sendRawTransaction', raw);
    const shown = () => server.result<Readonly<Record<string, unknown>>>('eth_getTransactionByHash', hash);
    const waiting = await shown();
    assert.deepEqual(
      ['blockHash', 'blockNumber', 'blockTimestamp', 'transactionIndex'].map((name) => waiting[name]),
      [null, null, null, null],
    );
    const { from, nonce, gasPrice } = waiting;
    assert.deepEqual([from, nonce, gasPrice], [sender.address.toLowerCase(), '0x1', waiting['maxFeePerGas']]);
    assert.equal(await server.result('eth_getRawTransactionByHash', hash), raw);
    assert.equal(await server.result('eth_getTransactionReceipt', hash), null);
    await server.result('eth_sendRawTransaction', toHex(signed(sender, { nonce: 0, to: RECEIVER })));
    const placed = await shown();
    assert.notEqual(placed['blockNumber'], null);
    assert.deepEqual(Object.keys(placed).toSorted(), Object.keys(waiting).toSorted());
    const unknown = toHex(keccak256(new Uint8Array()));
    assert.equal(await server.result('eth_getTransactionByHash', unknown), null);
    assert.equal(await server.result('eth_getRawTransactionByHash', unknown), '0x');
  });

  test('eth_config and eth_capabilities report forks and available data', async () => {
    interface Capabilities {
      readonly head: { readonly number: string; readonly hash: string };
      readonly stateproofs: { readonly disabled: boolean };
    }
    const { head, stateproofs } = await server.result<Capabilities>('eth_capabilities');
    const block = await server.result<Block & { readonly hash: string }>('eth_getBlockByNumber', head.number, false);
    assert.deepEqual([head.hash, stateproofs.disabled], [block.hash, true]);
    interface Configs {
      readonly current: { readonly chainId: string; readonly precompiles: Readonly<Record<string, string>> };
      readonly next: unknown;
    }
    const { current, next } = await server.result<Configs>('eth_config');
    assert.deepEqual([current.chainId, current.precompiles['P256VERIFY']], ['0x7a69', `0x${'100'.padStart(40, '0')}`]);
    assert.equal(next, null);
  });

  test('a transaction without a receipt in time is answered with its hash, or with the nonce it waits for', async () => {
    const raw = signed(wallet, { nonce: BURST + 9, to: RECEIVER, value: 1n });
    const { error } = await server.query('eth_sendRawTransactionSync', [toHex(raw), 50]);
    const gap = `it has nonce ${BURST + 9}, the next nonce of ${wallet.address.toLowerCase()} is ${BURST + 1}`;
    const message = `the transaction was not pre-confirmed within 50 ms: ${gap}`;
    assert.deepEqual(error, { code: 6, message, data: toQuantity(BURST + 1) });
    // It stays queued, and sending it again waits as well.
    const again = await server.query('eth_sendRawTransactionSync', [toHex(raw), '0x32']);
    assert.equal(again.error?.code, 6);
    // An invalid timeout is rejected; without one the longest applies (EIP-7966).
    const messageAfter = async (wait: unknown): Promise<string | undefined> =>
      (await server.query('eth_sendRawTransactionSync', [toHex(raw), wait])).error?.message.split(':')[0];
    const refusals = await Promise.all([-5, 1.5, 'soon', true, {}].map(messageAfter));
    assert.deepEqual(new Set(refusals), new Set(['invalid argument 1']));
    assert.equal(await messageAfter(0), `the transaction was not pre-confirmed within ${LIMITS.receiptWaitMs} ms`);
    const cheap = signed(wallet, { nonce: BURST + 1, to: RECEIVER, maxFeePerGas: 7n, maxPriorityFeePerGas: 0n });
    const late = await server.query('eth_sendRawTransactionSync', [toHex(cheap), 50]);
    assert.deepEqual([late.error?.code, late.error?.data], [4, toHex(keccak256(cheap))]);
    const refused = await server.query('eth_sendRawTransactionSync', [toHex(raw).slice(0, -2)]);
    assert.equal(refused.error?.code, -32_000);
  });

  test('a known transaction and a used nonce are refused with the messages of go-ethereum', async () => {
    // Its nonce leaves a gap, so it stays queued.
    const raw = toHex(signed(wallet, { nonce: BURST + 5, to: RECEIVER, value: 1n }));
    await server.result('eth_sendRawTransaction', raw);
    const again = await server.query('eth_sendRawTransaction', [raw]);
    assert.deepEqual(again.error, { code: -32_000, message: 'already known' });
    const used = await server.query('eth_sendRawTransaction', [
      toHex(signed(wallet, { nonce: 0, to: RECEIVER, value: 2n })),
    ]);
    assert.match(used.error?.message ?? '', /^nonce too low/);
  });
});

describe('responses during traffic', () => {
  let server: Server;
  before(async () => {
    server = await Server.start('--dev-traffic', '40');
  });
  after(() => server.stop());

  const accounts = TRAFFIC_ACCOUNTS.slice(0, 3).map(toHex);

  async function look() {
    const { results, position } = await batch(
      server,
      ['eth_blockNumber'],
      ['eth_getBlockByNumber', 'latest', false],
      ['eth_getBlockByNumber', 'pending', false],
      ...accounts.map((account) => ['eth_getTransactionCount', account, 'latest'] as const),
      ...accounts.map((account) => ['eth_getTransactionCount', account, 'pending'] as const),
    );
    const [number, latest, pending, ...nonces] = results as [string, Block | null, Block | null, ...string[]];
    return { number, latest, pending, nonces: nonces.map(Number), position };
  }

  test('a batch is answered from one snapshot, and nothing goes back from batch to batch', async () => {
    const blocks = new Set<string>();
    let nonceBefore: number[] = [];
    let at = 0;
    let polls = 0;
    await until(async () => {
      const { number, latest, pending, nonces, position } = await look();
      assert.ok(latest !== null && pending !== null);
      assert.equal(latest.number, number);
      if (pending.number !== latest.number) {
        assert.equal(Number(pending.number), Number(latest.number) + 1);
        assert.equal(pending.parentHash, latest.hash);
        assert.ok(Number(pending.timestamp) > Number(latest.timestamp));
      }
      accounts.forEach((_, i) => assert.ok(nonces[accounts.length + i]! >= nonces[i]!, 'pending is older than latest'));
      nonces.forEach((nonce, i) => assert.ok(nonce >= (nonceBefore[i] ?? 0), 'a nonce went back'));
      assert.ok(position >= at, 'the coordinates in the headers went back');
      blocks.add(latest.hash);
      [nonceBefore, at] = [nonces, position];
      polls++;
      return blocks.size >= BLOCKS && polls >= POLLS && nonceBefore[0]! > 0;
    }, `${BLOCKS} blocks, ${POLLS} polls, and nonces that traffic has moved`);
  });

  test('a former latest block is found by number, by hash and as EIP-1898 object, with the same state', async () => {
    for (let i = 0; i < 3; i++) {
      const { number, latest, nonces } = await look();
      assert.ok(latest !== null);
      const names = [latest.number, latest.hash, { blockNumber: latest.number }, { blockHash: latest.hash }];
      const { results } = await batch(
        server,
        ['eth_getBlockByHash', latest.hash, false],
        ['eth_getBlockByNumber', latest.number, false],
        ...names.map((name) => ['eth_getTransactionCount', accounts[0], name] as const),
      );
      assert.deepEqual(results.slice(0, 2), [latest, latest]);
      assert.deepEqual(
        results.slice(2).map(Number),
        names.map(() => nonces[0]),
      );
      await nextBlock(server, number);
    }
  });

  test('a call on pending sees the pre-confirmed block', async () => {
    // Returns the block number: that of pending is one above that of latest.
    const code = '0x435f5260205ff3';
    const call = { to: RECEIVER };
    const override = { [RECEIVER]: { code } };
    const { results } = await batch(
      server,
      ['eth_call', call, 'latest', override],
      ['eth_call', call, 'pending', override],
      ['eth_blockNumber'],
      ['eth_getBlockByNumber', 'pending', false],
    );
    const [latest, pending, number] = results.slice(0, 3).map(Number);
    assert.equal(latest, number);
    assert.equal(pending, Number((results[3] as Block).number));
  });
});
