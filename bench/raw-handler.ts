// The floor that reads are measured against: raw uWebSockets.js, which takes a body and answers a constant with the same
// content type. A process of its own, as the program is.
import uWS from 'uWebSockets.js';

const ANSWER = Buffer.from('{"jsonrpc":"2.0","id":1,"result":"0x1f"}');

uWS
  .App()
  .post('/', (response) => {
    response.onAborted(() => undefined);
    response.onData((_chunk, isLast) => {
      if (!isLast) return;
      response.cork(() => response.writeHeader('content-type', 'application/json').end(ANSWER));
    });
  })
  .listen('127.0.0.1', 0, (token) => {
    process.stdout.write(`${JSON.stringify({ msg: 'listening', port: uWS.us_socket_local_port(token) })}\n`);
  });
