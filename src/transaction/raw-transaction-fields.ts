// Reads single fields of a transaction from its EIP-2718 bytes, by the field table. A field is located and decoded only
// when it is read.
import { RLP_LIST_PREFIX_MIN } from '../lib/bytes/encode-rlp.js';
import { RlpReader } from '../lib/bytes/rlp-reader.js';
import {
  DEPOSIT_TRANSACTION_TYPE,
  TRANSACTION_FIELD_NAMES,
  SIGNATURE_FIELD_COUNT,
  TRANSACTION_FIELDS,
  type TransactionField,
  type TransactionFieldName,
} from './fields.table.js';

const U256_BYTES = 32;
const U64_BYTES = 8;

/** Returns the EIP-2718 type of the bytes, even if the rest is malformed. */
export function rawTransactionType(raw: Uint8Array): number {
  return raw[0]! >= RLP_LIST_PREFIX_MIN ? 0 : raw[0]!;
}

/** Index of each field among the RLP items of its transaction type; -1 if the type does not have the field. */
export type FieldIndices = Readonly<Record<TransactionFieldName, number>>;

function indicesOf(fields: readonly TransactionField[]): FieldIndices {
  const order = fields.map(([name]) => name);
  return Object.fromEntries(TRANSACTION_FIELD_NAMES.map((name) => [name, order.indexOf(name)])) as Record<
    TransactionFieldName,
    number
  >;
}

/** Fields of a transaction type, and their indices. */
interface Layout {
  readonly fields: readonly TransactionField[];
  readonly indices: FieldIndices;
}

const LAYOUTS: readonly (Layout | undefined)[] = Array.from({ length: DEPOSIT_TRANSACTION_TYPE + 1 }, (_, type) => {
  const fields = TRANSACTION_FIELDS[type];
  return fields === undefined ? undefined : { fields, indices: indicesOf(fields) };
});

/**
 * A transaction whose RLP items are located when they are read. Reading in order is cheapest: going back starts again
 * at the first item.
 */
export class RawTransactionReader {
  /** EIP-2718 type. */
  readonly type: number;
  readonly fields: readonly TransactionField[];
  /** Index of each field. Pass it to the methods below. */
  readonly at: FieldIndices;
  readonly #raw: Uint8Array;
  readonly #reader: RlpReader;
  /** End of the bytes that contain the RLP list. */
  readonly #outer: number;
  /** Offset of the first item. */
  readonly #first: number;
  /** Index of the item that the reader reads next. */
  #next = 0;

  /** Creates the reader for these bytes; returns `null` if they are not an RLP list of a known transaction type. */
  static of(raw: Uint8Array): RawTransactionReader | null {
    const type = rawTransactionType(raw);
    const layout = LAYOUTS[type];
    if (layout === undefined) return null;
    const transaction = new RawTransactionReader(raw, type, layout);
    return transaction.isSound ? transaction : null;
  }

  private constructor(raw: Uint8Array, type: number, { fields, indices }: Layout) {
    this.type = type;
    this.fields = fields;
    this.#raw = raw;
    this.at = indices;
    this.#reader = new RlpReader(raw, type === 0 ? 0 : 1);
    this.#outer = this.#reader.enter();
    this.#first = this.#reader.offset;
  }

  /** True if everything that was read so far is well-formed. */
  get isSound(): boolean {
    return this.#reader.isSound;
  }

  /** True if everything read was well-formed, and the list has exactly the items of its type. Call it last. */
  isWhole(): boolean {
    this.#goTo(this.fields.length);
    this.#reader.leave(this.#outer);
    return this.#reader.isSound && this.#reader.isAtEnd;
  }

  /** Returns a field as an integer of up to 256 bits. */
  u256(index: number): bigint {
    return this.#itemAt(index).integer(U256_BYTES);
  }

  /** Skips an integer field of up to 256 bits, but checks its encoding. */
  skipU256(index: number): void {
    this.#itemAt(index).skipInteger(U256_BYTES);
  }

  /** Returns a field as an integer of up to 64 bits. */
  u64(index: number): bigint {
    return this.#itemAt(index).integer(U64_BYTES);
  }

  /** Returns a byte string as a view of the transaction's bytes. */
  bytes(index: number): Uint8Array {
    return this.#itemAt(index).string();
  }

  list<T>(index: number, read: (reader: RlpReader) => T): T[] {
    return this.#itemAt(index).list(read);
  }

  /** Returns the number of items in a list field. */
  count(index: number): number {
    return this.list(index, (reader) => reader.skip()).length;
  }

  /** Calls `read` for each field, with the reader at that field's item; returns the results. */
  map<T>(read: (reader: RlpReader, field: TransactionField) => T): T[] {
    return this.fields.map((field, index) => read(this.#itemAt(index), field));
  }

  /** The recipient; `null` if a contract is created. */
  get to(): Uint8Array | null {
    const to = this.bytes(this.at.to);
    return to.length === 0 ? null : to;
  }

  /** v of a legacy transaction; yParity of any other. */
  get v(): bigint {
    return this.u256(this.type === 0 ? this.at.v : this.at.yParity);
  }

  /** The encoded items before the signature, as bytes. */
  get unsigned(): Uint8Array {
    this.#goTo(this.fields.length - SIGNATURE_FIELD_COUNT);
    return this.#raw.subarray(this.#first, this.#reader.offset);
  }

  #itemAt(index: number): RlpReader {
    if (index !== this.#next) this.#goTo(index);
    this.#next = index + 1;
    return this.#reader;
  }

  #goTo(index: number): void {
    if (index < this.#next) {
      this.#reader.seek(this.#first);
      this.#next = 0;
    }
    for (; this.#next < index; this.#next++) this.#reader.skip();
  }
}

/** Reads the nonce from EIP-2718 bytes; `null` if they are malformed or the type has no nonce. */
export function rawTransactionNonce(raw: Uint8Array): bigint | null {
  const transaction = RawTransactionReader.of(raw);
  if (transaction === null || transaction.at.nonce < 0) return null;
  const nonce = transaction.u64(transaction.at.nonce);
  return transaction.isSound ? nonce : null;
}

/** Recipient (20 bytes; `null` creates a contract) and data, as views of the transaction's bytes. */
export interface RecipientAndData {
  readonly to: Uint8Array | null;
  readonly data: Uint8Array;
}

/** Reads recipient and data from EIP-2718 bytes; `null` if they are malformed, which the decoder will report. */
export function recipientAndDataOf(raw: Uint8Array): RecipientAndData | null {
  const transaction = RawTransactionReader.of(raw);
  if (transaction === null) return null;
  const { to } = transaction;
  const data = transaction.bytes(transaction.at.input);
  return transaction.isSound && (to === null || to.length === 20) ? { to, data } : null;
}
