// Renders a block access list in the form of the execution API (EIP-7928).
import { decodeBlockAccessList, type AccountAccess, type ValueChanges } from '../../chain/block/block-access-list.js';
import type { JsonValue } from '../../chain/render-header-json.js';
import { toHex, toQuantity } from '../../lib/bytes/hex.js';
import { toBytes } from '../../lib/bytes/big-endian.js';

/** Renders an RLP-encoded access list as JSON. Throws if it is malformed, because only valid lists are ever stored. */
export function renderBlockAccessList(rlp: Uint8Array): string {
  const list = decodeBlockAccessList(rlp);
  if (list === null) throw new Error('an access list that is kept here is none');
  return JSON.stringify(list.map(shown));
}

function shown({ address, storage, reads, balances, nonces, codes }: AccountAccess): JsonValue {
  return {
    address: toHex(address),
    storageChanges: storage.map(({ slot, changes }) => ({ key: word(slot), changes: valuesOf(changes, word) })),
    storageReads: reads.map(word),
    balanceChanges: valuesOf(balances, toQuantity),
    nonceChanges: valuesOf(nonces, toQuantity),
    codeChanges: codes.map(({ index, value }) => ({ index: toQuantity(index), code: toHex(value) })),
  };
}

function valuesOf(changes: ValueChanges<bigint>, show: (value: bigint) => string): JsonValue {
  return changes.map(({ index, value }) => ({ index: toQuantity(index), value: show(value) }));
}

function word(value: bigint): string {
  return toHex(toBytes(value, 32));
}
