// Messages of an executor to its replicas, as bytes: the beginning of an epoch, or a version. Pure. Runs on the publisher.

// Decision (2026-11, two cores): Messages have a layout of their own, not RLP: read and written in one pass, addresses
// of slots once, words without leading zeros. Transactions and blocks are the archive's records. Price: 200 lines that
// a fuzzer has to answer for.
import { ByteReader, ByteWriter } from '../../lib/bytes/bytes.js';
import type { CompleteBlock, ConfirmedTransaction } from '../../state/block.js';
import type { StateChanges, StateDiff } from '../../state/diff.js';
import {
  readBlock,
  readChanges,
  readOptional,
  readPlace,
  readTransactions,
  writeBlock,
  writeChanges,
  writeOptional,
  writePlace,
  writeTransactions,
} from './fields.js';

/** A new leader, or a state begun anew. Numbers of epochs rise. */
export interface EpochMessage {
  readonly kind: 'epoch';
  readonly epoch: number;
  /** The version after which its versions come. */
  readonly version: number;
  /**
   * True if that version is the last one before this message; otherwise it is that of the snapshot, and everything is
   * new.
   */
  readonly continues: boolean;
}

/** Told with a version beside its changes. */
export type Told =
  /** An opening or an increment; `null`: nothing is new but what tags mean, or what was is again. */
  | {
      readonly kind: 'increment';
      readonly announcement: {
        readonly gasUsed: bigint;
        readonly blobGasUsed: bigint;
        readonly extraData: Uint8Array;
        readonly transactions: readonly ConfirmedTransaction[];
      } | null;
    }
  /** The version says that this block is complete. */
  | { readonly kind: 'block'; readonly block: CompleteBlock }
  /** Likewise, and nothing but its header is known: RLP. */
  | { readonly kind: 'header'; readonly header: Uint8Array };

/** One version, to be applied on the one before it in the same epoch. */
export interface VersionMessage {
  readonly kind: 'version';
  readonly epoch: number;
  readonly version: number;
  readonly diff: StateDiff;
  /**
   * Values of the changed keys before: whoever does not hold them knows them at every kept version. `null`: the state is
   * complete, and what is absent is zero.
   */
  readonly before: StateChanges | null;
  readonly told: Told;
}

/** A message of the stream. */
export type Message = EpochMessage | VersionMessage;

const KIND = { epoch: 0, increment: 1, silent: 2, block: 3, header: 4 } as const;
const FIRST_BYTES = 16 * 1024;

const writer = new ByteWriter(FIRST_BYTES);

/** The bytes of a message; valid until the next call. */
export function encodeMessage(message: Message): Uint8Array {
  writer.reset();
  writer.u8(kindOf(message));
  writer.u32(message.epoch);
  writer.u32(message.version);
  if (message.kind === 'epoch') writer.u8(message.continues ? 1 : 0);
  else writeVersion(message);
  return writer.written;
}

/** The reverse of `encodeMessage`; `null`: these bytes are none. */
export function decodeMessage(bytes: Uint8Array): Message | null {
  try {
    const reader = new ByteReader(bytes);
    const message = readMessage(reader);
    return reader.offset === bytes.length ? message : null;
  } catch {
    // The archive's records and the reader throw on what ends too early or is of another type.
    return null;
  }
}

function kindOf(message: Message): number {
  if (message.kind === 'epoch') return KIND.epoch;
  if (message.told.kind !== 'increment') return KIND[message.told.kind];
  return message.told.announcement === null ? KIND.silent : KIND.increment;
}

function writeVersion({ diff, before, told }: VersionMessage): void {
  writePlace(writer, diff);
  writeChanges(writer, diff);
  writeOptional(writer, before, (changes) => writeChanges(writer, changes));
  if (told.kind === 'block') return writeBlock(writer, told.block, diff.env);
  if (told.kind === 'header') return writer.bytes(told.header);
  if (told.announcement === null) return;
  writer.integer(told.announcement.gasUsed);
  writer.integer(told.announcement.blobGasUsed);
  writer.bytes(told.announcement.extraData);
  writeTransactions(writer, told.announcement.transactions);
}

function readMessage(reader: ByteReader): Message | null {
  const kind = reader.u8();
  if (kind > KIND.header) return null;
  const [epoch, version] = [reader.u32(), reader.u32()];
  if (kind === KIND.epoch) return { kind: 'epoch', epoch, version, continues: reader.u8() === 1 };
  const diff = { ...readPlace(reader), ...readChanges(reader) };
  const before = readOptional(reader, () => readChanges(reader));
  return { kind: 'version', epoch, version, diff, before, told: readTold(reader, kind) };
}

function readTold(reader: ByteReader, kind: number): Told {
  if (kind === KIND.block) return { kind: 'block', block: readBlock(reader) };
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
