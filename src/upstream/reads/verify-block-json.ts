// Converts a node's JSON of blocks back to RLP, and verifies the hashes. Pure.
import { blockSizeBytes } from '../../chain/block/encode-block.js';
import { HEADER_FIELDS, HEADER_FIELD_COUNT_MIN } from '../../chain/block/header.js';
import { sameBytes } from '../../lib/bytes/byte-map.js';
import { keccak256 } from '../../lib/bytes/keccak-wasm.js';
import { listTrieRoot } from '../../chain/list-trie-root.js';
import { toHex } from '../../lib/bytes/hex.js';
import { encodeRlp, type RlpInput } from '../../lib/bytes/encode-rlp.js';
import type { AnnouncedTransaction, Withdrawal } from '../../state/complete-block.js';
import type { BlockNumberAndHash, UpstreamBlock, UpstreamHead } from '../upstream.js';
import {
  parseBytes,
  isAbsent,
  asJsonArray,
  asJsonObject,
  parseSafeInteger,
  parseQuantity,
  throwWrongAnswer,
  type JsonObject,
} from './json-values.js';
import { parseTransactionOfAnyType, parseTransaction, unknownTransactionTypeOf } from './transaction-json-to-bytes.js';

/** If the header cannot be reconstructed, at most this many unknown members are reported. */
const UNKNOWN_FIELDS_MAX = 5;
/**
 * Up to this many unknown members of a block are tried as further header fields, in every selection and order. That
 * takes at most 65 hashes.
 */
const UNKNOWN_FIELDS_TRIED_MAX = 4;

/**
 * Decodes a block object with full transactions. Throws UpstreamError if it is malformed or one of its hashes is wrong.
 */
export function parseBlock(json: unknown): UpstreamBlock {
  const block = asJsonObject(json, 'a block');
  const list = asJsonArray(block['transactions'], 'the list of transactions');
  const unknownType = list.map(unknownTransactionTypeOf).find((type) => type !== null) ?? null;
  if (unknownType === null) return { ...checkedBlock(block, list.map(parseTransaction)), unknownType };
  return { ...checkedBlock(block, null), unknownType, listed: list.map(parseTransactionOfAnyType) };
}

/**
 * Decodes a block object with transaction hashes, if these are the hashes of `announced`; otherwise returns `null`.
 * Throws the same errors as `parseBlock`.
 */
export function parseBlockWithAnnouncedTransactions(
  json: unknown,
  announced: readonly AnnouncedTransaction[],
): UpstreamBlock | null {
  const block = asJsonObject(json, 'a block');
  const hashes = asJsonArray(block['transactions'], 'the list of transactions');
  const isAnnounced = (hash: unknown, at: number): boolean => hash === toHex(announced[at]!.hash);
  if (hashes.length !== announced.length || !hashes.every(isAnnounced)) return null;
  // Copied, because transactions are still appended to the array `announced`.
  return { ...checkedBlock(block, [...announced]), unknownType: null };
}

/**
 * Decodes the header and withdrawals of a block. Verifies the header, and the already decoded `transactions`, which are
 * `null` if the block has a transaction of an unknown type.
 */
function checkedBlock(
  block: JsonObject,
  transactions: readonly AnnouncedTransaction[] | null,
): Omit<UpstreamBlock, 'unknownType'> {
  const { number, hash, header, unknownFields } = parseVerifiedHeader(block);
  if (transactions !== null) checkRoot(block, transactions, hash);
  const withdrawals = isAbsent(block['withdrawals'])
    ? null
    : asJsonArray(block['withdrawals'], 'the list of withdrawals').map(withdrawalOf);
  const known = transactions ?? [];
  return {
    number,
    hash,
    header,
    transactions: known,
    withdrawals,
    sizeBytes: sizeOf(block, header, known, withdrawals),
    ...(unknownFields.length === 0 ? {} : { unknownFields }),
  };
}

interface ReadHeader extends BlockNumberAndHash {
  /** The header in RLP. */
  readonly header: Uint8Array;
  readonly unknownFields: readonly string[];
}

/** A member of the block object, encoded as a header field. */
interface NamedItem {
  readonly name: string;
  readonly item: RlpInput;
}

/**
 * Returns number, hash and RLP header of a block object. Throws UpstreamError if the header's hash is not the stated
 * one, unless the block has unknown members that may belong to the header.
 */
export function parseVerifiedHeader(block: JsonObject): ReadHeader {
  const { number, hash } = parseBlockRef(block);
  const items = headerItems(block);
  const header = encodeRlp(items);
  if (sameBytes(keccak256(header), hash)) return { number, hash, header, unknownFields: [] };
  const unknown = unknownFieldsIn(block);
  if (unknown.length === 0) return throwWrongAnswer(`block ${toHex(hash)} has another hash than it says`);
  const more = items.length < HEADER_FIELDS.length ? null : longerHeader(items, unknown.flatMap(itemOf(block)), hash);
  // These members belong to an unknown fork, and their encoding or order cannot be determined.
  if (more === null) return { number, hash, header, unknownFields: unknown.slice(0, UNKNOWN_FIELDS_MAX) };
  const longer = encodeRlp([...items, ...more.map(({ item }) => item)]);
  return { number, hash, header: longer, unknownFields: more.map(({ name }) => name) };
}

