// Encodes a snapshot: the contents of a table at one version, from which a replica starts. Its layout, with sizes in
// bytes:
//
//   chunks, each: length 4, checksum 4 (CRC-32 of what follows), big endian; then deflated: kind 1 and its fields.
//   The first one is the head, the last one says how many keys there were.
import { crc32, deflateRaw, inflateRaw } from 'node:zlib';
import { promisify } from 'node:util';
import { ByteReader, ByteWriter } from '../../lib/bytes/byte-reader-writer.js';
import type { CompleteBlock } from '../../state/complete-block.js';
import type { StateChanges } from '../../state/state-diff.js';
import {
  readCompleteBlock,
  readStateChanges,
  readOptional,
  writeCompleteBlock,
  writeStateChanges,
  writeOptional,
} from './state-change-and-block-codec.js';
import { WIRE_FORMAT_VERSION } from './fragments.js';
import { decodeRecord, encodeRecord, type SnapshotStateVersion } from './control-messages-json.js';

/** The head of a snapshot: everything except its contents. */
export interface SnapshotHead extends SnapshotStateVersion {
  /** The block that ends at the snapshot's state version, if the executor has it. */
  readonly block: CompleteBlock | null;
}

/** A decoded part of a snapshot. The head comes first, then the contents. */
export type SnapshotPart =
  | { readonly kind: 'head'; readonly head: SnapshotHead }
  | { readonly kind: 'contents'; readonly contents: StateChanges };

/** Thrown if a snapshot is damaged or was written in another format. */
export class SnapshotDamagedError extends Error {
  override readonly name = 'SnapshotDamagedError';
}

const KIND = { head: 0, contents: 1, end: 2 } as const;
const FRAME_BYTES = 8;
/** A fast compression level: the executor's CPU is needed elsewhere, and most bytes of a key are random. */
const DEFLATE = { level: 1 };

const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);

/** Encodes a snapshot in chunks. Compression runs on libuv's threads. */
export async function* encodeSnapshot(
  head: SnapshotHead,
  contents: AsyncIterable<StateChanges> | Iterable<StateChanges>,
): AsyncGenerator<Uint8Array, void> {
  let keys = 0;
  yield await chunk(KIND.head, (writer) => writeHead(writer, head));
  for await (const changes of contents) {
    keys += keyCountOf(changes);
    yield await chunk(KIND.contents, (writer) => writeStateChanges(writer, changes));
  }
  yield await chunk(KIND.end, (writer) => writer.number(keys));
}

/** Decodes a snapshot, however its bytes are split. Throws `SnapshotDamagedError`. */
export async function* decodeSnapshot(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<SnapshotPart, void> {
  let [keys, expectedKeys] = [0, -1];
  for await (const payload of chunks(bytes)) {
    const item = readItem(payload);
    if (item.kind === 'contents') keys += keyCountOf(item.contents);
    if (item.kind === 'end') expectedKeys = item.keys;
    else yield item;
  }
  if (expectedKeys !== keys) throw new SnapshotDamagedError('the snapshot is not whole');
}

export function keyCountOf({ accounts, slots, codes }: StateChanges): number {
  return accounts.length + slots.length + codes.length;
}

async function chunk(kind: number, write: (writer: ByteWriter) => void): Promise<Uint8Array> {
  const writer = new ByteWriter(64 * 1024);
  writer.u8(kind);
  write(writer);
  const packed = await deflate(writer.written, DEFLATE);
  const framed = Buffer.allocUnsafe(FRAME_BYTES + packed.length);
  framed.writeUInt32BE(packed.length, 0);
  framed.writeUInt32BE(crc32(packed), 4);
  framed.set(packed, FRAME_BYTES);
  return framed;
}

async function* chunks(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  let buffered = Buffer.alloc(0);
  for await (const piece of bytes) {
    buffered = Buffer.concat([buffered, piece]);
    for (let length = lengthOf(buffered); length !== null; length = lengthOf(buffered)) {
      yield await unpacked(buffered.subarray(0, length));
      buffered = buffered.subarray(length);
    }
  }
  if (buffered.length > 0) throw new SnapshotDamagedError('the snapshot ends too early');
}

/** Returns the length of the first chunk with its header; `null` if it has not arrived completely. */
function lengthOf(buffered: Buffer): number | null {
  if (buffered.length < FRAME_BYTES) return null;
  const length = FRAME_BYTES + buffered.readUInt32BE(0);
  return buffered.length < length ? null : length;
}

async function unpacked(framed: Buffer): Promise<Uint8Array> {
  const packed = framed.subarray(FRAME_BYTES);
  if (crc32(packed) !== framed.readUInt32BE(4)) throw new SnapshotDamagedError('the checksum of a snapshot is wrong');
  return inflate(packed);
}

function readItem(payload: Uint8Array): SnapshotPart | { readonly kind: 'end'; readonly keys: number } {
  const reader = new ByteReader(payload);
  switch (reader.u8()) {
    case KIND.head:
      return { kind: 'head', head: readHead(reader) };
    case KIND.contents:
      return { kind: 'contents', contents: readStateChanges(reader) };
    case KIND.end:
      return { kind: 'end', keys: reader.number() };
    default:
      throw new SnapshotDamagedError('a chunk of a snapshot is of no known kind');
  }
}

function writeHead(writer: ByteWriter, { block, ...origin }: SnapshotHead): void {
  writer.u8(WIRE_FORMAT_VERSION);
  writer.text(encodeRecord('origin', origin));
  writeOptional(writer, block, (each) => writeCompleteBlock(writer, each, origin.position.env));
}

function readHead(reader: ByteReader): SnapshotHead {
  const format = reader.u8();
  if (format !== WIRE_FORMAT_VERSION)
    throw new SnapshotDamagedError(`the snapshot has format ${format}, this build reads ${WIRE_FORMAT_VERSION}`);
  const origin = decodeRecord('origin', reader.text());
  if (origin === null) throw new SnapshotDamagedError('the head of a snapshot cannot be read');
  return { ...origin, block: readOptional(reader, () => readCompleteBlock(reader)) };
}
