// Bare JSON on the Unix socket: the same service as over a WebSocket, with the same limits.
import assert from 'node:assert/strict';
import type { Subscriber } from '../../src/rpc/answer/request-response-types.js';
import { until } from '../support/patience.js';
import { temporaryFile } from '../support/temporary-folder.js';
import {
  answerOf,
  backendTest as everyBackendTest,
  echo,
  inTurn,
  later,
  pause,
  serve,
  type BackendTest,
  type Served,
} from './server.js';
import { SocketClient } from './socket-client.js';
import { ValuesClient } from './values-client.js';
import { post, Wire } from './wire.js';

/** Only the guard converts bare JSON to WebSockets. */
function backendTest(name: string, run: (context: BackendTest) => Promise<void>): void {
  everyBackendTest(name, (context) => (context.isNative ? run(context) : Promise.resolve()));
}

interface ServedLocally extends Served {
  readonly path: string;
}

/** Like `serve`, and on a Unix socket as well. */
async function serveLocally(context: BackendTest, ...rest: Tail<Parameters<typeof serve>>): Promise<ServedLocally> {
  const served = await serve(context, ...rest);
  const path = temporaryFile('prestate.ipc');
  assert.equal(await served.server.listenIpc(path), null);
  return { ...served, path };
}

type Tail<All extends readonly unknown[]> = All extends readonly [unknown, ...infer Rest] ? Rest : never;

/** Limits for as many connections as a test opens. */
const MANY = { socketsMax: 100, socketsPerClientMax: 100 };

/** Values whose end is hard to find. */
const VALUES = [
  '{}',
  '[]',
  '{"a":"}"}',
  '["]","\\"]","\\\\"]',
  '{"a":[{"b":"\\\\\\"{"}]}',
  '{ "a" :\n1 }',
  '["\u00e9\u4e2d"]',
  `{"a":"${'x'.repeat(124)}"}`,
  `["${'{'.repeat(70_000)}"]`,
];

backendTest('each value has its answer on a line of its own, wherever the bytes are cut', async (t) => {
  const { path } = await serveLocally(t, echo());
  const wanted = VALUES.map((value) => value.replaceAll('\n', ' '));
  const bytes = Buffer.from(` \r\n\t${wanted.slice(0, -1).join('')}\n${wanted.at(-1)} `);
  await inTurn([1, 7, 1000, bytes.length], async (size) => {
    const client = await ValuesClient.open(path);
    await inTurn(pieces(bytes, size, 300), async (piece) => {
      client.send(piece);
      await pause(0);
    });
    assert.deepEqual(await client.lines(wanted.length), wanted);
    client.close();
  });
});

/** The bytes in so many pieces of a given size, and one with the remainder. */
function pieces(bytes: Buffer, size: number, count: number): Buffer[] {
  const all = Array.from({ length: count }, (_, i) => bytes.subarray(i * size, (i + 1) * size));
  return [...all, bytes.subarray(count * size)].filter(({ length }) => length > 0);
}

backendTest('values are answered in their order, and many connections beside one another', async (t) => {
  const { path } = await serveLocally(t, echo());
  const numbers = Array.from({ length: 1000 }, (_, at) => `[${at}]`);
  const clients = await Promise.all([1, 2, 3].map(() => ValuesClient.open(path)));
  for (const client of clients) client.send(numbers.join(''));
  await inTurn(clients, async (client) => assert.deepEqual(await client.lines(1000), numbers));
  for (const client of clients) client.close();
});

