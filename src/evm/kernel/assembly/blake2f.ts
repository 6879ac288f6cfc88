// The compression function of BLAKE2b with any number of rounds (EIP-152, RFC 7693). Runs on publisher and estimators where
// the addon does not serve.
const START: usize = memory.data<u64>([
  0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
  0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179,
], 16);
/** Order of the message's words in a round. */
const ORDER: usize = memory.data<u8>([
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3,
  11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4, 7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8,
  9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13, 2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9,
  12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11, 13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10,
  6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5, 10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0,
], 16);
const ORDER_END: usize = ORDER + 160;
const STATE: usize = memory.data(16 * 8, 16);
const MESSAGE: usize = memory.data(16 * 8, 16);

/** Word `word` of the message as the round at `order` orders it. */
@inline
function at(order: usize, word: usize): u64 {
  return load<u64>(MESSAGE + (<usize>load<u8>(order + word) << 3));
}

/** Mixes the words a, b, c, d of the state with two of the message. */
@inline
function mix(a: usize, b: usize, c: usize, d: usize, x: u64, y: u64): void {
  let va = load<u64>(STATE + (a << 3));
  let vb = load<u64>(STATE + (b << 3));
  let vc = load<u64>(STATE + (c << 3));
  let vd = load<u64>(STATE + (d << 3));
  va += vb + x;
  vd = rotr(vd ^ va, 32);
  vc += vd;
  vb = rotr(vb ^ vc, 24);
  va += vb + y;
  vd = rotr(vd ^ va, 16);
  vc += vd;
  vb = rotr(vb ^ vc, 63);
  store<u64>(STATE + (a << 3), va);
  store<u64>(STATE + (b << 3), vb);
  store<u64>(STATE + (c << 3), vc);
  store<u64>(STATE + (d << 3), vd);
}

@inline
function round(order: usize): void {
  mix(0, 4, 8, 12, at(order, 0), at(order, 1));
  mix(1, 5, 9, 13, at(order, 2), at(order, 3));
  mix(2, 6, 10, 14, at(order, 4), at(order, 5));
  mix(3, 7, 11, 15, at(order, 6), at(order, 7));
  mix(0, 5, 10, 15, at(order, 8), at(order, 9));
  mix(1, 6, 11, 12, at(order, 10), at(order, 11));
  mix(2, 7, 8, 13, at(order, 12), at(order, 13));
  mix(3, 4, 9, 14, at(order, 14), at(order, 15));
}

/** Input: rounds (4 bytes, the highest first), h, m, t (the lowest first), f; 213 bytes. Output: 64 bytes. */
export function compress(output: usize, input: usize): void {
  const rounds = bswap(load<u32>(input));
  memory.copy(STATE, input + 4, 64);
  memory.copy(STATE + 64, START, 64);
  memory.copy(MESSAGE, input + 68, 128);
  store<u64>(STATE + 96, load<u64>(STATE + 96) ^ load<u64>(input + 196));
  store<u64>(STATE + 104, load<u64>(STATE + 104) ^ load<u64>(input + 204));
  if (load<u8>(input + 212) != 0) store<u64>(STATE + 112, ~load<u64>(STATE + 112));
  let order = ORDER;
  for (let i: u32 = 0; i < rounds; i++) {
    round(order);
    order += 16;
    if (order == ORDER_END) order = ORDER;
  }
  for (let i: usize = 0; i < 64; i += 8) {
    store<u64>(output + i, load<u64>(input + 4 + i) ^ load<u64>(STATE + i) ^ load<u64>(STATE + 64 + i));
  }
}
