// Decodes one message of a Flashblocks feed to an increment, or to a gap if it cannot be decoded. Pure.
import { brotliDecompressSync } from 'node:zlib';
import { LIMITS } from '../../limits/index.js';
import type { PayloadBase, SourceEvent, ReportedIncrement } from '../pre-confirmation-stream-events.js';
import {
  JsonMessageReader,
  MalformedMessageError,
  decodeOrGap,
  malformedMessageGap,
  parseMessage,
} from './json-message-fields.js';
import type { StreamFormat, IncrementPosition } from './pre-confirmation-feed-connection.js';
import { errorMessage } from '../../lib/error-message.js';

/** The Flashblocks message format of OP-Stack builders. */
export const FLASHBLOCKS_FORMAT: StreamFormat = { decode: decodeFlashblock, resumed };

/**
 * Adds parameters to the URL that make some proxies first resend the Flashblocks after this position. Other servers
 * ignore unknown parameters.
 */
function resumed(url: string, { block, index }: IncrementPosition): string {
  return `${url}${url.includes('?') ? '&' : '?'}block_number=${block}&flashblock_index=${index}`;
}

/**
 * Decodes a text or binary message. It is JSON if its first byte that is not white space is `{`, otherwise JSON that is
 * compressed by brotli. Fields that we rely on are validated strictly. Unknown fields, metadata other than the block
 * number, withdrawals and zero roots are ignored.
 */
export function decodeFlashblock(message: Uint8Array): SourceEvent {
  if (message.length > LIMITS.feedFrameBytesMax) return malformedMessageGap(`too large: ${message.length} bytes`);
  const text = isJson(message) ? message : unpacked(message);
  if (!(text instanceof Uint8Array)) return text;
  return decodeOrGap(() => readFlashblock(parseMessage(text)));
}

function isJson(message: Uint8Array): boolean {
  const first = message.find((byte) => byte !== 0x20 && (byte < 0x09 || byte > 0x0d));
  return first === 0x7b;
}

/** Decompresses a message. Stops at the size limit, because a few bytes of brotli can become gigabytes. */
function unpacked(message: Uint8Array): Uint8Array | SourceEvent {
  try {
    return brotliDecompressSync(message, { maxOutputLength: LIMITS.feedFrameBytesMax });
  } catch (error) {
    return malformedMessageGap(`${error instanceof RangeError ? 'too large' : 'no brotli'}: ${errorMessage(error)}`);
  }
}

/**
 * Decodes a Flashblock. Its payload id (`0x` and 16 lower-case hex digits) names the builder's attempt to build the
 * block.
 */
function readFlashblock(message: JsonMessageReader): ReportedIncrement {
  const index = message.count('index', LIMITS.feedIncrementsMax - 1);
  const base = index === 0 ? baseOf(message.fields('base')) : null;
  const diff = message.fields('diff');
  const attempt = message.hexText('payload_id', 8);
  const block = blockNumberOf(message, base);
  const increment = {
    index,
    transactions: diff.list('transactions').map((item, at) => transaction(item, at)),
    gasUsed: diff.quantity('gas_used', 8),
    receiptsRoot: rootOf(diff),
    ending: diff.lenientBytes('post_exec_tx') ?? message.lenientBytes('post_exec_tx'),
    outcome: null,
  };
  return base === null
    ? { kind: 'append', block, attempt, increment }
    : { kind: 'open', block, attempt, increment, base };
}

/** Returns the block's number. Increment 0 has it in its base fields; any other must have it in its metadata. */
function blockNumberOf(message: JsonMessageReader, base: PayloadBase | null): number {
  const metadata = message.has('metadata') ? message.fields('metadata') : null;
  if (base !== null && !(metadata?.has('block_number') ?? false)) return base.env.number;
  if (metadata === null) throw new MalformedMessageError('metadata.block_number is missing');
  const number = metadata.count('block_number', Number.MAX_SAFE_INTEGER);
  if (base !== null && base.env.number !== number)
    throw new MalformedMessageError(`metadata.block_number is ${number}, base.block_number ${base.env.number}`);
  return number;
}

function baseOf(base: JsonMessageReader): PayloadBase {
  return {
    parentHash: base.bytes('parent_hash', 32),
    extraData: base.bytes('extra_data', null),
    env: {
      number: Number(base.quantity('block_number', 6)),
      timestamp: base.quantity('timestamp', 8),
      gasLimit: base.quantity('gas_limit', 8),
      baseFeePerGas: base.quantity('base_fee_per_gas', 32),
      coinbase: base.bytes('fee_recipient', 20),
      prevRandao: base.bytes('prev_randao', 32),
      difficulty: 0n,
      parentBeaconBlockRoot: base.bytes('parent_beacon_block_root', 32),
    },
  };
}

function transaction(item: JsonMessageReader, at: number): Uint8Array {
  const bytes = item.asBytes();
  if (bytes.length === 0) throw new MalformedMessageError(`diff.transactions[${at}] is empty`);
  return bytes;
}

/** Returns the receipts root; `null` if it is absent, or zero because the builder did not compute it. */
function rootOf(diff: JsonMessageReader): Uint8Array | null {
  if (!diff.has('receipts_root')) return null;
  const root = diff.bytes('receipts_root', 32);
  return root.some((byte) => byte !== 0) ? root : null;
}
