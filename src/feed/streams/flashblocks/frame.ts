// One message of a Flashblocks feed: bytes in, a frame or a named fault out. Pure. Runs on the publisher.
import { brotliDecompressSync } from 'node:zlib';
import { LIMITS } from '../../../limits.js';
import type { BlockEnv } from '../../../state/diff.js';
import type { Withdrawal } from '../../../state/block.js';
import { Malformed, Fields } from '../fields.js';

/** What is fixed about a block before its transactions: comes with index 0. */
export interface FrameBase {
  /** 32 bytes. */
  readonly parentHash: Uint8Array;
  readonly blockNumber: number;
  /** Seconds since 1970. */
  readonly timestamp: bigint;
  readonly gasLimit: bigint;
  /** Wei per gas. */
  readonly baseFeePerGas: bigint;
  /** 20 bytes. */
  readonly feeRecipient: Uint8Array;
  /** 32 bytes. */
  readonly prevRandao: Uint8Array;
  readonly extraData: Uint8Array;
  /** 32 bytes. */
  readonly parentBeaconBlockRoot: Uint8Array;
}

/** One increment of one build attempt of one block. */
export interface Frame {
  /** The build attempt: `0x` and 16 lower-case hex digits. */
  readonly payloadId: string;
  readonly blockNumber: number;
  /** Increment inside the block; 0 opens it. */
  readonly index: number;
  /** There at index 0, and only there. */
  readonly base: FrameBase | null;
  /** The transactions that are new in this increment, in order: EIP-2718 bytes. */
  readonly transactions: readonly Uint8Array[];
  /** Of the block so far. */
  readonly gasUsed: bigint;
  /** Of the block so far, 32 bytes; `null` where the builder did not compute it (absent or zero). */
  readonly receiptsRoot: Uint8Array | null;
  readonly withdrawals: readonly Withdrawal[];
  /** A transaction of type 0x7D that ends the block and is not executed. */
  readonly postExecTransaction: Uint8Array | null;
}

/** Why a message is no frame. `detail` names the field and what is wrong with it. */
export interface FrameFault {
  readonly reason: 'tooLarge' | 'notBrotli' | 'notJson' | 'malformed';
  readonly detail: string;
}

/** A message, decoded. */
export type DecodedFrame =
  | { readonly kind: 'frame'; readonly frame: Frame }
  | { readonly kind: 'fault'; readonly fault: FrameFault };

/**
 * A message as it arrived, text or binary: JSON when its first byte that is no white space is `{`, else brotli of JSON.
 * Strict about what is relied on; unknown fields, metadata beside the block number, and zero roots do not matter.
 */
export function decodeFrame(message: Uint8Array): DecodedFrame {
  if (message.length > LIMITS.feedFrameBytesMax) return fault('tooLarge', `${message.length} bytes`);
  const text = isJson(message) ? message : unpacked(message);
  if (!(text instanceof Uint8Array)) return text;
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(text.buffer, text.byteOffset, text.length).toString('utf8'));
  } catch (error) {
    return fault('notJson', messageOf(error));
  }
  try {
    return { kind: 'frame', frame: frameOf(Fields.of('message', value)) };
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    return fault('malformed', error.message);
  }
}

/** The environment that the block is executed in. The excess blob gas follows from the parent; OP-Stack chains have 0. */
export function envOfBase(base: FrameBase, excessBlobGas: bigint): BlockEnv {
  return {
    number: base.blockNumber,
    timestamp: base.timestamp,
    gasLimit: base.gasLimit,
    baseFeePerGas: base.baseFeePerGas,
    coinbase: base.feeRecipient,
    prevRandao: base.prevRandao,
    difficulty: 0n,
    excessBlobGas,
    parentBeaconBlockRoot: base.parentBeaconBlockRoot,
  };
}

function isJson(message: Uint8Array): boolean {
  const first = message.find((byte) => byte !== 0x20 && (byte < 0x09 || byte > 0x0d));
  return first === 0x7b;
}

/** Unpacking stops at the limit: a few bytes of brotli can stand for gigabytes. */
function unpacked(message: Uint8Array): Uint8Array | DecodedFrame {
  try {
    return brotliDecompressSync(message, { maxOutputLength: LIMITS.feedFrameBytesMax });
  } catch (error) {
    const tooLarge = error instanceof RangeError;
    return fault(tooLarge ? 'tooLarge' : 'notBrotli', messageOf(error));
  }
}

function frameOf(message: Fields): Frame {
  const index = message.count('index', LIMITS.feedIncrementsMax - 1);
  const base = index === 0 ? baseOf(message.fields('base')) : null;
  const diff = message.fields('diff');
  return {
    payloadId: message.hexText('payload_id', 8),
    blockNumber: blockNumberOf(message, base),
    index,
    base,
    transactions: diff.list('transactions').map((item, at) => transaction(item, at)),
    gasUsed: diff.quantity('gas_used', 8),
    receiptsRoot: rootOf(diff),
    withdrawals: diff.has('withdrawals') ? diff.list('withdrawals').map((item) => withdrawal(item)) : [],
    postExecTransaction: diff.lenientBytes('post_exec_tx') ?? message.lenientBytes('post_exec_tx'),
  };
}

/** An opening says its number itself; a follower counts only when its metadata says it. */
function blockNumberOf(message: Fields, base: FrameBase | null): number {
  const metadata = message.has('metadata') ? message.fields('metadata') : null;
  if (base !== null && !(metadata?.has('block_number') ?? false)) return base.blockNumber;
  if (metadata === null) throw new Malformed('metadata.block_number is missing');
  const number = metadata.count('block_number', Number.MAX_SAFE_INTEGER);
  if (base !== null && base.blockNumber !== number)
    throw new Malformed(`metadata.block_number is ${number}, base.block_number ${base.blockNumber}`);
  return number;
}

function baseOf(base: Fields): FrameBase {
  return {
    parentHash: base.bytes('parent_hash', 32),
    blockNumber: Number(base.quantity('block_number', 6)),
    timestamp: base.quantity('timestamp', 8),
    gasLimit: base.quantity('gas_limit', 8),
    baseFeePerGas: base.quantity('base_fee_per_gas', 32),
    feeRecipient: base.bytes('fee_recipient', 20),
    prevRandao: base.bytes('prev_randao', 32),
    extraData: base.bytes('extra_data', null),
    parentBeaconBlockRoot: base.bytes('parent_beacon_block_root', 32),
  };
}

function transaction(item: Fields, at: number): Uint8Array {
  const bytes = item.asBytes();
  if (bytes.length === 0) throw new Malformed(`diff.transactions[${at}] is empty`);
  return bytes;
}

function withdrawal(item: Fields): Withdrawal {
  return {
    index: item.quantity('index', 8),
    validatorIndex: item.quantity('validatorIndex', 8),
    address: item.bytes('address', 20),
    amount: item.quantity('amount', 8),
  };
}

function rootOf(diff: Fields): Uint8Array | null {
  if (!diff.has('receipts_root')) return null;
  const root = diff.bytes('receipts_root', 32);
  return root.some((byte) => byte !== 0) ? root : null;
}

function fault(reason: FrameFault['reason'], detail: string): DecodedFrame {
  return { kind: 'fault', fault: { reason, detail } };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
