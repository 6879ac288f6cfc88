// Client identifiers by the guard's numbers, compared with their addresses, while many connections come and go.
import assert from 'node:assert/strict';
import { Agent, request } from 'node:http';
import test from 'node:test';
import { chooseBackend, listenTcp } from '../../../src/http/choose-server.js';
import { ClientIdentifier } from '../../../src/http/client-identifier.js';
import { HTTP_GUARD } from '../../../src/http/uws/load-uws.js';

const CLIENTS = 40;
const ROUNDS = 5;

test('each request is attributed to its own client', { skip: HTTP_GUARD === null && 'there is no guard' }, async () => {
  const backend = await chooseBackend();
  const served = backend.served!;
  const clients = new ClientIdentifier(null, served);
  const app = backend.createApp(10);
  app.get('/', (response, incoming) => {
    const caller = clients.caller(response, incoming);
    const number = served.client;
    // Read later, while another client is being served.
    setImmediate(() => response.cork(() => void response.end(`${number} ${caller.client}`)));
    response.onAborted(() => caller.abort());
  });
  const listening = await listenTcp(backend, app, '127.0.0.1', 0);
  assert.ok(listening.ok);
  const { port, token } = listening;
  const query = (localAddress: string, agent: Agent): Promise<string> =>
    new Promise((resolve, reject) => {
      const requested = request({ host: '127.0.0.1', port, localAddress, agent }, (response) => {
        let text = '';
        response.on('data', (piece: Buffer) => (text += piece.toString()));
        response.on('end', () => resolve(text));
      });
      requested.on('error', reject).end();
    });
  const names = new Map<string, string>();
  for (let round = 0; round < ROUNDS; round++) {
    const agent = new Agent({ keepAlive: true });
    await Promise.all(
      Array.from({ length: 4 * CLIENTS }, async (_, i) => {
        const address = `127.0.0.${1 + ((i + round) % CLIENTS)}`;
        const [number, name] = (await query(address, agent)).split(' ');
        assert.equal(name, address);
        assert.equal(names.get(number!) ?? name, name, 'a number is one client, for ever');
        names.set(number!, name);
      }),
    );
    // A client is forgotten with its last connection, and gets another number when it returns.
    agent.destroy();
  }
  assert.ok(names.size >= CLIENTS);
  backend.closeListening(token);
});
