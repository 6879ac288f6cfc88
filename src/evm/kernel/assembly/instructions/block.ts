// Instructions that read the block environment, 0x40 to 0x4b.
import { abortExecution } from '../abort-reason';
import { markBlockEnvRead } from '../execution-wide-state';
import { hostBlockHash } from '../host';
import {
  BLOBS,
  ENV,
  ENV_BASE_FEE,
  ENV_BLOB_BASE_FEE,
  ENV_CHAIN_ID,
  ENV_COINBASE,
  ENV_GAS_LIMIT,
  ENV_NUMBER,
  ENV_RANDAO,
  ENV_SLOT_NUMBER,
  ENV_TIMESTAMP,
  MESSAGE,
  MESSAGE_BLOB_COUNT,
} from '../shared/memory-layout';
import { STATE_MISS } from '../shared/status';
import { copy, fromAddress, setU64, saturatedSize, byteSwap, zero } from '../words/word';

/** BLOCKHASH 0x40: number -> hash of that block, if it is one of the last 256; else 0. */
@inline
export function BLOCKHASH(sp: usize): bool {
  markBlockEnvRead();
  const number = load<u64>(sp);
  const current = load<u64>(ENV, ENV_NUMBER);
  const distance = current - number;
  const rest = load<u64>(sp, 8) | load<u64>(sp, 16) | load<u64>(sp, 24);
  if (rest != 0 || number > current || distance - 1 >= 256) {
    zero(sp);
  } else if (hostBlockHash(number, sp) < 0) {
    abortExecution(STATE_MISS);
    return false;
  }
  return true;
}

/** COINBASE 0x41: -> address of the fee recipient. */
@inline
export function COINBASE(sp: usize): void {
  markBlockEnvRead();
  fromAddress(sp + 32, ENV + ENV_COINBASE);
}

/** TIMESTAMP 0x42: -> the block's time in seconds since 1970. */
@inline
export function TIMESTAMP(sp: usize): void {
  markBlockEnvRead();
  setU64(sp + 32, load<u64>(ENV, ENV_TIMESTAMP));
}

/** NUMBER 0x43: -> the block's number. */
@inline
export function NUMBER(sp: usize): void {
  markBlockEnvRead();
  setU64(sp + 32, load<u64>(ENV, ENV_NUMBER));
}

/** PREVRANDAO 0x44 (EIP-4399): -> the beacon chain's randomness for the block. */
@inline
export function PREVRANDAO(sp: usize): void {
  markBlockEnvRead();
  copy(sp + 32, ENV + ENV_RANDAO);
}

/** GASLIMIT 0x45: -> the block's gas limit. */
@inline
export function GASLIMIT(sp: usize): void {
  markBlockEnvRead();
  setU64(sp + 32, load<u64>(ENV, ENV_GAS_LIMIT));
}

/** CHAINID 0x46 (EIP-1344): -> the chain's id. */
@inline
export function CHAINID(sp: usize): void {
  copy(sp + 32, ENV + ENV_CHAIN_ID);
}

/** BASEFEE 0x48 (EIP-3198): -> the block's base fee in wei per gas. */
@inline
export function BASEFEE(sp: usize): void {
  markBlockEnvRead();
  copy(sp + 32, ENV + ENV_BASE_FEE);
}

/** BLOBHASH 0x49 (EIP-4844): index -> versioned hash of the transaction's blob; 0 beyond the last blob. */
@inline
export function BLOBHASH(sp: usize): void {
  const index = saturatedSize(sp);
  if (index < load<u32>(MESSAGE, MESSAGE_BLOB_COUNT)) byteSwap(sp, BLOBS + (<usize>index << 5));
  else zero(sp);
}

/** BLOBBASEFEE 0x4a (EIP-7516): -> the block's blob base fee in wei per gas. */
@inline
export function BLOBBASEFEE(sp: usize): void {
  markBlockEnvRead();
  copy(sp + 32, ENV + ENV_BLOB_BASE_FEE);
}

/** SLOTNUM 0x4b (EIP-7843): -> number of the block's slot on the beacon chain. */
@inline
export function SLOTNUM(sp: usize): void {
  markBlockEnvRead();
  setU64(sp + 32, load<u64>(ENV, ENV_SLOT_NUMBER));
}
