// Both servers that the front end may use, each in its own process.
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { inTurn } from './server.js';

const CHILD = fileURLToPath(new URL('./fixtures/child.js', import.meta.url));

interface Hello {
  readonly text: string;
  readonly port: number;
}

async function start(
  backend: string,
  env: NodeJS.ProcessEnv = {},
): Promise<{ readonly child: ChildProcess; readonly hello: Hello }> {
  const child = fork(CHILD, [backend], { silent: true, env: { ...process.env, ...env } });
  const hello = await new Promise<Hello>((resolve, reject) => {
    child.once('message', (message) => resolve(message as unknown as Hello));
    child.once('exit', (code) => reject(new Error(`the child ended with ${code}`)));
  });
  return { child, hello };
}

async function post(port: number, body: string, type = 'application/json'): Promise<readonly [number, string]> {
  const init = { method: 'POST', body, headers: { 'Content-Type': type } };
  const response = await fetch(`http://127.0.0.1:${port}/`, init);
  return [response.status, await response.text()];
}

async function converse(port: number): Promise<void> {
  const large = 'x'.repeat(3_000_000);
  assert.deepEqual(await post(port, '{"id":1}'), [200, '{"id":1}']);
  assert.deepEqual(await post(port, 'later'), [200, 'later']);
  assert.deepEqual(await post(port, large), [200, large]);
  assert.equal((await post(port, '{}', 'text/plain'))[0], 415);
  assert.equal((await post(port, 'x'.repeat(6_000_000)))[0], 413);
  await inTurn(['/', '/livez', '/readyz', '/metrics'], async (path) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`);
    assert.equal(response.status, 200);
    await response.text();
  });
}

async function endsByItself(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.send('close');
  assert.deepEqual(await ended, [0, null]);
}

void test('uWebSockets.js serves, is logged as the server, and lets the process exit', async () => {
  const { child, hello } = await start('native');
  assert.equal(hello.text, 'uWebSockets.js: native');
  await converse(hello.port);
  await endsByItself(child);
});

void test('uWebSockets.js serves with LD_BIND_NOW, as on hardened systems', async () => {
  const { child, hello } = await start('native', { LD_BIND_NOW: '1' });
  assert.equal(hello.text, 'uWebSockets.js: native');
  await endsByItself(child);
});

void test('node:http serves, is logged as the server, and lets the process exit', async () => {
  const { child, hello } = await start('node');
  assert.match(hello.text, /^node:http/);
  await converse(hello.port);
  await endsByItself(child);
});
