// The generator's own sockets: what is sent arrives, however slowly it is read, and a lost connection is reported. Runs
// on the main thread; the peers are threads, because the main thread waits without its event loop.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { networkInterfaces } from 'node:os';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { PolledSockets } from '../../bench/load/polled-sockets.js';
import { buildSockets } from '../../bench/load/sockets/build.js';

buildSockets();
const sockets = PolledSockets.load();
const skip = sockets === null ? 'there is no addon' : false;
const own = new Set(
  Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .map(({ address }) => address),
);
const LOOPBACK = ['127.0.0.1', '::1'].filter((address) => own.has(address));
/** More than the system buffers for a peer that does not read. */
const LONG = 32 * 1024 * 1024;
const WAIT_MS = 1;
/** Generous, because a peer may have to wait for a core. */
const WAITS_MAX = 60_000;

/** A server in a thread; `script` handles `socket`. The thread's first message is its port. */
async function serve(host: string, script: string): Promise<{ readonly port: number; readonly thread: Worker }> {
  const thread = new Worker(
    `const { parentPort } = require('node:worker_threads');
     const server = require('node:net').createServer((socket) => { socket.on('error', () => {}); ${script} });
     server.listen(0, ${JSON.stringify(host)}, () => parentPort.postMessage(server.address().port));`,
    { eval: true },
  );
  const [port] = (await once(thread, 'message')) as [number];
  return { port, thread };
}

function waitFor(done: () => boolean, what: string): void {
  for (let waits = 0; !done(); waits++) {
    assert.ok(waits < WAITS_MAX, what);
    sockets!.wait(WAIT_MS);
  }
}

for (const host of LOOPBACK)
  void test(`bytes sent to ${host} are echoed`, { skip }, async () => {
    const { port, thread } = await serve(host, 'socket.pipe(socket);');
    const came: string[] = [];
    const socket = sockets!.open(host, port, {
      taken: (bytes) => came.push(bytes.toString('latin1')),
      lost: () => assert.fail('lost'),
    });
    sockets!.send(socket, 'first');
    sockets!.send(socket, ' second');
    waitFor(() => came.join('').length === 12, 'both come back');
    assert.equal(came.join(''), 'first second');
    sockets!.close(socket);
    await thread.terminate();
  });

void test('bytes that the peer does not accept yet are sent in order as it reads', { skip }, async () => {
  const { port, thread } = await serve(
    '127.0.0.1',
    `let length = 0, last = '';
     socket.pause();
     setTimeout(() => socket.resume(), 100);
     socket.on('data', (bytes) => {
       length += bytes.length;
       last = bytes.toString('latin1', bytes.length - 1);
       if (length === ${LONG + 1}) socket.end(String(length) + last);
     });`,
  );
  let came = '';
  let losses = 0;
  const socket = sockets!.open('127.0.0.1', port, {
    taken: (bytes) => void (came += bytes.toString('latin1')),
    lost: () => losses++,
  });
  sockets!.send(socket, 'a'.repeat(LONG));
  sockets!.send(socket, 'z');
  waitFor(() => losses > 0, 'the peer has read all and ends');
  assert.deepEqual([came, losses], [`${LONG + 1}z`, 1]);
  await thread.terminate();
});

void test(
  'a peer that disconnects is reported once, and a handler that throws closes its connection',
  { skip },
  async () => {
    const { port, thread } = await serve('127.0.0.1', "socket.once('data', (bytes) => socket.end(bytes));");
    const lost: string[] = [];
    const leaves = sockets!.open('127.0.0.1', port, { taken: () => undefined, lost: () => lost.push('left') });
    const broken = sockets!.open('127.0.0.1', port, {
      taken: () => {
        throw new Error('no answer');
      },
      lost: () => lost.push('broken'),
    });
    sockets!.send(leaves, 'x');
    waitFor(() => lost.length === 1, 'the first is lost');
    sockets!.send(broken, 'x');
    waitFor(() => lost.length === 2, 'the second is lost');
    for (let waits = 0; waits < 20; waits++) sockets!.wait(WAIT_MS);
    assert.deepEqual(lost, ['left', 'broken']);
    await thread.terminate();
  },
);

void test('connecting to a port without a listener fails', { skip }, async () => {
  const { port, thread } = await serve('127.0.0.1', '');
  await thread.terminate();
  const events = { taken: () => undefined, lost: () => assert.fail('lost') };
  assert.throws(() => sockets!.open('127.0.0.1', port, events), /takes no connection/);
  assert.throws(() => sockets!.open('no address', port, events), /takes no connection/);
});
