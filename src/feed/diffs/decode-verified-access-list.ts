// Reads a block access list (EIP-7928) from the node's response, which is RLP or the JSON of eth_getBlockAccessList,
// and verifies it by the hash in the header. Pure.
import {
  decodeBlockAccessList,
  encodeBlockAccessList,
  type AccountAccess,
  type BlockAccessList,
  type ValueChanges,
} from '../../chain/block/block-access-list.js';
import { sameBytes } from '../../lib/bytes/byte-map.js';
import { toHex } from '../../lib/bytes/hex.js';
import { keccak256 } from '../../lib/bytes/keccak-wasm.js';
import { WORD_BYTES, toBytes } from '../../lib/bytes/big-endian.js';
import {
  parseBytes,
  asJsonArray,
  asJsonObject,
  parseSafeInteger,
  parseQuantity,
  throwWrongAnswer,
  type JsonObject,
} from '../../upstream/reads/json-values.js';
import { BlockWrites } from './block-writes.js';

const U64_MAX = 2n ** 64n - 1n;

/**
 * Returns what a block writes according to its access list. `result` is RLP as a hexadecimal string, or the result of
 * eth_getBlockAccessList; `hash` is the header's `blockAccessListHash`. Throws UpstreamError if the list is malformed
 * or has another hash.
 */
export function accessListWrites(result: unknown, hash: Uint8Array): BlockWrites {
  const list = typeof result === 'string' ? listOfRlp(result) : listOfJson(result);
  const found = keccak256(encodeBlockAccessList(list));
  if (!sameBytes(found, hash))
    throwWrongAnswer(`the access list has hash ${toHex(found)}, the header says ${toHex(hash)}`);
  checkOrder(list);
  return writesOf(list);
}

/** Collects a block's writes. If a field or slot has several changes, the last one counts. */
function writesOf(list: BlockAccessList): BlockWrites {
  const writes = new BlockWrites();
  for (const { address, storage, balances, nonces, codes } of list) {
    writes.write(address, { nonce: lastOf(nonces), balance: lastOf(balances), code: lastOf(codes) });
    for (const { slot, changes } of storage) {
      const word = lastOf(changes);
      if (word !== null) writes.writeSlot(address, toBytes(slot, WORD_BYTES), toBytes(word, WORD_BYTES));
    }
  }
  return writes;
}

function listOfRlp(hex: string): BlockAccessList {
  return (
    decodeBlockAccessList(parseBytes(hex, 'an access list', null)) ??
    throwWrongAnswer('the access list is no RLP of one')
  );
}

function lastOf<T>(changes: ValueChanges<T>): T | null {
  return changes.at(-1)?.value ?? null;
}

// ---- JSON of the execution API ----

function listOfJson(result: unknown): BlockAccessList {
  return asJsonArray(result, 'an access list').map((each) => {
    const account = asJsonObject(each, 'an account of an access list');
    return {
      address: parseBytes(account['address'], 'address', 20),
      storage: asJsonArray(account['storageChanges'], 'storageChanges').map(slotOfJson),
      reads: asJsonArray(account['storageReads'], 'storageReads').map((slot) => parseQuantity(slot, 'a slot')),
      balances: changesOfJson(account['balanceChanges'], 'balanceChanges', valueOf),
      nonces: changesOfJson(account['nonceChanges'], 'nonceChanges', nonceOf),
      codes: changesOfJson(account['codeChanges'], 'codeChanges', ({ code }) => parseBytes(code, 'code', null)),
    };
  });
}

function slotOfJson(json: unknown): AccountAccess['storage'][number] {
  const { key, changes } = asJsonObject(json, 'a slot of an access list');
  return { slot: parseQuantity(key, 'key'), changes: changesOfJson(changes, 'changes', valueOf) };
}

function changesOfJson<T>(json: unknown, what: string, read: (members: JsonObject) => T): ValueChanges<T> {
  return asJsonArray(json, what).map((each) => {
    const members = asJsonObject(each, what);
    return { index: parseSafeInteger(members['index'], 'index'), value: read(members) };
  });
}

function valueOf({ value }: JsonObject): bigint {
  return parseQuantity(value, 'value');
}

function nonceOf({ value }: JsonObject): bigint {
  const nonce = parseQuantity(value, 'a nonce');
  return nonce > U64_MAX ? throwWrongAnswer('a nonce has more than 64 bits') : nonce;
}

// ---- order of the entries ----

/**
 * Checks the order that EIP-7928 demands: all lists ascending and without duplicates, and no written slot among the
 * slots that were only read.
 */
function checkOrder(list: BlockAccessList): void {
  checkAscending(
    list.map(({ address }) => toHex(address)),
    'accounts',
  );
  for (const { address, storage, reads, balances, nonces, codes } of list) {
    const name = toHex(address);
    const written = storage.map(({ slot }) => slot);
    checkAscending(written, `slots of ${name}`);
    checkAscending(reads, `reads of ${name}`);
    const slots = new Set(written);
    if (reads.some((slot) => slots.has(slot)))
      throwWrongAnswer(`the access list has a slot of ${name} as read and as written`);
    for (const changes of [balances, nonces, codes, ...storage.map((slot) => slot.changes)])
      checkAscending(
        changes.map(({ index }) => index),
        `changes of ${name}`,
      );
    if (storage.some(({ changes }) => changes.length === 0))
      throwWrongAnswer(`the access list has a slot of ${name} without changes`);
  }
}

function checkAscending(items: readonly (string | number | bigint)[], what: string): void {
  const at = items.findIndex((item, index) => index > 0 && items[index - 1]! >= item);
  if (at > 0) throwWrongAnswer(`the access list has its ${what} in disorder`);
}
