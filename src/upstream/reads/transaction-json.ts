// Converts transactions from a node's JSON back to the signed bytes. Pure. Runs on the publisher.
import {
  AUTHORIZATION_FIELDS,
  DEPOSIT_FIELDS,
  DEPOSIT_TYPE,
  TRANSACTION_FIELDS,
  type Field,
  type Kind,
} from '../../chain/rlp-json.js';
import { sameBytes } from '../../lib/bytes/byte-map.js';
import { keccak256 } from '../../lib/bytes/keccak.js';
import { fromHex, toHex } from '../../lib/bytes/hex.js';
import { EMPTY_ITEM, bytesItem, listItem, numberItem } from '../../lib/bytes/rlp-text.js';
import type { PublishedTransaction } from '../../state/block.js';
import type { ListedTransaction } from '../upstream.js';
import { bytesOf, digitsOf, hexOf, isAbsent, listOf, membersOf, numberOf, wrong, type Members } from './json.js';

/** Members by the name that older nodes use: the parity of typed transactions, the data of a call. */
const OLDER_NAMES: Readonly<Record<string, string>> = { yParity: 'v', input: 'data' };
/** Default of members that may be omitted: nothing is minted, the access list is empty. */
const LEFT_OUT: Readonly<Record<string, unknown>> = { mint: '0x0', accessList: [] };

/** How a member of each kind is encoded as an item of the RLP list, in hex digits. */
const ITEMS: Readonly<Record<Kind, (value: unknown, name: string) => string>> = {
  quantity: (value, name) => numberItem(digitsOf(value, name)),
  // Omitted by most nodes: a system transaction of the OP Stack, before Regolith.
  flag: (value) => (value === true ? '01' : EMPTY_ITEM),
  data: (value, name) => bytesAt(value, name),
  // Absent if the transaction creates a contract.
  address: (value, name) => (isAbsent(value) ? EMPTY_ITEM : bytesAt(value, name, 20)),
  hashes: (value, name) => listItem(listOf(value, name).map((hash) => bytesAt(hash, 'a hash', 32))),
  accessList: (value, name) => listItem(listOf(value, name).map(accessEntry)),
  authorizationList: (value, name) =>
    listItem(listOf(value, name).map((entry) => itemOf(membersOf(entry, 'an authorization'), AUTHORIZATION_FIELDS))),
};

function bytesAt(value: unknown, name: string, length?: number): string {
  return bytesItem(hexOf(value, name, length).slice(2));
}

function accessEntry(json: unknown): string {
  const { address, storageKeys } = membersOf(json, 'an entry of the access list');
  const keys = listOf(storageKeys ?? [], 'storageKeys').map((key) => bytesAt(key, 'a storage key', 32));
  return listItem([bytesAt(address, 'address', 20), listItem(keys)]);
}

function itemOf(members: Members, fields: readonly Field[]): string {
  return listItem(fields.map(([name, kind]) => ITEMS[kind](memberOf(members, name), name)));
}

function memberOf(members: Members, name: string): unknown {
  const older = OLDER_NAMES[name];
  return members[name] ?? (older === undefined ? LEFT_OUT[name] : members[older]);
}

/** Items of the RLP list by EIP-2718 type; `undefined`: the type is not known here. */
function fieldsOf(type: number): readonly Field[] | undefined {
  return type === DEPOSIT_TYPE ? DEPOSIT_FIELDS : TRANSACTION_FIELDS[type];
}

/** The EIP-2718 type of a transaction object if it is not known here, else `null`. */
export function unknownTypeOf(json: unknown): number | null {
  const type = typeOf(membersOf(json, 'a transaction'));
  return fieldsOf(type) === undefined ? type : null;
}

/** Decodes a transaction object of any type. Throws UpstreamError if its hash is missing or does not match. */
export function listedOf(json: unknown): ListedTransaction {
  const text = JSON.stringify(json);
  if (unknownTypeOf(json) === null) return { ...transactionOf(json), text };
  return { hash: bytesOf(membersOf(json, 'a transaction')['hash'], 'the hash of a transaction', 32), raw: null, text };
}

/** EIP-2718 bytes of a transaction object. Throws UpstreamError if they do not have the object's hash. */
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
  const fields = fieldsOf(type);
  if (fields === undefined) return wrong(`transactions of type 0x${type.toString(16)} are not known`);
  const payload = itemOf(tx, fields);
  return fromHex(type === 0 ? payload : toByte(type) + payload);
}

function toByte(value: number): string {
  return value.toString(16).padStart(2, '0');
}
