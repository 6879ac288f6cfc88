// A connection to a target: sends requests, receives responses. HTTP keep-alive on a raw or TLS socket, or WebSocket.
// Runs in the generator.
import { connect, isIP, type OnReadOpts, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { WebSocket } from 'ws';
import { HttpParser, type OnAnswer } from './http-parser.js';
import type { PolledSockets } from './polled-sockets.js';

/** Additional headers of every request, by name. */
export type Headers = Readonly<Record<string, string>>;

/** Transport of requests. */
export type Transport = 'http' | 'websocket';

/** Callbacks of a connection. */
export interface ConnectionEvents {
  /** Responses arrive in the order of the requests. Over WebSocket the status is 200 and the head is empty. */
  readonly answered: OnAnswer;
  /** The connection is lost, or could not be opened; called once, and not after `close`. */
  readonly lost: () => void;
}

/** Endpoint of a connection and its transport. */
export interface Address {
  readonly url: string;
  readonly headers: Headers;
  readonly transport: Transport;
}

export interface Connection {
  send(body: string): void;
  close(): void;
}

/** All connections share one read buffer: its bytes are consumed before the next read. */
const READ_BYTES = 256 * 1024;
const LOOPBACK = /^(127\.\d+\.\d+\.\d+|localhost|\[::1\])$/;
/** The brackets around an IPv6 address. */
const BRACKETS = /^\[|\]$/g;
const readBuffer = Buffer.allocUnsafe(READ_BYTES);

/** Resolves once the connection is open; rejects if it cannot be opened. */
export function open({ url, headers, transport }: Address, events: ConnectionEvents): Promise<Connection> {
  return transport === 'http' ? openHttp(new URL(url), headers, events) : openWebSocket(url, headers, events);
}

/** True if connections can be polled: without TLS, to a local IP address, as polling blocks the event loop. */
export function isPollable({ url, transport }: Address): boolean {
  const parts = new URL(url);
  return transport === 'http' && parts.protocol === 'http:' && isLoopback(url) && isIP(hostOf(parts)) !== 0;
}

/** Opens a connection that can be polled; responses arrive during `wait`. Throws instead of rejecting. */
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
    // Requests are ASCII, so characters are bytes.
    const send = (body: string): void => {
      socket.write(`${head}${body.length}\r\n\r\n${body}`, 'latin1');
    };
    const close = (): void => {
      socket.removeListener('close', events.lost);
      socket.destroy();
    };
  });
}

/** Calls `onOpen` once requests can be sent. */
function connectTo(url: URL, onread: OnReadOpts, onOpen: () => void): Socket {
  const options = { host: hostOf(url), port: portOf(url), onread };
  if (url.protocol !== 'https:') return connect(options, onOpen);
  // SNI does not allow IP addresses (RFC 6066, section 3).
  return connectTls({ ...options, servername: isIP(options.host) === 0 ? options.host : '' }, onOpen);
}

/** Closes the connection if the bytes are not HTTP. */
function taken(socket: Socket, take: () => void): boolean {
  try {
    take();
  } catch (error) {
    socket.destroy(error as Error);
  }
  return true;
}

/** True if the URL is that of this machine. */
export function isLoopback(url: string): boolean {
  return LOOPBACK.test(new URL(url).hostname);
}

/** The port of a URL, or its protocol's default. */
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
