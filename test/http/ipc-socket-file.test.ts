// The Unix socket: what is served on it, who owns its file, and what happens to a file that already exists.
import assert from 'node:assert/strict';
import { lstatSync, renameSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { request } from 'node:http';
import { createServer, type Server as NetServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import { temporaryFile } from '../support/temporary-folder.js';
import { backendTest, echo, serve } from './server.js';

async function post(socketPath: string, body: string): Promise<string> {
  const headers = { 'Content-Type': 'application/json' };
  const requested = request({ socketPath, path: '/', method: 'POST', headers, agent: false });
  requested.end(body);
  const [response] = (await once(requested, 'response')) as [NodeJS.ReadableStream];
  return text(response);
}

async function message(path: string, body: string): Promise<string> {
  const socket = new WebSocket(`ws+unix:${path}:/`);
  await once(socket, 'open');
  socket.send(body);
  const [answer] = (await once(socket, 'message')) as [Buffer];
  socket.terminate();
  return answer.toString();
}

/** Listens at `path` as another process would. */
async function otherServer(path: string): Promise<NetServer> {
  const server = createServer((socket) => socket.destroy());
  server.listen(path);
  await once(server, 'listening');
  return server;
}

backendTest(
  'a Unix socket serves HTTP and WebSocket beside the port, and its file goes at the end',
  async (context) => {
    const { server, url } = await serve(context, echo());
    const path = temporaryFile('prestate.ipc');
    assert.equal(await server.listenIpc(path), null);
    assert.equal(await post(path, '{"id":1}'), '{"id":1}');
    assert.equal(await message(path, '{"id":2}'), '{"id":2}');
    assert.equal(lstatSync(path).mode & 0o777, 0o600);
    const overTcp = await fetch(url, { method: 'POST', body: '{}', headers: { 'Content-Type': 'application/json' } });
    assert.equal(await overTcp.text(), '{}');
    server.stopListening();
    assert.equal(lstatSync(path, { throwIfNoEntry: false }), undefined);
  },
);

backendTest('a Unix socket takes the place of one that nobody listens behind', async (context) => {
  const path = temporaryFile('prestate.ipc');
  // This is what a killed process leaves behind: Node.js only removes the name that it listened on.
  const other = await otherServer(`${path}.1`);
  renameSync(`${path}.1`, path);
  other.close();
  const { server } = await serve(context, echo());
  assert.ok(lstatSync(path).isSocket());
  assert.equal(await server.listenIpc(path), null);
  assert.equal(await post(path, '{}'), '{}');
});

backendTest('a Unix socket is refused where another process listens, and where another file is', async (context) => {
  const { server } = await serve(context, echo());
  const path = temporaryFile('prestate.ipc');
  const other = await otherServer(path);
  assert.equal(await server.listenIpc(path), `cannot listen on ${path}: another process listens there`);
  other.close();
  const file = `${path}.txt`;
  writeFileSync(file, 'kept');
  assert.equal(await server.listenIpc(file), `cannot listen on ${file}: there is a file that is no socket`);
  assert.equal(lstatSync(file).size, 4);
  const far = `${path}${'x'.repeat(120)}`;
  assert.match((await server.listenIpc(far))!, /a path of \d+ bytes, more than the 107 of a Unix socket$/);
  const nowhere = join(path, '..', 'nothing', 'there.ipc');
  assert.match((await server.listenIpc(nowhere))!, /cannot listen on .*there\.ipc: refused by the system/);
});
