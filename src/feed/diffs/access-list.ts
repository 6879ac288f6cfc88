// Block access lists (EIP-7928): every write of a block with the index of the step that made it, 0 before the transactions, 1 to
// n for them, n + 1 behind them. Read from RLP or from the JSON of eth_getBlockAccessList, and checked against the header's hash.
// Pure. Runs on the publisher.
import { sameBytes } from '../../lib/bytes/byte-map.js';
import { toHex } from '../../lib/bytes/hex.js';
import { keccak256 } from '../../lib/bytes/keccak.js';
import { encodeBytes, encodeList, encodeNumber } from '../../lib/bytes/rlp.js';
import { RlpReader } from '../../lib/bytes/rlp-reader.js';
import { toBytes } from '../../lib/bytes/words.js';
import { bytesOf, listOf, membersOf, numberOf, quantityOf, wrong, type Members } from '../../upstream/reads/json.js';
import { BlockWrites } from './writes.js';

/** A value, and the index of the step that wrote it. */
interface Change<T> {
  readonly index: number;
  readonly value: T;
}

type Changes<T> = readonly Change<T>[];

/** One account of a list, with everything that was written to it; slots and words are numbers of 256 bits. */
interface AccountAccess {
  readonly address: Uint8Array;
  readonly storage: readonly { readonly slot: bigint; readonly changes: Changes<bigint> }[];
  readonly reads: readonly bigint[];
  readonly balances: Changes<bigint>;
  readonly nonces: Changes<bigint>;
  readonly codes: Changes<Uint8Array>;
}

/** Accounts in ascending order. */
type BlockAccessList = readonly AccountAccess[];

/** EIP-7928: bytes of an index, a nonce and a word. */
const INDEX_BYTES = 4;
const NONCE_BYTES = 8;
const WORD_BYTES = 32;
const U64_MAX = 2n ** 64n - 1n;

/**
 * Writes of a block by its access list: RLP as hexadecimal text, or the list as eth_getBlockAccessList answers. `hash`: the header's
 * `blockAccessListHash`. Throws UpstreamError where it is no such list, or has another hash.
 */
export function accessListWrites(result: unknown, hash: Uint8Array): BlockWrites {
  const list = typeof result === 'string' ? listOfRlp(bytesOf(result, 'an access list', null)) : listOfJson(result);
  const found = keccak256(encoded(list));
  if (!sameBytes(found, hash)) wrong(`the access list has hash ${toHex(found)}, the header says ${toHex(hash)}`);
  checkOrder(list);
  return writesOf(list);
}

/** The last change of each field and slot counts. */
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

function lastOf<T>(changes: Changes<T>): T | null {
  return changes.at(-1)?.value ?? null;
}

// ---- RLP ----

function listOfRlp(rlp: Uint8Array): BlockAccessList {
  const reader = new RlpReader(rlp);
  const list = reader.list(readAccount);
  return reader.isSound && reader.isAtEnd ? list : wrong('the access list is no RLP of one');
}

function readAccount(reader: RlpReader): AccountAccess {
  const outer = reader.enter();
  const account = {
    address: reader.exactly(20).slice(),
    storage: reader.list(readSlot),
    reads: reader.list(readWord),
    balances: reader.list((each) => readChange(each, readWord)),
    nonces: reader.list((each) => readChange(each, readNonce)),
    codes: reader.list((each) => readChange(each, readCode)),
  };
  reader.leave(outer);
  return account;
}

function readSlot(reader: RlpReader): AccountAccess['storage'][number] {
  const outer = reader.enter();
  const entry = { slot: readWord(reader), changes: reader.list((each) => readChange(each, readWord)) };
  reader.leave(outer);
  return entry;
}

function readChange<T>(reader: RlpReader, read: (reader: RlpReader) => T): Change<T> {
  const outer = reader.enter();
  const change = { index: Number(reader.integer(INDEX_BYTES)), value: read(reader) };
  reader.leave(outer);
  return change;
}

function readWord(reader: RlpReader): bigint {
  return reader.integer(WORD_BYTES);
}

function readNonce(reader: RlpReader): bigint {
  return reader.integer(NONCE_BYTES);
}

function readCode(reader: RlpReader): Uint8Array {
  return reader.string().slice();
}

function encoded(list: BlockAccessList): Uint8Array {
  return encodeList(
    list.map(({ address, storage, reads, balances, nonces, codes }) => {
      return encodeList([
        encodeBytes(address),
        encodeList(
          storage.map(({ slot, changes }) => encodeList([encodeNumber(slot), encodedChanges(changes, encodeNumber)])),
        ),
        encodeList(reads.map(encodeNumber)),
        encodedChanges(balances, encodeNumber),
        encodedChanges(nonces, encodeNumber),
        encodedChanges(codes, encodeBytes),
      ]);
    }),
  );
}

function encodedChanges<T>(changes: Changes<T>, encode: (value: T) => Uint8Array): Uint8Array {
  return encodeList(changes.map(({ index, value }) => encodeList([encodeNumber(BigInt(index)), encode(value)])));
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

function changesOfJson<T>(json: unknown, what: string, read: (members: Members) => T): Changes<T> {
  return listOf(json, what).map((each) => {
    const members = membersOf(each, what);
    return { index: numberOf(members['index'], 'index'), value: read(members) };
  });
}

function valueOf({ value }: Members): bigint {
  return quantityOf(value, 'value');
}

function nonceOf({ value }: Members): bigint {
  const nonce = quantityOf(value, 'a nonce');
  return nonce > U64_MAX ? wrong('a nonce has more than 64 bits') : nonce;
}

// ---- order ----

/** EIP-7928: accounts, slots and indices ascend, each once; a slot that was written is not among those read. */
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
  const at = items.findIndex((item, place) => place > 0 && items[place - 1]! >= item);
  if (at > 0) wrong(`the access list has its ${what} in disorder`);
}
