// Encodes outcomes as compact bytes.
//
//   outcome  u8 kind (OUTCOME below), then for each kind:
//            gas           integer
//            return        bytes
//            revert        bytes
//            json          text
//            failure       u8 index into ERROR_NAMES, text
//            foreign       bytes address (the non-EVM account that was called)
//            missing       list of bytes address, list of (bytes address, bytes slot)
//            watched       bytes accounts, bytes slots, u8 index into BLOCK_USES, outcome (of the watched call)
import { ERRORS, type ErrorName } from '../../rpc-errors.js';
import type { ByteReader, ByteWriter } from '../../lib/bytes/byte-reader-writer.js';
import { copyResult, keepResult } from '../../lib/memory/result-memory.js';
import { LIMITS } from '../../limits/index.js';
import type { BlockDependency } from '../../state/views/recorded-read-keys.js';
import type { MissingKeys } from '../../state/views/miss-recording-view.js';
import type { JobOutcome } from '../../transaction/evm-job.js';
import { COPIED_BYTES_CODEC, listCodec, structCodec } from './field-codecs.js';

const OUTCOME = { gas: 0, return: 1, revert: 2, failure: 3, missing: 4, json: 5, watched: 6, foreign: 7 } as const;

const ACCOUNTS = listCodec(COPIED_BYTES_CODEC);
const SLOTS = listCodec(
  structCodec<MissingKeys['slots'][number]>({ address: COPIED_BYTES_CODEC, slot: COPIED_BYTES_CODEC }),
);
const BLOCK_USES = ['none', 'environment', 'anything'] as const satisfies readonly BlockDependency[];

const ERROR_NAMES = Object.keys(ERRORS).filter((name): name is ErrorName => name in ERRORS);

export function packOutcome(outcome: JobOutcome, to: ByteWriter): void {
  to.u8(OUTCOME[outcome.kind]);
  switch (outcome.kind) {
    case 'gas':
      return to.integer(outcome.gas);
    case 'return':
    case 'revert':
      return to.bytes(outcome.data);
    case 'json':
      return typeof outcome.text === 'string' ? to.text(outcome.text) : to.bytes(outcome.text);
    case 'failure':
      to.u8(ERROR_NAMES.indexOf(outcome.error));
      return to.text(outcome.message);
    case 'foreign':
      return to.bytes(outcome.address);
    case 'missing':
      ACCOUNTS.pack(outcome.missingKeys.accounts, to);
      return SLOTS.pack(outcome.missingKeys.slots, to);
    case 'watched':
      to.bytes(outcome.reads.accounts);
      to.bytes(outcome.reads.slots);
      to.u8(BLOCK_USES.indexOf(outcome.reads.block));
      packOutcome(outcome.outcome, to);
  }
}

/**
 * Decodes the next outcome. Its data are copies, because the worker's next results overwrite the reader's memory; or
 * views, if that memory belongs to the outcome (`ownsSource`). Long copies are in memory that is reused after
 * `recycleResult`. Throws RangeError like unpackJob.
 */
export function unpackOutcome(from: ByteReader, ownsSource = false): JobOutcome {
  const kind = from.u8();
  switch (kind) {
    case OUTCOME.gas:
      return { kind: 'gas', gas: from.integer() };
    case OUTCOME.return:
      return { kind: 'return', data: ownsSource ? from.bytes() : copied(from.bytes()) };
    case OUTCOME.revert:
      return { kind: 'revert', data: ownsSource ? from.bytes() : copied(from.bytes()) };
    case OUTCOME.json:
      return { kind: 'json', text: unpackText(from.bytes(), ownsSource) };
    case OUTCOME.failure:
      return { kind: 'failure', error: ERROR_NAMES[from.u8()]!, message: from.text() };
    case OUTCOME.foreign:
      return { kind: 'foreign', address: from.bytes().slice() };
    case OUTCOME.missing:
      return { kind: 'missing', missingKeys: { accounts: ACCOUNTS.unpack(from), slots: SLOTS.unpack(from) } };
    case OUTCOME.watched: {
      const reads = { accounts: from.bytes().slice(), slots: from.bytes().slice(), block: BLOCK_USES[from.u8()]! };
      return { kind: 'watched', reads, outcome: unpackOutcome(from, ownsSource) };
    }
    default:
      throw new RangeError(`no outcome has the kind ${kind}`);
  }
}

/** Decodes a string. A long one stays encoded as UTF-8 bytes. */
function unpackText(bytes: Uint8Array, ownsSource: boolean): string | Uint8Array {
  const { buffer, byteOffset, length } = bytes;
  if (length < LIMITS.longDataBytesMin) return Buffer.from(buffer, byteOffset, length).toString();
  return ownsSource ? bytes : copyResult(bytes);
}

/** Leaves the outcome's memory to V8, because more than one caller has it. */
export function keepOutcome(outcome: JobOutcome): void {
  if ('data' in outcome) keepResult(outcome.data);
  else if (outcome.kind === 'json' && typeof outcome.text !== 'string') keepResult(outcome.text);
}

function copied(data: Uint8Array): Uint8Array {
  return data.length < LIMITS.longDataBytesMin ? data.slice() : copyResult(data);
}