/**
 * Finds which unknown members, and in which order, must be appended to the known header fields to get this hash.
 * Returns `null` if no combination does. Nodes write members in any order, and some of them are not part of the header.
 */
function longerHeader(known: readonly RlpInput[], more: readonly NamedItem[], hash: Uint8Array): NamedItem[] | null {
  if (more.length > UNKNOWN_FIELDS_TRIED_MAX) return null;
  for (const next of more) {
    const items = [...known, next.item];
    if (sameBytes(keccak256(encodeRlp(items)), hash)) return [next];
    const rest = longerHeader(
      items,
      more.filter((each) => each !== next),
      hash,
    );
    if (rest !== null) return [next, ...rest];
  }
  return null;
}

/**
 * Returns a function that encodes a member as a header field. The result is empty if the member is neither a quantity
 * nor bytes.
 */
function itemOf(block: JsonObject): (name: string) => NamedItem[] {
  return (name) => {
    const value = block[name];
    if (typeof value !== 'string' || !/^0x[0-9a-f]*$/i.test(value)) return [];
    const isBytes = value.length % 2 === 0 && value !== '0x0';
    return [{ name, item: isBytes ? parseBytes(value, name, null) : parseQuantity(value, name) }];
  };
}

/** Members of a block object that are not part of the header. */
const OUTSIDE =
  /^(hash|size|totalDifficulty|transactions|uncles|withdrawals|author|sealFields|blockAccessList|timestampMs|l1BlockNumber|send(Count|Root)|requests)$/;

/** Returns the names of the members that are neither header fields nor other known members of a block. */
function unknownFieldsIn(block: JsonObject): string[] {
  const known = new Set<string>(HEADER_FIELDS.map(([, name]) => name));
  return Object.keys(block).filter((name) => !known.has(name) && !OUTSIDE.test(name) && !isAbsent(block[name]));
}

/** Returns the number and hash of a block object; other members are ignored. */
export function parseBlockRef(json: unknown): BlockNumberAndHash {
  const { number, hash } = asJsonObject(json, 'a block');
  return {
    number: parseSafeInteger(number, 'the number of a block'),
    hash: parseBytes(hash, 'the hash of a block', 32),
  };
}

/** Decodes a head, which is an announcement of `newHeads` or a block object. */
export function parseHead(json: unknown): UpstreamHead {
  const { parentHash } = asJsonObject(json, 'a head');
  return { ...parseBlockRef(json), parentHash: parseBytes(parentHash, 'parentHash', 32) };
}

/**
 * Returns the header fields that we know. Unknown members that also belong to the header are found later, by trying
 * with which of them the header has the right hash.
 */
function headerItems(block: JsonObject): RlpInput[] {
  const items: RlpInput[] = [];
  for (const [, name, form] of HEADER_FIELDS) {
    const value = block[name];
    if (items.length >= HEADER_FIELD_COUNT_MIN && isAbsent(value)) break;
    if (form === 'bytes') items.push(parseBytes(value, name, null));
    else items.push(typeof form === 'number' ? parseBytes(value, name, form) : parseQuantity(value, name));
  }
  return items;
}

/** Verifies the transactions by their root in the header. The header itself is verified by its hash. */
function checkRoot(block: JsonObject, transactions: readonly AnnouncedTransaction[], hash: Uint8Array): void {
  const root = parseBytes(block['transactionsRoot'], 'transactionsRoot', 32);
  if (!sameBytes(listTrieRoot(transactions.map(({ raw }) => raw)), root))
    throwWrongAnswer(`block ${toHex(hash)} comes with other transactions than its own`);
}

function withdrawalOf(json: unknown): Withdrawal {
  const { index, validatorIndex, address, amount } = asJsonObject(json, 'a withdrawal');
  return {
    index: parseQuantity(index, 'index'),
    validatorIndex: parseQuantity(validatorIndex, 'validatorIndex'),
    address: parseBytes(address, 'address', 20),
    amount: parseQuantity(amount, 'amount'),
  };
}

/**
 * Returns the size of the block as the node reports it. Computes the size only if it is not reported, because that
 * leaves out uncles, whose headers only the node has.
 */
function sizeOf(
  block: JsonObject,
  header: Uint8Array,
  transactions: readonly AnnouncedTransaction[],
  withdrawals: readonly Withdrawal[] | null,
): number {
  if (!isAbsent(block['size'])) return parseSafeInteger(block['size'], 'size');
  return blockSizeBytes({ header, transactions: transactions.map(({ raw }) => raw), uncles: [], withdrawals });
}