backendTest(
  'connections with many values are heard in turn, and a request of another client between them',
  async (t) => {
    let answered = 0;
    const { path, port } = await serveLocally(
      t,
      () => {
        answered++;
        return answerOf('{}');
      },
      MANY,
    );
    const clients = await Promise.all(Array.from({ length: 20 }, () => ValuesClient.open(path)));
    const other = await Wire.open(port);
    for (const client of clients) client.send('[1]'.repeat(3000));
    await until(() => answered > 0);
    other.send(post('one'));
    const before = answered;
    await other.reply();
    assert.ok(answered - before < 20_000, `${answered - before} answers before it`);
    await inTurn(clients, async (client) => assert.equal((await client.lines(3000)).length, 3000));
    for (const client of clients) client.close();
    other.close();
  },
);

backendTest('answers go out as they are ready, and what is pushed between them; a notification has none', async (t) => {
  const late = later('"late"');
  let subscriber: Subscriber | undefined;
  const { path } = await serveLocally(t, (body, caller) => {
    subscriber = caller.subscriber;
    const text = Buffer.from(body).toString();
    return text === '["late"]' ? late.answer : text === '[]' ? answerOf('', null, 204) : answerOf('"now"');
  });
  const client = await ValuesClient.open(path);
  client.send('["late"][]["now"]');
  await client.lines(1);
  subscriber!.push(Buffer.from('"pushed"'));
  await client.lines(2);
  late.give();
  assert.deepEqual(await client.lines(3), ['"now"', '"pushed"', '"late"']);
  client.close();
});

backendTest('an answer that the client takes bit by bit comes whole, and the next one behind it', async (t) => {
  const large = JSON.stringify(Array.from({ length: 700_000 }, (_, i) => i));
  const { path, server } = await serveLocally(t, (body) => answerOf(body.length > 2 ? large : '{}'));
  const client = await ValuesClient.open(path);
  client.socket.pause();
  client.send('[1][][2][]');
  await until(() => server.counts().unsentBytes > 0);
  client.socket.resume();
  assert.deepEqual(await client.lines(4), [large, '{}', large, '{}']);
  await until(() => server.counts().unsentBytes === 0);
  client.close();
});

backendTest('a client that asks on and does not read is cut off at its share', async (t) => {
  const answer = Buffer.alloc(100_000, 'x');
  const { path, server } = await serveLocally(t, () => answerOf(answer), { unsentBytesPerClientMax: 5_000_000 });
  const client = await ValuesClient.open(path);
  client.socket.pause();
  while (server.counts().slowReaders === 0) {
    client.send('[]'.repeat(10));
    await pause(1);
  }
  await until(() => server.counts().socketsOpen === 0);
  client.close();
});

backendTest('what begins no value has an answer, and ends the connection', async (t) => {
  const { path } = await serveLocally(t, (body) => answerOf(`<${Buffer.from(body).toString()}>`));
  await inTurn([']', '}', 'x{}', '"a"', ',{}', '\u0000', 'POST / HTTP/1.1\r\n\r\n'], async (bytes) => {
    const client = await ValuesClient.open(path);
    client.send(`[1] ${bytes}[2]`);
    assert.equal(await client.ended(), `<[1]>\n<${bytes[0]}>\n`);
    client.close();
  });
});

backendTest('a client that closes its side gets its answers, and then the end', async (t) => {
  const late = [later('"1"'), later('"2"')];
  const { path, server } = await serveLocally(t, (body) => late[body.length - 2]?.answer ?? answerOf('"now"'));
  const client = await ValuesClient.open(path);
  client.socket.end('[][ ][  ]');
  assert.deepEqual(await client.lines(1), ['"now"']);
  late[1]!.give();
  await client.lines(2);
  late[0]!.give();
  assert.equal(await client.ended(), '"now"\n"2"\n"1"\n');
  await until(() => server.counts().socketsOpen === 0);
});

backendTest(
  'what comes behind the last answer of a client that has closed its side is large, and comes whole',
  async (t) => {
    const large = `"${'x'.repeat(3_000_000)}"`;
    const { path } = await serveLocally(t, () => pause(1).then(() => answerOf(large)));
    const client = await ValuesClient.open(path);
    client.socket.pause();
    client.socket.end('[][]');
    await pause(20);
    client.socket.resume();
    assert.equal(await client.ended(), `${large}\n${large}\n`);
  },
);

