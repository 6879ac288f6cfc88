// A transaction's EIP-2718 bytes with the layout of the field table: items are located, and decoded only when they are
// read.
import { FIRST_LIST } from '../lib/bytes/rlp.js';
import { RlpReader } from '../lib/bytes/rlp-reader.js';
import {
  DEPOSIT_TYPE,
  FIELD_NAMES,
  SIGNATURE_FIELDS,
  TRANSACTION_FIELDS,
  type Field,
  type FieldName,
} from './fields.table.js';

const U256_BYTES = 32;
const U64_BYTES = 8;

/** EIP-2718 type of a transaction's bytes, whatever follows. */
export function typeOfRaw(raw: Uint8Array): number {
  return raw[0]! >= FIRST_LIST ? 0 : raw[0]!;
}

/** Index of each field among the items of its type; -1: the type does not have it. */
export type Indices = Readonly<Record<FieldName, number>>;

function indicesOf(fields: readonly Field[]): Indices {
  const order = fields.map(([name]) => name);
  return Object.fromEntries(FIELD_NAMES.map((name) => [name, order.indexOf(name)])) as Record<FieldName, number>;
}

/** A type's fields and their indices. */
interface Layout {
  readonly fields: readonly Field[];
  readonly indices: Indices;
}

const LAYOUTS: readonly (Layout | undefined)[] = Array.from({ length: DEPOSIT_TYPE + 1 }, (_, type) => {
  const fields = TRANSACTION_FIELDS[type];
  return fields === undefined ? undefined : { fields, indices: indicesOf(fields) };
});

/**
 * A transaction's list of items, each located when it is read: reading them in order costs nothing, going back to an
 * earlier one starts again at the first.
 */
export class RawTransaction {
  /** EIP-2718. */
  readonly type: number;
  readonly fields: readonly Field[];
  /** Index of each field: the argument of the methods that read one. */
  readonly at: Indices;
  readonly #raw: Uint8Array;
  readonly #reader: RlpReader;
  /** End of the bytes around the list. */
  readonly #outer: number;
  /** Offset of the first item. */
  readonly #first: number;
  /** Index of the item that the reader is at. */
  #next = 0;

  /** `null` if the bytes are not a list of a known type. */
  static of(raw: Uint8Array): RawTransaction | null {
    const type = typeOfRaw(raw);
    const layout = LAYOUTS[type];
    if (layout === undefined) return null;
    const transaction = new RawTransaction(raw, type, layout);
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

  /** True if everything that was read so far was well-formed. */
  get isSound(): boolean {
    return this.#reader.isSound;
  }

  /**
   * True if what was read is well-formed, and exactly the remaining items of its type follow. Nothing may be read
   * afterwards.
   */
  isWhole(): boolean {
    this.#goTo(this.fields.length);
    this.#reader.leave(this.#outer);
    return this.#reader.isSound && this.#reader.isAtEnd;
  }

  /** A field of 256 bits. */
  u256(index: number): bigint {
    return this.#itemAt(index).integer(U256_BYTES);
  }

  /** Skips a field of 256 bits, whose form is checked. */
  skipU256(index: number): void {
    this.#itemAt(index).skipInteger(U256_BYTES);
  }

  /** A field of 64 bits. */
  u64(index: number): bigint {
    return this.#itemAt(index).integer(U64_BYTES);
  }

  /** A byte string, as a view. */
  bytes(index: number): Uint8Array {
    return this.#itemAt(index).string();
  }

  list<T>(index: number, read: (reader: RlpReader) => T): T[] {
    return this.#itemAt(index).list(read);
  }

  /** Number of items of a list, of any kind. */
  count(index: number): number {
    return this.list(index, (reader) => reader.skip()).length;
  }

  /** Each field's value by `read`, which is called with the reader at its item. */
  map<T>(read: (reader: RlpReader, field: Field) => T): T[] {
    return this.fields.map((field, index) => read(this.#itemAt(index), field));
  }

  /** Recipient; `null`: a contract is created. */
  get to(): Uint8Array | null {
    const to = this.bytes(this.at.to);
    return to.length === 0 ? null : to;
  }

  /** v of a legacy transaction, the parity of y of any other. */
  get v(): bigint {
    return this.u256(this.type === 0 ? this.at.v : this.at.yParity);
  }

  /** The items before the signature, encoded. */
  get unsigned(): Uint8Array {
    this.#goTo(this.fields.length - SIGNATURE_FIELDS);
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

/** The nonce in EIP-2718 bytes; `null` if they are malformed, or of a type without one. */
export function nonceOf(raw: Uint8Array): bigint | null {
  const transaction = RawTransaction.of(raw);
  if (transaction === null || transaction.at.nonce < 0) return null;
  const nonce = transaction.u64(transaction.at.nonce);
  return transaction.isSound ? nonce : null;
}

/** Receiver, 20 bytes, or `null` if a contract is created; and the data. Views of the transaction's bytes. */
export interface ReceivedMessage {
  readonly to: Uint8Array | null;
  readonly data: Uint8Array;
}

/** The message in EIP-2718 bytes; `null` if they are malformed, which the decoder reports. */
export function messageIn(raw: Uint8Array): ReceivedMessage | null {
  const transaction = RawTransaction.of(raw);
  if (transaction === null) return null;
  const { to } = transaction;
  const data = transaction.bytes(transaction.at.input);
  return transaction.isSound && (to === null || to.length === 20) ? { to, data } : null;
}
