// The choice of the server: uWebSockets.js behind its guard where the guard works, node:http everywhere else, with the
// reason.
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { HTTP_GUARD } from '../../../src/http/uws/load-uws.js';
import { nodeBackend } from '../../../src/http/node/node-app.js';
import { testUwsBackend } from '../../../src/http/uws/self-test.js';

const NO_GUARD = HTTP_GUARD === null && 'there is no guard here: no Linux, or no C++ compiler';

/** Runs `what` in a host process and returns its report; the process must exit by itself. */
async function hosted(what: string): Promise<unknown> {
  const child = fork(fileURLToPath(new URL('../fixtures/host.js', import.meta.url)), [what], { silent: true });
  const exited = once(child, 'exit');
  const [message] = (await Promise.race([once(child, 'message'), exited])) as [unknown];
  assert.deepEqual(await exited, [0, null]);
  return message;
}

test('a server that passes a pipelined conversation serves', async () => {
  assert.equal(await testUwsBackend(nodeBackend), null);
});

test('a server that answers anything else, or nothing, does not', async () => {
  const replies = ['HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\none', ''];
  for (const reply of replies) {
    const other = createServer((socket) => void socket.end(reply)).listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as { readonly port: number };
    assert.match((await testUwsBackend({ ...nodeBackend, portOf: () => port }))!, /came out wrong/);
    other.close();
  }
});

test('with engines on main and in two threads main keeps answering after one thread is terminated', async () => {
  assert.deepEqual(await hosted('threads'), { main: ['0x7a69', '0x7a69'], threads: ['0x7a69', '0x7a69'] });
});

test(
  'another build of uWebSockets.js in the process is not affected, and no code page stays writable',
  { skip: NO_GUARD },
  async () => {
    const { before, after, writable } = (await hosted('another')) as Record<string, unknown>;
    assert.deepEqual(after, before);
    assert.equal(writable, 0);
  },
);
