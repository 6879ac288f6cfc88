// Connections of a hostile client: raw bytes, from an address of its own. Runs in the attacking process.
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';

/** A client other than the honest one, which is 127.0.0.1; all of 127.0.0.0/8 is this machine. */
export const ATTACKER = '127.0.0.2';

/** Target of an attack. */
export interface Target {
  readonly port: number;
  /** Aborted at the end of the attack. */
  readonly signal: AbortSignal;
}

/** An open connection, whose errors are ignored; `null` if it was refused. */
export function open({ port }: Target): Promise<Socket | null> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress: ATTACKER });
    socket.on('error', () => resolve(null));
    socket.once('connect', () => resolve(socket));
  });
}

/** Opens so many connections, a few at a time. */
export async function openMany(target: Target, count: number): Promise<Socket[]> {
  const sockets: Socket[] = [];
  for (let left = count; left > 0 && !target.signal.aborted; left -= BESIDE) {
    const some = await Promise.all(Array.from({ length: Math.min(left, BESIDE) }, () => open(target)));
    sockets.push(...some.filter((socket) => socket !== null));
  }
  return sockets;
}

const BESIDE = 50;

/** A complete POST of `body`. */
export function post(body: string): string {
  return `${head(Buffer.byteLength(body))}${body}`;
}

/** The head of a POST that announces a body of so many bytes. */
export function head(bytes: number): string {
  return `POST / HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${bytes}\r\n\r\n`;
}

/** The head of a WebSocket handshake. */
export function handshake(): string {
  return [
    'GET / HTTP/1.1',
    'Host: a',
    'Upgrade: websocket',
    'Connection: Upgrade',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
    '\r\n',
  ].join('\r\n');
}

/** Posts `body` repeatedly over one connection, each time after the previous response, and reads everything. */
export async function repeat({ port, signal }: Target, body: (n: number) => string): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (let n = 0; !signal.aborted; n++) await query(agent, port, body(n), signal);
  agent.destroy();
}

/** Resolves once the response has been read, whatever it is. */
function query(agent: Agent, port: number, body: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const options = { port, host: '127.0.0.1', localAddress: ATTACKER, method: 'POST', agent, headers, signal };
    const sent = request(options, (response) => {
      response.on('error', () => resolve());
      response.on('end', resolve);
      response.resume();
    });
    // A refused connection is retried, but not in a busy loop.
    sent.on('error', () => setTimeout(resolve, 20));
    sent.end(body);
  });
}
