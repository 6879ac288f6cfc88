// The engine inside another program: start, response, end; several at once; invalid options.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import test, { type TestContext } from 'node:test';
import { pino } from 'pino';
import { BrowserProvider, Wallet, parseEther } from 'ethers';
import { createPublicClient, custom } from 'viem';
import { WebSocket } from 'ws';
import {
  createEngine,
  type EngineAccount,
  type EngineBlock,
  type EngineMessage,
  type EngineOptions,
  type EngineRequestError,
  type RunningEngine,
} from '../src/api.js';
import { freePort } from './support/free-port.js';
import { until } from './support/patience.js';
import { temporaryFolder } from './support/temporary-folder.js';

const QUIET = { devTraffic: 0, workers: 1 } as const satisfies EngineOptions;
const CHAIN_ID = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}';
const ANSWER = '{"jsonrpc":"2.0","id":1,"result":"0x7a69"}';
const DEV_ACCOUNT = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';

/** An engine that is stopped at the end of its test. */
async function started(t: TestContext, options: EngineOptions = {}): Promise<RunningEngine> {
  const engine = await createEngine({ ...QUIET, ...options });
  t.after(() => engine.stop());
  return engine;
}

async function post(url: string, body: string): Promise<string> {
  const response = await fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
  return response.text();
}

async function send(url: string, body: string): Promise<string> {
  const socket = new WebSocket(url);
  await once(socket, 'open');
  socket.send(body);
  const [message] = (await once(socket, 'message')) as [Buffer];
  socket.close();
  return message.toString();
}

void test('an engine answers over HTTP and WebSocket until it is stopped, holds its port alone, and leaves it free', async (t) => {
  const port = Number(await freePort());
  for (let turn = 0; turn < 2; turn++) {
    const engine = await started(t, { port });
    assert.equal(engine.url, `http://127.0.0.1:${port}`);
    if (turn === 0)
      await assert.rejects(createEngine({ ...QUIET, port }), new RegExp(`cannot listen on 127.0.0.1:${port}`));
    assert.equal(await post(engine.url, CHAIN_ID), ANSWER);
    assert.equal(await send(engine.wsUrl, CHAIN_ID), ANSWER);
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) assert.equal(process.listenerCount(signal), 0);
    await Promise.all([engine.stop(), engine.stop()]);
    await assert.rejects(post(engine.url, CHAIN_ID));
  }
});

void test('two engines in one process have separate chains', async (t) => {
  const [first, second] = await Promise.all([started(t), started(t, { devTraffic: 100 })]);
  assert.notEqual(first.url, second.url);
  const blocks = JSON.stringify(
    ['pending', 'latest'].map((block, id) => {
      return { jsonrpc: '2.0', id, method: 'eth_getBlockByNumber', params: [block, false] };
    }),
  );
  const transactions = async ({ url }: RunningEngine): Promise<number> => {
    const answers = JSON.parse(await post(url, blocks)) as { result: { transactions: unknown[] } }[];
    return answers.reduce((sum, { result }) => sum + result.transactions.length, 0);
  };
  await until(async () => (await transactions(second)) > 0, 'traffic of the second engine');
  assert.equal(await transactions(first), 0);
  await second.stop();
  const estimate = { to: DEV_ACCOUNT, from: DEV_ACCOUNT };
  const answer = await post(
    first.url,
    JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_estimateGas', params: [estimate] }),
  );
  assert.equal(answer, '{"jsonrpc":"2.0","id":1,"result":"0x5208"}');
});

void test('a second engine on the same data folder starts once the first has stopped', async (t) => {
  const dataDir = temporaryFolder();
  for (let turn = 0; turn < 2; turn++) {
    const engine = await started(t, { dataDir });
    await assert.rejects(createEngine({ ...QUIET, dataDir: `${dataDir}/.` }), {
      message: `data folder ${dataDir}/. is in use by another engine here`,
    });
    assert.equal(await post(engine.url, CHAIN_ID), ANSWER);
    await engine.stop();
  }
  assert.ok(readdirSync(dataDir).length > 0);
});

void test('the engine lists the dev accounts with their keys, and logs only to the logger passed in', async (t) => {
  const lines: string[] = [];
  const { url, accounts } = await started(t, {
    logger: pino({ level: 'info' }, { write: (line) => lines.push(line) }),
  });
  const logged = lines.map((line) => JSON.parse(line) as { readonly msg: string; readonly port?: number });
  assert.equal(logged.find(({ msg }) => msg === 'listening')?.port, Number(new URL(url).port));
  assert.equal(accounts.length, 10);
  for (const { address, privateKey } of accounts) assert.equal(new Wallet(privateKey).address, address);
});

