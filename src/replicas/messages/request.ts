// Requests of a replica to its executor, and the responses, as bytes. Pure.
import { ByteReader, ByteWriter } from '../../lib/bytes/bytes.js';
import type { StateChanges } from '../../state/diff.js';
import type { MissingKeys } from '../../state/views/recording-view.js';
import type { RpcErrorObject } from '../../upstream/upstream.js';
import { readAddress, readChanges, readWord, repeated, writeChanges, writeWord } from './fields.js';

/** The responses are `state`, `result`, `hash` and `done`, in this order; each request may also be `refused`. */
export type LeaderRequest =
  /** State after the block with this hash (32 bytes). */
  | { readonly kind: 'read'; readonly block: Uint8Array; readonly missing: MissingKeys }
  /** Any method, to be passed to the executor's upstream node. */
  | {
      readonly kind: 'request';
      readonly method: string;
      readonly params: readonly unknown[];
      readonly timeoutMs: number;
    }
  /** A raw transaction, for a chain that accepts them. */
  | { readonly kind: 'transaction'; readonly raw: Uint8Array }
  /** Requests a new snapshot: none is usable. */
  | { readonly kind: 'snapshot' };

/** A response. */
export type LeaderReply =
  /** State, as much as fits a message; the rest has to be requested again. */
  | { readonly kind: 'state'; readonly state: StateChanges }
  /** JSON text. */
  | { readonly kind: 'result'; readonly text: string }
  /** The transaction's hash of 32 bytes, and the newest version once it was accepted. */
  | { readonly kind: 'hash'; readonly hash: Uint8Array; readonly version: number }
  | { readonly kind: 'done' }
  /** `rpc`: the error returned by a node; `null`: the error is the executor's own. */
  | { readonly kind: 'refused'; readonly message: string; readonly rpc: RpcErrorObject | null };

const REQUEST_KIND = { read: 0, request: 1, transaction: 2, snapshot: 3 } as const;
const REPLY = { state: 0, result: 1, hash: 2, done: 3, refused: 4 } as const;
const FIRST_BYTES = 4096;

/** Encodes a request. */
export function encodeRequest(request: LeaderRequest): Uint8Array {
  const writer = new ByteWriter(FIRST_BYTES);
  writer.u8(REQUEST_KIND[request.kind]);
  switch (request.kind) {
    case 'read':
      writer.fixed(request.block);
      writeMissingKeys(writer, request.missing);
      break;
    case 'request':
      writer.text(JSON.stringify([request.method, request.params]));
      writer.number(request.timeoutMs);
      break;
    case 'transaction':
      writer.bytes(request.raw);
      break;
    case 'snapshot':
      break;
  }
  return writer.written;
}

/** Decodes a request; `null` if the bytes are malformed. */
export function decodeRequest(bytes: Uint8Array): LeaderRequest | null {
  return readable(() => {
    const reader = new ByteReader(bytes);
    switch (reader.u8()) {
      case REQUEST_KIND.read:
        return { kind: 'read', block: reader.fixed(32).slice(), missing: readMissingKeys(reader) };
      case REQUEST_KIND.request: {
        const [method, params] = JSON.parse(reader.text()) as [string, unknown[]];
        return { kind: 'request', method, params, timeoutMs: reader.number() };
      }
      case REQUEST_KIND.transaction:
        return { kind: 'transaction', raw: reader.bytes().slice() };
      case REQUEST_KIND.snapshot:
        return { kind: 'snapshot' };
      default:
        return null;
    }
  });
}

/** Encodes a response. */
export function encodeReply(reply: LeaderReply): Uint8Array {
  const writer = new ByteWriter(FIRST_BYTES);
  writer.u8(REPLY[reply.kind]);
  switch (reply.kind) {
    case 'state':
      writeChanges(writer, reply.state);
      break;
    case 'result':
      writer.text(reply.text);
      break;
    case 'hash':
      writer.fixed(reply.hash);
      writer.number(reply.version);
      break;
    case 'done':
      break;
    case 'refused':
      writer.text(JSON.stringify([reply.message, reply.rpc]));
      break;
  }
  return writer.written;
}

/** Decodes a response; `null` if the bytes are malformed. */
export function decodeReply(bytes: Uint8Array): LeaderReply | null {
  return readable(() => {
    const reader = new ByteReader(bytes);
    switch (reader.u8()) {
      case REPLY.state:
        return { kind: 'state', state: readChanges(reader) };
      case REPLY.result:
        return { kind: 'result', text: reader.text() };
      case REPLY.hash:
        return { kind: 'hash', hash: reader.fixed(32).slice(), version: reader.number() };
      case REPLY.done:
        return { kind: 'done' };
      case REPLY.refused: {
        const [message, rpc] = JSON.parse(reader.text()) as [string, RpcErrorObject | null];
        return { kind: 'refused', message, rpc };
      }
      default:
        return null;
    }
  });
}

function writeMissingKeys(writer: ByteWriter, { accounts, slots }: MissingKeys): void {
  writer.u32(accounts.length);
  for (const address of accounts) writer.fixed(address);
  writer.u32(slots.length);
  for (const { address, slot } of slots) {
    writer.fixed(address);
    writeWord(writer, slot);
  }
}

function readMissingKeys(reader: ByteReader): MissingKeys {
  const accounts = repeated(reader, () => readAddress(reader));
  return { accounts, slots: repeated(reader, () => ({ address: readAddress(reader), slot: readWord(reader) })) };
}

/** `null` if the reader throws because the bytes end too early. */
function readable<T>(read: () => T | null): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}
