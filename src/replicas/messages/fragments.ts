// Splits messages into parts (fragments) that the NATS server accepts, and joins them again. The fields of a part, with
// their sizes in bytes, big endian:
//
//   format 1, checksum 4 (CRC-32 of all that follows), epoch 4, version 4, part 2, parts 2; then the bytes
import { crc32 } from 'node:zlib';

/** Must be raised with every change to the layout of messages or snapshots. Data in any other format is rejected. */
export const WIRE_FORMAT_VERSION = 6;

const HEADER_BYTES = 17;
const CHECKED_FROM = 5;
const FRAGMENTS_MAX = 0xff_ff;

export interface FragmentedMessageId {
  readonly epoch: number;
  readonly version: number;
}

/**
 * The result of adding a part. `waiting`: more parts are needed. `damaged`: the message is unusable; `reason` is for
 * the operator.
 */
type ReassemblyResult =
  | { readonly kind: 'whole'; readonly bytes: Uint8Array }
  | { readonly kind: 'waiting' }
  | { readonly kind: 'damaged'; readonly reason: string };

/**
 * Splits a message into one or more parts, in order. `fragmentBytesMax` is the largest size of a part without its
 * header.
 */
export function splitIntoFragments(
  of: FragmentedMessageId,
  message: Uint8Array,
  fragmentBytesMax: number,
): Uint8Array[] {
  const count = Math.max(1, Math.ceil(message.length / fragmentBytesMax));
  if (count > FRAGMENTS_MAX) throw new RangeError(`a message of ${message.length} bytes has too many parts`);
  return Array.from({ length: count }, (_, fragment) => {
    const bytes = message.subarray(fragment * fragmentBytesMax, (fragment + 1) * fragmentBytesMax);
    return framed(of, fragment, count, bytes);
  });
}

function framed(
  { epoch, version }: FragmentedMessageId,
  fragment: number,
  fragments: number,
  bytes: Uint8Array,
): Uint8Array {
  const frame = Buffer.allocUnsafe(HEADER_BYTES + bytes.length);
  frame.writeUInt8(WIRE_FORMAT_VERSION, 0);
  frame.writeUInt32BE(epoch, 5);
  frame.writeUInt32BE(version, 9);
  frame.writeUInt16BE(fragment, 13);
  frame.writeUInt16BE(fragments, 15);
  frame.set(bytes, HEADER_BYTES);
  frame.writeUInt32BE(crc32(frame.subarray(CHECKED_FROM)), 1);
  return frame;
}

/**
 * Joins parts of messages as they arrive. An unexpected part discards the parts before it, because their writer has
 * died.
 */
export class Reassembler {
  #of: FragmentedMessageId = { epoch: 0, version: 0 };
  #fragments: Uint8Array[] = [];

  add(fragment: Uint8Array): ReassemblyResult {
    const frame = Buffer.from(fragment.buffer, fragment.byteOffset, fragment.byteLength);
    const fault = faultOf(frame);
    if (fault !== null) return this.#dropped(fault);
    const of = { epoch: frame.readUInt32BE(5), version: frame.readUInt32BE(9) };
    const [index, count] = [frame.readUInt16BE(13), frame.readUInt16BE(15)];
    if (index === 0) this.#fragments = [];
    else if (index !== this.#fragments.length || !isSame(of, this.#of)) return this.#dropped('a part is missing');
    this.#of = of;
    this.#fragments.push(frame.subarray(HEADER_BYTES));
    if (this.#fragments.length < count) return { kind: 'waiting' };
    const bytes = count === 1 ? this.#fragments[0]! : Buffer.concat(this.#fragments);
    this.#fragments = [];
    return { kind: 'whole', bytes };
  }

  #dropped(reason: string): ReassemblyResult {
    this.#fragments = [];
    return { kind: 'damaged', reason };
  }
}

function faultOf(frame: Buffer): string | null {
  if (frame.length < HEADER_BYTES) return 'a message is too short';
  const format = frame.readUInt8(0);
  if (format !== WIRE_FORMAT_VERSION) return `a message has format ${format}, this build reads ${WIRE_FORMAT_VERSION}`;
  return crc32(frame.subarray(CHECKED_FROM)) === frame.readUInt32BE(1) ? null : 'the checksum of a message is wrong';
}

function isSame(a: FragmentedMessageId, b: FragmentedMessageId): boolean {
  return a.epoch === b.epoch && a.version === b.version;
}