void test('in-process requests succeed, fail and end as in EIP-1193, and viem and ethers accept the engine as a provider', async (t) => {
  const engine = await started(t, { gasCap: 1_000_000 });
  const [{ address: from }, { address: to }] = engine.accounts as [EngineAccount, EngineAccount];
  const query = (method: string, ...params: readonly unknown[]): Promise<unknown> => engine.request({ method, params });
  assert.equal(await engine.request({ method: 'eth_chainId' }), '0x7a69');
  assert.deepEqual([engine.chainId, engine.ipc], [31337, null]);
  assert.deepEqual(await Promise.all([query('eth_estimateGas', { from, to }), query('eth_getTransactionCount', to)]), [
    '0x5208',
    '0x0',
  ]);
  await assert.rejects(query('eth_nothing'), { name: 'EngineRequestError', code: -32601 });
  // Reverts with 42.
  const revert = { to, data: '0x', from };
  const override = { [to]: { code: '0x602a5f5260205ffd' } };
  const data = `0x${'2a'.padStart(64, '0')}`;
  await assert.rejects(query('eth_call', revert, 'latest', override), {
    name: 'EngineRequestError',
    code: -32000,
    data,
  });
  const large = (await query('eth_call', revert, 'latest', { [to]: { code: '0x620200005ff3' } })) as string;
  assert.equal(large, `0x${'00'.repeat(0x20000)}`);
  assert.equal(
    await createPublicClient({ transport: custom(engine) }).estimateGas({ account: from as never, to: to as never }),
    21_000n,
  );
  assert.equal(await new BrowserProvider(engine as never).getBalance(from), parseEther('10000'));
  const waiting = query('eth_estimateGas', { from, to, data: '0x2a' }).then(
    () => 'answered',
    ({ code }: EngineRequestError) => code,
  );
  await engine.stop();
  // Answered, cancelled in a worker, or never started.
  assert.ok(['answered', -32000, 4900].includes(await waiting));
  await assert.rejects(query('eth_chainId'), { name: 'EngineRequestError', code: 4900 });
});

void test('blocks and subscription messages are emitted until the listener is removed or the engine is stopped', async (t) => {
  const engine = await started(t);
  const [blocks, messages, ends]: [EngineBlock[], EngineMessage[], number[]] = [[], [], []];
  const take = (block: EngineBlock): void => void blocks.push(block);
  assert.equal(engine.on('block', take), engine);
  engine.on('message', (message) => messages.push(message)).on('disconnect', ({ code }) => ends.push(code));
  const subscription = await engine.request({ method: 'eth_subscribe', params: ['newHeads'] });
  await until(() => blocks.length > 0 && messages.length > 0, 'a block');
  const whole = await engine.request({ method: 'eth_getBlockByHash', params: [blocks[0]!.hash, false] });
  assert.deepEqual({ ...(whole as object), ...blocks[0] }, whole);
  assert.deepEqual(messages[0], { type: 'eth_subscription', data: { subscription, result: blocks.at(-1) } });
  assert.equal(await engine.request({ method: 'eth_unsubscribe', params: [subscription] }), true);
  engine.removeListener('block', take);
  const seen = blocks.length;
  await new Promise((resolve) => engine.on('block', resolve));
  assert.deepEqual([blocks.length, messages.length, ends], [seen, seen, []]);
  await engine.stop();
  assert.deepEqual(ends, [4900]);
});

void test('a snapshot can be reverted to once', async (t) => {
  const engine = await started(t);
  const [{ address: from }, { address: to }] = engine.accounts as [EngineAccount, EngineAccount];
  const nonce = (): Promise<unknown> =>
    engine.request({ method: 'eth_getTransactionCount', params: [from, 'pending'] });
  const snapshot = await engine.snapshot();
  await engine.request({ method: 'eth_sendTransaction', params: [{ from, to, value: '0x1' }] });
  assert.equal(await nonce(), '0x1');
  await engine.revert(snapshot);
  assert.equal(await nonce(), '0x0');
  await assert.rejects(engine.revert(snapshot), { code: -32000, message: `there is no snapshot ${snapshot}` });
});

void test('invalid options are reported all at once, with the messages of the flags', async () => {
  const wrong = { port: 70_000, kernel: 'of', devTrafic: 1, speed: 2, cors: ['*'] } as unknown as EngineOptions;
  await assert.rejects(createEngine(wrong), {
    message: [
      'unknown option devTrafic; did you mean devTraffic?',
      'kernel of: is none of on, interpreted, off; did you mean off?',
      'port 70000: is not between 0 and 65535',
      'speed needs --replay',
    ].join('\n'),
    exitCode: 2,
  });
});

void test('environment variables and command-line-only flags are not options', async () => {
  await assert.rejects(createEngine({ logLevel: 'info' } as unknown as EngineOptions), /unknown option logLevel/);
});
