// Reads block access lists as a node sends them (EIP-7928), in RLP or in the JSON of eth_getBlockAccessList, and
// verifies the hash in the header. Pure.
import {
  decodeBlockAccessList,
  encodeBlockAccessList,
  type AccountAccess,
  type BlockAccessList,
  type AccessChanges,
} from '../../chain/block/block-access-list.js';
import { sameBytes } from '../../lib/bytes/byte-map.js';
import { toHex } from '../../lib/bytes/hex.js';
import { keccak256 } from '../../lib/bytes/keccak.js';
import { WORD_BYTES, toBytes } from '../../lib/bytes/big-endian.js';
import { bytesOf, listOf, membersOf, numberOf, quantityOf, wrong, type JsonObject } from '../../upstream/reads/json.js';
import { BlockWrites } from './block-writes.js';

const U64_MAX = 2n ** 64n - 1n;

/**
 * What a block writes, by its access list. `result` is RLP as a hexadecimal string, or the result of
 * eth_getBlockAccessList; `hash` is the header's `blockAccessListHash`. Throws UpstreamError if the list is malformed
 * or has another hash.
 */
export function accessListWrites(result: unknown, hash: Uint8Array): BlockWrites {
  const list = typeof result === 'string' ? listOfRlp(result) : listOfJson(result);
  const found = keccak256(encodeBlockAccessList(list));
  if (!sameBytes(found, hash)) wrong(`the access list has hash ${toHex(found)}, the header says ${toHex(hash)}`);
  checkOrder(list);
  return writesOf(list);
}

/** The last change of each field and slot is the one that counts. */
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
  return decodeBlockAccessList(bytesOf(hex, 'an access list', null)) ?? wrong('the access list is no RLP of one');
}

function lastOf<T>(changes: AccessChanges<T>): T | null {
  return changes.at(-1)?.value ?? null;
}

// ---- JSON of the execution API ----

function listOfJson(result: unknown): BlockAccessList {
  return listOf(result, 'an access list').map((each) => {
    const account = membersOf(each, 'an account of an access list');
    return {
      address: bytesOf(account['address'], 'address', 20),
      storage: listOf(account['storageChanges'], 'storageChanges').map(slotOfJson),
      reads: listOf(account['storageReads'], 'storageReads').map((slot) => quantityOf(slot, 'a slot')),
      balances: changesOfJson(account['balanceChanges'], 'balanceChanges', valueOf),
      nonces: changesOfJson(account['nonceChanges'], 'nonceChanges', nonceOf),
      codes: changesOfJson(account['codeChanges'], 'codeChanges', ({ code }) => bytesOf(code, 'code', null)),
    };
  });
}

function slotOfJson(json: unknown): AccountAccess['storage'][number] {
  const { key, changes } = membersOf(json, 'a slot of an access list');
  return { slot: quantityOf(key, 'key'), changes: changesOfJson(changes, 'changes', valueOf) };
}

function changesOfJson<T>(json: unknown, what: string, read: (members: JsonObject) => T): AccessChanges<T> {
  return listOf(json, what).map((each) => {
    const members = membersOf(each, what);
    return { index: numberOf(members['index'], 'index'), value: read(members) };
  });
}

function valueOf({ value }: JsonObject): bigint {
  return quantityOf(value, 'value');
}

function nonceOf({ value }: JsonObject): bigint {
  const nonce = quantityOf(value, 'a nonce');
  return nonce > U64_MAX ? wrong('a nonce has more than 64 bits') : nonce;
}

// ---- order ----

/** Checks EIP-7928's order: all ascending and unique, and no written slot in the list of reads. */
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
    if (reads.some((slot) => slots.has(slot))) wrong(`the access list has a slot of ${name} as read and as written`);
    for (const changes of [balances, nonces, codes, ...storage.map((slot) => slot.changes)])
      checkAscending(
        changes.map(({ index }) => index),
        `changes of ${name}`,
      );
    if (storage.some(({ changes }) => changes.length === 0))
      wrong(`the access list has a slot of ${name} without changes`);
  }
}

function checkAscending(items: readonly (string | number | bigint)[], what: string): void {
  const at = items.findIndex((item, index) => index > 0 && items[index - 1]! >= item);
  if (at > 0) wrong(`the access list has its ${what} in disorder`);
}
