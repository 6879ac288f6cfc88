// A connection to a target: requests out, answers in. HTTP on a raw socket or one of TLS, kept alive, or WebSocket.
// Runs in the generator.
import { connect, isIP, type OnReadOpts, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { WebSocket } from 'ws';
import { HttpParser, type OnAnswer } from './http-parser.js';
import type { PolledSockets } from './polled-sockets.js';

/** More headers of every request, by name. */
export type Headers = Readonly<Record<string, string>>;

/** Ways in which requests travel. */
export type Transport = 'http' | 'websocket';

/** Callbacks of a connection. */
export interface ConnectionEvents {
  /** Answers come in the order of the requests. Over WebSocket the status is 200 and there is no head. */
  readonly answered: OnAnswer;
  /** The connection is lost, or never came to be; called once, and not after `close`. */
  readonly lost: () => void;
}

/** End of a connection, and the way there. */
export interface Address {
  readonly url: string;
  readonly headers: Headers;
  readonly transport: Transport;
}

export interface Connection {
  send(body: string): void;
  close(): void;
}

/** Reads of all connections go through one buffer: what is read is taken before the next read. */
const READ_BYTES = 256 * 1024;
const LOOPBACK = /^(127\.\d+\.\d+\.\d+|localhost|\[::1\])$/;
/** Around an IPv6 address. */
const BRACKETS = /^\[|\]$/g;
const readBuffer = Buffer.allocUnsafe(READ_BYTES);

/** Resolves once the connection stands; rejects where there is none to be had. */
export function open({ url, headers, transport }: Address, events: ConnectionEvents): Promise<Connection> {
  return transport === 'http' ? openHttp(new URL(url), headers, events) : openWebSocket(url, headers, events);
}

/** True if connections can be polled: without TLS, to an IP address here, as nothing else goes on meanwhile. */
export function isPollable({ url, transport }: Address): boolean {
  const parts = new URL(url);
  return transport === 'http' && parts.protocol === 'http:' && isLoopback(url) && isIP(hostOf(parts)) !== 0;
}

/** Opens a connection that can be polled; answers are taken while its `wait` runs. Throws instead of rejecting. */
export function openPolled(sockets: PolledSockets, address: Address, events: ConnectionEvents): Connection {
  const url = new URL(address.url);
  const head = headOf(url, address.headers);
  const parser = new HttpParser(events.answered);
  const socket = sockets.open(hostOf(url), portOf(url), { taken: (bytes) => parser.feed(bytes), lost: events.lost });
  return {
    send: (body) => sockets.send(socket, `${head}${body.length}\r\n\r\n${body}`),
    close: () => sockets.close(socket),
  };
}

function headOf({ pathname, search, host }: URL, headers: Headers): string {
  const more = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const own = `Host: ${host}\r\nContent-Type: application/json\r\n${more.join('')}Content-Length: `;
  return `POST ${pathname}${search} HTTP/1.1\r\n${own}`;
}

function openHttp(url: URL, headers: Headers, events: ConnectionEvents): Promise<Connection> {
  const head = headOf(url, headers);
  return new Promise((resolve, reject) => {
    const parser = new HttpParser(events.answered);
    const onread = {
      buffer: readBuffer,
      callback: (size: number): boolean => taken(socket, () => parser.feed(readBuffer.subarray(0, size))),
    };
    const socket = connectTo(url, onread, () => resolve({ send, close })).setNoDelay();
    socket.once('error', reject);
    socket.once('close', events.lost);
    // Requests are ASCII, so that characters are bytes.
    const send = (body: string): void => {
      socket.write(`${head}${body.length}\r\n\r\n${body}`, 'latin1');
    };
    const close = (): void => {
      socket.removeListener('close', events.lost);
      socket.destroy();
    };
  });
}

/** Calls `stands` once requests can be sent. */
function connectTo(url: URL, onread: OnReadOpts, stands: () => void): Socket {
  const options = { host: hostOf(url), port: portOf(url), onread };
  if (url.protocol !== 'https:') return connect(options, stands);
  // An address is no name that a server could choose its certificate by (RFC 6066, section 3).
  return connectTls({ ...options, servername: isIP(options.host) === 0 ? options.host : '' }, stands);
}

/** Bytes that are no HTTP lose the connection. */
function taken(socket: Socket, take: () => void): boolean {
  try {
    take();
  } catch (error) {
    socket.destroy(error as Error);
  }
  return true;
}

/** Only this machine can be reached there. */
export function isLoopback(url: string): boolean {
  return LOOPBACK.test(new URL(url).hostname);
}

/** The port that the address names, or that of its protocol. */
export function portOf({ port, protocol }: URL): number {
  return Number(port || (protocol === 'https:' ? 443 : 80));
}

function hostOf(url: URL): string {
  return url.hostname.replace(BRACKETS, '');
}

function openWebSocket(url: string, headers: Headers, events: ConnectionEvents): Promise<Connection> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url.replace(/^http/, 'ws'), { perMessageDeflate: false, headers });
    socket.once('open', () => resolve({ send: (body) => socket.send(body), close }));
    socket.on('message', (message: Buffer) => events.answered(200, message, ''));
    socket.once('error', reject);
    socket.once('close', events.lost);
    const close = (): void => {
      socket.removeListener('close', events.lost);
      socket.terminate();
    };
  });
}