backendTest('a value whose end does not come is answered as it is', async (t) => {
  const { path } = await serveLocally(t, echo());
  const client = await ValuesClient.open(path);
  client.socket.end('[1]["2"');
  assert.equal(await client.ended(), '[1]\n["2"\n');
  client.close();
});

backendTest('a client that is gone is not waited for', async (t) => {
  const { path, server } = await serveLocally(t, () => later('').answer);
  const client = await ValuesClient.open(path);
  client.send('[]');
  await until(() => server.counts().inFlight === 1);
  client.close();
  if (t.isNative) await until(() => server.counts().socketsOpen === 0);
});

backendTest(
  'a client that is silent is not taken for gone, as one of WebSockets is that answers no ping',
  async (t) => {
    const { path, port } = await serveLocally(t, echo(), { socketIdleSMax: t.isNative ? 8 : 1 });
    const client = await ValuesClient.open(path);
    client.send('[1]');
    await client.lines(1);
    const silent = await SocketClient.open(port);
    await silent.wire.ended();
    client.send('[2]');
    assert.deepEqual(await client.lines(2), ['[1]', '[2]']);
    client.close();
  },
);

backendTest('a value may be as large as a message of a WebSocket, and a larger one ends the connection', async (t) => {
  const bounds = { bodyBytesMax: 100_000, largeSocketsMax: 1, smallMessageBytesMax: 1000 };
  const { path, server } = await serveLocally(t, echo(), bounds);
  const clients = [await ValuesClient.open(path), await ValuesClient.open(path)];
  await inTurn(clients, async (client) => {
    client.send('[]');
    await client.lines(1);
  });
  const sizes = [100_000, 1000].map((size, i) => ({ size, client: clients[i]! }));
  await inTurn(sizes, async ({ size, client }) => {
    const value = `["${'x'.repeat(size - 4)}"]`;
    client.send(value);
    assert.equal((await client.lines(2))[1], value);
    // The end of the value never arrives.
    client.send(`[${' '.repeat(size)}`);
    await client.ended();
  });
  await until(() => server.counts().socketsOpen === 0);
});

backendTest('a client that finds no room is told so in JSON', async (t) => {
  const { path, port, server } = await serveLocally(t, echo(), { socketsMax: 1 });
  const first = await SocketClient.open(port);
  const refused = await ValuesClient.open(path);
  refused.send('{"id":1}{"id":2}');
  assert.deepEqual(JSON.parse(await refused.ended()), {
    jsonrpc: '2.0',
    id: null,
    error: { code: -32005, message: 'too many connections' },
  });
  first.wire.close();
  await until(() => server.counts().socketsOpen === 0);
  const next = await ValuesClient.open(path);
  next.send('{"id":3}');
  assert.deepEqual(await next.lines(1), ['{"id":3}']);
  next.close();
});

backendTest('a connection ends without a word when the service stops, or fails', async (t) => {
  const { path, server, faults } = await serveLocally(t, (body) => {
    if (body.length > 2) throw new Error('secret');
    return answerOf('{}');
  });
  const [failing, idle] = [await ValuesClient.open(path), await ValuesClient.open(path)];
  for (const client of [failing, idle]) client.send('[]');
  await Promise.all([failing, idle].map((client) => client.lines(1)));
  failing.send('[1]');
  assert.equal(await failing.ended(), '{}\n');
  assert.equal(faults.length, 1);
  server.close();
  assert.equal(await idle.ended(), '{}\n');
});

backendTest('over TCP bare JSON is no request', async (t) => {
  const { port } = await serveLocally(t, echo());
  const wire = await Wire.open(port);
  wire.send('{"id":1}\n');
  assert.match(await wire.ended(), /^HTTP\/1.1 400 /);
  wire.close();
});
