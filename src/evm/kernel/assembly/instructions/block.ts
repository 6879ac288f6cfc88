// The block: 0x40 to 0x4a.
import { abortWith } from '../abort';
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
  ENV_TIMESTAMP,
  MESSAGE,
  MESSAGE_BLOBS,
} from '../shared/layout';
import { MISS } from '../shared/status';
import { copy, fromAddress, setU64, size, swap, zero } from '../word';

/** Of the last 256 blocks; all others' is zero. */
@inline
export function BLOCKHASH(sp: usize): bool {
  const number = load<u64>(sp);
  const current = load<u64>(ENV, ENV_NUMBER);
  const distance = current - number;
  const rest = load<u64>(sp, 8) | load<u64>(sp, 16) | load<u64>(sp, 24);
  if (rest != 0 || number > current || distance - 1 >= 256) {
    zero(sp);
  } else if (hostBlockHash(number, sp) < 0) {
    abortWith(MISS);
    return false;
  }
  return true;
}

@inline
export function COINBASE(sp: usize): void {
  fromAddress(sp + 32, ENV + ENV_COINBASE);
}

@inline
export function TIMESTAMP(sp: usize): void {
  setU64(sp + 32, load<u64>(ENV, ENV_TIMESTAMP));
}

@inline
export function NUMBER(sp: usize): void {
  setU64(sp + 32, load<u64>(ENV, ENV_NUMBER));
}

@inline
export function PREVRANDAO(sp: usize): void {
  copy(sp + 32, ENV + ENV_RANDAO);
}

@inline
export function GASLIMIT(sp: usize): void {
  setU64(sp + 32, load<u64>(ENV, ENV_GAS_LIMIT));
}

@inline
export function CHAINID(sp: usize): void {
  copy(sp + 32, ENV + ENV_CHAIN_ID);
}

@inline
export function BASEFEE(sp: usize): void {
  copy(sp + 32, ENV + ENV_BASE_FEE);
}

@inline
export function BLOBHASH(sp: usize): void {
  const index = size(sp);
  if (index < load<u32>(MESSAGE, MESSAGE_BLOBS)) swap(sp, BLOBS + (<usize>index << 5));
  else zero(sp);
}

@inline
export function BLOBBASEFEE(sp: usize): void {
  copy(sp + 32, ENV + ENV_BLOB_BASE_FEE);
}
