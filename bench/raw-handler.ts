// The lower bound that reads are compared with: raw uWebSockets.js, which reads a body and responds with a constant and
// the same content type. Runs in its own process, like the program.
import { chooseBackend, listenTcp } from '../src/http/choose-server.js';
import { LIMITS } from '../src/limits/index.js';

const ANSWER = Buffer.from('{"jsonrpc":"2.0","id":1,"result":"0x1f"}');

const backend = await chooseBackend();
const app = backend.createApp(LIMITS.connectionIdleSMax).post('/', (response) => {
  response.onAborted(() => undefined);
  response.onData((_chunk, isLast) => {
    if (!isLast) return;
    response.cork(() => response.writeHeader('content-type', 'application/json').end(ANSWER));
  });
});

const listening = await listenTcp(backend, app, '127.0.0.1', 0);
if (!listening.ok) throw new Error(listening.reason);
process.stdout.write(`${JSON.stringify({ msg: 'listening', port: listening.port })}\n`);
