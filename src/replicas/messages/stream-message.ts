// Encodes the messages that an executor sends to its replicas: the start of a stream epoch, or a state version. Pure.

// Messages have their own layout instead of RLP: they are read and written in one pass, with each slot's address once
// and words without leading zeros. See DECISIONS.md.
import { ByteReader, ByteWriter } from '../../lib/bytes/byte-reader-writer.js';
import type { StateChanges, StateDiff } from '../../state/state-diff.js';
import {
  readCompleteBlock,
  readStateChanges,
  readOptional,
  readTransactions,
  writeCompleteBlock,
  writeStateChanges,
  writeOptional,
  writeTransactions,
} from './state-change-and-block-codec.js';
import { decodeRecord, encodeRecord } from './control-messages-json.js';
import type { VersionDetails } from '../../feed/feed.js';

/**
 * Starts a stream epoch, a series of state versions in which each follows the one before. A new epoch starts with a new
 * leader, or when the state was reset. Epoch numbers increase.
 */
interface EpochMessage {
  readonly kind: 'epoch';
  readonly epoch: number;
  /** The state version before the first one of the stream epoch. */
  readonly version: number;
  /**
   * True if `version` is the last state version in the stream before this message. Otherwise replicas start again from
   * a snapshot.
   */
  readonly continues: boolean;
}

/** One state version. It is applied to the version before it in the same stream epoch. */
export interface VersionMessage {
  readonly kind: 'version';
  readonly epoch: number;
  readonly version: number;
  readonly diff: StateDiff;
  /**
   * The values that the changed keys had before this version. A replica whose table does not have a key yet learns from
   * them which value the key had at older retained versions. `null` if the executor has the complete state: then a key
   * that is not in the replica's table was zero.
   */
  readonly before: StateChanges | null;
  readonly details: VersionDetails;
}

export type StreamMessage = EpochMessage | VersionMessage;

const KIND = { epoch: 0, increment: 1, silent: 2, block: 3, header: 4 } as const;
const FIRST_BYTES = 16 * 1024;

const writer = new ByteWriter(FIRST_BYTES);

/** Encodes a message. The returned bytes are valid until the next call. */
export function encodeStreamMessage(message: StreamMessage): Uint8Array {
  writer.reset();
  writer.u8(kindOf(message));
  writer.u32(message.epoch);
  writer.u32(message.version);
  if (message.kind === 'epoch') writer.u8(message.continues ? 1 : 0);
  else writeVersion(message);
  return writer.written;
}

/** Decodes a message; returns `null` if it is malformed. */
export function decodeStreamMessage(bytes: Uint8Array): StreamMessage | null {
  try {
    const reader = new ByteReader(bytes);
    const message = readMessage(reader);
    return reader.offset === bytes.length ? message : null;
  } catch {
    // The decoders throw if the bytes end too early or contain another type.
    return null;
  }
}

function kindOf(message: StreamMessage): number {
  if (message.kind === 'epoch') return KIND.epoch;
  if (message.details.kind !== 'increment') return KIND[message.details.kind];
  return message.details.announcement === null ? KIND.silent : KIND.increment;
}

function writeVersion({ diff, before, details }: VersionMessage): void {
  const { coordinates, env, heads } = diff;
  writer.text(encodeRecord('position', { coordinates, env, heads }));
  writeStateChanges(writer, diff);
  writeOptional(writer, before, (changes) => writeStateChanges(writer, changes));
  if (details.kind === 'block') return writeCompleteBlock(writer, details.block, env);
  if (details.kind === 'header') return writer.bytes(details.header);
  if (details.announcement === null) return;
  writer.integer(details.announcement.gasUsed);
  writer.integer(details.announcement.blobGasUsed);
  writer.bytes(details.announcement.extraData);
  writeTransactions(writer, details.announcement.transactions);
}

function readMessage(reader: ByteReader): StreamMessage | null {
  const kind = reader.u8();
  if (kind > KIND.header) return null;
  const [epoch, version] = [reader.u32(), reader.u32()];
  if (kind === KIND.epoch) return { kind: 'epoch', epoch, version, continues: reader.u8() === 1 };
  const position = decodeRecord('position', reader.text());
  if (position === null) return null;
  const diff = { ...position, ...readStateChanges(reader) };
  const before = readOptional(reader, () => readStateChanges(reader));
  return { kind: 'version', epoch, version, diff, before, details: readDetails(reader, kind) };
}

function readDetails(reader: ByteReader, kind: number): VersionDetails {
  if (kind === KIND.block) return { kind: 'block', block: readCompleteBlock(reader) };
  if (kind === KIND.header) return { kind: 'header', header: reader.bytes().slice() };
  if (kind === KIND.silent) return { kind: 'increment', announcement: null };
  return {
    kind: 'increment',
    announcement: {
      gasUsed: reader.integer(),
      blobGasUsed: reader.integer(),
      extraData: reader.bytes().slice(),
      transactions: readTransactions(reader),
    },
  };
}
