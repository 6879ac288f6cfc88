// Connections may be idle between two requests for longer than uWebSockets.js permits by itself.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { backendTest, echo, serve } from '../server.js';
import { Wire, post } from '../wire.js';

/** uWebSockets.js closes a connection after 32 s of inactivity. */
const SILENCE_MS = 36_000;

backendTest('a connection that is silent for half a minute is answered, and hears nothing in between', async (t) => {
  const { port } = await serve(t, echo(), { connectionIdleSMax: 120 });
  const wire = await Wire.open(port);
  wire.send(post('first'));
  await wire.reply();
  const before = wire.received().length;
  await sleep(SILENCE_MS);
  assert.equal(wire.received().length, before);
  wire.send(post('second'));
  assert.deepEqual(
    (await wire.replies(2)).map(({ body }) => body),
    ['first', 'second'],
  );
  wire.close();
});
