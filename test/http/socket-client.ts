// A WebSocket client for tests that works at the level of frames (RFC 6455).
import { randomBytes } from 'node:crypto';
import { until } from '../support/patience.js';
import { Wire, request } from './wire.js';

export const OPCODE = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

export interface Frame {
  readonly opcode: number;
  readonly payload: Buffer;
}

/** A connection after its handshake. */
export class SocketClient {
  readonly wire: Wire;
  readonly #start: number;

  private constructor(wire: Wire, start: number) {
    this.wire = wire;
    this.#start = start;
  }

  static async open(port: number, headers: readonly string[] = [], path = '/'): Promise<SocketClient> {
    const wire = await Wire.open(port);
    wire.send(handshake(headers, path));
    const { status } = await wire.reply();
    if (status !== 101) throw new Error(`handshake answered ${status}`);
    return new SocketClient(wire, wire.received().indexOf('\r\n\r\n') + 4);
  }

  sendText(text: string): void {
    this.wire.send(frame(OPCODE.text, Buffer.from(text)));
  }

  /** All complete messages received so far; fragments are joined. */
  frames(): readonly Frame[] {
    return joined(parseFrames(this.wire.received().subarray(this.#start)));
  }

  /** Texts of the first `count` messages, once they have arrived. */
  async texts(count: number): Promise<readonly string[]> {
    await until(() => this.frames().length >= count || this.wire.isEnded);
    return this.frames().map(({ payload }) => payload.toString());
  }

  /** Close code and reason, once they have arrived; `null` if the connection ended without them. */
  async closed(): Promise<{ code: number; reason: string } | null> {
    await until(() => this.frames().some(({ opcode }) => opcode === OPCODE.close) || this.wire.isEnded);
    const close = this.frames().find(({ opcode }) => opcode === OPCODE.close);
    if (close === undefined) return null;
    return { code: close.payload.readUInt16BE(0), reason: close.payload.toString('utf8', 2) };
  }
}

export function handshake(headers: readonly string[] = [], path = '/'): string {
  const key = randomBytes(16).toString('base64');
  const upgrade = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'];
  return request('GET', path, [...upgrade, `Sec-WebSocket-Key: ${key}`, ...headers]);
}

/** A masked frame, as clients send it. */
export function frame(opcode: number, payload: Buffer, isLast = true): Buffer {
  const mask = randomBytes(4);
  const masked = payload.map((byte, i) => byte ^ mask[i % 4]!);
  return Buffer.concat([header(opcode, payload.length, isLast), mask, masked]);
}

function header(opcode: number, length: number, isLast: boolean): Buffer {
  const first = (isLast ? 0x80 : 0) | opcode;
  if (length < 126) return Buffer.from([first, 0x80 | length]);
  const bytes = Buffer.alloc(length < 65_536 ? 4 : 10);
  bytes.set([first, 0x80 | (length < 65_536 ? 126 : 127)]);
  bytes.writeUIntBE(length, bytes.length - 4 < 4 ? 2 : 4, bytes.length - 4 < 4 ? 2 : 6);
  return bytes;
}

interface Fragment extends Frame {
  readonly isLast: boolean;
}

function parseFrames(bytes: Buffer): Fragment[] {
  const frames: Fragment[] = [];
  let at = 0;
  while (at + 2 <= bytes.length) {
    const short = bytes[at + 1]! & 0x7f;
    const start = at + 2 + (short === 126 ? 2 : short === 127 ? 8 : 0);
    if (start > bytes.length) break;
    const length = short === 126 ? bytes.readUInt16BE(at + 2) : short === 127 ? bytes.readUIntBE(at + 4, 6) : short;
    if (start + length > bytes.length) break;
    const payload = bytes.subarray(start, start + length);
    frames.push({ opcode: bytes[at]! & 0x0f, payload, isLast: bytes[at]! >= 0x80 });
    at = start + length;
  }
  return frames;
}

/** Joins fragments; assumes that the server sends nothing between the fragments of a message. */
function joined(fragments: readonly Fragment[]): Frame[] {
  const messages: Frame[] = [];
  let open: Fragment[] = [];
  for (const fragment of fragments) {
    open.push(fragment);
    if (!fragment.isLast) continue;
    messages.push({ opcode: open[0]!.opcode, payload: Buffer.concat(open.map(({ payload }) => payload)) });
    open = [];
  }
  return messages;
}
