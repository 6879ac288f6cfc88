// Own writes behind a load balancer: a transaction sent to one instance is visible at the next one, in the nonce if the
// group shares nonces, and everywhere from the position that the response carries.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { toHex, toQuantity } from '../../src/lib/bytes/hex.js';
import { devWallet, signed } from '../feed/keys.js';
import { freePort } from '../support/free-port.js';
import { NatsServer, NO_NATS } from '../support/nats-server.js';
import { eventually, until } from '../support/patience.js';
import { Server, type RpcAnswer } from '../support/server.js';

const LIGHT = ['--workers', '1', '--log-format', 'json'];
const COUNT = 6;
/** How long the confirmation of a receipt may take on a busy machine. */
const WAIT_MS = 30_000;

const raw = (account: number, nonce: number): string =>
  toHex(signed(devWallet(account), { nonce, maxFeePerGas: 10n ** 12n }));

/** Sends a request to an instance; returns the position in the response as headers for the next request. */
async function sent(server: Server, method: string, ...params: unknown[]): Promise<Record<string, string>> {
  const { headers, text } = await server.post(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
  assert.equal((JSON.parse(text) as RpcAnswer).error, undefined);
  return { 'x-least-block': headers.get('x-block-number')!, 'x-least-index': headers.get('x-preconf-index')! };
}

/** The nonce at `pending` of an instance, polled until the instance has reached the position. */
async function nonceFrom(server: Server, account: number, least: Record<string, string>): Promise<string> {
  const params = [devWallet(account).address, 'pending'];
  return eventually(async () => {
    const answer = await server.query('eth_getTransactionCount', params, least);
    if (answer.error === undefined) return answer.result as string;
    assert.equal(answer.error.code, -32001, answer.error.message);
    return undefined;
  });
}

async function ready(...servers: readonly Server[]): Promise<void> {
  for (const server of servers) await until(async () => (await server.readiness()).ready, 'every instance is ready');
}

describe('replicas of a dev chain', { skip: NO_NATS }, () => {
  let nats: NatsServer;
  let executor: Server;
  let replicas: readonly Server[];
  before(async () => {
    nats = await NatsServer.start();
    executor = await Server.start('--publish', nats.url, '--dev-traffic', '20', ...LIGHT);
    replicas = await Promise.all([0, 1].map(() => Server.start('--follow', nats.url, ...LIGHT)));
    await ready(executor, ...replicas);
  });
  after(async () => {
    await Promise.all([executor, ...replicas].map((each) => each.stop('SIGKILL')));
    await nats.kill();
  });

  test('see a write they forwarded at once, and others see it from the position of the response on', async () => {
    const [one, other] = replicas as [Server, Server];
    for (let nonce = 0; nonce < COUNT; nonce++) {
      const from = nonce % 3 === 0 ? executor : one;
      const least = await sent(from, 'eth_sendRawTransaction', raw(0, nonce));
      const next = toQuantity(nonce + 1);
      assert.deepEqual([await nonceFrom(from, 0, {}), await nonceFrom(other, 0, least)], [next, next]);
    }
  });
});

describe('replicas of a live chain', { skip: NO_NATS }, () => {
  let nats: NatsServer;
  let chain: Server;
  let instances: readonly Server[];
  before(async () => {
    const feedPort = await freePort();
    nats = await NatsServer.start();
    chain = await Server.start('--dev-traffic', '20', '--dev-feed-port', feedPort, ...LIGHT);
    const counting = ['--upstream', chain.url, '--passthrough', '--count-own-sends', ...LIGHT];
    const feed = ['--feed', `ws://127.0.0.1:${feedPort}`];
    const executor = await Server.start('--publish', nats.url, ...feed, ...counting);
    const replicas = await Promise.all([0, 1].map(() => Server.start('--follow', nats.url, ...counting)));
    instances = [executor, ...replicas];
    await ready(...instances);
  });
  after(async () => {
    await Promise.all([chain, ...instances].map((each) => each.stop('SIGKILL')));
    await nats.kill();
  });

  test('count the transactions that any of them has sent', async () => {
    for (let nonce = 0; nonce < COUNT; nonce++) {
      await sent(instances[nonce % 3]!, 'eth_sendRawTransaction', raw(1, nonce));
      const reported = await Promise.all(instances.map((instance) => nonceFrom(instance, 1, {})));
      assert.deepEqual(
        reported,
        Array.from(instances, () => toQuantity(nonce + 1)),
      );
    }
  });

  test('see what a receipt shows from the position of its response on', async () => {
    const [, one, other] = instances as [Server, Server, Server];
    for (let nonce = 0; nonce < COUNT; nonce++) {
      const least = await sent(one, 'eth_sendRawTransactionSync', raw(3, nonce), WAIT_MS);
      const answer = await eventually(async () => {
        const each = await other.query('eth_getAccountInfo', [devWallet(3).address, 'pending'], least);
        return each.error?.code === -32001 ? undefined : each;
      });
      assert.equal((answer.result as { nonce: string }).nonce, toQuantity(nonce + 1));
    }
  });
});
