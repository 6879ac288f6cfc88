// Transactions from the JSON of a node back to the bytes that were signed. Pure. Runs on the publisher.
import { sameBytes } from '../../lib/bytes/byte-map.js';
import { keccak256 } from '../../lib/bytes/keccak.js';
import { fromHex, toHex } from '../../lib/bytes/hex.js';
import { EMPTY_ITEM, bytesItem, listItem, numberItem } from '../../lib/bytes/rlp-text.js';
import type { PublishedTransaction } from '../../state/block.js';
import type { ListedTransaction } from '../upstream.js';
import { bytesOf, digitsOf, hexOf, isAbsent, listOf, membersOf, numberOf, wrong, type Members } from './json.js';

/** One member of the JSON object as an item of the RLP list, as hex digits. */
type Field = (tx: Members) => string;

const bytesAt = (value: unknown, name: string, length?: number): string =>
  bytesItem(hexOf(value, name, length).slice(2));
const quantity =
  (name: string): Field =>
  (tx) =>
    numberItem(digitsOf(tx[name], name));
const word =
  (name: string): Field =>
  (tx) =>
    bytesAt(tx[name], name, 32);

/** 20 bytes; none where the transaction creates a contract. */
const to: Field = (tx) => (isAbsent(tx['to']) ? EMPTY_ITEM : bytesAt(tx['to'], 'to', 20));
const from: Field = (tx) => bytesAt(tx['from'], 'from', 20);
const input: Field = (tx) => bytesAt(tx['input'] ?? tx['data'], 'input');
/** Older nodes write the parity of typed transactions as `v` alone. */
const parity: Field = (tx) => numberItem(digitsOf(tx['yParity'] ?? tx['v'], 'yParity'));
const optionalQuantity =
  (name: string): Field =>
  (tx) =>
    isAbsent(tx[name]) ? EMPTY_ITEM : numberItem(digitsOf(tx[name], name));

const accessList: Field = (tx) =>
  listItem(
    listOf(tx['accessList'] ?? [], 'accessList').map((entry) => {
      const { address, storageKeys } = membersOf(entry, 'an entry of the access list');
      const keys = listOf(storageKeys ?? [], 'storageKeys').map((key) => bytesAt(key, 'a storage key', 32));
      return listItem([bytesAt(address, 'address', 20), listItem(keys)]);
    }),
  );

const blobVersionedHashes: Field = (tx) =>
  listItem(listOf(tx['blobVersionedHashes'], 'blobVersionedHashes').map((hash) => bytesAt(hash, 'a blob hash', 32)));

const authorizationList: Field = (tx) =>
  listItem(
    listOf(tx['authorizationList'], 'authorizationList').map((entry) => {
      const members = membersOf(entry, 'an authorization');
      return listItem(AUTHORIZATION.map((field) => field(members)));
    }),
  );

/** A system transaction of the OP-Stack, before Regolith; left out by most nodes. */
const isSystemTx: Field = (tx) => (tx['isSystemTx'] === true ? '01' : EMPTY_ITEM);

const MESSAGE = [quantity('gas'), to, quantity('value'), input];
const SIGNATURE = [parity, quantity('r'), quantity('s')];
const FEES = [quantity('chainId'), quantity('nonce'), quantity('maxPriorityFeePerGas'), quantity('maxFeePerGas')];
const AUTHORIZATION: readonly Field[] = [
  quantity('chainId'),
  (entry) => bytesAt(entry['address'], 'address', 20),
  quantity('nonce'),
  ...SIGNATURE,
];

/** Items of the RLP list by EIP-2718 type: EIP-2930, EIP-1559, EIP-4844, EIP-7702, and the OP-Stack's deposits. */
const FIELDS: ReadonlyMap<number, readonly Field[]> = new Map([
  [0, [quantity('nonce'), quantity('gasPrice'), ...MESSAGE, quantity('v'), quantity('r'), quantity('s')]],
  [1, [quantity('chainId'), quantity('nonce'), quantity('gasPrice'), ...MESSAGE, accessList, ...SIGNATURE]],
  [2, [...FEES, ...MESSAGE, accessList, ...SIGNATURE]],
  [3, [...FEES, ...MESSAGE, accessList, quantity('maxFeePerBlobGas'), blobVersionedHashes, ...SIGNATURE]],
  [4, [...FEES, ...MESSAGE, accessList, authorizationList, ...SIGNATURE]],
  [
    0x7e,
    [word('sourceHash'), from, to, optionalQuantity('mint'), quantity('value'), quantity('gas'), isSystemTx, input],
  ],
]);

/** The EIP-2718 type of a transaction object where it is not known here, else `null`. */
export function unknownTypeOf(json: unknown): number | null {
  const type = typeOf(membersOf(json, 'a transaction'));
  return FIELDS.has(type) ? null : type;
}

/** A transaction object of any type. Throws UpstreamError where it has no hash, or another one than it says. */
export function listedOf(json: unknown): ListedTransaction {
  const text = JSON.stringify(json);
  if (unknownTypeOf(json) === null) return { ...transactionOf(json), text };
  return { hash: bytesOf(membersOf(json, 'a transaction')['hash'], 'the hash of a transaction', 32), raw: null, text };
}

/** EIP-2718 bytes of a transaction object. Throws UpstreamError where they do not have the hash that the object says. */
export function transactionOf(json: unknown): PublishedTransaction {
  const tx = membersOf(json, 'a transaction');
  const hash = bytesOf(tx['hash'], 'the hash of a transaction', 32);
  const raw = encodeTransaction(tx);
  if (!sameBytes(keccak256(raw), hash)) return wrong(`transaction ${toHex(hash)} has another hash than it says`);
  return { raw, hash, from: bytesOf(tx['from'], 'from', 20) };
}

function typeOf(tx: Members): number {
  return isAbsent(tx['type']) ? 0 : numberOf(tx['type'], 'the type of a transaction');
}

function encodeTransaction(tx: Members): Uint8Array {
  const type = typeOf(tx);
  const fields = FIELDS.get(type);
  if (fields === undefined) return wrong(`transactions of type 0x${type.toString(16)} are not known`);
  const payload = listItem(fields.map((field) => field(tx)));
  return fromHex(type === 0 ? payload : toByte(type) + payload);
}

function toByte(value: number): string {
  return value.toString(16).padStart(2, '0');
}
