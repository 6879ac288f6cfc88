// Messages between the members of a group that counts its own transactions, as bytes. Pure.
import type { GroupSend } from '../../feed/group-member.js';
import { ByteReader, ByteWriter } from '../../lib/bytes/bytes.js';

/** Each contains the name of its sender. */
export type GroupMessage =
  /** A heartbeat. */
  | { readonly kind: 'alive'; readonly member: string }
  /** A transaction; acknowledged once the receiver counts it. */
  | { readonly kind: 'send'; readonly member: string; readonly id: number; readonly send: GroupSend }
  /** The acknowledgement, sent to the member whose message had this id. */
  | { readonly kind: 'counted'; readonly member: string; readonly id: number };

const KIND = { alive: 0, send: 1, counted: 2 } as const;
const FIRST_BYTES = 512;

/** Encodes a message. */
export function encodeGroupMessage(message: GroupMessage): Uint8Array {
  const writer = new ByteWriter(FIRST_BYTES);
  writer.u8(KIND[message.kind]);
  writer.text(message.member);
  if (message.kind !== 'alive') writer.number(message.id);
  if (message.kind === 'send') writeSend(writer, message.send);
  return writer.written;
}

/** Decodes a message; `null` if the bytes are malformed. */
export function decodeGroupMessage(bytes: Uint8Array): GroupMessage | null {
  try {
    const reader = new ByteReader(bytes);
    const kind = reader.u8();
    const member = reader.text();
    if (kind === KIND.alive) return { kind: 'alive', member };
    const id = reader.number();
    if (kind === KIND.counted) return { kind: 'counted', member, id };
    return kind === KIND.send ? { kind: 'send', member, id, send: readSend(reader) } : null;
  } catch {
    // The reader throws if the bytes end too early.
    return null;
  }
}

function writeSend(writer: ByteWriter, { raw, from, nonce, client, ageMs }: GroupSend): void {
  writer.bytes(raw);
  writer.fixed(from);
  writer.integer(nonce);
  writer.u8(client === undefined ? 0 : 1);
  writer.text(client ?? '');
  writer.number(ageMs);
}

function readSend(reader: ByteReader): GroupSend {
  const raw = reader.bytes().slice();
  const from = reader.fixed(20).slice();
  const nonce = reader.integer();
  const hasClient = reader.u8() === 1;
  const client = reader.text();
  return { raw, from, nonce, client: hasClient ? client : undefined, ageMs: reader.number() };
}
