// Encodes state and block overrides as compact bytes.
//
//   override u8 flags (ACCOUNT below), bytes address, [nonce] integer, [balance] integer, [code] bytes,
//            [state] list of (bytes slot, bytes value), [stateDiff] the same, [movePrecompileToAddress] bytes
//   block    u32 flags (BLOCK below), its fields in the order of BLOCK: integers, but bytes for fee recipient, randao
//            and beacon root, list of (integer index, integer validator, bytes address, integer amount) for
//            withdrawals, list of (integer number, bytes hash) for hashes
import type { ByteReader, ByteWriter } from '../../lib/bytes/byte-reader-writer.js';
import type { Withdrawal } from '../../state/block.js';
import type { AccountOverride, BlockOverride } from '../../transaction/call-request.js';
import { packList, presenceFlags, unpackList } from './lists-and-flags.js';

type BlockHashEntry = readonly [number: bigint, hash: Uint8Array];
type StorageEntry = readonly [slot: Uint8Array, value: Uint8Array];

const ACCOUNT = {
  nonce: 1 << 0,
  balance: 1 << 1,
  code: 1 << 2,
  state: 1 << 3,
  stateDiff: 1 << 4,
  movePrecompileToAddress: 1 << 5,
} as const;

const BLOCK = {
  number: 1 << 0,
  difficulty: 1 << 1,
  time: 1 << 2,
  gasLimit: 1 << 3,
  feeRecipient: 1 << 4,
  prevRandao: 1 << 5,
  baseFeePerGas: 1 << 6,
  blobBaseFee: 1 << 7,
  beaconRoot: 1 << 8,
  withdrawals: 1 << 9,
  blockHash: 1 << 10,
} as const;

export function packAccountOverride(account: AccountOverride, to: ByteWriter): void {
  to.u8(presenceFlags(account, ACCOUNT));
  to.bytes(account.address);
  if (account.nonce !== undefined) to.integer(account.nonce);
  if (account.balance !== undefined) to.integer(account.balance);
  if (account.code !== undefined) to.bytes(account.code);
  if (account.state !== undefined) packList(account.state, to, packStorage);
  if (account.stateDiff !== undefined) packList(account.stateDiff, to, packStorage);
  if (account.movePrecompileToAddress !== undefined) to.bytes(account.movePrecompileToAddress);
}

/** Decodes the next account override. Its byte arrays are views, as in unpackCall. */
export function unpackAccountOverride(from: ByteReader): AccountOverride {
  const flags = from.u8();
  return {
    address: from.bytes(),
    ...(flags & ACCOUNT.nonce && { nonce: from.integer() }),
    ...(flags & ACCOUNT.balance && { balance: from.integer() }),
    ...(flags & ACCOUNT.code && { code: from.bytes() }),
    ...(flags & ACCOUNT.state && { state: unpackList(from, unpackStorage) }),
    ...(flags & ACCOUNT.stateDiff && { stateDiff: unpackList(from, unpackStorage) }),
    ...(flags & ACCOUNT.movePrecompileToAddress && { movePrecompileToAddress: from.bytes() }),
  };
}

export function packBlockOverride(block: BlockOverride, to: ByteWriter): void {
  to.u32(presenceFlags(block, BLOCK));
  if (block.number !== undefined) to.integer(block.number);
  if (block.difficulty !== undefined) to.integer(block.difficulty);
  if (block.time !== undefined) to.integer(block.time);
  if (block.gasLimit !== undefined) to.integer(block.gasLimit);
  if (block.feeRecipient !== undefined) to.bytes(block.feeRecipient);
  if (block.prevRandao !== undefined) to.bytes(block.prevRandao);
  if (block.baseFeePerGas !== undefined) to.integer(block.baseFeePerGas);
  if (block.blobBaseFee !== undefined) to.integer(block.blobBaseFee);
  if (block.beaconRoot !== undefined) to.bytes(block.beaconRoot);
  if (block.withdrawals !== undefined) packList(block.withdrawals, to, packWithdrawal);
  if (block.blockHash !== undefined) packList(block.blockHash, to, packHash);
}

/** Decodes the next block override. Its byte arrays are views, as in unpackCall. */
export function unpackBlockOverride(from: ByteReader): BlockOverride {
  const flags = from.u32();
  return {
    ...(flags & BLOCK.number && { number: from.integer() }),
    ...(flags & BLOCK.difficulty && { difficulty: from.integer() }),
    ...(flags & BLOCK.time && { time: from.integer() }),
    ...(flags & BLOCK.gasLimit && { gasLimit: from.integer() }),
    ...(flags & BLOCK.feeRecipient && { feeRecipient: from.bytes() }),
    ...(flags & BLOCK.prevRandao && { prevRandao: from.bytes() }),
    ...(flags & BLOCK.baseFeePerGas && { baseFeePerGas: from.integer() }),
    ...(flags & BLOCK.blobBaseFee && { blobBaseFee: from.integer() }),
    ...(flags & BLOCK.beaconRoot && { beaconRoot: from.bytes() }),
    ...(flags & BLOCK.withdrawals && { withdrawals: unpackList(from, unpackWithdrawal) }),
    ...(flags & BLOCK.blockHash && { blockHash: unpackList(from, unpackHash) }),
  };
}

function packWithdrawal({ index, validatorIndex, address, amount }: Withdrawal, to: ByteWriter): void {
  to.integer(index);
  to.integer(validatorIndex);
  to.bytes(address);
  to.integer(amount);
}

function unpackWithdrawal(from: ByteReader): Withdrawal {
  return { index: from.integer(), validatorIndex: from.integer(), address: from.bytes(), amount: from.integer() };
}

function packHash([number, hash]: BlockHashEntry, to: ByteWriter): void {
  to.integer(number);
  to.bytes(hash);
}

function unpackHash(from: ByteReader): BlockHashEntry {
  return [from.integer(), from.bytes()];
}

function packStorage([slot, value]: StorageEntry, to: ByteWriter): void {
  to.bytes(slot);
  to.bytes(value);
}

function unpackStorage(from: ByteReader): StorageEntry {
  return [from.bytes(), from.bytes()];
}
