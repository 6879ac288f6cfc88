// A thousand requests for the same uncached state: the upstream node gets one request, and cached state is served
// meanwhile.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { WebSocket } from 'ws';
import { toHex } from '../../src/lib/bytes/hex.js';
import { toBytes } from '../../src/lib/bytes/big-endian.js';
import { ACCOUNTS, genesis, makeBlock } from '../feed/live/chain-maker.js';
import { until } from '../support/patience.js';
import type { RpcAnswer, Server } from '../support/server.js';
import type { UpstreamNode } from '../support/upstream-node.js';
import { ScriptedUpstream } from './scripted-upstream.js';

const CLIENTS = 20;
const QUESTIONS = 50;
const HOT = 20;
const RESIDENT = toHex(ACCOUNTS[0]!);
const COLD = toHex(toBytes(0xc01dn, 20));

let upstream: ScriptedUpstream;
let node: UpstreamNode;
let server: Server;

before(async () => {
  const root = genesis();
  upstream = await ScriptedUpstream.start([root, await makeBlock(root, [])]);
  ({ node } = upstream);
  server = await upstream.follow();
  await server.result('eth_getBalance', RESIDENT, 'latest');
});

after(async () => {
  node.faults.stalled = false;
  await server.stop();
  await upstream.close();
});

/** A WebSocket client that requests the balance and estimates in turn; `onAnswer` gets every response. */
async function client(onAnswer: (answer: RpcAnswer) => void): Promise<WebSocket> {
  const socket = new WebSocket(server.url.replace('http', 'ws'));
  socket.on('message', (data: Buffer) => onAnswer(JSON.parse(data.toString()) as RpcAnswer));
  await once(socket, 'open');
  return socket;
}

function queryAll(socket: WebSocket): void {
  for (let id = 0; id < QUESTIONS; id++) {
    const [method, params] =
      id % 2 === 0
        ? ['eth_getBalance', [COLD, 'latest']]
        : ['eth_estimateGas', [{ from: RESIDENT, to: COLD, value: '0x1' }, 'latest']];
    socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
  }
}

test('concurrent requests for missing state ask the node once, and cached state is served while it is silent', async () => {
  const answers: RpcAnswer[] = [];
  const sockets = await Promise.all(Array.from({ length: CLIENTS }, () => client((answer) => answers.push(answer))));
  let requested = 0;
  node.onBody = (body) => (requested += body.split(COLD).length - 1);
  node.faults.stalled = true;
  for (const socket of sockets) queryAll(socket);
  await until(() => requested > 0);
  await Promise.all(Array.from({ length: HOT }, () => server.result('eth_getBalance', RESIDENT, 'latest')));
  await server.result('eth_estimateGas', { from: RESIDENT, to: RESIDENT, value: '0x1' }, 'latest');
  assert.deepEqual(answers, []);
  node.faults.stalled = false;
  await until(() => answers.length === CLIENTS * QUESTIONS);
  assert.deepEqual(new Set(answers.map(({ result }) => result)), new Set(['0x0', '0x5208']));
  // One read each for balance, nonce and code.
  assert.equal(requested, 3);
  for (const socket of sockets) socket.close();
});
