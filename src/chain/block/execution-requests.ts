// Execution requests, which a block sends to the consensus layer (EIP-7685): deposits, withdrawals, consolidations, and
// the deposits and exits of builders.
import { createHash } from 'node:crypto';
import { fromHex } from '../../lib/bytes/hex.js';
import { toBigInt } from '../../lib/bytes/big-endian.js';
import type { Log } from '../../state/complete-block.js';
import { sameBytes } from '../../lib/bytes/byte-map.js';

/** Contract that collects withdrawal requests (EIP-7002). */
export const WITHDRAWAL_QUEUE_ADDRESS = fromHex('00000961Ef480Eb55e80D19ad83579A64c007002');
/** Contract that collects consolidation requests (EIP-7251). */
export const CONSOLIDATION_QUEUE_ADDRESS = fromHex('0000BBdDc7CE488642fb579F8B00f3a590007251');
/** Contract that collects the deposits of builders (EIP-8282). */
export const BUILDER_DEPOSIT_QUEUE_ADDRESS = fromHex('0000bFF46984e3725691FA540A8C7589300D8282');
/** Contract that collects the exits of builders (EIP-8282). */
export const BUILDER_EXIT_QUEUE_ADDRESS = fromHex('000064D678505ad48F8cCb093BC65613800E8282');

/** Ethereum's deposit contract (EIP-6110). Used unless the chain's description names another one. */
export const DEPOSIT_CONTRACT_ADDRESS = fromHex('00000000219ab540356cBB839Cbe05303d7705Fa');

/** A system contract that is called at the end of a block and returns its queued requests. */
export interface RequestQueue {
  readonly address: Uint8Array;
  /** Name of this type of requests, for error messages. */
  readonly name: string;
}

const PRAGUE_QUEUES: readonly RequestQueue[] = [
  { address: WITHDRAWAL_QUEUE_ADDRESS, name: 'withdrawal requests' },
  { address: CONSOLIDATION_QUEUE_ADDRESS, name: 'consolidation requests' },
];
const AMSTERDAM_QUEUES: readonly RequestQueue[] = [
  ...PRAGUE_QUEUES,
  { address: BUILDER_DEPOSIT_QUEUE_ADDRESS, name: "builders' deposits" },
  { address: BUILDER_EXIT_QUEUE_ADDRESS, name: "builders' exits" },
];

/**
 * Returns the contracts in the order of request types from 1 on (EIP-7002, 7251, 8282). Type 0, deposits, is read from
 * logs instead (EIP-6110).
 */
export function requestQueueContracts(forks: { isActivatedEIP(eip: 8282): boolean }): readonly RequestQueue[] {
  return forks.isActivatedEIP(8282) ? AMSTERDAM_QUEUES : PRAGUE_QUEUES;
}

/** Topic of `DepositEvent(bytes,bytes,bytes,bytes,bytes)`. */
const DEPOSIT_TOPIC = fromHex('649bbc62d0e31342afea4e5cd82d4049e7e1ee912fc0889aa790803be39038c5');
const DEPOSIT_EVENT_BYTES = 576;

/**
 * ABI layout of the deposit event: the offsets at which the lengths of public key, credentials, amount, signature and
 * index are stored, and these lengths.
 */
const DEPOSIT_FIELDS: readonly (readonly [offset: number, length: number])[] = [
  [160, 48],
  [256, 32],
  [320, 8],
  [384, 96],
  [512, 8],
];

/** Returns the data of all deposits in `logs`, in order (EIP-6110); `null` if a deposit event has the wrong layout. */
export function depositRequestsInLogs(logs: Iterable<Log>, contract: Uint8Array): Uint8Array | null {
  const deposits: Uint8Array[] = [];
  for (const { address, topics, data } of logs) {
    if (topics[0] === undefined || !sameBytes(address, contract) || !sameBytes(topics[0], DEPOSIT_TOPIC)) continue;
    const deposit = readDeposit(data);
    if (deposit === null) return null;
    deposits.push(deposit);
  }
  return Buffer.concat(deposits);
}

/** Returns EIP-7685's hash over the requests, in the order of their types. Types without requests are skipped. */
export function requestsHash(data: readonly Uint8Array[]): Uint8Array {
  const all = createHash('sha256');
  for (const [type, requests] of data.entries()) {
    if (requests.length === 0) continue;
    all.update(createHash('sha256').update(Uint8Array.of(type)).update(requests).digest());
  }
  return new Uint8Array(all.digest());
}

/** The requests hash of a block without requests. */
export const EMPTY_REQUESTS_HASH = requestsHash([]);

function readDeposit(data: Uint8Array): Uint8Array | null {
  if (data.length !== DEPOSIT_EVENT_BYTES) return null;
  const fields: Uint8Array[] = [];
  for (const [i, [offset, length]] of DEPOSIT_FIELDS.entries()) {
    const start = offset + 32;
    if (toBigInt(data.subarray(32 * i, 32 * i + 32)) !== BigInt(offset)) return null;
    if (toBigInt(data.subarray(offset, start)) !== BigInt(length)) return null;
    fields.push(data.subarray(start, start + length));
  }
  return Buffer.concat(fields);
}
