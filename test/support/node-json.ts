// Renders blocks and transactions from their RLP as an ordinary node does in JSON, deposits included; independent of
// src/rpc.
import { RLP, type NestedUint8Array } from '@ethereumjs/rlp';
import { keccak_256 as keccak256 } from '@noble/hashes/sha3.js';
import { Transaction } from 'ethers';
import { toHex, toQuantity } from '../../src/lib/bytes/hex.js';
import { toBigInt } from '../../src/lib/bytes/big-endian.js';
import type { Withdrawal } from '../../src/state/complete-block.js';

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };
export type JsonObject = Record<string, Json>;

/** A block as a node stores it, without its state. */
export interface RawBlock {
  /** RLP. */
  readonly header: Uint8Array;
  /** EIP-2718 bytes; the sender is recovered if it is not given. */
  readonly transactions: readonly { readonly raw: Uint8Array; readonly from?: Uint8Array }[];
  readonly withdrawals: readonly Withdrawal[] | null;
  readonly sizeBytes?: number;
}

type Item = Uint8Array | NestedUint8Array;

const DEPOSIT = 0x7e;

const HEADER =
  'parentHash=d sha3Uncles=d miner=d stateRoot=d transactionsRoot=d receiptsRoot=d logsBloom=d difficulty=q number=q gasLimit=q gasUsed=q timestamp=q extraData=d mixHash=d nonce=d baseFeePerGas=q withdrawalsRoot=d blobGasUsed=q excessBlobGas=q parentBeaconBlockRoot=d requestsHash=d blockAccessListHash=d slotNumber=q newRoot=d newNumber=q';
const MESSAGE = 'gas=q to=d value=q input=d';
const FEES = 'chainId=q nonce=q maxPriorityFeePerGas=q maxFeePerGas=q';
const SIGNATURE = 'yParity=q r=q s=q';
const TRANSACTIONS: Readonly<Record<number, string>> = {
  0: `nonce=q gasPrice=q ${MESSAGE} v=q r=q s=q`,
  1: `chainId=q nonce=q gasPrice=q ${MESSAGE} accessList=a ${SIGNATURE}`,
  2: `${FEES} ${MESSAGE} accessList=a ${SIGNATURE}`,
  3: `${FEES} ${MESSAGE} accessList=a maxFeePerBlobGas=q blobVersionedHashes=l ${SIGNATURE}`,
  4: `${FEES} ${MESSAGE} accessList=a authorizationList=s ${SIGNATURE}`,
  [DEPOSIT]: 'sourceHash=d from=d to=d mint=q value=q gas=q isSystemTx=b input=d',
};
const AUTHORIZATION = `chainId=q address=d nonce=q ${SIGNATURE}`;

/** The block object of `eth_getBlockBy...`. */
export function blockJson(block: RawBlock, full: boolean): JsonObject {
  const header = headerJson(block.header);
  const place = { blockHash: header['hash']!, blockNumber: header['number']! };
  return {
    ...header,
    size: toQuantity(block.sizeBytes ?? 0),
    uncles: [],
    transactions: block.transactions.map(({ raw, from }, index) =>
      full ? { ...transactionJson(raw, from), ...place, transactionIndex: toQuantity(index) } : toHex(keccak256(raw)),
    ),
    ...(block.withdrawals === null ? {} : { withdrawals: block.withdrawals.map(withdrawalJson) }),
  };
}

/** The header with its hash, as in `newHeads`. */
export function headerJson(header: Uint8Array): JsonObject {
  return { hash: toHex(keccak256(header)), ...fields(RLP.decode(header), HEADER) };
}

/** One transaction without its position in a block. */
export function transactionJson(raw: Uint8Array, from?: Uint8Array): JsonObject {
  const type = raw[0]! >= 0xc0 ? 0 : raw[0]!;
  const json = fields(RLP.decode(type === 0 ? raw : raw.subarray(1)), TRANSACTIONS[type]!);
  if (json['to'] === '0x') json['to'] = null;
  const hash = toHex(keccak256(raw));
  if (type === DEPOSIT)
    return { ...json, hash, type: '0x7e', nonce: '0x0', gasPrice: '0x0', v: '0x0', r: '0x0', s: '0x0' };
  const sender = from === undefined ? Transaction.from(toHex(raw)).from!.toLowerCase() : toHex(from);
  return { ...json, hash, type: toQuantity(type), from: sender, ...(type === 0 ? {} : { v: json['yParity']! }) };
}

function withdrawalJson({ index, validatorIndex, address, amount }: Withdrawal): JsonObject {
  return {
    index: toQuantity(index),
    validatorIndex: toQuantity(validatorIndex),
    address: toHex(address),
    amount: toQuantity(amount),
  };
}

function fields(list: Item, table: string): JsonObject {
  const names = table.split(' ').map((entry) => entry.split('='));
  return Object.fromEntries((list as Item[]).map((item, i) => [names[i]![0]!, value(item, names[i]![1]!)]));
}

/** `d` data, `q` quantity, `b` boolean, `l` list of data, `a` access list, `s` authorization list. */
function value(item: Item, kind: string): Json {
  if (kind === 'd') return toHex(item as Uint8Array);
  if (kind === 'q') return toQuantity(toBigInt(item as Uint8Array));
  if (kind === 'b') return (item as Uint8Array).length > 0;
  const items = item as Item[];
  if (kind === 'l') return items.map((entry) => toHex(entry as Uint8Array));
  if (kind === 's') return items.map((entry) => fields(entry, AUTHORIZATION));
  return (items as [Uint8Array, Uint8Array[]][]).map(([address, keys]) => ({
    address: toHex(address),
    storageKeys: keys.map(toHex),
  }));
}
