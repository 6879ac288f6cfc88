// Tests uWebSockets.js together with the HTTP guard when the program starts, with one exchange of pipelined requests
// and responses. Whether the guard works with this binary can be seen only from its behaviour, not from the names of
// the functions that it has replaced.
import { connect } from 'node:net';
import type { HttpBackend, HttpResponse } from '../server-interface.js';

/** The test fails if it takes longer than this. Even on a busy machine it takes only a few milliseconds. */
const DEADLINE_MS = 10_000;
const HOST = '127.0.0.1';

/**
 * Three requests that are sent together: one whose response is delayed, one with a chunked body that has an extension
 * and a trailer, and one with an absolute target.
 */
const REQUESTS = [
  'POST /later HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\none',
  'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: Chunked\r\n\r\n2;x=y\r\ntw\r\n1\r\no\r\n0\r\nx: y\r\n\r\n',
  'POST http://a/ HTTP/1.0\r\nContent-Length: 5\r\n\r\nthree',
].join('');
const BODIES = 'one two three';

/** Runs the test. Resolves to the reason why uWebSockets.js must not be used, or `null` if it may be used. */
export async function testUwsBackend(backend: HttpBackend): Promise<string | null> {
  const app = backend.createApp(DEADLINE_MS / 1000);
  app.post('/*', (response, request) => {
    const isLater = request.getUrl() === '/later';
    collect(response, (body) => (isLater ? answerLater(response, body) : void response.end(body)));
  });
  try {
    const token = await new Promise<object | false>((resolve) => app.listen(HOST, 0, 1, resolve));
    if (token === false) return `no port of ${HOST} can be listened on`;
    const received = await converse(backend.portOf(token));
    const bodies = received.split(/HTTP\/1\.1 200 OK\r\n/).map((reply) => reply.split('\r\n\r\n')[1]);
    return bodies.slice(1).join(' ') === BODIES ? null : 'a pipelined conversation came out wrong';
  } finally {
    app.close();
  }
}

function collect(response: HttpResponse, complete: (body: string) => void): void {
  let body = '';
  response.onAborted(() => undefined);
  response.onData((chunk, isLast) => {
    body += Buffer.from(chunk).toString();
    if (isLast) complete(body);
  });
}

function answerLater(response: HttpResponse, body: string): void {
  response.pause();
  setImmediate(() => {
    response.resume();
    response.cork(() => void response.end(body));
  });
}

/** Sends the requests, and returns all bytes received until the connection is closed. */
function converse(port: number): Promise<string> {
  return new Promise((resolve) => {
    const pieces: Buffer[] = [];
    const socket = connect(port, HOST, () => socket.write(REQUESTS));
    socket.setTimeout(DEADLINE_MS, () => socket.destroy());
    socket.on('data', (piece) => pieces.push(piece));
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(Buffer.concat(pieces).toString('latin1')));
  });
}
