// Deposit transactions of the OP Stack, which are triggered on L1 and executed on L2.
import { decodeRlp } from '../../lib/bytes/rlp-reader.js';
import { WORD_BYTES, toBigInt } from '../../lib/bytes/big-endian.js';
import { keccak256 } from '../../lib/bytes/keccak-wasm.js';
import { DEPOSIT_TRANSACTION_TYPE, TRANSACTION_FIELDS } from '../fields.table.js';
import { RawTransactionReader } from '../raw-transaction-fields.js';

/** A deposit transaction. It has no signature and pays no fee. */
export interface DepositTransaction {
  /** EIP-2718 bytes. */
  readonly raw: Uint8Array;
  /** keccak-256 of `raw`. */
  readonly hash: Uint8Array;
  /** Hash that identifies the deposit's origin on L1, 32 bytes. */
  readonly sourceHash: Uint8Array;
  /** Sender, 20 bytes; also the result of ORIGIN. */
  readonly from: Uint8Array;
  /** Recipient, 20 bytes; `null` creates a contract. */
  readonly to: Uint8Array | null;
  /** Wei minted to `from` before the execution; `from` keeps it even if the deposit fails. */
  readonly mint: bigint;
  readonly value: bigint;
  readonly gasLimit: bigint;
  /** True for a system transaction. From Regolith on, such a deposit fails and uses all its gas. */
  readonly isSystem: boolean;
  readonly data: Uint8Array;
}

/** True if the EIP-2718 bytes are a deposit (type 0x7e). */
export function isRawDeposit(raw: Uint8Array): boolean {
  return raw[0] === DEPOSIT_TRANSACTION_TYPE;
}

/** Creates a reader for the fields of a deposit; returns `null` if the bytes are not a deposit. */
export function parseRawDeposit(raw: Uint8Array | undefined): RawTransactionReader | null {
  return raw !== undefined && isRawDeposit(raw) ? RawTransactionReader.of(raw) : null;
}

/** Decodes a deposit; returns a message if it is malformed. */
export function decodeDeposit(raw: Uint8Array): DepositTransaction | string {
  try {
    return deposit(raw);
  } catch (error) {
    return `invalid deposit transaction: ${error instanceof Error ? error.message : 'malformed'}`;
  }
}

const FIELDS = TRANSACTION_FIELDS[DEPOSIT_TRANSACTION_TYPE]!;

function deposit(raw: Uint8Array): DepositTransaction {
  const fields = fieldsOf(raw);
  const to = fields('to');
  if (to.length !== 0 && to.length !== 20) throw new Error(`to must be 20 bytes long, not ${to.length}`);
  return {
    raw,
    hash: keccak256(raw),
    sourceHash: exactly(fields('sourceHash'), 32, 'sourceHash'),
    from: exactly(fields('from'), 20, 'from'),
    to: to.length === 0 ? null : to,
    mint: number(fields('mint'), WORD_BYTES, 'mint'),
    value: number(fields('value'), WORD_BYTES, 'value'),
    gasLimit: number(fields('gas'), 8, 'gas'),
    isSystem: number(fields('isSystemTx'), 1, 'isSystemTx') !== 0n,
    data: fields('input'),
  };
}

function fieldsOf(raw: Uint8Array): (name: string) => Uint8Array {
  const items = decodeRlp(raw.subarray(1));
  if (items instanceof Uint8Array || items.length !== FIELDS.length)
    throw new Error(`it must have ${FIELDS.length} fields`);
  return (name) => {
    const index = FIELDS.findIndex(([field]) => field === name);
    const item = items[index];
    if (!(item instanceof Uint8Array)) throw new Error(`${FIELDS[index]![2] ?? name} is a list`);
    return item.slice();
  };
}

function exactly(bytes: Uint8Array, length: number, name: string): Uint8Array {
  if (bytes.length !== length) throw new Error(`${name} must be ${length} bytes long, not ${bytes.length}`);
  return bytes;
}

function number(bytes: Uint8Array, bytesMax: number, name: string): bigint {
  if (bytes.length > bytesMax || bytes[0] === 0) throw new Error(`${name} is not a number of ${bytesMax} bytes`);
  return toBigInt(bytes);
}
